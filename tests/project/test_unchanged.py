"""What long tests stand on: a change reaches those that it may break, and leaves the others out."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="module")
def unchanged() -> Any:
    """.ci/unchanged.py as a module."""
    spec = spec_from_file_location("unchanged", REPOSITORY / ".ci" / "unchanged.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_cannot_be_followed_stands_in_a_table(unchanged: Any) -> None:
    """Processes, loaders and folders: each file that has one says what it reaches, and no other file does."""
    files = [path.relative_to(REPOSITORY).as_posix() for path in (REPOSITORY / "tests").rglob("*.py")]
    found = {file for file in files if unchanged.SIGNS.search((REPOSITORY / file).read_text(encoding="utf-8"))}
    named = {*unchanged.REACHES, *unchanged.BY_STRINGS, Path(__file__).relative_to(REPOSITORY).as_posix()}
    assert found - named == set()
    assert named - {*files} == set()


def test_every_command_is_found(unchanged: Any) -> None:
    from holdem_agents.cli.commands import app

    known = {command.name or command.callback.__name__ for command in app.registered_commands if command.callback}
    known |= {str(group.name) for group in app.registered_groups}
    assert {*unchanged._commands()} == known
    assert all((REPOSITORY / file).is_file() for file in unchanged._commands().values())


@pytest.mark.parametrize(
    ("test", "reached", "not_reached"),
    [
        ("tests/web/test_watch.py", "agents/holdem_agents/web/static/watch.js", "holdem_env/protocols/acpc/dealer.py"),
        ("tests/rules/test_pots.py", "holdem_env/engine/pots.py", "holdem_env/arena/__init__.py"),
        ("tests/arena/test_aivat.py", "holdem_env/arena/estimators/aivat.py", "holdem_env/history/phh.py"),
        (
            "tests/agents/test_shipped.py",
            "agents/holdem_agents/shipped/ppo_100bb.safetensors",
            "tests/envs/test_aec.py",
        ),
        (
            "tests/arena/isolation/test_limits.py",
            "holdem_env/arena/isolation/serving.py",
            "agents/holdem_agents/web/app.py",
        ),
        ("tests/history/test_real_hands.py", "tests/data/pluribus.phhs", "holdem_env/arena/__init__.py"),
        ("tests/envs/test_registration.py", "holdem_env/envs/single_seat.py", "holdem_env/solvers/cfr.py"),
        (
            "tests/agents/test_cli_training.py",
            "agents/holdem_agents/training/run.py",
            "agents/holdem_agents/web/app.py",
        ),
    ],
)
def test_what_a_test_file_stands_on(unchanged: Any, test: str, reached: str, not_reached: str) -> None:
    assert (REPOSITORY / reached).is_file(), reached
    assert (REPOSITORY / not_reached).is_file(), not_reached
    found = unchanged.stands_on(test)
    assert test in found
    assert "tests/conftest.py" in found
    assert reached in found
    assert not_reached not in found


def test_a_changed_file_changes_the_digest(unchanged: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    test, before = "tests/rules/test_pots.py", unchanged.digest("slow", "tests/rules/test_pots.py")
    content = unchanged._content

    def changed(file: str) -> Any:
        return lambda name: "other" if name == file else content(name)

    monkeypatch.setattr(unchanged, "_content", changed("holdem_env/arena/__init__.py"))
    assert unchanged.digest("slow", test) == before
    monkeypatch.setattr(unchanged, "_content", changed("holdem_env/engine/pots.py"))
    assert unchanged.digest("slow", test) != before


@pytest.mark.parametrize(
    ("file", "counts"),
    [
        ("pyproject.toml", True),
        ("hatch_build.py", True),
        (".ci/first_hands.py", True),
        ("configs/demo.yaml", True),
        ("agents/holdem_agents/web/static/app.js", True),
        ("holdem_env/cards/evaluator.npz", True),
        ("holdem_env/engine/pots.py", False),
        (".ci/passed.txt", False),
    ],
)
def test_what_the_wheel_stands_on(unchanged: Any, monkeypatch: pytest.MonkeyPatch, file: str, counts: bool) -> None:
    [test] = unchanged.files_of("wheel")
    before, content = unchanged.digest("wheel", test), unchanged._content
    assert (REPOSITORY / file).is_file()
    monkeypatch.setattr(unchanged, "_content", lambda name: "other" if name == file else content(name))
    assert (unchanged.digest("wheel", test) != before) == counts


@pytest.mark.slow
def test_the_order_of_sets_changes_nothing() -> None:
    command = [
        sys.executable,
        str(REPOSITORY / ".ci/unchanged.py"),
        "modes",
        "--why",
        "tests/engine/test_plain_python.py",
    ]
    found = {
        subprocess.run(command, env={"PYTHONHASHSEED": str(seed)}, capture_output=True, check=True).stdout
        for seed in range(6)
    }
    assert len(found) == 1

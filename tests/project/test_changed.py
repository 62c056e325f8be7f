"""`.ci/run` believes a line of `.ci/verified` only where everything ran, and runs what stands on a change since."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.stands_on(".ci")

REPOSITORY = Path(__file__).resolve().parent.parent.parent
AVERAGE = "holdem_env/arena/tournaments/ratings.py"
SKIPS = "import pytest\n\n\ndef test_it():\n    pytest.importorskip('a_package_that_should_be_here')\n"


@pytest.fixture
def changed(monkeypatch: pytest.MonkeyPatch) -> Any:
    """.ci/changed.py as a module."""
    spec = spec_from_file_location("changed", REPOSITORY / ".ci" / "changed.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def tree(changed: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository of one commit, which `changed` takes for ours."""
    (tmp_path / ".ci").mkdir()
    (tmp_path / "a.txt").write_text("a")
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    for words in (("init", "-q"), ("add", "."), (*who, "commit", "-q", "-m", "Begin")):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    monkeypatch.setattr(changed, "ROOT", tmp_path)
    return tmp_path


def test_a_clean_run_is_believed(changed: Any, tree: Path) -> None:
    commit = changed.git("rev-parse", "HEAD").strip()
    for _ in range(2):  # the line itself is no change
        assert changed.verify(commit, "") == f"verified: {commit}"
        assert changed.verified_commit() == commit


def test_another_python_and_an_unknown_commit_are_not(
    changed: Any, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert changed.verified_commit() is None, "there is no line yet"
    (tree / ".ci" / "verified").write_text("\n")
    assert changed.verified_commit() is None
    changed.verify(changed.git("rev-parse", "HEAD").strip(), "")
    with monkeypatch.context() as patch:
        patch.setattr(changed, "PYTHON", "3.99")
        assert changed.verified_commit() is None
    (tree / ".ci" / "verified").write_text(f"{'1' * 40} today Python {'.'.join(map(str, sys.version_info[:2]))}")
    assert changed.verified_commit() is None


def test_an_edit_before_or_during_the_run_is_not(changed: Any, tree: Path) -> None:
    (tree / "a.txt").write_text("b")
    commit = changed.git("rev-parse", "HEAD").strip()
    assert changed.verify(commit, "").startswith("not verified: the tree had changes")
    assert changed.verify("", "").startswith("not verified: the tree had changes")


@pytest.mark.slow
def test_a_skip_is_not(changed: Any, tree: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """With several workers, as in CI; a skip that belongs to other machines is none."""
    folder = tmp_path_factory.mktemp("tests")
    (folder / "conftest.py").write_text((REPOSITORY / "tests" / "conftest.py").read_text())
    for name, text in {
        "test_a.py": SKIPS,
        "test_b.py": SKIPS.replace("a_package_that_should_be_here", "wandb.none"),
    }.items():
        (folder / name).write_text(text)
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", str(folder)]
    settings = {"HOLDEM_SKIPPED": str(folder / "skipped"), "PYTHONPATH": str(REPOSITORY / "tests")}
    subprocess.run(command, cwd=folder, env=os.environ | settings, check=True, capture_output=True)
    skipped = (folder / "skipped").read_text()
    assert "a_package_that_should_be_here" in skipped
    assert "wandb" not in skipped
    assert "should not skip\ntest_a.py" in changed.verify(changed.git("rev-parse", "HEAD").strip(), skipped)


@pytest.mark.parametrize(
    ("file", "reached", "not_reached"),
    [
        ("agents/holdem_agents/web/static/watch.js", "web/test_watch_in_chromium", "arena/test_match"),
        ("holdem_env/engine/pots.py", "rules/test_pots", "utils/test_yaml_files"),
        ("holdem_env/arena/__init__.py", "arena/test_match", "rules/test_pots"),
        ("agents/holdem_agents/shipped/ppo_100bb.safetensors", "agents/test_shipped", "rules/test_pots"),
        ("holdem_env/arena/isolation/serving.py", "arena/isolation/test_limits", "engine/test_evaluator"),
        ("tests/data/pluribus.phhs", "history/test_real_hands", "rules/test_pots"),
        ("holdem_env/envs/single_seat.py", "envs/test_registration", "rules/test_pots"),
        ("agents/holdem_agents/training/run.py", "agents/test_cli_training", "rules/test_pots"),
        ("configs/demo.yaml", "agents/test_cli", "rules/test_pots"),
        ("tests/command_line.py", "agents/test_cli", "arena/test_match"),
        ("docs/arena.md", "docs/test_docs", "rules/test_pots"),
    ],
)
def test_what_stands_on_a_file(changed: Any, file: str, reached: str, not_reached: str) -> None:
    assert (REPOSITORY / file).is_file()
    found = changed.selected({file})
    assert f"tests/{reached}.py" in found
    assert f"tests/{not_reached}.py" not in found
    assert (REPOSITORY / f"tests/{not_reached}.py").is_file()


@pytest.mark.parametrize("file", ["constraints.txt", "pyproject.toml", "tests/conftest.py", ".ci/run"])
def test_everything_stands_on_some(changed: Any, file: str) -> None:
    assert changed.selected({file}) == ["tests"]

"""What the arena reads and copies of a stranger's folder: plain files in it, not too many and not too large, nothing
that its config names elsewhere. No jail is needed to refuse it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from holdem_env import Rules
from holdem_env.arena.isolation import agent_files, jail
from holdem_env.arena.isolation.agent_files import check_store, own_files
from holdem_env.arena.tournaments.tournament import Tournament

RIVALS = "net.safetensors"


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tournament's folder with those of two strangers: the rival has a net."""
    monkeypatch.chdir(tmp_path)
    for name in ("mine", "rival"):
        (tmp_path / name).mkdir()
    (tmp_path / "rival" / RIVALS).write_bytes(b"weights")
    return tmp_path


def entered(path: Path) -> None:
    Tournament(rules=Rules.preset("heads-up-no-limit"), agents=["maniac", str(path)], hands=100).entrants()


@pytest.mark.parametrize(
    "agent",
    [
        {"agent": f"../rival/{RIVALS}"},
        {"agent": f"rival/{RIVALS}"},  # from the working directory
        {"agent": "link.safetensors"},
        {"agent": "maniac", "aggression": "/etc/passwd"},
        {"agent": "maniac", "style": ["a", {"b": "environment"}]},
        {"agent": "program", "command": f"cat ../rival/{RIVALS}"},
        {"agent": "program", "command": ["ls", "../rival"]},
        {"agent": "program:ls ../rival"},
        {"agent": "inner/other.json"},
    ],
    ids=str,
)
def test_a_config_names_nothing_outside_its_folder(agent: dict[str, object], folders: Path) -> None:
    config = folders / "mine" / "agent.json"
    config.write_text(json.dumps(agent))
    (folders / "mine" / "link.safetensors").symlink_to(f"../rival/{RIVALS}")
    (folders / "mine" / "environment").symlink_to("/proc/self/environ")
    (folders / "mine" / "inner").mkdir()
    (folders / "mine" / "inner" / "other.json").write_text(json.dumps({"agent": f"../../rival/{RIVALS}"}))
    with pytest.raises(ValueError, match=r"\.json: names .*, which is not in its folder.* `files`"):
        entered(config)


def test_a_config_names_files_of_its_folder_and_what_every_jail_sees(folders: Path) -> None:
    (folders / "mine" / "bot.py").touch()
    config = folders / "mine" / "agent.json"
    config.write_text(json.dumps({"agent": "program", "command": ["/usr/bin/env", "bot.py"]}))
    assert {*own_files({"agent": str(config)})} == {config, folders / "mine" / "bot.py"}
    config.write_text(json.dumps({"agent": "program", "command": ["cat", f"../rival/{RIVALS}"]}))
    assert {*own_files({"agent": str(config), "files": ["rival"]})} == {config, folders / "rival" / RIVALS}
    organisers = {"agent": "program", "command": f"cat rival/{RIVALS}"}
    assert own_files(organisers) == [folders / "rival" / RIVALS]


@pytest.mark.parametrize("name", ["agent.json", "agent.yaml", "bot.py", "net.safetensors"])
def test_a_file_of_gigabytes_is_refused_before_it_is_read(name: str, folders: Path) -> None:
    path = folders / "mine" / name
    path.touch()
    os.truncate(path, 6 * 2**30)
    with pytest.raises(ValueError, match=rf"{name}: .* bytes"):
        entered(path)


def test_gigabytes_in_many_files_are_refused(folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent_files, "MOST_BYTES", 1_000)
    for name in ("a", "b"):
        (folders / "mine" / name).write_bytes(bytes(600))
    with pytest.raises(ValueError, match="1,200 bytes of files; an agent in isolation has at most 1,000"):
        own_files({"agent": "mine/bot.py", "files": ["mine"]})


@pytest.mark.parametrize("code", ["X = " + 100_000 * "-" + "1", 100_000 * "(", "X = " + 30_000 * "[" + 30_000 * "]"])
def test_code_that_no_parser_takes_is_copied_and_fails_in_its_jail(code: str, folders: Path) -> None:
    path = folders / "mine" / "bot.py"
    path.write_text(code)
    entered(path)
    assert own_files({"agent": str(path)}) == [path]


def test_results_do_not_lie_where_every_jail_reads(folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as a tournament below /opt, or in the folder that is itself the .venv."""
    check_store(folders / "results.db", {"agent": "maniac"})
    monkeypatch.setattr(jail, "SYSTEM", (*jail.SYSTEM, str(folders)))
    with pytest.raises(ValueError, match=r"results\.db lies in .*, which every jail sees: keep .* elsewhere"):
        check_store(folders / "results.db", {"agent": "maniac"})

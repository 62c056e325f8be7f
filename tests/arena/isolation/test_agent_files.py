"""What the arena copies of a stranger's folder: the bytes of plain files in it, not too many and not too large. It
opens nothing that they say, and no jail is needed to refuse them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from arena.isolation.bots import BOT, needs_jail
from holdem_env import Rules
from holdem_env.agents import make_agent
from holdem_env.arena.isolation import agent_files, isolated_agent, jail
from holdem_env.arena.isolation.agent_files import check_hidden_from, own_files, programs
from holdem_env.arena.isolation.making import make_isolated
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


def entered(path: Path | str) -> None:
    Tournament(rules=Rules.preset("heads-up-no-limit"), agents=["maniac", str(path)], hands=100).entrants()


def test_an_entrant_is_its_folder_or_its_one_file_and_what_is_declared(folders: Path) -> None:
    mine = folders / "mine"
    (mine / "agent.yaml").write_text("agent: helper.py")
    for name in ("helper.py", "pack/data.bin", "pack/deep/er.txt"):
        (mine / name).parent.mkdir(parents=True, exist_ok=True)
        (mine / name).write_text("import pack")
    (mine / "link").symlink_to("/etc/passwd")
    (mine / "pack" / "rival").symlink_to("../../rival")
    os.mkfifo(mine / "pipe")
    whole = {mine / name for name in ("agent.yaml", "helper.py", "pack/data.bin", "pack/deep/er.txt")}
    for agent in (mine, "mine", "mine/agent.yaml"):
        assert {*own_files({"agent": str(agent)})} == whole
    assert own_files({"agent": "mine/helper.py"}) == [mine / "helper.py"]
    declared = {"agent": "mine/helper.py", "files": ["mine/pack/deep", f"rival/{RIVALS}"]}
    assert {*own_files(declared)} == {mine / "helper.py", mine / "pack/deep/er.txt", folders / "rival" / RIVALS}
    assert own_files({"agent": "program", "command": f"cat rival/{RIVALS}"}) == [folders / "rival" / RIVALS]


@pytest.mark.parametrize(
    "agent",
    [
        {"agent": f"../rival/{RIVALS}"},
        {"agent": f"rival/{RIVALS}"},  # from the working directory
        {"agent": "link.safetensors"},
        {"agent": "maniac", "aggression": "/etc/passwd"},
        {"agent": "program", "command": f"cat ../rival/{RIVALS}"},
        {"agent": "program", "command": ["ls", "../rival"]},
    ],
    ids=str,
)
def test_what_a_config_names_is_not_opened(agent: dict[str, object], folders: Path) -> None:
    config = folders / "mine" / "agent.json"
    config.write_text(json.dumps(agent))
    (folders / "mine" / "link.safetensors").symlink_to(f"../rival/{RIVALS}")
    assert own_files({"agent": "mine"}) == [config]
    assert programs({"agent": "mine"}) == []


@needs_jail
def test_a_config_is_read_in_its_jail_and_names_files_of_its_folder(folders: Path) -> None:
    (folders / "mine" / "agent.yaml").write_text(f"agent: ../rival/{RIVALS}\n")
    with pytest.raises(isolated_agent.AgentError, match="there is no file"):
        make_isolated({"agent": "mine"})
    (folders / "mine" / "agent.yaml").write_text("agent: other.py\n")
    (folders / "mine" / "other.py").write_text(BOT.format(act="        import helper", more=""))
    (folders / "mine" / "helper.py").touch()
    agent = make_isolated({"agent": "mine"})
    agent.close()
    assert agent.name == make_agent("mine").name


def test_a_folder_holds_one_agent(folders: Path) -> None:
    with pytest.raises(ValueError, match=r"mine: must hold one file agent\.yaml, agent\.py .*, got none"):
        make_isolated({"agent": "mine"})
    for name in ("agent.py", "agent.yaml"):
        (folders / "mine" / name).touch()
    with pytest.raises(ValueError, match=r"got agent\.py, agent\.yaml"):
        make_agent("mine")


@pytest.mark.parametrize("name", ["agent.json", "agent.yaml", "bot.py", RIVALS])
def test_a_file_of_gigabytes_is_refused_before_it_is_read(name: str, folders: Path) -> None:
    path = folders / "mine" / name
    path.touch()
    os.truncate(path, 6 * 2**30)
    with pytest.raises(ValueError, match=rf"must have at most 1,073,741,824 bytes, got 6,.* with {name}"):
        entered(path)


def test_too_many_files_are_refused(folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folders / "mine" / "agent.py").touch()
    monkeypatch.setattr(agent_files, "MAX_FILES", 3)
    for name in ("a", "b"):
        (folders / "mine" / name).write_bytes(bytes(600))
    entered("mine")
    (folders / "mine" / "c").touch()
    with pytest.raises(ValueError, match=r"mine: .* must have at most 3 files"):
        entered("mine")


@pytest.mark.parametrize("code", ["X = " + 100_000 * "-" + "1", 100_000 * "(", "X = " + 30_000 * "[" + 30_000 * "]"])
def test_code_that_no_parser_takes_is_copied_and_fails_in_its_jail(code: str, folders: Path) -> None:
    path = folders / "mine" / "agent.py"
    path.write_text(code)
    entered("mine")
    assert own_files({"agent": "mine"}) == [path]


def test_programs_are_declared_with_what_they_are_installed_in(folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = folders / "tools" / "bin" / "tool"
    tool.parent.mkdir(parents=True)
    tool.touch(0o755)
    monkeypatch.setenv("PATH", str(tool.parent))
    assert programs({"agent": "program:tool x"}) == programs({"agent": "mine", "programs": "tool"})
    assert programs({"agent": "program:tool x"}) == [tool, folders / "tools"]
    assert programs({"agent": "mine", "programs": ["tools/bin"]}) == [folders / "tools" / "bin"]
    with pytest.raises(ValueError, match="programs: must be programs or folders, got 'nodejs', which is not installed"):
        programs({"agent": "mine", "programs": ["tool", "nodejs"]})


def test_what_jails_see_holds_neither_results_nor_agents(folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as a tournament in the folder that is itself the .venv, or one below a folder of declared programs."""
    store, made_of = folders / "results.db", [{"agent": "mine/bot.py"}, {"agent": f"rival/{RIVALS}"}]
    for path in (store, folders / "mine" / "bot.py"):
        path.touch()
    check_hidden_from(made_of, store)
    seen = r"lies in .*, which jails see: keep .* elsewhere"
    for programs_of, name in ((folders, "results.db"), (folders / "rival", RIVALS)):
        with pytest.raises(ValueError, match=rf"{name} {seen}"):
            check_hidden_from([{**made_of[0], "programs": str(programs_of)}, made_of[1]], store)
    monkeypatch.setattr(jail, "_always_seen", lambda: (folders,))
    with pytest.raises(ValueError, match=rf"results\.db {seen}"):
        check_hidden_from([], store)

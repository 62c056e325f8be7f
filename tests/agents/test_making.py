"""Making agents from files and configs: which file is meant, and whose error it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from holdem_env.agents.registry import make_agent

BOT = """
from holdem_env.agents.protocol import Agent

class Bot(Agent):
    name = "{name}"

    def __init__(self, aggression: float = 0.5):
        pass

    def act(self, tables, rules, rows):
        return rows * 0
"""


def bot(path: Path, name: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(BOT.format(name=name))
    return path


def config(path: Path, agent: object) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"agent": str(agent)}))
    return path


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory; configs lie in another."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def test_a_path_in_a_config_is_relative_to_the_config(here: Path) -> None:
    mine = config(here.parent / "agents" / "mine.json", "bot.py")
    with pytest.raises(FileNotFoundError, match=r"mine\.json: there is no file 'bot\.py', neither beside it .* nor in"):
        make_agent(mine)
    there = bot(here / "bot.py", "in the working directory")
    assert make_agent(mine).name == "in the working directory"
    bot(mine.parent / "bot.py", "beside the config")
    assert make_agent(mine).name == "beside the config"
    assert make_agent(config(mine, there.resolve())).name == "in the working directory"
    assert make_agent(config(mine, "maniac")).name == "maniac"


def test_a_loader_has_no_parameter_of_that_name(tmp_path: Path) -> None:
    model = tmp_path / "m.zip"
    model.touch()
    words = r"agent .*m\.zip: it has no parameter 'obs' \(did you mean 'observation'\?\)"
    with pytest.raises(TypeError, match=words) as caught:
        make_agent(model, obs="flat")
    seen = str(caught.value).split("its parameters are")[1]
    assert "deterministic" in seen
    assert "path" not in seen


@pytest.mark.parametrize(
    "error", ["open('weights.npz')", "raise FileNotFoundError('no weights.npz')", "raise PermissionError(13, 'no')"]
)
@pytest.mark.parametrize("when", ["imported", "made"])
def test_an_agent_that_cannot_open_its_own_file(tmp_path: Path, error: str, when: str) -> None:
    path = bot(tmp_path / "mybot.py", "bot")
    text = path.read_text()
    path.write_text(text.replace("pass", error) if when == "made" else f"{error}\n{text}")
    kind = PermissionError if "Permission" in error else FileNotFoundError
    with pytest.raises(kind, match=r"agent .*mybot\.py") as caught:
        make_agent(path)
    assert "npz" in str(caught.value) or kind is PermissionError

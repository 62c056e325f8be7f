"""Agents from files and configs: which file is meant, their short names, and whose error it is."""

from __future__ import annotations

import json
import pickle
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from command_line import holdem
from errors import complaint, mentions
from holdem_agents.cli.standings import read_standings
from holdem_env import Table, Tables
from holdem_env.agents.fingerprints import fingerprint_of
from holdem_env.agents.queries import play_agent
from holdem_env.agents.registry import make_agent
from holdem_env.agents.short_names import short_names

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
    mentions(complaint(make_agent, mine, kind=FileNotFoundError), "mine.json", "bot.py")
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


TABLE_AGENT = "from holdem_env.agents import TableAgent\nclass B(TableAgent):\n"

ENVIRONMENT = {"COLUMNS": "200"}


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["nit", "/home/me/mybot.py"], ["nit", "mybot"]),
        (["runs/a/final.zip", "runs/b/final.zip"], ["a/final", "b/final"]),
        (["x/runs/a/final.zip", "y/runs/a/final.zip", "c/mine.json"], ["x/runs/a/final", "y/runs/a/final", "mine"]),
        (["a/maniac.py", "maniac"], ["a/maniac", "maniac"]),
        (["maniac.py", "maniac"], ["maniac.py", "maniac"]),
        (["/maniac.py", "maniac.py", "b/maniac.zip"], ["/maniac.py", "maniac.py", "b/maniac"]),
        (["tight/loose", "v1.2", "my.bot", ".py"], ["tight/loose", "v1.2", "my.bot", ".py"]),
        (["a/net.zip", "a/net.zip"], ["net"]),
        (["runs/first/final.safetensors", "nit"], ["first", "nit"]),
        (["runs/nit/final.safetensors", "nit"], ["runs/nit", "nit"]),
        (["a/x/final.safetensors", "b/x/final.safetensors"], ["a/x", "b/x"]),
        (["nit/final.safetensors", "nit"], ["nit/final.safetensors", "nit"]),
        (["final.safetensors", "/final.safetensors"], ["final.safetensors", "/final.safetensors"]),
    ],
)
def test_as_short_as_is_unambiguous(names, short):
    assert list(short_names(names).values()) == short


@pytest.fixture
def files(tmp_path):
    """Two agents whose files have the same name."""
    made = [tmp_path / "long" / folder / "final.py" for folder in "ab"]
    for file, move in zip(made, (0, -1), strict=True):
        file.parent.mkdir(parents=True)
        file.write_text(BOT.format(name=file).replace("rows * 0", f"rows * 0 + {move}"))
    return made


@pytest.mark.slow
def test_a_report_has_short_names_and_one_list_of_paths(files, tmp_path):
    config = tmp_path / "mine.json"
    config.write_text(json.dumps({"agent": "maniac"}))
    path, broken = tmp_path / "t.yaml", tmp_path / "long" / "broken.py"
    broken.write_text(f"{TABLE_AGENT}    decide = lambda self, v: 1 / 0\n")
    agents = [*map(str, files), str(config), str(broken)]
    path.write_text(f"rules: heads-up-no-limit\nagents: {json.dumps(agents)}\nhands: 400\nisolation: none\n")
    words = ["tournament", str(path), "--store", str(tmp_path / "t.db"), "--report", str(tmp_path / "report")]
    result = holdem(*words, env=ENVIRONMENT)
    assert result.exit_code == 1, result.output  # somebody has forfeited
    table = result.stdout.partition("The report is")[0]
    assert str(tmp_path) not in table.replace(f"{tmp_path}/long/broken.py'", "")
    assert "broken forfeits: " in table
    for name in ("a/final", "b/final", "mine"):
        assert name in table
    page = (tmp_path / "report" / "report.html").read_text()
    for name, file in zip(("a/final", "b/final", "mine", "broken"), agents, strict=True):
        assert page.count(f"{name} is {file}") == 1
        assert page.count(file) == 1, file
    for part in (tmp_path / "report").iterdir():
        if part.suffix in (".csv", ".phhs"):
            assert str(tmp_path) not in part.read_text(), part.name
    assert str(files[0]) in read_standings(tmp_path / "t.db").names  # the store keeps what was given


CALLER = """
import numpy as np
from holdem_env.agents.protocol import Agent
from holdem_env.agents.registry import make_agent  # the library's own function is not the file's
from holdem_agents.scripted import Maniac  # nor is this class

class Caller(Agent):
    def __init__(self, move: int = 0) -> None:
        self.played = move

    def act(self, tables, rules, rows):
        return np.full(len(rows), self.played)
"""


@pytest.fixture
def caller(tmp_path) -> Path:
    file = tmp_path / "my.bot.py"
    file.write_text(CALLER)
    return file


def test_a_class_and_its_parameters(caller):
    agent = make_agent(caller)
    assert agent.name == "my.bot"
    assert agent.move(Table("heads-up-limit")) == 0
    folds = make_agent({"agent": str(caller), "move": -1})
    assert folds.move(Table("heads-up-limit")) == -1
    assert pickle.loads(pickle.dumps(make_agent(str(caller)))).name == "my.bot"
    mentions(complaint(make_agent, caller, mvoe=1, kind=TypeError), "my.bot.py", 0)


@pytest.mark.parametrize(
    ("more", "move"),
    [
        ("class Folder(Caller):\n    def act(self, *given):\n        return super().act(*given) - 1", -1),
        ("mine = twin = Caller(-1)", -1),
        ("def make_agent():\n    return Caller(-1)\n\nclass Other(Caller): pass", -1),
    ],
    ids=["the class that no other builds on", "an instance", "a function"],
)
def test_other_forms(caller, more, move):
    caller.write_text(f"{CALLER}\n{more}\n")
    assert make_agent(caller).move(Table("heads-up-limit")) == move


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1", "this one has none of them"),
        (f"{CALLER}\nclass A(Caller): pass\nclass B(Caller): pass", "this one has A, B"),
        (f"{CALLER}\na, b = Caller(), Maniac()", "this one has Caller, an instance of Caller, an instance of Maniac"),
        ("def make_agent():\n    return 3", "make_agent must return an Agent .*, got 3"),
    ],
)
def test_a_file_without_one_agent(caller, text, words):
    caller.write_text(text)
    assert re.search(words, complaint(make_agent, caller))


def test_a_file_that_is_not_there_or_fails(caller, tmp_path):
    mentions(complaint(make_agent, tmp_path / "gone.py", kind=FileNotFoundError), "gone.py")
    caller.write_text("1 / 0")
    complaint(make_agent, caller, kind=ZeroDivisionError)


CRASHES = """
from holdem_env.agents import Agent

class B(Agent):
    def act(self, tables, rules, rows):
        return rows / self.helper()

    def helper(self):
        return {}["missing"]
"""


def seen(*words: object) -> str:
    """What a command says on stderr, which is one line."""
    result = holdem(*words, typed="c\nc\n")
    assert result.exit_code == 2, result.output
    [line] = result.stderr.strip().splitlines()
    return line


def test_an_error_inside_a_bot_names_file_and_line(tmp_path):
    caller = tmp_path / "b.py"
    caller.write_text(CRASHES)
    assert seen("match", caller, "always_fold") == "holdem: agent 'b': KeyError: 'missing' (b.py:9)"
    assert seen("play", caller, "--seed", 1).endswith("KeyError: 'missing' (b.py:9)")
    caller.write_text(f"{TABLE_AGENT}    decide = lambda self, v: 1 / 0\n")
    line = seen("match", caller, "always_fold")
    assert "ZeroDivisionError: division by zero (b.py:3). The situation: seat" in line
    assert line.count("b.py:3") == 1


def test_act_with_other_arguments_is_told_the_right_ones(tmp_path):
    caller = tmp_path / "b.py"
    caller.write_text(
        "from holdem_env.agents import Agent\nclass B(Agent):\n    def act(self, tables, rules):\n        pass\n"
    )
    words = "agent 'b': write act(self, tables, rules, rows), not act(self, tables, rules) (b.py:3)"
    tables = Tables("heads-up-no-limit", num_tables=4)
    with pytest.raises(TypeError) as caught:
        play_agent(make_agent(caller), tables.records, tables.rules, None, np.arange(4))
    assert str(caught.value) == words
    for command in (["match", caller, "always_fold"], ["play", caller, "--seed", 1]):
        assert words.removeprefix("agent 'b': ") in seen(*command)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1\ndef f(:\n", r"b.py, line 2: invalid syntax: def f\(:$"),
        ("\nimport nomodule\n", r"b.py, line 2: imports 'nomodule', which is not installed$"),
        ("import beside_b\n", r"beside_b.py, line 3: imports 'no', which is not installed$"),
        (f"{TABLE_AGENT}    def descide(self, view): pass\n", r"b.py: B has no method 'decide'; .*'descide'\?$"),
    ],
)
def test_a_broken_file_is_told_in_a_line(tmp_path, monkeypatch, text, words):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "beside_b.py").write_text("\n\nimport no.such\n")
    (tmp_path / "b.py").write_text(text)
    assert re.search(words, seen("match", tmp_path / "b.py", "always_fold"))


def test_a_match_that_ends_level_says_why():
    result = holdem("match", "calling_station", "calling_station", "--hands", 200)
    assert "+0 ± 0 bb/100 (200 hands)" in result.output
    assert "Every deal ended level" in result.output
    result = holdem("match", "calling_station", "always_fold", "--hands", 200)
    assert "ended level" not in result.output


WITH_NEIGHBOUR = """
from holdem_env.agents import TableAgent
from {module} import MOVE

class B(TableAgent):
    def decide(self, view):
        import {module}_later
        return MOVE + {module}_later.NOTHING
"""


def with_neighbours(folder: Path, module: str, move: int) -> Path:
    """A caller that imports a module beside it, which imports a package, and as it plays another module."""
    (folder / f"{module}_package").mkdir(parents=True)
    (folder / f"{module}_package" / "__init__.py").write_text(f"MOVE = {move}\n")
    (folder / f"{module}.py").write_text(f"from {module}_package import MOVE\n")
    (folder / f"{module}_later.py").write_text("NOTHING = 0\n")
    (folder / "b.py").write_text(WITH_NEIGHBOUR.format(module=module))
    return folder / "b.py"


@pytest.fixture
def _modules_as_before(monkeypatch, tmp_path):
    """What a test imports is forgotten."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if str(tmp_path.parent) in str(getattr(sys.modules[name], "__file__", "")):  # PyTorch is imported once
            del sys.modules[name]


@pytest.mark.usefixtures("_modules_as_before")
def test_a_bot_imports_its_neighbours_and_they_count_for_its_fingerprint(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = with_neighbours(Path("one"), "helper_of_one", -1)
    agent = make_agent(file)
    assert agent.move(Table("heads-up-limit")) == -1
    assert make_agent(tmp_path / file).move(Table("heads-up-limit")) == -1
    before = fingerprint_of(agent, '{"agent": "one/b.py"}')
    Path("one/helper_of_one.py").write_text("MOVE = -1\n")
    assert fingerprint_of(agent, '{"agent": "one/b.py"}') != before


@pytest.mark.usefixtures("_modules_as_before")
def test_a_bot_never_gets_anothers_module(tmp_path):
    one, two = with_neighbours(tmp_path / "one", "helper", -1), with_neighbours(tmp_path / "two", "helper", 0)
    assert make_agent(one).move(Table("heads-up-limit")) == -1
    words = rf"two/b.py: imports helper.py from its folder, but another module 'helper' is in use here \({tmp_path}/one"
    assert re.search(words, complaint(make_agent, two))
    (tmp_path / "random.py").write_text("MOVE = 0")
    (tmp_path / "b.py").write_text("import random")
    mentions(complaint(make_agent, tmp_path / "b.py"), "random.py", "random")


@pytest.mark.parametrize("config", [{"agent": "changing", "first": "loop.json"}, {"agent": "loop.json"}])
def test_a_config_that_names_itself_is_refused(tmp_path: Path, config: dict[str, str]) -> None:
    path = tmp_path / "loop.json"
    path.write_text(json.dumps({name: value.replace(path.name, str(path)) for name, value in config.items()}))
    mentions(complaint(make_agent, path), "does one name itself")

"""Agents that are one Python file."""

from __future__ import annotations

import pickle
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from command_line import good, holdem
from holdem_env import Table, Tables
from holdem_env.agents.asking import play_agent
from holdem_env.agents.fingerprints import fingerprint_of
from holdem_env.agents.registry import make_agent

BOT = """
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
def bot(tmp_path) -> Path:
    file = tmp_path / "my.bot.py"
    file.write_text(BOT)
    return file


def test_a_match_with_a_file(bot):
    words = ["match", str(bot), "always_fold", "--hands", "64", "--rules", "heads-up-limit"]
    assert "my.bot against always_fold: +" in good(*words)


def test_a_class_and_its_parameters(bot):
    agent = make_agent(bot)
    assert agent.name == "my.bot"
    assert agent.move(Table("heads-up-limit")) == 0
    folds = make_agent({"agent": str(bot), "move": -1})
    assert folds.move(Table("heads-up-limit")) == -1
    assert pickle.loads(pickle.dumps(make_agent(str(bot)))).name == "my.bot"
    with pytest.raises(TypeError, match=r"my.bot.py: .*its parameters are \(move: int = 0\)"):
        make_agent(bot, mvoe=1)


@pytest.mark.parametrize(
    ("more", "move"),
    [
        ("class Folder(Caller):\n    def act(self, *given):\n        return super().act(*given) - 1", -1),
        ("mine = twin = Caller(-1)", -1),
        ("def make_agent():\n    return Caller(-1)\n\nclass Other(Caller): pass", -1),
    ],
    ids=["the class that no other builds on", "an instance", "a function"],
)
def test_other_forms(bot, more, move):
    bot.write_text(f"{BOT}\n{more}\n")
    assert make_agent(bot).move(Table("heads-up-limit")) == move


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1", "this one has none of them"),
        (f"{BOT}\nclass A(Caller): pass\nclass B(Caller): pass", "this one has A, B"),
        (f"{BOT}\na, b = Caller(), Maniac()", "this one has Caller, an instance of Caller, an instance of Maniac"),
        ("def make_agent():\n    return 3", "make_agent must return an Agent .*, got 3"),
    ],
)
def test_a_file_without_one_agent(bot, text, words):
    bot.write_text(text)
    with pytest.raises(ValueError, match=words):
        make_agent(bot)


def test_a_file_that_is_not_there_or_fails(bot, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"gone.py: there is no such file"):
        make_agent(tmp_path / "gone.py")
    bot.write_text("1 / 0")
    with pytest.raises(ZeroDivisionError):
        make_agent(bot)


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
    bot = tmp_path / "b.py"
    bot.write_text(CRASHES)
    assert seen("match", bot, "always_fold") == "holdem: agent 'b': KeyError: 'missing' (b.py:9)"
    assert seen("play", bot, "--seed", 1).endswith("KeyError: 'missing' (b.py:9)")
    bot.write_text(
        "from holdem_env.agents import TableAgent\nclass B(TableAgent):\n    decide = lambda self, v: 1 / 0\n"
    )
    line = seen("match", bot, "always_fold")
    assert "ZeroDivisionError: division by zero (b.py:3). The situation: seat" in line
    assert line.count("b.py:3") == 1


def test_act_with_other_arguments_is_told_the_right_ones(tmp_path):
    bot = tmp_path / "b.py"
    bot.write_text(
        "from holdem_env.agents import Agent\nclass B(Agent):\n    def act(self, tables, rules):\n        pass\n"
    )
    words = "agent 'b': write act(self, tables, rules, rows), not act(self, tables, rules) (b.py:3)"
    with pytest.raises(TypeError) as caught:
        play_agent(make_agent(bot), *four_tables())
    assert str(caught.value) == words
    for command in (["match", bot, "always_fold"], ["play", bot, "--seed", 1]):
        assert words.removeprefix("agent 'b': ") in seen(*command)


def four_tables():
    tables = Tables("heads-up-no-limit", num_tables=4)
    return tables.records, tables.rules, None, np.arange(4)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1\ndef f(:\n", r"b.py, line 2: invalid syntax: def f\(:$"),
        ("\nimport nomodule\n", r"b.py, line 2: imports 'nomodule', which is not installed$"),
        ("import beside_b\n", r"beside_b.py, line 3: imports 'no', which is not installed$"),
        (
            "from holdem_env.agents import TableAgent\nclass B(TableAgent):\n    def descide(self, view): pass\n",
            r"b.py: B has no method 'decide'; did you mean it by 'descide'\?$",
        ),
    ],
)
def test_a_broken_file_is_told_in_a_line(tmp_path, monkeypatch, text, words):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "beside_b.py").write_text("\n\nimport no.such\n")
    (tmp_path / "b.py").write_text(text)
    assert re.search(words, seen("match", tmp_path / "b.py", "always_fold"))


@pytest.mark.parametrize(
    ("hands", "seats", "first_line"), [(10, 6, "12 hands: whole deals"), (12, 6, "calling_station against")]
)
def test_a_match_says_beforehand_how_many_hands_it_plays(tmp_path, hands, seats, first_line):
    (tmp_path / "game.yaml").write_text(f"seats: {seats}\nblinds: [1, 2]\nstacks: 200\n")
    words = ["match", "calling_station", "always_fold", "--hands", str(hands), "--rules", str(tmp_path / "game.yaml")]
    result = holdem(*words)
    assert result.stdout.startswith(first_line)
    assert "12 hands" in result.output


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
    """A bot that imports a module beside it, which imports a package, and as it plays another module."""
    (folder / f"{module}_package").mkdir(parents=True)
    (folder / f"{module}_package" / "__init__.py").write_text(f"MOVE = {move}\n")
    (folder / f"{module}.py").write_text(f"from {module}_package import MOVE\n")
    (folder / f"{module}_later.py").write_text("NOTHING = 0\n")
    (folder / "b.py").write_text(WITH_NEIGHBOUR.format(module=module))
    return folder / "b.py"


@pytest.fixture
def _modules_as_before(monkeypatch):
    """What a test imports is forgotten."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
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
    with pytest.raises(ValueError, match=words):
        make_agent(two)
    (tmp_path / "random.py").write_text("MOVE = 0")
    (tmp_path / "b.py").write_text("import random")
    with pytest.raises(ValueError, match=r"imports random\.py from its folder, but another module 'random' is in use"):
        make_agent(tmp_path / "b.py")

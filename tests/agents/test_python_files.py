"""Agents that are one Python file."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from holdem_agents.cli.commands import app
from holdem_env import Table, Tables
from holdem_env.agents.asking import play_agent
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
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    assert "my.bot against always_fold: +" in result.output


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
        ("def make_agent():\n    return 3", "make_agent returned 3, which is no Agent"),
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
from holdem_env.players import Agent

class B(Agent):
    def act(self, tables, rules, rows):
        return rows / self.helper()

    def helper(self):
        return {}["missing"]
"""


def told(*words: object) -> str:
    """What a command says on stderr, which is one line."""
    result = CliRunner().invoke(app, [*map(str, words)], input="c\nc\n")
    assert result.exit_code == 2, result.output
    [line] = result.stderr.strip().splitlines()
    return line


def test_an_error_inside_a_bot_names_file_and_line(tmp_path):
    bot = tmp_path / "b.py"
    bot.write_text(CRASHES)
    assert told("match", bot, "always_fold") == "holdem: agent 'b': KeyError: 'missing' (b.py:9)"
    assert told("play", bot, "--seed", 1).endswith("KeyError: 'missing' (b.py:9)")
    bot.write_text(
        "from holdem_env.players import TableAgent\nclass B(TableAgent):\n    decide = lambda self, v: 1 / 0\n"
    )
    line = told("match", bot, "always_fold")
    assert "ZeroDivisionError: division by zero (b.py:3). The situation: seat" in line
    assert line.count("b.py:3") == 1


def test_act_with_other_arguments_is_told_the_right_ones(tmp_path):
    bot = tmp_path / "b.py"
    bot.write_text(
        "from holdem_env.players import Agent\nclass B(Agent):\n    def act(self, tables, rules):\n        pass\n"
    )
    words = "agent 'b': write act(self, tables, rules, rows), not act(self, tables, rules) (b.py:3)"
    with pytest.raises(TypeError) as caught:
        play_agent(make_agent(bot), *four_tables())
    assert str(caught.value) == words
    for command in (["match", bot, "always_fold"], ["play", bot, "--seed", 1]):
        assert words.removeprefix("agent 'b': ") in told(*command)


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
            "from holdem_env.players import TableAgent\nclass B(TableAgent):\n    def descide(self, view): pass\n",
            r"b.py: B has no method 'decide'; did you mean it by 'descide'\?$",
        ),
    ],
)
def test_a_broken_file_is_told_in_a_line(tmp_path, monkeypatch, text, words):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "beside_b.py").write_text("\n\nimport no.such\n")
    (tmp_path / "b.py").write_text(text)
    assert re.search(words, told("match", tmp_path / "b.py", "always_fold"))


def test_a_match_says_that_it_played_more_than_asked_for():
    result = CliRunner().invoke(app, ["match", "calling_station", "always_fold", "--hands", "10"])
    assert "1,024 hands were played (asked for 10; a match is played in whole batches)" in result.output
    result = CliRunner().invoke(app, ["match", "calling_station", "always_fold", "--hands", "1024"])
    assert "asked for" not in result.output

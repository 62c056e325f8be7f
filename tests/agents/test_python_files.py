"""Agents that are one Python file."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from typer.testing import CliRunner

from holdem_agents.cli.commands import app
from holdem_env import Table
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

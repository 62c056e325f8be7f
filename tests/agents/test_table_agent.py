"""Agents that decide for one table at a time."""

from __future__ import annotations

import os
import sys

import numpy as np
import pytest

from holdem_env import Rules, Table
from holdem_env.agents import DecisionError, TableAgent, make_agent, names
from holdem_env.agents.config_files import save_agent
from holdem_env.arena import play_match
from holdem_env.table import SeatView
from holdem_env.testing import check_agent
from pages import REPOSITORY, blocks

HEADS_UP = Rules.preset("heads-up-no-limit")


class Reported(TableAgent):
    """Gives one answer, or what a function of the view says."""

    name = "reported"

    def __init__(self, answer="call"):
        self.answer = answer

    def decide(self, view):
        return self.answer(view) if callable(self.answer) else self.answer


class Careful(TableAgent):
    """Plays pairs."""

    name = "careful"

    def decide(self, view: SeatView):
        first, second = view.hole_cards()[:2]
        if view.legal.raise_min and first // 4 == second // 4:
            return ("raise", view.legal.raise_min)
        return "fold" if view.legal.call else "check"


class Nameless(TableAgent):
    """Its author gave it no name."""

    def decide(self, view: SeatView):
        return "call"


def test_an_agent_without_a_name_has_that_by_which_it_was_made(monkeypatch, tmp_path):
    monkeypatch.setitem(names.AGENTS.registered, "mine", Nameless)
    monkeypatch.setitem(names.AGENTS.registered, "careful as it is", Careful)
    assert [Nameless().name, make_agent("mine").name, make_agent("careful as it is").name] == [
        "Nameless",
        "mine",
        "careful",
    ]
    assert str(play_match(Nameless(), "mine", "leduc", hands=40)).startswith("Nameless against mine: ")
    save_agent(make_agent("mine"), tmp_path / "mine.yaml")
    assert make_agent(tmp_path / "mine.yaml").name == "mine"


ANSWERS = [("fold", -1), ("call", 0), (("raise", 6), 6), (("bet", 6), 6), (["raise", np.int64(6)], 6), (6, 6)]
ANSWERS += [(np.int32(0), 0), (-1, -1), (lambda view: view.legal.raise_max, 200)]


@pytest.mark.parametrize(("answer", "move"), ANSWERS)
def test_what_decide_returns(answer, move):
    assert Reported(answer).move(Table(HEADS_UP, seed=1)) == move


def test_a_check_and_a_call_of_nothing():
    table = Table(HEADS_UP, seed=1)
    table.check_call()
    assert Reported("check").move(table) == Reported("call").move(table) == 0


WRONG = [(None, r"returned None: return \"fold\", \"check\", \"call\", \(\"bet\", total\)")]
WRONG += [("rise", r"returned 'rise': return \"fold\""), (True, r"returned True: return \"fold\"")]
WRONG += [(3.0, r"returned 3.0: return \"fold\""), (("raise", 4.5), r"returned \('raise', 4.5\): return")]
WRONG += [(("bet", 2.25), r"-1, 0 or the total\. A total is whole chips; view\.nearest_raise\(0\.75 \* view\.pot\)")]
WRONG += [("raise", r'A total is missing, as in \("raise", view\.legal\.raise_min\)\.')]
WRONG += [("all-in", r'All-in is \("raise", view\.legal\.raise_max\), or "call" where')]
WRONG += [("Call", r'Write "call", in lower case\.'), (("Raise", 6), r'Write "raise", in lower case\.')]
WRONG += [(("raise", -1), "name the street total in chips, above zero"), (np.array([1, 2]), 'return "fold"')]
WRONG += [("check", "returned 'check': there are 1 chips to call. Legal: fold, call 1, raise to 4..200.")]
WRONG += [(("raise", 3), "seat 0 may not raise to 3: the least it may raise to is 4"), (-7, "seat 0 may not")]
WRONG += [(lambda view: 1 // 0, "ZeroDivisionError: integer division or modulo by zero")]


@pytest.mark.parametrize(("answer", "words"), WRONG)
def test_errors_name_the_class_the_method_and_the_situation(answer, words):
    table = Table(HEADS_UP, seed=1)
    agent = Reported(answer)
    situation = rf"The situation: seat 0 with {table.hole_cards(0)}, pot 3, legal: fold, call 1, raise to 4..200."
    for ask, where in (
        (lambda: agent.move(table), "the table"),
        (lambda: agent.act(table.records, table.rules, np.zeros(1, np.int64)), "table 0"),
    ):
        with pytest.raises(DecisionError, match=rf"^Reported.decide, {where}") as caught:
            ask()
        assert caught.match(words)
        assert caught.match(situation)
    if callable(answer):
        assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_it_passes_the_checks_of_agents():
    check_agent(Careful(), positions=40)
    check_agent(Reported(), positions=40)


def test_its_views_hide_what_the_seat_cannot_see():
    views = []

    def look(view):
        views.append(view)
        return "call"

    tables = [Table(HEADS_UP, seed=seed) for seed in range(3)]
    records = np.concatenate([table.records for table in tables])
    before = records.tobytes()
    Reported(look).act(records, HEADS_UP, np.array([0, 2]))
    for view, table in zip(views, (tables[0], tables[2]), strict=True):
        assert (view.seat, view.hole_cards(), view.hole_cards(1)) == (0, table.hole_cards(0), "????")
        assert view.records.base is None  # an array of all views would hold other tables' cards
        assert view.log == []
        view.records["pot"] = 7
    assert records.tobytes() == before
    Reported(look).move(tables[1])
    assert [operation.kind for operation in views[-1].log[:2]] == ["post_small_blind", "post_big_blind"]


BOT = """
from holdem_env.agents import TableAgent

class Mine(TableAgent):
    def __init__(self, big: int = 3) -> None:
        self.big = big

    def decide(self, view):
        total = self.big * view.game.big_blind
        if view.street == 0 and view.legal.raise_min and view.legal.raise_min <= total <= view.legal.raise_max:
            return "raise", total
        return "call"
"""


def test_an_edit_within_a_second_is_played(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    file = tmp_path / "mybot.py"
    for big in (3, 5):  # as long, and written at the same time, for all that Python's cache sees of it
        file.write_text(BOT.replace("big: int = 3", f"big: int = {big}"))
        os.utime(file, (1_000_000_000, 1_000_000_000))
        assert make_agent(file).move(Table(HEADS_UP)) == 2 * big


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("page", ["agents.md", "first_hour.md"])
def test_the_bot_of_the_documentation_is_a_file_that_plays(page, tmp_path):
    text = (REPOSITORY / "docs" / page).read_text()
    (code,) = [code for code in blocks(REPOSITORY / "docs" / page, "python") if code.startswith("# mybot.py")]
    assert "holdem match mybot.py tight_aggressive" in text
    (tmp_path / "mybot.py").write_text(code)
    bot = make_agent(tmp_path / "mybot.py")
    check_agent(bot, positions=40)
    assert play_match(bot, "calling_station", HEADS_UP, hands=64, num_tables=32).agent == "mybot"

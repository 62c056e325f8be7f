"""`check_agent` finds each cheat and accident, in a process of its own, and says what it is and where."""

from __future__ import annotations

import random
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from errors import complaint, mentions
from holdem_env import Rules
from holdem_env.agents import Agent, TableAgent, make_agent, register_agent
from holdem_env.agents.facts import AgentFacts
from holdem_env.testing import ConformanceError, check_agent
from holdem_env.testing.sampled_tables import GAMES

CHEATS = Path(__file__).parents[1] / "arena" / "cheats"
GAME = [Rules.preset("heads-up-no-limit")]


def cheat(name: str, **parameters: Any) -> dict[str, Any]:
    """What makes the cheat of a file."""
    return {"agent": str(CHEATS / f"{name}.py"), **parameters}


@pytest.mark.fast_cases("[adds_chips", "[reads_cards-", "[remembers_rows")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("adds_chips", r"`act` wrote `seats\.stack` \(row \d+, \[\d\]: \d+ became \d+\)"),
        ("writes_street", r"`act` wrote `street` \(row \d+: \d became 3\)"),
        ("reads_cards", r"only `hole` \(hole cards that its seat does not see\) changes: it looks at hidden cards"),
        ("reads_deck", r"only `deck` \(the deck\) changes"),
        ("reads_cards_at_random", r"only `hole`"),
        ("reads_table_number", r"only `table_id` \(the number of the table\) changes"),
        ("remembers_rows", r"same deal from another seat, although it was reset"),
        ("remembers_boards", r"same deal from another seat, although it was reset"),
        ("remembers_in_module", r"although a clone was asked .* a variable of its module or class"),
    ],
)
def test_cheats_are_found(name: str, message: str) -> None:
    with pytest.raises(ConformanceError, match=message):
        check_agent(make_agent(cheat(name)), GAME, positions=60)


@pytest.mark.fast_cases("exits")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("adds_chips", r"`act` wrote `seats\.stack` \(row \d+, \[\d\]: \d+ became \d+\)"),
        ("loops", r"was not over after 5 seconds.*\(loops\.py:1[01]\)"),
        ("exits", r"ended with exit status 0 while this was checked: one legal move .* os\._exit"),
        ("crashes", r"was ended by SIGSEGV while this was checked: one legal move.* \(crashes\.py:12\)"),
        ("walks_stack", r"walks_stack\.py:15 reaches for other people's frames and objects: sys\._getframe"),
        ("looks_through_memory", r"looks_through_memory\.py:14 reaches for .*: gc\.get_objects"),
    ],
)
def test_cheats_are_found_in_a_process_of_their_own(name: str, message: str) -> None:
    with pytest.raises(ConformanceError, match=message):
        check_agent(cheat(name), GAME, positions=60, timeout=5 if name == "loops" else 60)


@pytest.mark.slow
def test_files_and_network_are_told_unless_they_are_allowed(tmp_path: Path) -> None:
    agent = {"agent": str(CHEATS / "writes_files.py"), "folder": str(tmp_path)}
    with pytest.raises(ConformanceError) as failed:
        check_agent(agent, GAME, positions=20)
    assert "writes_files.py:18 reaches for files to write" in str(failed.value)
    assert "writes_files.py:21 reaches for the network: socket.connect" in str(failed.value)
    check_agent(agent, GAME, positions=20, allow=["files", "network"])
    mentions(complaint(check_agent, agent, GAME, allow=["moon"]), "allow")


@pytest.mark.slow
def test_a_store_that_is_opened_is_told(tmp_path: Path) -> None:
    (tmp_path / "results.db").touch()
    with pytest.raises(
        ConformanceError, match=r"forfeits_a_rival\.py:20 reaches for files.*sqlite3\.connect .*results"
    ):
        check_agent(cheat("forfeits_a_rival", folder=str(tmp_path)), GAME, positions=60)


def test_agents_that_reset_and_agents_that_draw_pass() -> None:
    check_agent(make_agent(cheat("remembers_rows", resets=True)), GAME, positions=60)


class Draws(TableAgent):
    """Folds at random, from a generator of its own."""

    name = "draws"

    def __init__(self) -> None:
        self.random = random.Random(1)

    def decide(self, view: Any) -> str:
        return "fold" if self.random.random() < 0.3 else "call"


class DrawsAnywhere(Agent):
    """Draws from everywhere that there is, with numbers that can be repeated."""

    name = "draws_anywhere"
    generator = np.random.default_rng(4)

    def __init__(self) -> None:
        self.draw = [random.Random(2).random]
        self.others = {"numpy": np.random.default_rng(3)}

    def act(self, tables: Any, rules: Rules, rows: Any) -> Any:
        dice = self.draw[0]() + random.random() + float(np.random.rand())  # noqa: NPY002
        dice += self.others["numpy"].random() + GENERATOR.random()
        return np.where((dice + np.arange(len(rows))) % 1.0 < 0.5, 0, -1)


GENERATOR = np.random.default_rng(5)


class DrawsFromTheView(Agent):
    """Draws from the random word of the view."""

    name = "draws_from_the_view"

    def act(self, tables: Any, rules: Rules, rows: Any) -> Any:
        return np.where(tables["seed"][rows] % 3 == 0, 0, -1)


class DrawsAgain(Agent):
    """Draws numbers that cannot be repeated."""

    name = "draws_again"

    def act(self, tables: Any, rules: Rules, rows: Any) -> Any:
        return np.where(np.random.default_rng().random(len(rows)) < 0.5, 0, -1)


class HasMoods(DrawsAgain):
    """Draws one number for all tables that it is asked about at once."""

    name = "has_moods"

    def act(self, tables: Any, rules: Rules, rows: Any) -> Any:
        return np.full(len(rows), -1 if np.random.default_rng().random() < 0.5 else 0)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("kind", "game"),
    list(zip([HasMoods, Draws, DrawsAnywhere, DrawsFromTheView, DrawsAgain], cycle(GAMES), strict=False)),
)
def test_agents_that_draw_pass(kind: type[Agent], game: Rules) -> None:
    check_agent(kind(), [game], positions=60)


class PlaysOneTable(DrawsFromTheView):
    """Plays one hand after the other, like a program at a dealer's table."""

    name = "plays_one_table"
    facts = AgentFacts(tables_at_once=1)

    def __init__(self) -> None:
        self.table, self.moves = -1, 0

    def act(self, tables: Any, rules: Rules, rows: Any) -> Any:
        assert len(rows) == 1
        table, moves = int(tables["table_id"][rows[0]]), int(tables["moves"][rows[0]])
        assert table != self.table or moves > self.moves
        self.table, self.moves = table, moves
        return super().act(tables, rules, rows)


def test_agents_that_play_one_table_are_asked_so() -> None:
    check_agent(PlaysOneTable(), GAMES, positions=40)


def test_an_error_says_where(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "from holdem_env.agents import TableAgent\n\nclass Bot(TableAgent):\n    def decide(self, view):\n"
        "        return 1 / 0\n"
    )
    mentions(complaint(check_agent, make_agent(bot), GAME, positions=20, kind=ConformanceError), "bot", "bot.py", 5)


@pytest.mark.slow
def test_an_agent_that_cannot_be_made_is_told_as_by_make_agent(tmp_path: Path) -> None:
    mentions(complaint(check_agent, str(tmp_path / "none.py"), kind=FileNotFoundError), "there is no such file")
    mentions(complaint(check_agent, "maniak"), "maniac")
    mentions(complaint(check_agent, {"agent": "maniac", "agression": 1}, kind=TypeError), "agression")


class CannotBeCopied(Draws):
    """Holds what cannot be copied."""

    def __init__(self) -> None:
        super().__init__()
        self.lines = iter(open(__file__))  # noqa: SIM115


def test_an_agent_that_cannot_be_copied_is_told() -> None:
    with pytest.raises(ConformanceError, match=r"cannot be copied \(TypeError: .*give its class a method `clone`"):
        check_agent(CannotBeCopied(), GAME, positions=20)


def test_registered_names_are_checked_in_this_process() -> None:
    register_agent("draws_here", Draws)
    check_agent("draws_here", GAME, positions=20)


USES_LIBRARIES = """
import collections, dataclasses, logging

import numba
from holdem_env.compiled.compiler import kernel
from holdem_env.agents import TableAgent

Point = collections.namedtuple("Point", "x y")

@dataclasses.dataclass
class Settings:
    size: int = 3

@numba.njit(cache=True)
def add(a, b):
    return a + b

@kernel
def add_too(a, b):
    return a + b

class Bot(TableAgent):
    def decide(self, view):
        logging.getLogger("bot").warning("asked")
        return "call" if add(1, 2) == add_too(1, 2) == Settings().size else "fold"
"""


@pytest.mark.slow
def test_what_libraries_do_for_themselves_is_nobodys_finding(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(USES_LIBRARIES)
    check_agent(bot, GAME, positions=20)

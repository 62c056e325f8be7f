"""How long agents think: which clock, which calls, and who is too slow."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena.fake_clocks import clocks, fake_clocks  # noqa: F401 - a fixture
from errors import complaint, mentions
from holdem_env import Rules
from holdem_env.agents import Agent, make_agent, names
from holdem_env.agents.facts import AgentFacts
from holdem_env.arena import play_deals
from holdem_env.arena.matches import stopwatch
from holdem_env.arena.matches.dealer import AgentFailed
from holdem_env.arena.matches.stopwatch import SPARE, STRANGERS_SPARE, Spent, Stopwatch, TimeLimit
from holdem_env.arena.reports.html_report import write_report
from holdem_env.arena.tournaments import tournament as tournament_module
from holdem_env.arena.tournaments.standings import standings
from holdem_env.arena.tournaments.store import Store
from holdem_env.arena.tournaments.tournament import Tournament, run

HEADS_UP = Rules.preset("heads-up-no-limit")
pytestmark = pytest.mark.usefixtures("fake_clocks")


@pytest.fixture(autouse=True)
def _one_second_is_free(monkeypatch):
    monkeypatch.setattr(stopwatch, "SPARE", 1.0)
    monkeypatch.setattr(tournament_module, "SPARE", 1.0)


class Thinks(Agent):
    """Checks and calls, and takes its time."""

    name = "thinks"

    def __init__(self, processor: float = 0.0, wall: float = 0.0, first: float = 0.0, clock: str = "processor") -> None:
        self.processor, self.wall, self.first, self.clock = processor, wall, first, clock
        self.facts = replace(type(self).facts, clock=clock)
        self.asked: list[set[int]] = []

    def act(self, tables, rules, rows):
        streets = set(tables["street"][rows].tolist())
        new = streets - set().union(*self.asked)
        self.asked.append(streets)
        clocks.spend(self.processor + (self.first if new else 0.0), self.wall + (self.first if new else 0.0))
        return np.zeros(len(rows), np.int64)


def play(agent: Agent, limit: float | None, deals: int = 400) -> Stopwatch:
    """A match against the maniac, 20 hands at a time."""
    watch = Stopwatch([TimeLimit(limit)] * 2)
    play_deals(HEADS_UP, [agent, make_agent("maniac")], [0, 1], range(deals), tables=20, stopwatch=watch)
    return watch


@pytest.mark.parametrize(
    ("spent", "clock", "words"),
    [
        (Spent(1.4, 1.4, 1000), "processor", None),
        (Spent(1.6, 1.6, 1000), "processor", r"too slow: 1.60 ms of processor time a decision, the limit is 0.5"),
        (Spent(0.1, 14.0, 1000), "processor", None),
        (Spent(0.1, 16.0, 1000), "processor", r"16.00 ms of wall time a decision, the limit is 5, 10 times that of"),
        (Spent(9.0, 1.4, 1000), "wall", None),
        (Spent(0.0, 1.6, 1000), "wall", r"too slow: 1.60 ms of wall time a decision, the limit is 0.5$"),
    ],
)
def test_too_slow_by_which_clock(spent, clock, words):
    found = TimeLimit(0.5).why_not(spent, clock, spare=1.0)
    assert TimeLimit().why_not(spent, clock, spare=1.0) is None
    if words is None:
        assert found is None
    else:
        with pytest.raises(ValueError, match=words):
            raise ValueError(found)


def test_the_load_of_other_programs_is_not_the_agents():
    watch = play(Thinks(processor=0.0001, wall=0.02), limit=0.5)
    assert watch.spent[0].wall > 1
    assert watch.spent[0].processor < 0.1


class ThinksAfterwards(Thinks):
    def hand_over(self, tables, rules, rows):
        clocks.spend(0.1, 0.1)


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (Thinks(0.1, 0.1), r"agent 'thinks': too slow: .* ms of processor time a decision"),
        (Thinks(0.0, 1.0), r"of wall time a decision, the limit is 5, 10 times that of processor time"),
        (Thinks(0.0, 0.1, clock="wall"), r"of wall time a decision, the limit is 0.5$"),  # behind a socket
        (ThinksAfterwards(), r"too slow: .* of processor time a decision, the limit is 0.5"),
    ],
)
def test_who_thinks_too_long_forfeits(agent, words):
    with pytest.raises(AgentFailed, match=words):
        play(agent, limit=0.5)


@pytest.mark.parametrize("wrong", [{"clock": "cpu"}, {"tables_at_once": 0}, {"answers_counted": 1}])
def test_facts_that_cannot_be(wrong):
    [(name, value)] = wrong.items()
    mentions(complaint(AgentFacts, **wrong), name, value)


def test_behind_a_socket_wall_time_alone_counts_and_so_does_the_end_of_hands():
    play(Thinks(processor=1.0, wall=0.0001, clock="wall"), limit=0.5)
    assert play(ThinksAfterwards(), limit=100).spent[0].processor > 1


@pytest.mark.parametrize(("trusted", "free"), [(True, SPARE), (False, STRANGERS_SPARE)])
def test_some_seconds_are_free_for_what_is_loaded(trusted, free, monkeypatch):
    monkeypatch.setattr(stopwatch, "SPARE", SPARE)
    monkeypatch.setattr(Thinks, "facts", AgentFacts(is_trusted=trusted))
    assert play(Thinks(first=free / 10), limit=0.5).spent[0].decisions > 0  # in two rotations, on four streets each
    with pytest.raises(AgentFailed, match="too slow"):
        play(Thinks(first=free / 2), limit=0.5)


def test_seconds_in_all():
    """Whatever is allowed on average."""
    limit = TimeLimit(ms_per_decision=1_000, seconds=3)
    for spent, words in (
        (Spent(2.9, 2.9, 10), "None"),
        (Spent(3.1, 3.1, 10), "too slow: 3.1 s of processor time in all, the limit is 3"),
        (Spent(0.1, 31, 10), "too slow: 31.0 s of wall time in all, the limit is 30, 10 times that of processor time"),
    ):
        assert str(limit.why_not(spent, "processor", spare=5)) == words


def test_to_wait_for_a_processor_is_not_to_think(monkeypatch):
    watch, agent = Stopwatch([TimeLimit(1)]), Thinks(clock="wall")
    waited = iter([3.0, 10.0])
    monkeypatch.setattr(stopwatch, "waited_here", lambda: next(waited))
    began = watch.read()
    clocks.spend(0.5, 7.5)
    assert watch.stop(0, agent, began, 1) is None
    assert watch.spent[0].wall == pytest.approx(0.5)


class AtOne(Thinks):
    name, facts = "at one", AgentFacts(tables_at_once=1)


def test_a_rival_that_plays_at_one_table_costs_nobody_the_match():
    """Each call costs 40 ms: for twenty tables at once that is 2 ms a decision, table by table it is 40."""
    agents = [Thinks(processor=0.04, wall=0.04), AtOne()]
    play_deals(HEADS_UP, agents, [0, 1], range(100), stopwatch=Stopwatch([TimeLimit(2.5)] * 2))
    with pytest.raises(AgentFailed, match=r"agent 'at one': too slow"):
        play_deals(
            HEADS_UP, [Thinks(), AtOne(0.04, 0.04)], [0, 1], range(100), stopwatch=Stopwatch([TimeLimit(2.5)] * 2)
        )


@pytest.mark.slow
def test_in_a_tournament_loading_is_free_and_the_clock_is_named(tmp_path, monkeypatch):
    for module in (stopwatch, tournament_module):
        monkeypatch.setattr(module, "SPARE", SPARE)
    monkeypatch.setitem(names.AGENTS.registered, "thinks", Thinks)
    agents = [
        {"agent": "thinks", "name": "here", "first": 1.0, "processor": 0.00001},
        {"agent": "thinks", "name": "there", "clock": "wall", "wall": 0.00002},
        "maniac",
    ]
    tournament = Tournament(rules=HEADS_UP, agents=agents, hands=200, shard=10, max_ms_per_decision=0.5)
    with Store(tmp_path / "x.db", create=True) as store:
        run(tournament, store)
        assert store.forfeits() == {}
        assert store.clocks() == {"here": "processor", "there": "wall", "maniac": "processor"}
        rows = {row.name: row for row in standings(store).rows}
        assert rows["here"].ms > 1  # with what it has loaded
        assert 0 < rows["there"].ms < 0.1
        assert (rows["here"].clock, rows["there"].clock) == ("processor", "wall")
        page = write_report(store, tmp_path / "report").read_text()
        assert "wall time" in page
        assert "processor time" in page
        table = (tmp_path / "report" / "standings.csv").read_text()
        assert {"wall_ms_per_decision", "processor_ms_per_decision"} <= {*table.splitlines()[0].split(",")}

"""Ways to bend a tournament that were tried: the clock, the estimate, the code and the deck."""

from __future__ import annotations

import time
import warnings
from pathlib import Path

import numpy as np
import pytest

from arena.fake_clocks import clocks, fake_clocks  # noqa: F401 - a fixture
from arena.isolation.bots import bot, needs_jail
from arena.isolation.test_isolated_agent import FACTS, ask, isolated  # noqa: F401 - a fixture
from arena.isolation.test_isolated_tournaments import named, tournament
from arena.isolation.test_limits import limited_by  # noqa: F401 - a fixture
from arena.open_book_agents import Linear, Uniform
from arena.test_aivat import Hushed
from engine.test_decision_words import siphash_1_3
from holdem_env import Rules
from holdem_env.agents import Agent
from holdem_env.agents.facts import AgentFacts
from holdem_env.arena import AgentFailed, Aivat, estimates, exact_value, one_against_all, play_deals
from holdem_env.arena.isolation import isolated_agent
from holdem_env.arena.isolation.agent_process import AgentProcess, tasks_of, usage_of
from holdem_env.arena.isolation.isolated_agent import IsolatedAgent
from holdem_env.arena.isolation.limits import AgentProcessError, IsolationUnavailable, Limits
from holdem_env.arena.matches.dealer import give_decks
from holdem_env.arena.matches.stopwatch import Stopwatch, TimeLimit
from holdem_env.arena.tournaments.plan import STRANGERS_MS, STRANGERS_SECONDS
from holdem_env.arena.tournaments.store import Store, StoreWarning
from holdem_env.arena.tournaments.tournament import run
from holdem_env.engine import record

# The clock

SPIN = """
    if not getattr(self, 'spinning', False):
        self.spinning = True
        for _ in range(6):
            if os.fork() == 0:
                while True: pass
        time.sleep(0.05)
"""


def wait_until_frozen(agent):
    """The kernel freezes a process of a group when it is that one's turn to run."""
    group = agent._process._group
    while group and group.freezes and "frozen 0" in (group._freezer / "cgroup.events").read_text():
        time.sleep(0.01)


@needs_jail
def test_nothing_in_a_jail_runs_while_nobody_asks(isolated, tmp_path, limited_by):  # noqa: F811
    """Processes that spin take nobody's time: neither while a rival thinks, nor to think meanwhile."""
    agent = isolated(bot(tmp_path, SPIN))
    ask(agent)
    first = agent._process._first
    wait_until_frozen(agent)
    before = usage_of(first)
    assert before.processes > 6
    time.sleep(0.3)
    assert usage_of(first).seconds == before.seconds
    ask(agent)
    time.sleep(0.1)
    later = usage_of(first)
    assert later.processes == before.processes
    states = {Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] for pid, _ in tasks_of(first)}
    assert "R" not in states


@needs_jail
def test_a_frozen_jail_ends(isolated, tmp_path, limited_by):  # noqa: F811
    agent = isolated(bot(tmp_path, SPIN))
    ask(agent)
    first = agent._process._first
    agent.close()
    assert usage_of(first).processes == 0


@needs_jail
def test_no_agent_chooses_its_clock(tmp_path):
    path = bot(tmp_path, more="from holdem_env.agents import AgentFacts; facts = AgentFacts(clock='wall')")
    for limits, clock in (
        (Limits(), "processor"),
        (Limits(clock="wall"), "wall"),
        (Limits(network=True), "wall"),
    ):
        assert IsolatedAgent({"agent": path}, limits, FACTS).facts.clock == clock
    agent = IsolatedAgent({"agent": path})
    assert agent.facts.clock == "processor"


class Naps(Agent):
    """A stranger that sleeps, and computes nothing."""

    name, facts = "naps", AgentFacts(is_trusted=False)

    def act(self, tables, rules, rows):
        clocks.spend(0.0, 20.0 * len(rows))
        return np.zeros(len(rows), np.int64)


@pytest.mark.usefixtures("fake_clocks")
def test_who_naps_forfeits_by_default(tmp_path):
    settings = tournament("maniac", bot(tmp_path))
    limit = settings.time_limit(is_stranger=True)
    assert limit == TimeLimit(STRANGERS_MS, STRANGERS_SECONDS)
    assert settings.time_limit(is_stranger=False) == TimeLimit()
    assert tournament("maniac", "nit", max_ms_per_decision=None).time_limit(True) == TimeLimit(None, STRANGERS_SECONDS)
    with pytest.raises(AgentFailed, match=r"agent 'naps': too slow: .* of wall time a decision, the limit is 1000"):
        play_deals("heads-up-no-limit", [Naps(), Naps()], [0, 1], range(20), stopwatch=Stopwatch([limit] * 2))


def test_an_endless_loop_ends_with_the_time_of_its_shard(tmp_path):
    limits = tournament("maniac", bot(tmp_path)).limits
    assert limits is not None
    assert limits.seconds_for(10) == 60 + 20 * 0.1 * 10
    assert limits.seconds_for(5_000) == 60 + STRANGERS_SECONDS


@needs_jail
def test_a_jail_that_does_not_start_is_its_agents_failure_if_others_do(isolated, tmp_path, monkeypatch):  # noqa: F811
    tries = []

    def dies(self):
        tries.append(self)
        raise IsolationUnavailable("no jail could be made")

    monkeypatch.setattr(AgentProcess, "begin", dies)
    monkeypatch.setattr(isolated_agent, "a_jail_starts", lambda: True)
    with pytest.raises(AgentProcessError, match="its jail ended while it started"):
        ask(isolated(bot(tmp_path)))
    assert len(tries) == 2
    monkeypatch.setattr(isolated_agent, "a_jail_starts", lambda: False)
    with pytest.raises(IsolationUnavailable):
        ask(isolated(bot(tmp_path)))


# The code


def folded(store: Store, deals: slice) -> bool:
    """Whether the bot folded in a match, and lost a small blind."""
    return 1 in np.abs(store.deals(["bot", "calling_station"]).columns["chips"][deals])


@needs_jail
def test_what_was_entered_plays(tmp_path):
    """Its file is replaced while the tournament runs."""
    folds = "moves = np.full(len(rows), -1)"
    settings = tournament("calling_station", named(bot(tmp_path), "bot"), hands=100, shard=25)

    def replaced(*_) -> None:
        bot(tmp_path, folds)

    with Store(tmp_path / "t.db", create=True) as store:
        run(settings, store, replaced)
        assert not folded(store, slice(None))
        more = tournament("calling_station", named(str(tmp_path / "bot.py"), "bot"), hands=150, shard=25)
        with pytest.warns(StoreWarning, match="bot: its files have changed since it was entered; its copy plays on"):
            run(more, store)
        assert not folded(store, slice(100, None))
        again = tournament("calling_station", named(str(tmp_path / "bot.py"), "bot"), hands=200, shard=25)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            run(again, store, accept_changed=True)
        assert folded(store, slice(150, None))


# The deck


def test_every_deal_under_a_key_has_a_seed_of_its_own():
    tables, numbers, key = record.new_records(record.TABLE, 50), np.arange(7, 57), 2**127 + 12_345
    give_decks(tables, numbers, key)
    halves = key >> 64, key % 2**64
    assert tables["seed"].tolist() == [siphash_1_3(halves, (int(number), 0)) >> 1 for number in numbers]
    assert tables["table_id"].tolist() == numbers.tolist()
    give_decks(tables, numbers, 2**63 - 1)
    assert set(tables["seed"].tolist()) == {2**63 - 1}


def test_matches_of_a_run_have_keys_of_their_own():
    settings = tournament("maniac", "nit", "random", seed="random")
    assert settings.seed_of(["maniac", "nit"], 1) != settings.seed_of(["maniac", "random"], 1)
    assert settings.seed_of(["maniac", "nit"], 1) != settings.seed_of(["maniac", "nit"], 2)
    assert settings.seed_of(["maniac", "nit"], 1) == settings.seed_of(["maniac", "nit"], 1) > 2**64


# The estimate


class Poisons(Hushed):
    """Plays the first deals by another strategy, and the value function of the later ones is learnt from these."""

    is_early = True

    def __init__(self, odd: Agent, usual: Agent) -> None:
        super().__init__(usual)
        self.odd, self.usual = odd, usual

    def act(self, tables, rules, rows):
        return (self.odd if self.is_early else self.usual).act(tables, rules, rows)


def errors_of(matches: int, poisons: bool, deals: int = 768, learnt: int = 256) -> tuple[np.ndarray, np.ndarray]:
    """How far the estimates of matches in Leduc are off the known value of deals after the first ones, and their half
    widths."""
    rules, off, widths = Rules.preset("leduc"), [], []
    value = exact_value(Uniform(), Linear(8), rules)
    for seed in range(matches):
        one = Poisons(Linear(3), Uniform(seed=seed)) if poisons else Hushed(Uniform(seed=seed))
        agents, column = [one, Hushed(Linear(8))], [Aivat()]
        for numbers in (range(learnt), range(learnt, deals)):
            one.is_early = numbers.start == 0
            played = play_deals(rules, agents, one_against_all(2), numbers, seed, columns=column, duplicate=False)
        [found] = [each.interval for each in estimates(played) if each.name == "aivat"]
        off.append((found.low + found.high) / 2 - value)
        widths.append(found.half_width)
    return np.array(off), np.array(widths)


@pytest.mark.slow
def test_who_plays_earlier_blocks_oddly_gains_nothing():
    for poisons in (False, True):
        off, widths = errors_of(200, poisons)
        assert abs(off.mean()) < 3 * off.std() / len(off) ** 0.5, poisons
        assert (np.abs(off) < widths).mean() > 0.91, poisons  # of 95 % intervals
    assert widths.mean() < 1.1 * errors_of(50, False)[1].mean()

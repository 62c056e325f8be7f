"""The agent protocol, the registry of names, and the scripted agents."""

from __future__ import annotations

import numpy as np
import pytest

from holdem_agents.scripted import (
    AlwaysFold,
    CallingStation,
    Maniac,
    PotOdds,
    Random,
    loose_aggressive,
    loose_passive,
    nit,
    tight_aggressive,
)
from holdem_env import IllegalMove, Rules, Table
from holdem_env.agents import Agent, agent_names, make_agent, names, play_agent, register_agent
from holdem_env.arena.matches.dealer import Dealer
from holdem_env.engine import batch, record

STRUCTURES = ["fixed_limit", "pot_limit", "no_limit"]
AGENTS = [Random(), Random(actions="33%, 75%, 2.5x, all-in"), CallingStation(), Maniac(), Maniac(aggression=1.0)]
AGENTS += [AlwaysFold(), PotOdds(samples=20), tight_aggressive(), nit(), loose_passive(), loose_aggressive()]


def dealer(rules: Rules, agents: list[Agent], tables: int = 40, seed: int = 5) -> Dealer:
    """Tables with the agents in turns around each."""
    seating = (np.arange(tables)[:, None] + np.arange(rules.seats)) % len(agents)
    return Dealer(rules, agents, seating, np.arange(tables), seed)


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize("structure", STRUCTURES)
@pytest.mark.parametrize("seats", range(2, 11))
def test_scripted_agents_are_legal_everywhere_and_chips_stay(structure, seats):
    rules = Rules(structure=structure, seats=seats, ante=5, stacks=[300 + 700 * k for k in range(seats)])
    tables = dealer(rules, AGENTS)
    for _ in range(2 * seats):
        payoffs = tables.play_hand()  # an illegal move would be an error
        assert (payoffs.sum(axis=1) == 0).all()


def test_the_calling_station_only_checks_and_calls():
    tables = dealer(Rules(seats=4), [CallingStation()])
    payoffs = tables.play_hand()
    assert set(np.unique(np.abs(payoffs))) <= {0, 100, 300, 200, 50, 33, 34, 66, 67}
    assert (tables.records["moves"] == 16).all()


def test_a_maniac_raises_as_often_as_it_is_told():
    table = Table(Rules.preset("acpc-nolimit-2p"), seed=1)
    for aggression, least, most in ((0.0, 0, 0), (0.5, 400, 600), (1.0, 1000, 1000)):
        agent = Maniac(aggression)
        records = record.new_records(record.TABLE, 1000)
        records[:] = table.records[0]
        records["table_id"] = np.arange(1000)
        moves = agent.act(records, table.rules, np.arange(1000))
        assert least <= (moves > 0).sum() <= most
        assert not (moves == record.FOLD).any()
    with pytest.raises(ValueError, match=r"aggression: 1.5"):
        Maniac(1.5)


def test_random_takes_every_offered_action_equally_often():
    table = Table(Rules.preset("acpc-nolimit-2p"), seed=1)
    records = record.new_records(record.TABLE, 7000)
    records[:] = table.records[0]
    records["table_id"] = np.arange(7000)
    moves = Random().act(records, table.rules, np.arange(7000))
    values, counts = np.unique(moves, return_counts=True)
    assert values.tolist() == [-1, 0, 200, 300, 500, 20_000]  # 50 % of the pot is the least raise
    assert (np.abs(counts / 7000 - 1 / len(values)) < 0.03).all()


@pytest.mark.parametrize("agent", [Random(), Maniac()], ids=lambda agent: agent.name)
def test_agents_play_the_same_whatever_the_batch(agent):
    rules = Rules(seats=3)
    whole, part = dealer(rules, [agent], tables=40), dealer(rules, [agent], tables=7)
    for _ in range(5):
        np.testing.assert_array_equal(whole.play_hand()[:7], part.play_hand())


def test_another_seed_is_another_random_agent():
    rules = Rules(seats=2)
    one, two = (dealer(rules, [Random(seed=seed)]).play_hand() for seed in (1, 2))
    assert (one != two).any()


def test_one_table_is_played_with_move():
    table = Table(Rules.preset("heads-up-limit"), seed=3)
    while not table.is_over:
        table.play(make_agent("random").move(table))
    assert sum(table.payoffs) == 0


def test_names():
    assert {"random", "calling_station", "maniac"} <= set(agent_names())
    assert make_agent("maniac", aggression=0.1).name == "maniac"
    agent = CallingStation()
    assert make_agent(agent) is agent


def test_a_registered_name(monkeypatch):
    monkeypatch.setattr(names, "registered", {})
    register_agent("quiet_maniac", lambda: Maniac(0.1))
    assert "quiet_maniac" in agent_names()
    assert isinstance(make_agent("quiet_maniac"), Maniac)


@pytest.mark.parametrize(
    ("what", "parameters", "error", "words"),
    [
        ("calling_staton", {}, ValueError, "did you mean 'calling_station'"),
        ("maniac", {"agression": 1}, TypeError, "agent 'maniac': .*'agression'.*its parameters are .*aggression"),
        ("nowhere/final.zip", {}, FileNotFoundError, "nowhere/final.zip: there is no such file"),
        (
            "agent.pickle",
            {},
            ValueError,
            "no loader for '.pickle' files; there are loaders for json, py, safetensors, solved, strategy, yaml, "
            "yml, zip",
        ),
    ],
)
def test_registry_errors_say_what_would_be_right(what, parameters, error, words):
    with pytest.raises(error, match=words):
        make_agent(what, **parameters)


class Wrong(Agent):
    """Gives back what it is given."""

    name = "wrong"

    def __init__(self, moves):
        self.moves = moves

    def act(self, tables, rules, rows):
        return self.moves


@pytest.mark.parametrize(
    ("moves", "error", "words"),
    [
        (np.array([0, 5]), IllegalMove, r"agent 'wrong', table 3: seat 0 may not raise to 5"),
        (np.array([0]), ValueError, "must give 2 integers"),
        (np.array([0.0, 1.0]), ValueError, "dtype float64"),
    ],
)
def test_wrong_moves_are_named_and_none_is_played(moves, error, words):
    tables = dealer(Rules(seats=2), [CallingStation()], tables=4)
    log = record.new_log(listening=False)
    batch.deal_hands(tables.records, tables.rules.record, log, np.arange(4))
    before = tables.records.tobytes()
    with pytest.raises(error, match=words):
        play_agent(Wrong(moves), tables.records, tables.rules, log, np.array([1, 3]))
    assert tables.records.tobytes() == before
    play_agent(Wrong([0, -1]), tables.records, tables.rules, log, np.array([1, 3]))  # a list will do

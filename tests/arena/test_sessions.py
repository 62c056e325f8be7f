"""Sessions in batch: the same as a Session played alone, hand by hand."""

from __future__ import annotations

import numpy as np
import pytest

from holdem_agents.scripted import CallingStation, Maniac, Random
from holdem_env import Rules, Session
from holdem_env.arena import balanced_lineups, play_sessions

FREEZEOUT = {"levels": [{"hands": 6}, {"times": 3, "hands": 6}, {"times": 10}], "prizes": (0.7, 0.3)}
RULES = Rules(seats=3, blinds=(5, 10), stacks=200, session=FREEZEOUT)


@pytest.mark.parametrize(
    "session",
    [FREEZEOUT, {"kind": "cash", "num_hands": 15, "rebuy": 200}, {"num_hands": 4}],
    ids=["freezeout", "cash", "short"],
)
def test_it_plays_what_a_session_plays(session):
    rules = RULES.replace(session=session)
    agents = [Maniac(), Random(), CallingStation()]
    played = play_sessions(rules, agents, [0, 1, 2], range(5), seed=4, tables=7)
    alone = Session(rules, seed=4)  # table 0
    for table in alone:
        while not table.is_over:
            table.play(agents[table.actor].move(table))
    assert played.columns["hands"][0, 0, 0] == alone.hands_played
    net = [stack - 200 for stack in alone.stacks]
    assert sum(net) == alone.chips_brought_in - 600
    if not session.get("rebuy"):
        assert played.columns["chips"][0, 0].tolist() == net
    if session is FREEZEOUT:
        assert played.columns["places"][0, 0].tolist() == alone.places
    assert (played.columns["chips"].sum(axis=2) == 0).all()
    assert np.abs(played.columns["prizes"].sum(axis=2)).max() < 1e-9


def test_prizes_are_paid_by_place_and_equal_agents_are_even():
    even = play_sessions(RULES, [Maniac()] * 3, [0, 1, 2], range(20), seed=1)
    assert np.abs(even.per_deal(0, "prizes")).max() < 1e-9
    played = play_sessions(RULES, [Random(), CallingStation(), Random(seed=2)], [0, 1, 2], range(20), seed=1)
    places, prizes = played.columns["places"], played.columns["prizes"]
    assert np.allclose(prizes[places == 1], 0.7 - 1 / 3)
    alone_second = (places == 2) & ((places == 2).sum(axis=2, keepdims=True) == 1)
    assert alone_second.any()
    assert np.allclose(prizes[alone_second], 0.3 - 1 / 3)


def test_rules_without_a_session_are_refused():
    with pytest.raises(ValueError, match="rules: no session"):
        play_sessions(Rules(seats=2), [Maniac()] * 2, [0, 1], range(2))


@pytest.mark.parametrize(("agents", "seats"), [(5, 3), (4, 4), (2, 3), (7, 2)])
def test_balanced_lineups_seat_everybody_equally_often(agents, seats):
    numbers = np.arange(agents * 120)
    lineups = balanced_lineups(agents, seats, numbers, seed=3)
    assert (np.bincount(lineups.ravel()) == 120 * seats).all()
    if agents >= seats:
        assert all(len(set(row)) == seats for row in lineups.tolist())
    assert np.array_equal(balanced_lineups(agents, seats, numbers[17:30], seed=3), lineups[17:30])
    meet = np.zeros((agents, agents), int)
    for row in lineups:
        meet[np.ix_(row, row)] += 1
    apart = meet[~np.eye(agents, dtype=bool)]
    assert apart.min() > 0.6 * apart.mean()

"""Bad input to sessions: an error that names what was wrong and what would be right, and nothing is changed."""

from __future__ import annotations

import math
import pickle

import pytest

from errors import complaint, mentions
from holdem_env import Rules, Session, SessionError, holdem_v0
from holdem_env.engine.record import MAX_CHIPS
from rules.sitting import cash, fold_out, tournament


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"kind": "ring"}, ["kind", "tournament", "cash"]),
        ({"button": "lost"}, ["button", "dead", "moving"]),
        ({"first_button": 6}, ["first_button", 6, "0..5"]),
        ({"first_button": -1}, ["first_button", 0]),
        ({"first_button": "low_card"}, ["first_button", "high_card"]),
        ({"num_hands": 0}, ["num_hands", 1]),
        ({"rebuy": -5}, ["rebuy", 0]),
        ({"phases": [{"structure": "no_limit"}]}, ["phase 0", "neither"]),
        ({"phases": [{"hands": 5}, {"structure": "fixed_limit"}]}, ["phase 1", "neither"]),
        ({"phases": [{"hands": 5, "orbits": 1}]}, ["phase 0", "both"]),
        ({"phases": [{"hands": 0}]}, ["phases", "hands"]),
        ({"phases": [{"hands": 1, "blinds": (50, 20)}]}, ["phase 0", "blinds", 50, 20]),
        ({"phases": [{"hands": 1, "small_bet": 50}]}, ["phase 0", "fixed_limit"]),
        ({"levels": [{}, {"times": 2}]}, ["level 0", "hands"]),
        ({"levels": [{"hands": 5, "players": 3}]}, ["levels", "players"]),
        ({"levels": [{"hands": 5}, {"times": 2, "blinds": (100, 200)}]}, ["level 1", "times", "not both"]),
        ({"levels": [{"players": 5}, {"times": 2, "players": 3}]}, ["levels", "players"]),
        ({"levels": [{"hands": 5}, {"times": 2, "players": 3}, {}]}, ["level 1", "hands"]),
        ({"levels": [{"hands": 5, "times": 2}, {"players": 3}]}, ["level 1", "blinds", "rise"]),
        ({"levels": [{}, {"times": 2}, {"times": 3, "players": 3}]}, ["levels", "players"]),
        ({"levels": [{}, {"times": 2, "players": 3}, {"times": 3, "players": 3}]}, ["level 2", 3]),
        ({"levels": [{"hands": 5, "times": 2}, {"hands": 5}]}, ["level 1", "blinds", "rise"]),
        ({"levels": [{"hands": 5, "blinds": (100, 200)}, {"blinds": (75, 150)}]}, ["level 1", "blinds", 150, 200]),
        ({"levels": [{"hands": 5, "blinds": (100, 200)}, {"blinds": (75, 300)}]}, ["level 1", "blinds", 75, 100]),
        ({"levels": [{"hands": 5, "blinds": (200, 400)}, {"times": 2}]}, ["level 1", "blinds", 100, 400]),
        ({"levels": [{"hands": 5, "blinds": (200, 400)}, {"ante": 5}]}, ["level 1", "blinds"]),
        ({"levels": [{"hands": 5, "ante": 10}, {"times": 2}]}, ["level 1", "antes", 0, 10]),
        ({"levels": [{"hands": 5, "big_blind_ante": 10}, {"times": 2, "hands": 1}]}, ["level 1", "antes", 0, 10]),
        (
            {"phases": [{"structure": "fixed_limit", "hands": 1}], "levels": [{"hands": 5, "small_bet": 200}, {}]},
            ["level 1", "bets", 100, 200],
        ),
        ({"prizes": (0.2, 0.8)}, ["prizes", "first"]),
        ({"prizes": (0.8, -0.2)}, ["prizes", 0]),
        ({"prizes": (math.nan, 0.2)}, ["prizes"]),
        ({"prizes": (0.4, 0.3, 0.1, 0.1, 0.05, 0.03, 0.02)}, ["prizes", 7, 6]),
        ({"reward": "prizes"}, ["reward", "prizes"]),
        ({"reward": "icm", "prizes": (1,), "kind": "cash"}, ["reward", "tournament"]),
        ({"reward": "icm", "prizes": (1,), "rebuy": 100}, ["reward", "rebuys"]),
        ({"lvels": []}, ["lvels", "levels"]),
    ],
    ids=str,
)
def test_a_session_that_cannot_be(fields, words):
    mentions(complaint(Rules, seats=6, blinds=(50, 100), session=fields), *words)


@pytest.mark.parametrize(
    "levels",
    [
        [{"hands": 5, "times": 4}, {"blinds": (1000, 2000)}],
        [{"hands": 5, "ante": 10}, {"big_blind_ante": 100}],
        [{"hands": 5}, {"hands": 5}, {"times": 2, "hands": 5}, {"blinds": (100, 300), "ante": 25}],
        [{}, {"times": 2, "players": 5}, {"times": 3, "players": 2}],
    ],
)
def test_levels_that_rise(levels):
    assert len(Rules(seats=6, blinds=(50, 100), session={"levels": levels}).stages) == len(levels)


def state(session: Session) -> tuple:
    return session.stacks, session.chips_brought_in, session.chips_taken_away, pickle.dumps(session)


def played(session: Session) -> Session:
    fold_out(session.deal())
    return session


ACTS = {"join": (0, 100), "leave": (0,), "top_up": (0, 100), "sit_out": (0,), "sit_in": (0,), "deal": ()}


@pytest.mark.parametrize("act", ACTS)
def test_nothing_happens_during_a_hand(act):
    session = cash(3)
    table = session.deal()
    before = state(session)
    mentions(complaint(getattr(session, act), *ACTS[act], kind=SessionError), act, "between hands", "seat 0")
    assert state(session) == before
    assert not table.is_over


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda s: s.join(0, 100), ["seat 0", "taken"]),
        (lambda s: s.join(3, 0), ["join", 0, "positive"]),
        (lambda s: s.join(3, -5), ["join", -5, "positive"]),
        (lambda s: s.join(3, 102), ["join", 102, "smallest chip", 5]),
        (lambda s: s.join(3, MAX_CHIPS), ["a table holds", MAX_CHIPS]),
        (lambda s: s.join(4, 100), ["seat 4", "0..3"]),
        (lambda s: s.join(-1, 100), ["seat -1", "0..3"]),
        (lambda s: s.leave(3), ["leave", "seat 3", "nobody"]),
        (lambda s: s.top_up(3, 100), ["top_up", "seat 3", "nobody"]),
        (lambda s: s.top_up(0, 3), ["top_up", 3, "smallest chip", 5]),
        (lambda s: s.sit_out(3), ["sit_out", "seat 3", "nobody"]),
        (lambda s: s.sit_in(3), ["sit_in", "seat 3", "nobody"]),
        (lambda s: s.sit_in(0), ["sit_in", "seat 0", "not away"]),
        (lambda s: s.owes(9), ["seat 9", "0..3"]),
        (lambda s: s.deal(deck="AsAs"), ["As"]),
    ],
)
def test_what_cannot_be_done_between_hands(act, words):
    session = played(cash(4, [1000, 1000, 1000, 0], smallest_chip=5))
    before = state(session)
    message = complaint(act, session)
    missing = [word for word in words if str(word).lower() not in message.lower()]
    assert not missing, message
    assert state(session) == before
    assert not session.deal().is_over


@pytest.mark.parametrize("chips", [100.0, "100", None])
def test_chips_that_are_no_integer(chips):
    session = played(cash(4, [1000, 1000, 1000, 0]))
    before = state(session)
    complaint(session.join, 3, chips, kind=TypeError)
    complaint(session.top_up, 0, chips, kind=TypeError)
    assert state(session) == before


def one_left() -> Session:
    session = played(cash(2))
    session.sit_out(0)
    return session


@pytest.mark.parametrize(
    ("make", "act", "words"),
    [
        (one_left, Session.deal, ["deal", "two players"]),
        (lambda: played(tournament(3, session={"num_hands": 1})), Session.deal, ["deal", "over"]),
        (lambda: played(tournament(3)), lambda session: session.top_up(0, 100), ["top_up", "tournament"]),
    ],
)
def test_what_a_session_has_no_more(make, act, words):
    session = make()
    before = state(session)
    mentions(complaint(act, session, kind=SessionError), *words)
    assert state(session) == before


BAD_BEGINNINGS = [({"stacks": [100, 100]}, ["stacks", 3, 2]), ({"stacks": [100, -5, 100]}, ["seat 1", -5])]
BAD_BEGINNINGS += [({"button": 3}, ["button", 3, "0..2"]), ({"seed": -1}, ["seed", -1])]


@pytest.mark.parametrize(("options", "words"), BAD_BEGINNINGS)
def test_how_a_session_cannot_begin(options, words):
    mentions(complaint(Session, Rules(seats=3), **options), *words)


def test_a_drawn_button_is_not_given():
    rules = Rules(seats=3, session={"first_button": "high_card"})
    mentions(complaint(Session, rules, button=1), "button", "high_card")
    mentions(complaint(holdem_v0.env(rules=rules).reset, options={"button": 1}), "button", "high_card")


@pytest.mark.parametrize("session", [{"kind": "cash"}, {"rebuy": 100}])
def test_an_environment_needs_an_end(session):
    mentions(complaint(holdem_v0.env, session=session), "session", "num_hands")
    mentions(complaint(holdem_v0.env, rules=Rules(session=session)), "session", "num_hands")


def test_an_environment_is_told_once_how_many_hands():
    mentions(complaint(holdem_v0.env, session={"num_hands": 5}, num_hands=7), "num_hands", 7, "session")


def test_r13_a_rebuy_is_a_multiple_of_the_smallest_chip():
    mentions(complaint(Rules, seats=3, smallest_chip=5, blinds=(5, 10), session={"rebuy": 102}), "rebuy", 102, 5)
    assert Rules(seats=3, smallest_chip=5, blinds=(5, 10), session={"rebuy": 105}).session.rebuy == 105

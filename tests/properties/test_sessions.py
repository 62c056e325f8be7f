"""Whole sessions, with players who come and go: R10 hand by hand against its words, R12, R39, R40.

The hands are played by random moves; between them anything may happen that Session allows.
"""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from examples import examples
from holdem_env import DealerErrors, Rules, Session, Table
from oracle.rotation import AWAY, COMING, GONE, HERE, Expected, Rotation
from rules.sitting import posts

POSTS = {"big": "post_live", "small": "post_dead"}
MISHAPS = DealerErrors(**dict.fromkeys(DealerErrors.model_fields, 0.1))
MIXED = [{"structure": "fixed_limit", "orbits": 1}, {"structure": "pot_limit", "hands": 3}, {"hands": 2}]
HANDS = [
    {"hands": 2},
    {"game": "omaha", "orbits": 1},
    {"game": "short-deck", "hands": 1},
    {"game": "omaha-hi-lo", "hands": 2},
]


def rotation_of(table: Table) -> dict[str, Any]:
    """The hand's places as the log and the record tell them."""
    by_kind = {deed.kind: deed.seat for deed in table.log}
    return {
        "button": table.button,
        "small": by_kind.get("post_small_blind"),
        "big": by_kind["post_big_blind"],
        "dealt": {deed.seat for deed in table.log if deed.kind == "deal_hole"},
        "posts": {(seat, kind) for kind, deeds in posts(table).items() for seat, _ in deeds},
    }


def play(session: Session, table: Table, chance: random.Random, calm: bool) -> None:
    """Random moves; chips are where they should be after each."""
    while not table.is_over:
        check_chips(session, table)
        legal = table.legal
        kind = chance.random()
        if kind < 0.4:
            table.fold()
        elif kind < (0.99 if calm else 0.85) or legal.raise_min is None:
            table.check_call()
        else:
            table.raise_to(legal.raise_min if kind < 0.93 else legal.raise_max)


def check_chips(session: Session, table: Table | None) -> None:
    """R40 at any moment: what was brought in is in stacks, bets and pots, or was taken away, rake included."""
    there = sum(session.stacks)
    if table is not None and not table.is_over:
        there += sum(table.bets) + sum(pot.amount for pot in table.pots)
    assert there + session.chips_taken_away == session.chips_brought_in
    assert min(session.stacks) >= 0


def check_names(session: Session, expected: Expected) -> None:
    """R11: everybody who was dealt in has one name, and nobody that of an empty place."""
    named = {position.name: seat for seat, position in session.positions.items()}
    assert set(named.values()) == expected.dealt
    assert named["BB"] == expected.big
    assert named.get("SB") == (expected.small if len(expected.dealt) > 2 else None)
    seats, button = session.rules.seats, expected.button
    to_big = (expected.big - button) % seats
    between = {seat for seat in expected.dealt - {button, expected.small} if (seat - button) % seats < to_big}
    if not between:  # those who came in as there was no game without them may sit there; names go by who acts when
        assert named.get("BTN") == (button if button in expected.dealt else None)


class Cash:
    """A cash session and its oracle, kept in step."""

    def __init__(self, chance: random.Random, moving: bool) -> None:
        self.chance = chance
        self.calm = chance.random() < 0.7
        seats = chance.choice([2, 3, 3, 4, 5, 6, 9])
        button = chance.randrange(seats)
        there = [chance.random() < 0.75 for _ in range(seats)]
        there[0] = there[1] = True
        stacks = [self.chips() * is_there for is_there in there]
        self.rules = Rules(
            seats=seats,
            blinds=(5, 10),
            stacks=1000,
            smallest_chip=chance.choice([1, 5]),
            rake=chance.choice([None, 5.0]),
            dealer_errors=chance.choice([None, MISHAPS]),
            session={
                "kind": "cash",
                "button": "moving" if moving else "dead",
                "phases": chance.choice([(), MIXED, HANDS]),
            },
        )
        self.session = Session(self.rules, stacks=stacks, button=button, seed=chance.randrange(2**32))
        self.oracle = Rotation(seats, button, moving)
        self.last_big = -1
        for seat in range(seats):
            if not there[seat]:
                self.oracle.leave(seat)

    def chips(self) -> int:
        return self.chance.choice([10, 50, 500, 2000] if not self.calm else [2000, 5000])

    def something_happens(self) -> None:
        """A player comes, goes, sits out or in, or buys chips."""
        session, oracle, chance = self.session, self.oracle, self.chance
        seat, by_posting = chance.randrange(self.rules.seats), chance.random() < 0.5
        who = oracle.chairs[seat].who
        if who == GONE:
            session.join(seat, self.chips(), post=by_posting)
            oracle.join(seat, by_posting)
        elif session.stacks[seat] == 0 and chance.random() < 0.7:
            session.top_up(seat, self.chips())
        elif chance.random() < 0.2:
            assert session.leave(seat) >= 0
            oracle.leave(seat)
        elif who in (AWAY, COMING) and chance.random() < 0.7:
            session.sit_in(seat, post=by_posting)
            oracle.sit_in(seat, by_posting)
        elif chance.random() < 0.6:
            session.sit_out(seat)
            oracle.sit_out(seat)
        check_chips(session, None)

    def hand(self) -> Table | None:
        """The next hand, if there is one, as R10 wants it, played to its end."""
        before = self.session.stacks
        expected = self.oracle.next_hand(before)
        if expected is None:
            return None
        table = self.session.deal()
        wanted = {(seat, POSTS[blind]) for seat, owed in expected.posts.items() for blind in owed}
        short = {seat for seat, owed in expected.posts.items() if owed == {"big", "small"} and before[seat] <= 10}
        found = rotation_of(table)
        assert found["posts"] == wanted - {(seat, "post_dead") for seat in short}
        for name in ("button", "small", "big", "dealt"):
            assert found[name] == getattr(expected, name), name
        check_names(self.session, expected)
        assert found["big"] != self.last_big  # nobody posts it twice running
        self.last_big = found["big"]
        play(self.session, table, self.chance, self.calm)
        check_chips(self.session, None)
        self.check_owed()
        return table

    def check_owed(self) -> None:
        """Markers: at most one of each kind (R10)."""
        for seat, chair in enumerate(self.oracle.chairs):
            owed = (10 * ("big" in chair.owes), 5 * ("small" in chair.owes))
            assert self.session.owes(seat) == owed, seat


@examples(60, derandomize=True)
@given(st.integers(0, 2**32), st.booleans())
def test_r10_r40_a_cash_session_goes_as_the_rule_says(seed, moving):
    game = Cash(random.Random(seed), moving)
    for _ in range(30):
        for _ in range(game.chance.choice([0, 0, 0, 1, 1, 3])):
            game.something_happens()
        game.hand()


@examples(40, derandomize=True)
@given(st.integers(0, 2**32))
def test_r10_who_stays_pays_one_big_blind_an_orbit(seed):
    """With the dead button: nobody posts the big blind twice running; and between two big blinds of a player who stays,
    every other player who stays has posted it exactly once. The button goes clockwise (or stays, when a third player
    comes in), never past the last hand's big blind; of two players the one who is not due the big blind has it."""
    game = Cash(random.Random(seed), moving=False)
    bigs, stays, seats = [], [], game.rules.seats
    last_button = None
    for _ in range(40):
        for _ in range(game.chance.choice([0, 0, 0, 0, 1, 2])):
            game.something_happens()
        table = game.hand()
        if table is None:
            continue
        found = rotation_of(table)
        if bigs:
            forward = (found["button"] - last_button) % seats
            assert forward <= (bigs[-1] - last_button) % seats or len(found["dealt"]) == 2
        last_button = found["button"]
        bigs.append(found["big"])
        stays.append(found["dealt"])
    for start, big in enumerate(bigs):
        again = next((k for k in range(start + 1, len(bigs)) if bigs[k] == big), None)
        always = set() if again is None else set.intersection(*stays[start : again + 1])
        for seat in always - {big} if big in always else ():
            assert bigs[start:again].count(seat) == 1, (seat, bigs[start : again + 1])


@examples(40, derandomize=True)
@given(st.integers(0, 2**32), st.sampled_from(["dead", "moving"]))
def test_r10_r39_r40_a_tournament_ends_with_one_winner_and_all_the_chips(seed, button):
    chance = random.Random(seed)
    seats = chance.choice([2, 3, 4, 6, 10])
    levels = [{"hands": 8}, {"times": 2, "hands": 8}, {"times": 4, "hands": 8}, {"times": 16}]
    rules = Rules(
        seats=seats,
        blinds=(5, 10),
        stacks=tuple(chance.choice([60, 100, 200]) for _ in range(seats)),
        ante=chance.choice([0, 1]),
        dealer_errors=chance.choice([None, MISHAPS]),
        session={
            "button": button,
            "first_button": "high_card",
            "levels": levels,
            "phases": chance.choice([(), MIXED, HANDS]),
        },
    )
    session = Session(rules, seed=chance.randrange(2**32))
    total = sum(session.stacks)
    last_big = None
    away: set[int] = set()
    out: dict[int, int] = {}
    for hands, table in enumerate(session):
        left = [seat for seat in range(seats) if table.starting_stacks[seat]]
        found = rotation_of_tournament(table)
        assert found["dealt"] == set(left)  # the absent, too
        assert found["big"] != last_big
        last_big = found["big"]
        play(session, table, chance, calm=False)
        check_chips(session, None)
        assert sum(session.stacks) == total
        broke = [seat for seat in left if session.stacks[seat] == 0]
        for seat in broke:
            ahead = sum(table.starting_stacks[other] > table.starting_stacks[seat] for other in broke)
            out[seat] = len(left) - len(broke) + 1 + ahead
        if session.is_over:
            break
        seat = chance.choice([seat for seat in left if seat not in broke])
        if seat in away:
            session.sit_in(seat)
            away.remove(seat)
        elif chance.random() < 0.2:
            session.sit_out(seat)
            away.add(seat)
        assert session.places == [out.get(seat, 0) for seat in range(seats)]
        assert all(session.owes(seat) == (0, 0) for seat in range(seats))
        assert hands < 3000
    (winner,) = [seat for seat in range(seats) if session.stacks[seat]]
    assert session.stacks[winner] == total
    assert session.places == [out.get(seat, 1) for seat in range(seats)]


def rotation_of_tournament(table: Table) -> dict[str, Any]:
    """Who has the big blind by the record: an ante may have put it all-in before it was posted."""
    seats = {deed.seat for deed in table.log if deed.kind == "deal_hole"}
    return {"big": int(table.records["big_blind_seat"][0]), "dealt": seats}


def test_the_oracle_knows_its_words():
    rotation = Rotation(3, 0)
    first = rotation.next_hand([1, 1, 1])
    assert first is not None
    assert (first.button, first.small, first.big, first.dealt) == (0, 1, 2, {0, 1, 2})
    assert {chair.who for chair in rotation.chairs} == {HERE}

"""The `tokens` observation: the sequence is the hand, and the hand can be played again from it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from encoders.seeing import GAMES, hands, observe, random_move
from holdem_env import Rules, Session, Table
from holdem_env.encoders import get_observation
from holdem_env.encoders.tokens import KINDS
from holdem_env.engine.record import column

TOKENS = get_observation("tokens")


class Event(NamedTuple):
    """One row, its amounts in chips again."""

    kind: str
    player: int
    street: int
    card: int
    chips: int
    total: int
    part: float
    flag: int


def chips_of(number: float, rules: Rules) -> int:
    half = 20 * (rules.big_blind or rules.street_bets[0])
    return round(half * float(number) / (1 - float(number)))


def events(table: Table, seat: int) -> list[Event]:
    """The rows before the padding."""
    seen = observe(TOKENS, table, seat)
    count = int((seen[:, 0] > 0).sum())
    assert not seen[count:].any(), "padding is zeros, and only at the end"
    whole = [[int(number) for number in row[:4]] for row in seen[:count]]
    found = []
    for (kind, who, street, card), row in zip(whole, seen, strict=False):
        chips, total = (chips_of(number, table.rules) for number in row[4:6])
        found.append(Event(KINDS[kind], who - 1, street - 1, card - 1, chips, total, row[6], int(row[7])))
    return found


def test_one_hand_from_start_to_end() -> None:
    rules = Rules(seats=3, blinds=(1, 2), ante=1, stacks=(200, 100, 50))
    table = Table(rules, button=0, deck="2cAsKs 2dAhKh 3c QcJcTc".replace(" ", ""))
    table.raise_to(8)
    table.fold()
    table.check_call()
    table.raise_to(41)
    seen = events(table, 0)
    dealt, flop = ["player"] * 3 + ["own card"] * 2, ["board card"] * 3
    assert [event.kind for event in seen] == [*dealt, "bet or raise", "fold", "call", *flop, "bet or raise", "to act"]
    # The observer has the button, so the players are seats 1, 2 and 0.
    assert [event.player for event in seen[:3]] == [1, 2, 0]
    assert [event.chips for event in seen[:3]] == [2, 3, 1], "blinds and antes"
    assert [event.total for event in seen[:3]] == [100, 50, 200]
    assert [event.flag for event in seen[:3]] == [0, 0, 1]
    assert [event.card for event in seen[3:5]] == [51 - 4, 51 - 5]
    first, _, call, _, _, _, shove, to_act = seen[5:]
    assert (first.player, first.street, first.chips, first.total) == (0, 0, 8, 8)
    # By 6 above the bet of 2; the pot of 6 and the call of 2 are 8: x / (1 + x) of 6 / 8.
    assert first.part == pytest.approx(6 / 14)
    assert (call.player, call.chips, call.total) == (2, 6, 8)
    assert call.part == pytest.approx(6 / 20)
    assert [event.card for event in seen[8:11]] == [40, 36, 32]
    assert (shove.player, shove.street, shove.total, shove.flag) == (2, 1, 41, 1)
    assert (to_act.player, to_act.chips, to_act.total) == (0, 41, 61)


def test_r10_r08_a_live_blind_in_the_straddle_is_counted_once() -> None:
    """A player who comes back left of the big blind posts that live, and straddles in full."""
    rules = Rules(seats=6, blinds=(10, 20), straddle=40, stacks=1000, session={"kind": "cash"})
    session = Session(rules, seed=1)
    seen = set()
    for hand in range(12):
        if hand == 1:
            session.sit_out(3)
        if hand == 5:
            session.sit_in(3)
        table = session.deal()
        players = {event.player: event.chips for event in events(table, 0) if event.kind == "player"}
        assert players == {seat: sum(table.posted[seat][1:]) for seat in players}
        seen |= {posting.kinds for posting in table.posted}
        while not table.is_over:
            table.no_action()
    assert ("post_live", "post_dead", "post_straddle") in seen


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: f"{rules.structure}-{rules.seats}")
def test_the_same_hand_can_be_played_from_it(rules: Rules) -> None:
    for table in hands(rules, 6, seed=3):
        if table.records["moves"][0] > 64:
            continue
        again = Table(rules, button=int(table.records["button"][0]), deck=table.deck)
        for event in events(table, 0):
            if event.kind in ("fold", "check", "call", "bet or raise"):
                assert again.actor == event.player, "seat 0 looks, so players are seats"
                move = {"fold": -1, "check": 0, "call": 0}.get(event.kind, event.total)
                again.play(move)
        for name in ("stack", "bet", "total", "street", "actor", "pot", "moves", "board"):
            np.testing.assert_array_equal(column(again.records, name), column(table.records, name))


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: f"{rules.structure}-{rules.seats}")
def test_amounts_are_those_of_the_moment(rules: Rules) -> None:
    """What is worked out afterwards is what was there when the move was made."""
    generator = np.random.default_rng(8)
    for hand in range(12):
        table = Table(rules, button=hand % rules.seats, seed=hand)
        expected = []
        while not table.is_over and len(expected) < 64:
            t = table.records[0]
            seat, pot, level = int(t["actor"]), int(t["pot"]), int(t["bet_to_match"])
            before, stack = int(t["seats"]["bet"][seat]), int(t["seats"]["stack"][seat])
            call = min(level - before, stack)
            move = random_move(table, generator)
            paid = {-1: 0, 0: call}.get(move, move - before)
            kind = {-1: "fold", 0: "call" if call else "check"}.get(move, "bet or raise")
            fraction = (move - level) / (pot + call)
            part = fraction / (1 + fraction) if move > 0 else paid / (pot + paid) if paid else 0
            all_in = int(paid == stack and move >= 0)
            expected.append((kind, seat, int(t["street"]), paid, before + paid, pytest.approx(part), all_in))
            table.play(move)
        seen = [event for event in events(table, 0) if KINDS.index(event.kind) in range(4, 8)]
        assert [(e.kind, e.player, e.street, e.chips, e.total, e.part, e.flag) for e in seen] == expected


def test_long_hands_keep_the_latest_moves() -> None:
    rules = Rules(seats=10, blinds=(1, 2), stacks=100_000)
    table = Table(rules, seed=0)
    for k in range(100):
        table.raise_to(table.legal.raise_min) if k % 10 < 7 else table.check_call()
    seen = events(table, 3)
    moves = [event for event in seen if KINDS.index(event.kind) in range(4, 8)]
    assert len(moves) == 64
    assert moves[-1].player == (int(table.records["made"]["seat"][0, 99 % 64]) - 3) % 10
    totals = [event.total for event in moves if event.kind == "bet or raise"]
    expected = [int(table.records["made"]["move"][0, k % 64]) for k in range(36, 100) if k % 10 < 7]
    assert totals == pytest.approx(expected, rel=0.01)
    assert len(seen) == 10 + 2 + 64 + 1
    assert observe("planes", table, 3).max() == 1


def test_the_longest_hand_fits() -> None:
    rules = GAMES[6]
    assert TOKENS.shape(rules) == (6 + 2 + 5 + 64 + 1, 8)


def test_a_hand_that_begins_on_the_flop() -> None:
    rules = Rules(seats=3, blinds=(1, 2), ante=1, stacks=200)
    table = Table.from_position(rules, [50, 0, 80], board="2c7dKh", pot=30, button=0, seed=1)
    table.raise_to(15)
    table.check_call()
    table.raise_to(65)
    for _ in range(2):  # before and after the end of the hand
        seen = events(table, 0)
        assert [event.kind for event in seen[:7]] == ["player"] * 2 + ["own card"] * 2 + ["board card"] * 3
        assert [(event.chips, event.total) for event in seen[:2]] == [(0, 80), (0, 50)]
        first, call, _, shove = seen[7:11]
        assert (first.chips, first.part) == (15, pytest.approx(0.5 / 1.5))
        assert (call.chips, call.part) == (15, pytest.approx(0.25))
        assert (shove.chips, shove.flag, shove.part) == (65, 1, pytest.approx(65 / 60 / (1 + 65 / 60)))
        if not table.is_over:
            table.fold()

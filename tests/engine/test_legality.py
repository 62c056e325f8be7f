"""Why a move is illegal: the engine's reason, and the sentence that it becomes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from errors import complaint, mentions
from holdem_env import IllegalMove, Rules, Session, Table, holdem_v0
from holdem_env.engine import betting
from holdem_env.engine.batch import verdict_at
from holdem_env.engine.legality import REASONS, call_prices
from rules.playing import deal, play

LIMIT = {"structure": "fixed_limit", "blinds": (10, 20)}
ALL_VERDICTS = range(betting.NOBODY_TO_ACT + 1)


@pytest.mark.parametrize(
    ("stacks", "rules", "moves", "total", "reason", "words"),
    [
        ([500, 500, 20], {}, "", 40, betting.STACK_BELOW_BET, "its stack does not exceed the bet"),
        ([500] * 3, LIMIT, "C:r40 A:r60 B:r80", 100, betting.CAPPED, "the betting is capped (R18)"),
        ([500, 500, 135], {}, "C:c A:r100 B:c C:r135 A:c", 300, betting.NOT_REOPENED, "no full raise since (R21)"),
        ([500, 100], {}, "B:c", 40, betting.LEGAL, ""),
        ([500, 100], {}, "B:r100", 300, betting.NOBODY_COULD_CALL, "no opponent has chips to call more with (R20)"),
        ([500] * 3, {}, "", 39, betting.BELOW_LEAST, "the least it may raise to is 40"),
        ([500] * 3, {}, "", 501, betting.ABOVE_STACK, "the most it may raise to is 500, its whole stack"),
        ([500] * 3, LIMIT, "", 41, betting.ABOVE_FIXED_BET, "the most it may raise to is 40 in fixed limit (R18)"),
        ([500] * 3, {"structure": "pot_limit"}, "", 71, betting.ABOVE_POT, "raise to is 70, the pot (R17)"),
        ([500] * 3, {"smallest_chip": 5}, "", 52, betting.NOT_IN_CHIPS, "52 is not a multiple of the smallest chip, 5"),
        ([500] * 3, {}, "", -2, betting.NO_SUCH_MOVE, "a move is -1 (fold), 0 (check or call) or"),
        ([500] * 3, {}, "C:f A:f", 50, betting.NOBODY_TO_ACT, "the hand is over, nobody is to act"),
        ([500] * 3, {}, "", 10**30, betting.ABOVE_STACK, f"may not raise to {10**30}: the most"),
        ([500] * 3, {}, "", -(10**30), betting.NO_SUCH_MOVE, "a move is -1 (fold), 0"),
    ],
)
def test_each_reason_has_its_words(
    stacks: list[int], rules: dict[str, Any], moves: str, total: int, reason: int, words: str
) -> None:
    table = play(deal(stacks, **rules), moves)
    before = table.records.tobytes()
    if abs(total) < 10**18:
        assert verdict_at(table.records, table.rules.record, 0, total) == reason
    if reason == betting.LEGAL:
        table.play(total)
        return
    with pytest.raises(IllegalMove) as error:
        table.play(total)
    assert words in str(error.value)
    assert table.records.tobytes() == before


def test_every_reason_is_worded() -> None:
    assert set(REASONS) == set(ALL_VERDICTS) - {betting.LEGAL, betting.NOBODY_TO_ACT}


def test_r16_stacks_that_have_grown_beyond_any_starting_stack_can_be_bet_in_full() -> None:
    """A session's table holds 10**12 chips, a starting stack 10**11."""
    session = Session(Rules(seats=2, blinds=(1, 2), session={"kind": "cash"}), stacks=[10**11] * 2, seed=1)
    for seat in range(2):
        session.top_up(seat, 4 * 10**11)
    table = session.deal()
    mentions(complaint(table.raise_to, 6 * 10**11, kind=IllegalMove), "its whole stack")
    table.raise_to(3 * 10**11)
    assert max(table.bets) == 3 * 10**11


def test_play_of_an_environment_refuses_what_no_stack_can_hold() -> None:
    env = holdem_v0.env(rules=Rules(seats=2, blinds=(1, 2), stacks=200)).unwrapped
    env.reset(seed=1)
    mentions(complaint(env.play, 10**30, kind=IllegalMove), "its whole stack")


def test_prices_of_many_tables_are_those_of_each() -> None:
    tables = [Table(Rules(seats=3, stacks=(150, 160, 1000), ante=5), seed=seed, button=seed % 3) for seed in range(6)]
    for seed, table in enumerate(tables):
        if seed % 2:
            table.raise_to(table.legal.raise_max or 0)
    records = np.concatenate([table.records for table in tables])
    prices = call_prices(records, np.arange(6), records["actor"])
    assert prices.tolist() == [table.legal.call for table in tables]

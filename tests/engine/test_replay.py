"""engine/replay.py: the replayed betting is the betting as it was, chips, prices, raise ranges and kinds of moves."""

from __future__ import annotations

import numpy as np
import pytest

from holdem_env import Rules
from holdem_env.compiled.compiler import inline, kernel
from holdem_env.engine import batch, record
from holdem_env.engine.betting import call_price, raise_range
from holdem_env.engine.record import CHECK_CALL, FOLD, MAX_MOVES, NOBODY
from holdem_env.engine.replay import (
    CALLED,
    CHECKED,
    FOLDED,
    RAISED,
    begin_replay,
    come_to_move,
    first_move,
    first_street,
    replay_move,
)
from holdem_env.testing.sampled_tables import GAMES, random_moves

MORE_GAMES = (
    Rules(structure="fixed_limit", seats=4, blinds=(5, 10), stacks=200, straddle=20, max_raises=(1, 2, 2, 2)),
    Rules(structure="fixed_limit", seats=3, blinds=(5, 10), stacks=(300, 90, 300), uncapped_heads_up="when_two_left"),
    Rules(seats=4, blinds=(50, 100), big_blind_ante=100, stacks=(300, 5_000, 90, 120), straddle=200),
)
TABLES = 40
SHOWN = 15


@inline
def write_shown(t, r, seat, shown):
    """What the betting is before a move."""
    shown[0], shown[1], shown[2], shown[3] = seat, t.street, call_price(t, seat), t.pot
    shown[4], shown[5] = raise_range(t, r, seat)
    shown[6], shown[7], shown[8], shown[9] = t.stack[seat], t.bet[seat], t.bet_to_match, t.last_full_bet
    shown[10], shown[11], shown[12], shown[13] = t.raise_size, t.wagers, t.capped, t.live
    shown[14] = t.button


@kernel
def show_past(tables, rules, running, shown, kinds):
    """What the replay says before each remembered move, and before the next on the same street. running: from the
    running street on alone."""
    past = tables[:1].copy()
    for i in range(tables.size):
        t = tables[i]
        r = rules[t.stage]
        begin_replay(past[0], t, r, np.int64(t.street) if running else first_street(t))
        for k in range(first_move(t), t.moves):
            if t.move_street[k] >= past[0].street:
                seat = come_to_move(past[0], t, r, k)
                write_shown(past[0], r, seat, shown[i, k])
                kinds[i, k] = replay_move(past[0], t, r, k)
        if t.actor != NOBODY and t.street == past[0].street:
            write_shown(past[0], r, np.int64(t.actor), shown[i, t.moves])


@kernel
def show_now(tables, rules, rows, shown):
    """The same of the tables themselves."""
    for i in range(rows.size):
        t = tables[rows[i]]
        write_shown(t, rules[t.stage], np.int64(t.actor), shown[rows[i], t.moves])


def played(rules: Rules, most: int) -> tuple[record.Records, np.ndarray]:
    """Tables after up to `most` random moves each, and what was there before each move and is there now."""
    tables, log = record.new_records(record.TABLE, TABLES), record.new_log(listening=False)
    generator = np.random.default_rng(1)
    batch.number_tables(tables, 1, 0, 0)
    tables["button"] = np.arange(TABLES) % rules.seats
    batch.deal_hands(tables, rules.record, log, np.arange(TABLES))
    now = np.zeros((TABLES, MAX_MOVES + 1, SHOWN), np.int64)
    ends = np.arange(TABLES) % (most + 1)
    while True:
        waiting = np.flatnonzero(tables["actor"] != NOBODY)
        show_now(tables, rules.record, waiting, now)
        rows = waiting[tables["moves"][waiting] < ends[waiting]]
        if not rows.size:
            return tables, now
        batch.play_moves(tables, rules.record, log, rows, random_moves(tables, rules, rows, generator))


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("rules", GAMES + MORE_GAMES, ids=lambda rules: f"{rules.structure}-{rules.seats}")
def test_r14_r24_the_replay_has_the_prices_pots_and_raise_ranges_of_the_hand(rules: Rules) -> None:
    tables, now = played(rules, 14)
    past, kinds = np.zeros_like(now), np.zeros(now.shape[:2], np.int64)
    show_past(tables, rules.record, False, past, kinds)
    assert tables["moves"].max() > 8
    for t, before, replayed, found in zip(tables, now, past, kinds, strict=True):
        moves = int(t["moves"])
        count = moves + (t["actor"] != NOBODY and (moves == 0 or before[moves, 1] == before[moves - 1, 1]))
        assert replayed[:count].tolist() == before[:count].tolist()
        wanted = {FOLD: [FOLDED] * 2, CHECK_CALL: [CHECKED, CALLED]}
        moved = t["made"]["move"][:moves].tolist()
        expected = [wanted.get(m, [RAISED] * 2)[int(b[2] > 0)] for m, b in zip(moved, before, strict=False)]
        assert found[:moves].tolist() == expected


def test_r14_a_replay_may_begin_with_the_running_street() -> None:
    tables, now = played(GAMES[0], 12)
    past, kinds = np.zeros_like(now), np.zeros(now.shape[:2], np.int64)
    show_past(tables, GAMES[0].record, True, past, kinds)
    late = 0
    for t, before, replayed in zip(tables, now, past, strict=True):
        if t["actor"] == NOBODY:
            continue
        here = slice(int((before[: t["moves"], 1] < t["street"]).sum()), int(t["moves"]) + 1)
        assert replayed[here].tolist() == before[here].tolist()
        late += t["street"] > 0
    assert late > 5

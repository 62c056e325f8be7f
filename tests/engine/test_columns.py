"""Compiled functions read the lines of seats and moves by columns, and index from the front; users' as Python does."""

from __future__ import annotations

import numpy as np
import pytest

from holdem_env.compiled.compiler import inline, kernel
from holdem_env.compiled.records import CACHE_LINE, new_records
from holdem_env.encoders import observation_encoder
from holdem_env.engine.record import COLUMNS, MAX_MOVES, MAX_SEATS, TABLE, column
from holdem_env.game.rules import Rules
from holdem_env.table.tables import Tables


@inline
def write_columns(t, at):
    for seat in range(MAX_SEATS):
        t.stack[seat] = at + seat
        t.bet[seat] += 100 + at + seat
        t.total[seat] = 200 + at + seat
        t.bet_acted_on[seat] = -1 - seat
        for street in range(4):
            t.street_bets[seat, street] = 10 * seat + street
    for k in range(MAX_MOVES):
        t.move[k] = 1000 + k
        t.move_seat[k] = k % 10
        t.move_street[k] = k % 4


@kernel
def write_all(tables):
    for i in range(tables.size):
        write_columns(tables[i], 1000 * i)


def test_columns_are_views_of_the_lines() -> None:
    tables = new_records(TABLE, 3)
    write_all(tables)
    offset, seats, moves = 1000 * np.arange(3)[:, None], np.arange(MAX_SEATS), np.arange(MAX_MOVES)
    expected = {
        "stack": offset + seats,
        "bet": 100 + offset + seats,
        "total": 200 + offset + seats,
        "bet_acted_on": np.broadcast_to(-1 - seats, (3, MAX_SEATS)),
        "street_bets": np.broadcast_to(10 * seats[:, None] + np.arange(4), (3, MAX_SEATS, 4)),
        "move": np.broadcast_to(1000 + moves, (3, MAX_MOVES)),
        "move_seat": np.broadcast_to(moves % 10, (3, MAX_MOVES)),
        "move_street": np.broadcast_to(moves % 4, (3, MAX_MOVES)),
    }
    assert expected.keys() == COLUMNS.keys()
    for name, values in expected.items():
        np.testing.assert_array_equal(column(tables, name), values, name)
    others = [name for name in TABLE.names or () if name not in ("seats", "made")]
    assert not any(tables[name].any() for name in others), "nothing else was written"


@pytest.mark.parametrize("count", [1, 2, 5, 1000])
def test_records_begin_with_a_cache_line(count: int) -> None:
    tables = new_records(TABLE, count)
    assert len(tables) == count
    assert tables.ctypes.data % CACHE_LINE == 0
    assert TABLE.itemsize % CACHE_LINE == 0


def test_functions_of_users_count_from_the_end_too() -> None:
    @observation_encoder(size=3, low=-1, high=99)
    def from_the_end(t, r, seat, out):
        out[-1] = 7.0
        out[-3] = t.board[-5] - t.board[0]

    tables = Tables(Rules.preset("heads-up-no-limit"), 2, observation=from_the_end)
    assert tables.observation.tolist() == [[0.0, 0.0, 7.0]] * 2

"""Drawing one of the offered actions: the fast way of few actions draws what the plain one does."""

from __future__ import annotations

import numpy as np
import pytest

from holdem_env.compiled.records import new_records
from holdem_env.engine.batch import number_tables
from holdem_env.engine.record import TABLE
from holdem_env.table.random_actions import WORD, draw_offered


@pytest.mark.parametrize("count", range(1, WORD + 1))
def test_few_actions_are_drawn_as_many(count: int) -> None:
    rows = 3_000
    tables = new_records(TABLE, rows)
    number_tables(tables, 17, 0, 0)
    generator = np.random.default_rng(count)
    mask = generator.integers(0, 2, (rows, count)).astype(np.int8)
    mask[np.arange(rows), generator.integers(0, count, rows)] = 1
    wide = np.zeros((rows, WORD + 3), np.int8)
    wide[:, :count] = mask
    few, any_number = np.zeros(rows, np.int64), np.zeros(rows, np.int64)
    draw_offered(tables, mask, 0, few)
    draw_offered(tables, wide, 0, any_number)
    np.testing.assert_array_equal(few, any_number)
    assert mask[np.arange(rows), few].all()
    alone = few[mask.sum(axis=1) > 1]
    assert count == 1 or len(np.unique(alone)) == count


@pytest.mark.parametrize("rows", [1, 2, 7, 8, 9])
def test_the_last_rows_are_read_to_their_end_only(rows: int) -> None:
    tables = new_records(TABLE, rows)
    mask, actions = np.ones((rows, 2), np.int8), np.full(rows, -1, np.int64)
    draw_offered(tables, mask, 0, actions)
    assert set(actions.tolist()) <= {0, 1}

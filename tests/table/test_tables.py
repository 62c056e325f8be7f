"""Tables: what the batch adds to one hand."""

from __future__ import annotations

import re

import numpy as np
import pytest

from errors import complaint, mentions
from holdem_env import Rules, Tables
from holdem_env.engine import record

HEADS_UP = Rules.preset("heads-up-no-limit")


def bytes_of(tables: Tables) -> list[bytes]:
    arrays = (tables.records, tables.observation, tables.mask, tables.reward, tables.done)
    return [array.tobytes() for array in arrays]


BAD_ACTIONS = [([1, 1], "give 3 integers")]
BAD_ACTIONS += [([1, 99, 1], r"99, outside 0..6, is not offered at table 1 to seat 0; offered are 0 \(fold\), 1 ")]
BAD_ACTIONS += [([1, 1, -1], "-1, outside 0..6, is not offered at table 2")]
BAD_ACTIONS += [(np.ones((3, 1), int), r"give 3 integers, one per table; this has shape \(3, 1\)"), (1, r"shape \(\)")]
BAD_ACTIONS += [([], r"shape \(0,\)"), (np.array([1, np.nan, 1]), "dtype float64"), (np.ones(3, bool), "dtype bool")]
BAD_ACTIONS += [(["1", "1", "1"], "dtype <U1"), ([1, None, 1], "dtype object"), ([1, [1, 2], 1], "inhomogeneous")]
BAD_ACTIONS += [
    (np.array([1, 1, 2**64 - 1], np.uint64), "18446744073709551615, outside 0..6, is not offered at table 2")
]
BAD_ACTIONS += [([1, 2**70, 1], "dtype object"), ([1, np.iinfo(np.int64).min, 1], "-9223372036854775808, outside")]


@pytest.mark.parametrize(("actions", "message"), BAD_ACTIONS)
def test_bad_actions_move_no_table(actions: object, message: str) -> None:
    tables = Tables(HEADS_UP, num_tables=3)
    before = bytes_of(tables)
    assert re.search(message, complaint(tables.step, actions))
    assert bytes_of(tables) == before


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint64, ">i4"])
def test_every_integer_type_is_taken(dtype: str) -> None:
    tables, plain = (Tables(HEADS_UP, num_tables=4) for _ in range(2))
    tables.step(np.ones(8, dtype)[::2])
    plain.step([1, 1, 1, 1])
    assert tables.records.tobytes() == plain.records.tobytes()


def test_a_record_stays_small() -> None:
    assert Tables(HEADS_UP, num_tables=1).records.dtype.itemsize <= 4096


@pytest.mark.parametrize("kind", [record.RULES, record.TABLE, record.LOG], ids=["rules", "table", "log"])
def test_records_have_no_gaps(kind: np.dtype[np.void]) -> None:
    """The bytes of a gap are anybody's guess: copies of a record would not compare equal."""
    assert kind.names is not None
    assert kind.itemsize == sum(kind[name].itemsize for name in kind.names)


def test_random_actions_are_offered_and_depend_on_the_salt_alone() -> None:
    tables = Tables(HEADS_UP, num_tables=512, seed=3)
    for _ in range(5):
        actions = tables.random_actions()
        assert tables.mask[np.arange(512), actions].all()
        np.testing.assert_array_equal(actions, tables.random_actions())
        assert (actions != tables.random_actions(salt=1)).any()
        tables.step(actions)
    drawn = np.array([tables.random_actions(salt) for salt in range(2000)])
    expected = tables.mask / tables.mask.sum(axis=1, keepdims=True)
    often = np.array([(drawn == action).mean(axis=0) for action in range(tables.mask.shape[1])]).T
    assert np.abs(often - expected).max() < 0.06, "each with the same probability: five standard errors"


def test_continuous_actions_are_not_drawn_from_a_mask() -> None:
    mentions(complaint(Tables(HEADS_UP, num_tables=2, actions="continuous").random_actions, kind=TypeError), "-1..1")


def test_as_many_chips_as_a_table_holds() -> None:
    """All-in with the largest stacks, and raked: nothing overflows."""
    half = record.MAX_STACK - 1
    rules = Rules(seats=2, blinds=(1, 2), stacks=(half, half + 1), rake={"percent": 5, "cap": None})
    tables = Tables(rules, num_tables=256, seed=1)
    all_in = tables.mask.shape[1] - 1
    tables.step(np.full(256, all_in))
    assert (tables.records["pot"] > half).all()
    tables.step(np.full(256, 1))
    assert tables.done.all()
    raked = -tables.reward.sum(axis=1)
    assert (raked == 2 * half // 20).all()
    assert (tables.reward.min(axis=1) == -half).any()

"""Which functions count references: those that make arrays. Nothing leaks, and nothing is freed too early."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba.core import config

from holdem_env.compiled import compiler
from holdem_env.compiled.compiler import compiled, inline, kernel
from holdem_env.compiled.tricks import uses

pytestmark = pytest.mark.skipif(
    bool(config.DISABLE_JIT) or not uses("borrowing"), reason="plain Python, or the trick is off"
)


class Pair(NamedTuple):
    one: Any
    other: Any


@inline
def part_of(pair, row):
    return pair.one[row]


@compiled
def total_of(rows):
    total = 0
    for row in range(len(rows)):
        for place in range(rows.shape[1]):
            total += rows[row, place]
    return total


@kernel
def borrows(pair):
    both = Pair(pair.other, pair.one)
    return total_of(both.one) + total_of(pair.one[1:])


@kernel
def returns_a_part(pair, row):
    return part_of(pair, row)


@kernel
def makes_one(pair):
    rows = np.zeros((2, 3), np.int64)
    rows[:] = pair.one[:2]
    return total_of(rows)


@kernel
def copies_within(rows):
    rows[1:] = rows[:-1]


def pair_of(rows: int) -> Pair:
    return Pair(np.ones((rows, 3), np.int64), np.ones((rows, 3), np.int64))


def counts(function: Any, *arguments: Any) -> bool:
    """Whether a kernel, compiled here and now, counts references."""
    fresh = kernel(function.py_func)
    fresh(*arguments)
    return any("call void @NRT_incref" in code for code in fresh.inspect_llvm().values())


def test_only_functions_that_make_arrays_or_return_them_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "cache_place", lambda function: None)  # what comes from the cache has no text
    pair = pair_of(4)
    assert not counts(borrows, pair)
    assert counts(makes_one, pair)
    assert counts(returns_a_part, pair, 1)


def test_all_of_them_compute_what_python_does() -> None:
    pair = pair_of(4)
    assert borrows(pair) == 12 + 9
    assert makes_one(pair) == 6
    assert returns_a_part(pair, 1).tolist() == [1, 1, 1]


def test_arrays_are_held_as_often_as_before() -> None:
    pair = pair_of(4)
    before = [sys.getrefcount(rows) for rows in pair]
    for _ in range(100):
        borrows(pair)
        makes_one(pair)
        copies_within(pair.one)
        returns_a_part(pair, 1)
    assert [sys.getrefcount(rows) for rows in pair] == before


def test_a_part_that_is_returned_outlives_the_whole() -> None:
    parts = [returns_a_part(pair_of(1_000), 7) for _ in range(100)]
    assert all(part.tolist() == [1, 1, 1] for part in parts)


def test_overlapping_copies_are_right() -> None:
    rows = np.arange(6).reshape(3, 2)
    copies_within(rows)
    assert rows.tolist() == [[0, 1], [0, 1], [2, 3]]

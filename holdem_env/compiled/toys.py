"""A toy for each compiler trick, which tells whether it works: what it computes is known.

HOLDEM_COMPILER_TRICKS=prefetch python -m holdem_env.compiled.toys prefetch
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numba import config, types

from .columns import numba_record, register_columns
from .compiler import compiled, kept, kernel, noinline
from .intrinsics import address_of, caller_of, lane_totals, line_fractions, masked_sizes, prefetch
from .records import new_records, place_of
from .tricks import uses

LINES = 3
LINE = np.dtype([("stack", np.int64), ("bet", np.int64), ("streets", np.int64, 2)], align=True)
TOY = np.dtype([("pot", np.int64), ("small", np.int8, 5), ("lines", LINE, LINES)], align=True)
COLUMNS = {name: ("lines", name) for name in LINE.names or ()}
TOY_TYPE = numba_record(TOY)
register_columns(TOY, COLUMNS, "a toy", "compiled/toys.py")

INTS, FLOATS = types.int64[::1], types.float32[:, ::1]
CALLED = (INTS, INTS, INTS, INTS, FLOATS)
UNIT, LEAST, OF_POT, MULTIPLE, ALL_IN, NOTHING = 100, 0, 1, 2, 3, -2


def _toys() -> Any:
    toys = new_records(TOY, 2)
    numbers = toys["lines"].view(np.int64).reshape(2, LINES, 4)
    numbers[:] = np.arange(numbers.size).reshape(numbers.shape) + 1
    return toys


@kernel
def _read_columns(toys, found):
    for line in range(LINES):
        toys[1].bet[line] += 100
        found[line] = toys[1].stack[line] + toys[1].streets[line, 1]
        toys[1].pot += found[line]


def try_columns() -> bool:
    """Columns are read and written where they stand, and the record's own fields beside them."""
    toys, found = _toys(), np.zeros(LINES, np.int64)
    before = toys["lines"].copy()
    _read_columns(toys, found)
    lines = before[1]
    expected = lines["stack"] + lines["streets"][:, 1]
    before["bet"][1] += 100
    in_place = (found == expected).all() and (toys["lines"] == before).all()
    return bool(in_place and toys["pot"].tolist() == [0, sum(found)])


@kernel
def _reverse(numbers, table, out):
    for k in range(numbers.size):
        place = np.int32(numbers.size - 1 - k)
        out[k] = numbers[place]
        out[k] += table[k, place]


@kernel(negative_indices=True)
def _reverse_from_the_end(numbers, out):
    for k in range(numbers.size):
        out[k] = numbers[-1 - k]


def try_indexing() -> bool:
    """Indices count from the front, and from the end where that is wanted."""
    numbers, table, out = np.arange(7), np.arange(49).reshape(7, 7), np.zeros(7, np.int64)
    _reverse(numbers, table, out)
    right = (out == numbers[::-1] + np.fliplr(table).diagonal()).all()
    _reverse_from_the_end(numbers, out)
    return bool(right and (out == numbers[::-1]).all())


@compiled
def _step(x):
    return x + 1


@noinline(TOY_TYPE, types.int64)
def _put(toy, x):
    toy.pot = _step(x)


@noinline(TOY_TYPE, types.int64)
def _put_more(toy, x):
    _put(toy, _step(x))


@kernel
def _put_all(toys):
    for i in range(toys.size):
        _put_more(toys[i], 10 * i)


@kernel
def _put_first(toys, x):
    _put_more(toys[0], x)
    return toys[0].pot


def try_noinline() -> bool:
    """What is compiled once is found by all that call it."""
    toys = _toys()
    _put_all(toys)
    return bool(toys["pot"].tolist() == [2, 12] and _put_first(toys, 40) == 42)


@kernel
def _weigh(rows, first, second, third, out):
    for k in range(rows.size):
        out[rows[k], 0] = first[k] + 10 * second[k]
        out[rows[k], 1] = third[k]


_call = caller_of(CALLED)


@kernel
def _call_at(address, rows, first, second, third, out):
    _call(address, rows, first[1:], second, third, out)


def try_calls() -> bool:
    """A kernel called by its address gets the arrays that it is given."""
    called, usual = np.zeros((3, 2), np.float32), np.zeros((3, 2), np.float32)
    rows, numbers = np.array([2, 0, 1]), np.arange(4)
    _call_at(address_of(_weigh, CALLED), rows, numbers, numbers, numbers, called)
    _weigh(rows, numbers[1:], numbers, numbers, usual)
    return bool((called == usual).all() and called.any())


@kernel
def _prefetch_all(toys):
    for i in range(toys.size + 1000):
        prefetch(toys, i, 64)


def try_prefetch() -> bool:
    """Prefetching changes nothing, within the array and beyond."""
    toys = _toys()
    _prefetch_all(toys)
    return bool((toys == _toys()).all())


def _plain_line(toy, line, half, out, at):
    for k, number in enumerate((toy.stack[line], toy.bet[line], toy.streets[line, 0], toy.streets[line, 1])):
        out[at + k] = np.float32(number) / (np.float32(number) + half)


_write_line = line_fractions(place_of(TOY, "lines"), LINE.itemsize, LINE.itemsize // 8, _plain_line)


@kernel
def _write_lines(toys, out):
    for line in range(LINES):
        _write_line(toys[1], line, np.float32(20), out, 1 + 4 * line)


def try_fractions() -> bool:
    """Numbers of a line become fractions, and stay in their places."""
    toys, out = _toys(), np.full(14, -1, np.float32)
    _write_lines(toys, out)
    numbers = toys["lines"][1].view(np.int64).astype(np.float32)
    return bool((out == [-1, *(numbers / (numbers + np.float32(20))), -1]).all())


def _plain_sizes(sizes, first, game, fixed, before, choices):
    level, pot, bet, chip, all_in, least, most, all_in_elsewhere, least_elsewhere = game
    for k in range(first, min(first + 8, sizes.shape[1], choices.size - 2)):
        kind, value = sizes[0, k], sizes[1, k]
        target = level + value * pot // UNIT if kind == OF_POT else value * bet // UNIT
        target -= target % chip
        is_least = kind == LEAST or fixed
        target = least if is_least else target
        target = all_in if kind == ALL_IN else target
        is_new = target != before and target != all_in_elsewhere and (is_least or target != least_elsewhere)
        choices[2 + k] = target if least <= target <= most and (kind == ALL_IN or is_new) else NOTHING
        before = target
    return before


_offer = masked_sizes(UNIT, LEAST, OF_POT, ALL_IN, NOTHING, _plain_sizes)


@kernel
def _offer_all(sizes, level, chip, fixed, choices):
    before = NOTHING
    for first in range(0, sizes.shape[1], 8):
        game = (level, 3 * level, level, chip, 97, 2 * level, 97, 97, 2 * level)
        before = _offer(sizes, first, game, fixed, before, choices)


def try_bet_sizes() -> bool:
    """Sizes of every kind are offered as one by one, and nothing is written beside them."""
    kinds = [LEAST, OF_POT, OF_POT, OF_POT, OF_POT, MULTIPLE, MULTIPLE, MULTIPLE, MULTIPLE, OF_POT, ALL_IN]
    values = [0, 10, 33, 50, 100, 100, 199, 200, 350, 999, 0]
    right = True
    for count in range(1, len(kinds) + 1):
        sizes = np.array([kinds[-count:], values[-count:], [1] * count])
        for level, chip, fixed in ((2, 1, False), (10, 5, False), (30, 7, True), (90, 1, False)):
            eight, one = np.full((2, count + 4), 12345)
            _offer_all(sizes, level, chip, fixed, eight[:-1])
            game = (level, 3 * level, level, chip, 97, 2 * level, 97, 97, 2 * level)
            before = NOTHING
            for first in range(0, count, 8):
                before = _plain_sizes(sizes, first, game, fixed, before, one[:-1])
            right &= bool((eight == one).all())
    return right


LANES, TOTAL = 8, 5


def _plain_hands(sums, cards, hands, first, end):
    for j in range(first, end):
        for k in range(LANES):
            sums[cards[0, j], k] += hands[j, k]
            sums[cards[1, j], k] += hands[j, k]
            sums[TOTAL, k] += hands[j, k]


def _plain_others(out, factor, sums, cards, hands, own, first, end):
    for i in range(first, end):
        for k in range(LANES):
            left = sums[TOTAL, k] - sums[cards[0, i], k] - sums[cards[1, i], k] + hands[own[i], k]
            out[i, k] += factor[k] * left


_add_hands, _add_others = lane_totals(LANES, TOTAL, _plain_hands, _plain_others)


@kernel
def _total_lanes(sums, cards, hands, own, factor, out):
    _add_hands(sums, cards, hands, 1, len(own))
    _add_others(out, factor, sums, cards, hands, own, 0, len(own) - 1)


def try_lanes() -> bool:
    """Totals and what they hold of other hands are those of plain Python; nothing else is written."""
    cards = np.array([[1, 2, 2, 4], [0, 0, 1, 3]], np.int16)
    own = np.array([0, 1, 2, 3], np.int16)
    hands = np.arange(4 * LANES, dtype=np.float32).reshape(4, LANES)
    factor = np.arange(1, LANES + 1).astype(np.float32)
    sums, out = np.ones((2, TOTAL + 1, LANES), np.float32), np.ones((2, len(own), LANES), np.float32)
    _total_lanes(sums[0], cards, hands, own, factor, out[0])
    _plain_hands(sums[1], cards, hands, 1, len(own))
    _plain_others(out[1], factor, sums[1], cards, hands, own, 0, len(own) - 1)
    return bool((sums[0] == sums[1]).all() and (out[0] == out[1]).all() and (out[0, -1] == 1).all())


def _one_more(x):
    return x + 1


def _from_cache(folder: str) -> bool:
    """Whether a kernel that keeps its machine code in a folder finds it there; it must compute the right number."""
    config.CACHE_DIR, previous = folder, config.CACHE_DIR
    try:
        one_more = kept(_one_more)
        right = one_more(41) == 42
    finally:
        config.CACHE_DIR = previous
    assert right
    return bool(sum(one_more.stats.cache_hits.values()) == 1)


def try_sturdy_cache() -> bool:
    """Machine code is kept and found again. Files that were cut short are compiled again, and then found."""
    with TemporaryDirectory() as folder:
        right = not _from_cache(folder) and _from_cache(folder)
        for ending in ("nbi", "nbc") if uses("sturdy_cache") else ():
            for file in Path(folder).rglob(f"*.{ending}"):
                file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
            right &= not _from_cache(folder) and _from_cache(folder)
    return right


@compiled
def _double(number):
    return 2 * number


@kernel
def _count_by_two(found):
    place = 0  # a constant at first
    while place < len(found):
        found[place] = _double(place)
        place += 1


def try_general_types() -> bool:
    """A function is compiled once for a variable that begins as a constant."""
    found = np.zeros(4, np.int64)
    _count_by_two(found)
    signatures: list[Any] = getattr(_double, "signatures", [])
    return found.tolist() == [0, 2, 4, 6] and not (uses("general_types") and len(signatures) > 1)


TOYS: dict[str, Callable[[], bool]] = {
    "columns": try_columns,
    "indexing": try_indexing,
    "noinline": try_noinline,
    "calls": try_calls,
    "general_types": try_general_types,
    "prefetch": try_prefetch,
    "fractions": try_fractions,
    "bet_sizes": try_bet_sizes,
    "lanes": try_lanes,
    "sturdy_cache": try_sturdy_cache,
}


if __name__ == "__main__":
    sys.exit(0 if TOYS[sys.argv[1]]() else f"the compiler trick {sys.argv[1]} gives something else than it should")

"""Ranges against ranges, exactly: the ways to deal hands out of them, and a sweep over sorted hands for two players.

A range is a list of hands (combos of two cards) with weights. What is dealt is one hand of each range at random, among
those that have no card in common: every way counts with the product of its weights. `list_deals` lists the ways, each
as the one that stands for all that differ by a renaming of suits; equity.py then counts the boards of each. For two
ranges on a flop or later `sweep` is faster: it sorts both by strength on every board and walks up.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..cards.evaluator import card_code, card_mask, start_code, value_of
from ..compiled.compiler import compiled, inline, kernel
from ..compiled.scalars import Floats, Ints, int64
from .holdem import COMBOS, DECK

VALUE_SHIFT = 11  # COMBOS < 2**11
DIGIT, DIGITS = 7, 2  # values are below 2**14: sorted in two passes


class RangeArrays(NamedTuple):
    """A range as arrays of one length, sorted by combo."""

    combo: Ints  # 0..1325
    high: Ints  # the cards
    low: Ints
    code: Ints  # their sums for the evaluator
    mask: Ints
    weight: Floats


@kernel
def list_deals(
    combo: Ints,
    mask: Ints,
    weight: Floats,
    starts: Ints,
    renamings: Ints,
    most_steps: int,
    rows: Ints,
    codes: Ints,
    weights: Floats,
) -> tuple[int, bool]:
    """List the ways to deal one hand out of each range without a card twice, up to a renaming of suits.

    combo, mask, weight: all ranges end to end; starts: (players + 1,) where each begins; renamings: (R, 1326) combo ->
    combo, the identity among them. Out: rows (most, players), combos; codes (most,), equal for equal rows (0 if there
    is but one renaming; up to six players fit); weights (most,). Returns how many there are, and whether it came to an
    end before `rows` was full and most_steps hands were tried.
    """
    players = len(starts) - 1
    at = np.empty(players, np.int64)
    used = np.zeros(players + 1, np.int64)
    product = np.ones(players + 1)
    found = steps = depth = 0
    at[0] = starts[0]
    while depth >= 0:
        if at[depth] == starts[depth + 1]:
            depth -= 1
            continue
        i = at[depth]
        at[depth] += 1
        steps += 1
        if steps > most_steps:
            return found, False
        if mask[i] & used[depth]:
            continue
        used[depth + 1] = used[depth] | mask[i]
        product[depth + 1] = product[depth] * weight[i]
        if depth + 1 < players:
            depth += 1
            at[depth] = starts[depth]
            continue
        if found == len(codes):
            return found, False
        codes[found] = note_deal(combo, at, renamings, rows[found])
        weights[found] = product[players]
        found += 1
    return found, True


@inline
def note_deal(combo: Ints, at: Ints, renamings: Ints, row: Ints) -> int:
    """Write the deal that stands for all that are like this one: the least under all renamings. Returns its code, or
    0 where there is nothing to rename."""
    if len(renamings) == 1:
        for p in range(len(at)):
            row[p] = combo[at[p] - 1]
        return int64(0)
    least, best = int64(-1), 0
    for r in range(len(renamings)):
        code = int64(0)
        for p in range(len(at)):
            code = code * COMBOS + renamings[r, combo[at[p] - 1]]
        if least < 0 or code < least:
            least, best = code, r
    for p in range(len(at)):
        row[p] = renamings[best, combo[at[p] - 1]]
    return least


@inline
def sort_by_value(items: Ints, spare: Ints, count: int) -> None:
    """Sort the first `count` of `items` (value << VALUE_SHIFT | place) by value. spare: an array as large."""
    starts = np.empty(1 << DIGIT, np.int64)
    source, target = items, spare
    for digit in range(DIGITS):
        shift = VALUE_SHIFT + DIGIT * digit
        starts[:] = 0
        for i in range(count):
            starts[(source[i] >> shift) & ((1 << DIGIT) - 1)] += 1
        total = 0
        for bucket in range(1 << DIGIT):
            size = starts[bucket]
            starts[bucket] = total
            total += size
        for i in range(count):
            bucket = (source[i] >> shift) & ((1 << DIGIT) - 1)
            target[starts[bucket]] = source[i]
            starts[bucket] += 1
        source, target = target, source


@inline
def rank_range(hands: RangeArrays, code: int, mask: int, items: Ints, spare: Ints) -> int:
    """The hands of a range that are possible on a board, weakest first: value << VALUE_SHIFT | place. How many."""
    count = 0
    for i in range(len(hands.mask)):
        if hands.mask[i] & mask == 0:
            value = value_of(code + hands.code[i], mask + hands.mask[i])
            items[count] = (value << VALUE_SHIFT) | i
            count += 1
    sort_by_value(items, spare, count)
    return count


@inline
def add_hand(hands: RangeArrays, i: int, by_card: Floats) -> None:
    """Add a hand's weight to its cards and to the sum of all, which stands behind the cards."""
    weight = hands.weight[i]
    by_card[hands.high[i]] += weight
    by_card[hands.low[i]] += weight
    by_card[DECK] += weight


@inline
def without_cards(by_card: Floats, hands: RangeArrays, i: int) -> float:
    """The weight of the hands added that have none of hand i's cards; a hand of just its cards is missing twice."""
    return by_card[DECK] - by_card[hands.high[i]] - by_card[hands.low[i]]


@compiled
def sweep_board(
    one: RangeArrays,
    two: RangeArrays,
    ranked_one: Ints,
    ranked_two: Ints,
    same: Floats,
    every: Floats,
    below: Floats,
    less: Floats,
    sums: Floats,
) -> None:
    """Add one board's weights to sums: all, won by one, won by two, tied.

    ranked_one, ranked_two: from `rank_range`; same: weight of each combo in range two; every, below: (53,) and
    less: (len(one),) arrays to work in.
    """
    place = (1 << VALUE_SHIFT) - 1
    every[:] = 0.0
    below[:] = 0.0
    for item in ranked_two:
        add_hand(two, item & place, every)
    first = other = 0
    while first < len(ranked_one):
        value = ranked_one[first] >> VALUE_SHIFT
        while other < len(ranked_two) and ranked_two[other] >> VALUE_SHIFT < value:
            add_hand(two, ranked_two[other] & place, below)
            other += 1
        end = first
        while end < len(ranked_one) and ranked_one[end] >> VALUE_SHIFT == value:
            less[end] = without_cards(below, one, ranked_one[end] & place)
            end += 1
        while other < len(ranked_two) and ranked_two[other] >> VALUE_SHIFT == value:
            add_hand(two, ranked_two[other] & place, below)
            other += 1
        for k in range(first, end):
            i = ranked_one[k] & place
            twice = same[one.combo[i]]  # the hand itself is worth the same: it is among those tied
            possible = without_cards(every, one, i) + twice
            not_more = without_cards(below, one, i) + twice
            weight = one.weight[i]
            sums[0] += weight * possible
            sums[1] += weight * less[k]
            sums[2] += weight * (possible - not_more)
            sums[3] += weight * (not_more - less[k])
        first = end


@kernel
def sweep(one: RangeArrays, two: RangeArrays, known: Ints, missing: Ints, sums: Floats) -> None:
    """Two ranges (RangeArrays) on all boards: sums (4,) float64 gets all weight, won by one, won by two, tied.

    known: (3..5,) board cards; missing: (boards, 0..2) int64, the cards that complete it, on each board.
    """
    same = np.zeros(COMBOS)
    for i in range(len(two.combo)):
        same[two.combo[i]] = two.weight[i]
    every, below = np.empty(DECK + 1), np.empty(DECK + 1)
    items_one, items_two = np.empty(len(one.mask), np.int64), np.empty(len(two.mask), np.int64)
    spare = np.empty(COMBOS, np.int64)
    less = np.empty(len(one.mask))
    for b in range(len(missing)):
        code, mask = start_code(7), int64(0)
        for card in known:
            code += card_code(card)
            mask += card_mask(card)
        for card in missing[b]:
            code += card_code(card)
            mask += card_mask(card)
        count_one = rank_range(one, code, mask, items_one, spare)
        count_two = rank_range(two, code, mask, items_two, spare)
        sweep_board(one, two, items_one[:count_one], items_two[:count_two], same, every, below, less, sums)

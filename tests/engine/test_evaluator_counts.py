"""Every hand there is: how many hands of 5, 6 and 7 cards fall in each category, against the known exact counts."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from numba.core import config

from holdem_env.cards.evaluator import (
    BEST_VALUE,
    CATEGORY_FIRST,
    CATEGORY_NAMES,
    card_code,
    card_mask,
    start_code,
    value_of,
)
from holdem_env.compiled.compiler import kernel

# In the order of CATEGORY_NAMES; the royal flush is a straight flush.
KNOWN = {
    5: (1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40),
    6: (6_612_900, 9_730_740, 2_532_816, 732_160, 361_620, 205_792, 165_984, 14_664, 1_844),
    7: (23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 41_584),
}
# How many of the 7,462 classes are somebody's best five.
DISTINCT = {5: 7_462, 6: 6_075, 7: 4_824}


@kernel
def count_values(count, histogram):
    """How often each value occurs among all hands of `count` cards.

    The sums over all cards but the last are kept, so a hand costs two additions and a lookup.
    """
    last = count - 1
    card = np.arange(count)
    code = np.zeros(count, np.int64)  # over the cards before this place
    mask = np.zeros(count, np.int64)
    code[0] = start_code(count)
    place = 0
    while place >= 0:
        if card[place] > 52 - (count - place):
            place -= 1
            if place >= 0:
                card[place] += 1
        elif place < last:
            code[place + 1] = code[place] + card_code(card[place])
            mask[place + 1] = mask[place] + card_mask(card[place])
            card[place + 1] = card[place] + 1
            place += 1
        else:
            for c in range(card[place], 52):
                histogram[value_of(code[place] + card_code(c), mask[place] + card_mask(c))] += 1
            card[place] = 52


@pytest.mark.slow
@pytest.mark.skipif(config.DISABLE_JIT, reason="hundred million hands need compiled code")
@pytest.mark.parametrize("count", [5, 6, 7])
def test_r02_counts_of_all_hands(count):
    histogram = np.zeros(BEST_VALUE + 1, np.int64)
    count_values(count, histogram)
    assert histogram[0] == 0
    assert histogram.sum() == sum(KNOWN[count]) == comb(52, count)
    categories = np.add.reduceat(histogram, CATEGORY_FIRST)
    assert dict(zip(CATEGORY_NAMES, categories.tolist(), strict=True)) == dict(
        zip(CATEGORY_NAMES, KNOWN[count], strict=True)
    )
    assert np.count_nonzero(histogram) == DISTINCT[count]

"""The buckets that agents ask for, hand by hand, are those of the whole board."""

import numpy as np
import pytest

from holdem_env.cards.combos import combo_number
from holdem_env.solvers.card_tables.abstraction import KINDS, CardAbstraction
from holdem_env.solvers.card_tables.hands import hand_buckets


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("kind", KINDS)
def test_rivers(kind):
    cards, random = CardAbstraction(kind), np.random.default_rng(1)
    decks = np.array([random.permutation(52) for _ in range(20)])
    boards, holes = decks[:, :5], decks[:, 5:7]
    found = hand_buckets(cards, holes, boards, np.full(20, 5))
    for board, hole, bucket in zip(boards, holes, found[:, 3], strict=True):
        assert cards.buckets(3, board)[combo_number(*hole)] == bucket

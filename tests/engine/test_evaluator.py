"""The hand evaluator against a ranking of our own and other people's evaluators."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba.core import config

from holdem_env.cards import evaluator, evaluator_tables
from holdem_env.cards.text import cards_text
from holdem_env.compiled.compiler import kernel

SAMPLE = 200 if config.DISABLE_JIT else 2_000


def rank_five(cards):
    """A plain ranking of five cards: a tuple, the bigger the better."""
    ranks = sorted((card // 4 for card in cards), reverse=True)
    groups = sorted(Counter(ranks).items(), key=lambda item: (item[1], item[0]), reverse=True)
    shape = [size for _, size in groups]
    order = [rank for rank, _ in groups]
    flush = len({card % 4 for card in cards}) == 1
    if ranks == [12, 3, 2, 1, 0]:
        order = [3]
        straight = True
    else:
        straight = len(order) == 5 and ranks[0] - ranks[4] == 4
    if straight and flush:
        return (8, order[0])
    if shape[0] == 4:
        return (7, *order)
    if shape == [3, 2]:
        return (6, *order)
    if flush:
        return (5, *order)
    if straight:
        return (4, order[0])
    return ({(3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}[tuple(shape)], *order)


def best_five(cards):
    return max(rank_five(five) for five in combinations(cards, 5))


def random_hands(count, cards, seed=0):
    rng = np.random.default_rng(seed)
    return np.ascontiguousarray(rng.random((count, 52)).argsort(axis=1)[:, :cards].astype(np.int8))


def values_of(hands):
    out = np.zeros(len(hands), np.int64)
    evaluator.evaluate_batch(hands, out)
    return out


@kernel
def apply_building_blocks(hands, hole, out):
    """Values of hands of which the first `hole` cards are hole cards, three ways; and their categories."""
    for row in range(len(hands)):
        hand = hands[row]
        code = evaluator.start_code(len(hand))
        mask = np.int64(0)
        for i in range(len(hand)):
            code += evaluator.card_code(hand[i])
            mask += evaluator.card_mask(hand[i])
        out[row, 0] = evaluator.value_of(code, mask)
        out[row, 1] = evaluator.evaluate_cards(hand, len(hand))
        out[row, 2] = evaluator.evaluate_hole_and_board(hand[:hole], hole, hand[hole:], len(hand) - hole)
        out[row, 3] = evaluator.category(out[row, 0])


def test_all_classes_of_five_cards_are_in_the_order_of_the_plain_ranking():
    # One hand for each multiset of ranks and, where they differ, of one suit: all classes there are.
    hands = {}
    for ranks in evaluator_tables.rank_multisets(5):
        if len(set(ranks)) == 5:
            hands[tuple(4 * rank for rank in ranks)] = None
            suits = (0, 0, 0, 0, 1)
        else:
            suits = tuple(ranks[:i].count(rank) for i, rank in enumerate(ranks))
        hands[tuple(4 * rank + suit for rank, suit in zip(ranks, suits, strict=True))] = None
    values = values_of(np.array(list(hands), np.int8)).tolist()
    plain = [rank_five(hand) for hand in hands]
    assert len(values) == 7462
    assert sorted(values) == list(range(evaluator.WORST_VALUE, evaluator.BEST_VALUE + 1))
    assert [strength for _, strength in sorted(zip(values, plain, strict=True))] == sorted(plain)


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_order_ties_and_categories_are_those_of_the_best_five(cards):
    hands = random_hands(SAMPLE, cards)
    class_of, plain = {}, [best_five(hand) for hand in hands.tolist()]
    for strength, number in zip(plain, values_of(hands).tolist(), strict=True):
        assert class_of.setdefault(strength, number) == number
    by_plain = [class_of[strength] for strength in sorted(class_of)]
    assert by_plain == sorted(set(by_plain))
    out = np.zeros((SAMPLE, 4), np.int64)
    apply_building_blocks(hands, 2, out)
    assert out[:, 3].tolist() == [strength[0] for strength in plain]


def flush_hands(cards, count=500):
    """Hands with five or more cards of one suit, among them straight flushes."""
    rng = np.random.default_rng(2)
    hands = []
    for number in range(count):
        suit, suited = number % 4, 5 + number % (cards - 4)
        low = rng.integers(9)
        ranks = range(low, low + 5) if number % 3 == 0 else rng.permutation(13)
        flush = [4 * int(rank) + suit for rank in ranks][:suited]
        rest = [card for card in rng.permutation(52).tolist() if card not in flush]
        hands.append(rng.permutation(flush + rest[: cards - len(flush)]))
    return np.array(hands, np.int8)


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_flushes_are_those_of_the_plain_ranking(cards):
    hands = flush_hands(cards)
    plain = [best_five(hand) for hand in hands.tolist()]
    values = values_of(hands).tolist()
    assert min(strength[0] for strength in plain) >= 5
    assert [strength for _, strength in sorted(zip(values, plain, strict=True))] == sorted(plain)
    assert len(set(zip(values, plain, strict=True))) == len(set(plain)) == len(set(values))


def test_same_values_as_phevaluator():
    phevaluator = pytest.importorskip("phevaluator")
    for cards in (5, 6, 7):
        hands = np.concatenate([random_hands(SAMPLE, cards, seed=3), flush_hands(cards)])
        # There 1 is the best of 7,462; cards are numbered as here.
        theirs = [7463 - phevaluator.evaluate_cards(*hand) for hand in hands.tolist()]
        assert values_of(hands).tolist() == theirs


def test_same_order_as_eval7():
    eval7 = pytest.importorskip("eval7")
    for cards in (5, 6, 7):
        hands = np.concatenate([random_hands(SAMPLE, cards, seed=4), flush_hands(cards)])
        theirs = [eval7.evaluate([eval7.Card(cards_text([card])) for card in hand]) for hand in hands.tolist()]
        pairs = sorted(set(zip(values_of(hands).tolist(), theirs, strict=True)))
        for (ours, other), (next_ours, next_other) in pairwise(pairs):
            assert ours < next_ours
            assert other < next_other


HANDS = st.integers(5, 7).flatmap(lambda n: st.lists(st.integers(0, 51), min_size=n, max_size=n, unique=True))


@given(HANDS)
def test_permuting_the_suits_changes_nothing(hand):
    images = [[card // 4 * 4 + suits[card % 4] for card in hand] for suits in permutations(range(4))]
    assert len(set(values_of(np.array(images, np.int8)).tolist())) == 1


@given(HANDS, st.randoms(use_true_random=False))
def test_order_of_the_cards_does_not_matter(hand, random):
    shuffled = random.sample(hand, len(hand))
    assert values_of(np.array([hand], np.int8)) == values_of(np.array([shuffled], np.int8))


@given(HANDS)
def test_a_hand_is_worth_its_best_five(hand):
    fives = np.array(list(combinations(hand, 5)), np.int8)
    assert values_of(np.array([hand], np.int8))[0] == values_of(fives).max()


@pytest.mark.parametrize("cards", [5, 6, 7])
@pytest.mark.parametrize("hole", [0, 1, 2, 4])
def test_all_ways_to_evaluate_agree(cards, hole):
    hands = np.concatenate([random_hands(200, cards, seed=5), flush_hands(cards, 100)])
    out = np.zeros((len(hands), 4), np.int64)
    apply_building_blocks(hands, hole, out)
    expected = values_of(hands).tolist()
    assert [out[:, way].tolist() for way in range(3)] == [expected] * 3
    assert values_of(hands.astype(np.int64)).tolist() == expected


def test_numbers_that_are_no_cards_touch_no_foreign_memory():
    # Run with NUMBA_BOUNDSCHECK=1 this also proves it.
    for dtype in (np.int8, np.int64):
        info = np.iinfo(dtype)
        hands = np.random.default_rng(6).integers(info.min, info.max, (SAMPLE, 7), dtype, endpoint=True)
        assert values_of(hands).max() <= evaluator.BEST_VALUE
        assert values_of(np.full((1, 7), 51, dtype)).max() <= evaluator.BEST_VALUE


def test_first_fault_finds_the_row():
    for cards in (5, 6, 7):
        for dtype in (np.int8, np.int64):
            hands = random_hands(50, cards, seed=7).astype(dtype)
            assert evaluator.first_fault(hands) == -1
            for wrong in (-1, 52, 64, 127, -128, hands[30, 1]):
                spoiled = hands.copy()
                spoiled[30, 0] = wrong
                spoiled[40, 2] = -5
                assert evaluator.first_fault(spoiled) == 30


@pytest.mark.slow
def test_the_shipped_file_is_what_the_builder_builds(tmp_path):
    built, shipped = evaluator_tables.build_tables(), evaluator_tables.load_tables()
    assert built.keys() == shipped.keys()
    for name, table in built.items():
        assert table.dtype == shipped[name].dtype
        np.testing.assert_array_equal(table, shipped[name], err_msg=name)
    evaluator_tables.save_tables(built, tmp_path / "tables.npz")
    assert (tmp_path / "tables.npz").stat().st_size < 300_000


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_rank_keys_add_up_to_different_sums(cards):
    keys = [evaluator_tables.key_of(ranks) for ranks in evaluator_tables.rank_multisets(cards)]
    assert len(set(keys)) == len(keys) == {5: 6175, 6: 18395, 7: 49205}[cards]
    assert {key >> evaluator_tables.COUNT_SHIFT for key in keys} == {7 - cards}


@pytest.mark.slow
def test_rank_keys_are_what_the_search_finds():
    assert evaluator_tables.find_rank_keys() == evaluator_tables.RANK_KEYS

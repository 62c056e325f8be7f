"""Exact equities against counting the long way, published figures, other people's calculators, and symmetry."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba.core import config

from equity import brute_force
from examples import examples
from holdem_env import Range, equity, equity_batch
from holdem_env.cards.text import cards_text, parse_cards

PLAIN = bool(config.DISABLE_JIT)
compiled_only = pytest.mark.skipif(PLAIN, reason="takes too long as plain Python")
EXAMPLES = 3 if PLAIN else 30


def assert_same(found, expected):
    np.testing.assert_allclose([found.equity, found.win, found.tie], expected, atol=1e-12)
    assert found.exact
    assert set(found.standard_error) == {0.0}
    assert found.samples == 0
    assert sum(found.equity) == pytest.approx(1, abs=1e-12)


@examples(EXAMPLES)
@given(st.permutations(range(52)), st.integers(2, 10), st.sampled_from([3, 4, 5]), st.integers(0, 6))
def test_hands_on_a_board(deck, players, known, dead):
    hands = [deck[2 * p : 2 * p + 2] for p in range(players)]
    board, gone = deck[20 : 20 + known], deck[30 : 30 + dead]
    assert_same(equity(hands, board, dead=gone), brute_force.matchup(hands, board, gone))


@examples(EXAMPLES)
@given(st.permutations([4 * rank + suit for rank in range(13) for suit in (1, 3)]), st.sampled_from([3, 4, 5]))
def test_where_flushes_are_everywhere(deck, known):
    hands, board = [deck[0:2], deck[2:4], deck[4:6]], deck[6 : 6 + known]
    assert_same(equity(hands, board), brute_force.matchup(hands, board))


@compiled_only
@examples(EXAMPLES)
@given(st.permutations(range(52)), st.integers(2, 6))
def test_before_the_flop_with_a_short_deck(deck, players):
    """With 24 cards dead there are few enough boards to count the long way."""
    hands, dead = [deck[2 * p : 2 * p + 2] for p in range(players)], deck[28:]
    assert_same(equity(hands, dead=dead), brute_force.matchup(hands, dead=dead))


@compiled_only
@pytest.mark.slow
@pytest.mark.parametrize("hands", ["AsKs QhQd", "2c7d AhAd", "JhTh 9h8h", "AsKs QhJh 7c6c"])
def test_before_the_flop_with_all_boards(hands):
    hands = [parse_cards(hand) for hand in hands.split()]
    assert_same(equity(hands), brute_force.matchup(hands))


@compiled_only
def test_ten_players_before_the_flop():
    found = equity(["AsKs", "QhQd", "7c7d", "8c8d", "2c3c", "4h5h", "9sTd", "JcJd", "Ah3d", "6c6h"])
    assert found.exact
    assert found.boards == 201_376  # 32 choose 5
    assert sum(found.equity) == pytest.approx(1, abs=1e-12)


RANGES = [(["QQ+", "JJ, AKs"], "2c 3d 4h", ""), (["QQ+:0.5, AKs", "AK, TT:0.25"], "Ks 3d 4h 9s", "")]
RANGES += [(["AA:0.5, KK", "QQ+", "JJ"], "2c 3d 4h 9s", ""), (["AA, AK", "AA, AK"], "Ac 3d 4h 9s 2s", "Kd")]
RANGES += [(["AsKd", "AA, KK, QJs"], "Ah 3d 4h", "Qs Js"), (["AKs", "AKs", "QJs", "76s"], "As Td 9c 4c", "")]
RANGES += [(["AA, KK"] * 4, "2c 3d 4h 9s Js", "")]
RANGES += [(["54s-65s", "random"], "2c 3d 4h 9s Js", "As Ah Ad Ac Ks Kh Kd Kc Qs Qh Qd Qc Jh Jd Jc Ts Th Td Tc")]


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize(("texts", "board", "dead"), RANGES)
def test_ranges(texts, board, dead):
    found = equity(texts, board, dead=dead)
    board, dead = parse_cards(board), parse_cards(dead)
    expected, ways = brute_force.ranges([Range(text) for text in texts], board, dead)
    assert_same(found, expected)
    assert found.boards % ways == 0


@compiled_only
def test_ranges_before_the_flop():
    """The suits of the dead cards are no longer alike: renamings that would change them must not be used."""
    dead = "2c 3c 4c 5c 6c 7c 8c 9c Tc Jc 2d 3d 4d 5d 6d 7d 8d 9d 2h 3h 4h 5h 6h 7h 8h 9h 2s 3s 4s 5s 6s 7s"
    texts = ["QQ, AKs:0.5", "TT, AQo"]
    expected, ways = brute_force.ranges([Range(text) for text in texts], (), parse_cards(dead))
    found = equity(texts, dead=dead)
    assert_same(found, expected)
    assert found.boards == ways * 4_368  # 16 choose 5


@compiled_only
@pytest.mark.parametrize(
    ("texts", "board"), [(["22+, A2s+, KTs+", "77+, ATs+"], "Kh 2c 7d"), (["*", "*"], "Kh Jc 9d 2c")]
)
def test_the_sweep_agrees_with_matchups(texts, board, monkeypatch):
    from holdem_env.equities import methods as equity_methods

    swept = equity(texts, board)
    monkeypatch.setattr(equity_methods, "SWEEP_TIME", 10**12)
    monkeypatch.setattr(equity_methods, "MAX_DEALS", 10**7)
    counted = equity(texts, board)
    assert_same(swept, [counted.equity, counted.win, counted.tie])
    assert swept.boards == counted.boards


# Figures that every table of odds has, in per cent.
PUBLISHED = [(["AA", "KK"], 81.95), (["AA", "random"], 85.20), (["KK", "random"], 82.40), (["AKs", "random"], 67.04)]
PUBLISHED += [(["AKo", "random"], 65.32), (["22", "random"], 50.33), (["72o", "random"], 34.58)]
PUBLISHED += [(["32o", "random"], 32.30)]


@pytest.mark.fast_cases(3)
@compiled_only
@pytest.mark.parametrize(("hands", "percent"), PUBLISHED)
def test_published_figures(hands, percent):
    assert 100 * equity(hands).equity[0] == pytest.approx(percent, abs=0.005)


def test_how_many_boards():
    assert equity(["AsAh", "KdKc"]).boards == 1_712_304
    if not PLAIN:
        assert equity(["AA", "KK"]).boards == 36 * 1_712_304
    assert equity(["AA", "KK"], "2c 3d 4h").boards == 36 * 990
    assert equity(["AA", "KK"], "Ac 3d 4h 9s 2s").boards == 3 * 6
    assert equity(["AsAh", "KdKc"], "Ac 3d 4h 9s 2s").boards == 1


@compiled_only
@given(st.permutations(range(52)), st.permutations(range(4)), st.sampled_from([0, 3, 4, 5]))
def test_symmetry(deck, suits, known):
    """Neither the order of the players, cards and board nor the suits' names matter."""
    hands, board = [deck[0:2], deck[2:4], deck[4:6]], deck[6 : 6 + known]
    found = equity(hands, board)
    turned = equity([hand[::-1] for hand in hands[::-1]], board[::-1])
    assert turned.equity == pytest.approx(found.equity[::-1], abs=1e-15)
    renamed = equity(
        [[card - card % 4 + suits[card % 4] for card in hand] for hand in hands],
        [card - card % 4 + suits[card % 4] for card in board],
    )
    assert renamed.equity == pytest.approx(found.equity, abs=1e-15)


@pytest.mark.parametrize("board", ["", "2c 3d 4h", "2c 3d 4h 9s", "2c 3d 4h 9s Js"])
def test_batch_is_equity_row_by_row(board):
    rows = 2 if PLAIN else 20
    decks = np.random.default_rng(5).permuted(np.tile(np.arange(52), (rows, 1)), axis=1)
    board = parse_cards(board)
    decks = np.array([[card for card in deck if card not in board] for deck in decks])
    hands = decks[:, :6].reshape(rows, 3, 2)
    found = equity_batch(hands, np.tile(board, (rows, 1)).astype(np.int8).reshape(rows, -1), dead=[])
    assert found.shape == (rows, 3)
    assert found.dtype == np.float64
    for row in range(rows):
        assert found[row] == pytest.approx(equity(hands[row], board).equity, abs=1e-15)
    np.testing.assert_array_equal(found, equity_batch(hands.astype(np.uint8), board))
    np.testing.assert_array_equal(found, equity_batch(hands.tolist(), cards_text(board)))


def test_batch_of_no_rows():
    assert equity_batch(np.empty((0, 2, 2), np.int64)).shape == (0, 2)


@pytest.mark.parametrize("text", ["77+", "KQs, 77", "AK, QQ+", "random"])
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_eval7_on_the_river(text):
    """eval7's exact function is right on a whole board only."""
    eval7 = pytest.importorskip("eval7")
    villain = eval7.HandRange(
        "22+, A2+, K2+, Q2+, J2+, T2+, 92+, 82+, 72+, 62+, 52+, 42+, 32" if text == "random" else text
    )
    hand, board = [eval7.Card("As"), eval7.Card("Ah")], [eval7.Card(card) for card in ["Kh", "2c", "7d", "4s", "3s"]]
    theirs = eval7.py_hand_vs_range_exact(hand, villain, board)
    assert equity(["AsAh", text], "Kh 2c 7d 4s 3s").equity[0] == pytest.approx(theirs, abs=1e-6)


@compiled_only
@pytest.mark.parametrize("text", ["KK", "77+, AQs+, KJo", "AK"])
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_eval7_by_sampling(text):
    eval7 = pytest.importorskip("eval7")
    hand, samples = [eval7.Card("As"), eval7.Card("Ah")], 400_000
    theirs = eval7.py_hand_vs_range_monte_carlo(hand, eval7.HandRange(text), [], samples)
    assert equity(["AsAh", text]).equity[0] == pytest.approx(theirs, abs=5 * 0.5 / samples**0.5)


@pytest.mark.slow
def test_pokerkit_by_sampling():
    pokerkit = pytest.importorskip("pokerkit")
    samples = 1_000
    ranges, board = [pokerkit.parse_range(text) for text in ("JJ", "AKs", "QhTh")], [*pokerkit.Card.parse("Jh9h2c")]
    game = ranges, board, 2, 5, pokerkit.Deck.STANDARD, (pokerkit.StandardHighHand,)
    theirs = pokerkit.calculate_equities(*game, sample_count=samples)
    assert equity(["JJ", "AKs", "QhTh"], "Jh 9h 2c").equity == pytest.approx(theirs, abs=5 * 0.5 / samples**0.5)

"""Sampled equities: near the exact ones, as far off as they say, fair between ranges, the same for the same seed."""

from __future__ import annotations

import numpy as np
import pytest
from numba.core import config

from holdem_env import equity, equity_batch
from holdem_env.cards.text import parse_cards

pytestmark = [pytest.mark.skipif(config.DISABLE_JIT, reason="samples are too many for plain Python")]
CASES = [
    (["AsAh", "KdKc"], ""),
    (["AsKs", "QhJh", "7c7d"], ""),
    (["AsAh", "77+, AQs+, KJo"], ""),
    (["AA, AK", "AA, AK"], "Ah 3d 4h"),
    (["QQ+:0.5, AKs", "AK, TT:0.25"], "Ks 3d 4h 9s"),
    (["AA:0.5, KK", "QQ+", "JJ"], "2c 3d 4h"),
    (["AKs", "AKs", "QJs", "76s"], "As Td 9c 4c"),
    (["AsKs", "random"], ""),
    (["AsKs", "random", "QQ"], "Js Ts 2d 2c"),
    (["AA, KK"] * 4, "2c 3d 4h 9s"),
    (["AA, KK", "AA", "AK"], "2c 3d 4h"),
    (["AsAh", "KdKc"], "2c 3d 4h 9s Js"),
]


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize(("hands", "board"), CASES)
def test_near_the_exact_ones(hands, board):
    samples = 200_000
    exact, found = equity(hands, board), equity(hands, board, samples=samples, seed=1)
    assert exact.exact
    assert not found.exact
    assert (found.samples, found.boards) == (samples, 0)
    assert sum(found.equity) == pytest.approx(1, abs=1e-9)
    for value, error, expected in zip(found.equity, found.standard_error, exact.equity, strict=True):
        assert abs(value - expected) <= 4 * error + 1e-12
    for value, expected in zip(found.win + found.tie, exact.win + exact.tie, strict=True):
        assert abs(value - expected) < 0.01


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("crowded", [False, True])
def test_the_standard_error_is_right(crowded, monkeypatch):
    """Over many seeds, the errors spread as they say they do."""
    if crowded:
        from holdem_env.equities import methods as equity_methods

        monkeypatch.setattr(equity_methods, "TRIES", 0)
    hands, board = ["AA, KK, 72o:0.5", "QQ+", "JJ, AK"], "2c 3d 4h"
    exact = equity(hands, board).equity
    found = [equity(hands, board, samples=4_000, seed=seed) for seed in range(200)]
    off = np.array([each.equity for each in found]) - exact
    said = np.array([each.standard_error for each in found])
    assert np.sqrt((off**2).mean(axis=0)) == pytest.approx(said.mean(axis=0), rel=0.2)
    assert np.abs(off.mean(axis=0)).max() < 4 * said.max() / np.sqrt(200)


def test_card_removal_is_fair():
    """Of two equal ranges none gains by being dealt first: each player has half, though most deals collide."""
    found = equity(["AA, AKs, KK"] * 2, samples=400_000)
    assert abs(found.equity[0] - 0.5) < 4 * found.standard_error[0]
    exact = equity(["AA, AKs, KK"] * 2)
    assert exact.equity == pytest.approx((0.5, 0.5), abs=1e-12)


@pytest.mark.slow
def test_ranges_that_nearly_always_collide():
    found = equity(["AA, KK, QQ, AK"] * 5 + ["AA"])
    assert not found.exact
    assert found.equity[5] > 0.8
    assert found.equity[:5] == pytest.approx([(1 - found.equity[5]) / 5] * 5, abs=6 * max(found.standard_error))
    assert sum(found.equity) == pytest.approx(1, abs=1e-9)


def test_ten_random_hands():
    found = equity(["random"] * 10, samples=200_000)
    for value, error in zip(found.equity, found.standard_error, strict=True):
        assert abs(value - 0.1) < 4.5 * error


def test_wide_ranges_are_sampled_and_others_counted():
    assert not equity(["random", "random"]).exact
    assert equity(["random", "random"]).samples == 1_000_000
    assert equity(["random", "random"], "2c 3d 4h").exact
    assert equity(["22+, A2s+, KTs+, ATo+", "77+, ATs+, KQs, AJo+"]).exact


def test_seeds():
    question = ["AsAh", "77+, AQs+"]
    first = equity(question, samples=1_000, seed=7)
    assert equity(question, samples=1_000, seed=7) == first
    assert equity(question, samples=1_000, seed=7 + 2**64) == first
    assert equity(question, samples=1_000, seed=8) != first
    assert equity(question, samples=1_000, seed=-1).samples == 1_000
    assert str(first).endswith("1,000 samples)")


def test_batch():
    hands = np.tile(np.array([parse_cards("AsAh"), parse_cards("KdKc")]), (50, 1, 1))
    exact = equity_batch(hands, "2c 3d 9h")
    found = equity_batch(hands, "2c 3d 9h", samples=10_000)
    assert np.abs(found - exact).max() < 5 * 0.5 / 100
    assert len(np.unique(found[:, 0])) > 10  # each row has a stream of its own
    assert np.abs(found.mean(axis=0) - exact[0]).max() < 4 * 0.5 / np.sqrt(500_000)
    np.testing.assert_array_equal(found, equity_batch(hands, "2c 3d 9h", samples=10_000))
    np.testing.assert_allclose(found.sum(axis=1), 1)

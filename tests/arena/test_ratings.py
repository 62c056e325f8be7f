"""Ratings, on tables of results whose answers are known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from holdem_env.arena.tournaments.ratings import block_wins, elo, instant_runoff, nash_average

ROCK_PAPER_SCISSORS = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])


def test_the_instant_runoff_drops_the_last_and_computes_again():
    """The last one's gift to the second makes it first in total; with the last one gone it is not."""
    rates = np.array([[0.0, 1, 2], [-1, 0, 10], [-2, -10, 0]])
    assert rates.sum(axis=1).argmax() == 1
    assert instant_runoff(rates).tolist() == [1, 2, 3]
    assert instant_runoff(np.zeros((1, 1))).tolist() == [1]


def test_the_agent_that_is_ahead_wins_the_block():
    values = np.array([[1.0, -1], [-3, 3], [0, 0], [0, 0], [5, -5]])
    assert block_wins(values, 2)[:, 0, 1].tolist() == [0.0, 0.5]
    assert block_wins(values, 50).shape == (1, 2, 2)


def test_elo_knows_the_odds():
    """Three wins of four are 191 points (Elo 1978)."""
    wins = np.zeros((4000, 2, 2))
    wins[:3000, 0, 1] = wins[3000:, 1, 0] = 1
    rating, low, high = elo(wins)
    assert rating[0] - rating[1] == pytest.approx(191, abs=1)
    assert rating.mean() == pytest.approx(1500)
    assert low[0] < rating[0] < high[0]
    half = (high[0] - low[0]) / 2
    assert half == pytest.approx(1.96 * 400 / np.log(10) / np.sqrt(4000 * 0.75 * 0.25) / 2, rel=0.2)


def test_who_never_lost_has_a_rating():
    wins = np.zeros((20, 3, 3))
    wins[:, 0, 1:] = wins[:, 1, 2] = 1
    rating, *_ = elo(wins)
    assert np.isfinite(rating).all()
    assert rating[0] > rating[1] > rating[2]


def test_who_won_every_block_is_not_known_exactly():
    """Of n blocks won of n the share is Beta(n + 1/2, 1/2), after Jeffreys' prior."""
    halves = []
    for blocks in (5, 20, 80):
        wins = np.zeros((blocks, 2, 2))
        wins[:, 0, 1] = 1
        rating, low, high = elo(wins)
        share = stats.beta(blocks + 0.5, 0.5).ppf(0.025)
        assert 2 * (low[0] - 1500) == pytest.approx(400 * np.log10(share / (1 - share)), abs=60)
        assert low[0] < rating[0] < high[0]
        halves.append(low[0])
    assert halves == sorted(halves)
    wins = np.zeros((10, 4, 4))
    wins[:, *np.triu_indices(4, 1)] = 1
    _, low, high = elo(wins)
    assert (high - low > 50).all()


def test_nash_averaging_is_not_moved_by_copies():
    mixture, values = nash_average(ROCK_PAPER_SCISSORS)
    assert mixture == pytest.approx([1 / 3] * 3, abs=1e-3)
    assert values == pytest.approx([0] * 3, abs=1e-3)
    which = [0, 1, 2, 2]  # scissors twice (Balduzzi et al. 2018)
    mixture, values = nash_average(ROCK_PAPER_SCISSORS[np.ix_(which, which)])
    assert mixture == pytest.approx([1 / 3, 1 / 3, 1 / 6, 1 / 6], abs=1e-3)
    assert values == pytest.approx([0] * 4, abs=1e-3)


def test_nash_averaging_of_one_who_beats_all():
    mixture, values = nash_average(np.array([[0.0, 5, 2], [-5, 0, 1], [-2, -1, 0]]))
    assert mixture == pytest.approx([1, 0, 0], abs=1e-3)
    assert values == pytest.approx([0, -5, -2], abs=1e-2)

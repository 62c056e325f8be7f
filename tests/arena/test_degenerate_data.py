"""Whatever the data, a figure with a fit in it has a finite, honest interval, or says that it has none.

Data that break fits: all the same, all zero, one agent's the image of another's, one deal, one of 10,000 big blinds.
"""

from __future__ import annotations

import numpy as np
import pytest

from arena.open_book_agents import Fixed
from holdem_env import Rules
from holdem_env.agents import make_agent
from holdem_env.arena import AgentFailed, Aivat, Deals, ImaginaryAivat, estimates, play_deals, sampled_exploitability
from holdem_env.arena.estimators.aivat import _EarlierBlocks
from holdem_env.arena.matches.match import MatchResult
from holdem_env.arena.statistics.chip_flows import chip_flows
from holdem_env.arena.statistics.intervals import fixed_interval, watched_interval
from holdem_env.arena.statistics.ranking import Scores, orders_of
from holdem_env.arena.tournaments.ratings import block_wins, elo, instant_runoff, nash_average, rate
from holdem_env.game.units import BIG_BLINDS
from holdem_env.text_env.rewards import learnt_weights, less_group_mean

OUTLIER = 10_000.0
COUNTS = (1, 2, 40, 300)
KINDS = {
    "zero": np.zeros_like,
    "constant": lambda noise: np.full_like(noise, 1.85),
    "nearly constant": lambda noise: 1.85 + 1e-15 * noise,
    "outlier": lambda noise: np.where(np.arange(len(noise)) == len(noise) // 2, OUTLIER, 0.0),
    "noise": lambda noise: noise,
    "noise and outlier": lambda noise: noise + np.where(np.arange(len(noise)) == len(noise) // 2, OUTLIER, 0.0),
}
degenerate = pytest.mark.parametrize(
    "won",
    [
        pytest.param(KINDS[kind](np.random.default_rng(n).normal(size=n)), id=f"{kind}-{n}")
        for kind in KINDS
        for n in COUNTS
    ],
)


def deals_of(won: np.ndarray, agents: int) -> Deals:
    """Duplicate deals in which the first agent wins this from the second, and the others nothing."""
    seating = np.stack([np.roll(np.arange(agents), turn) for turn in range(agents)])
    chips = np.where(seating == 0, 1.0, np.where(seating == 1, -1.0, 0.0)) * won[:, None, None]
    everyone = np.broadcast_to(seating, chips.shape).astype(np.int8)
    return Deals(
        tuple("abcde"[:agents]), BIG_BLINDS, 0, np.arange(len(won)), everyone, {"chips": chips, "half": chips / 2}
    )


def may_hold(mean: float, half_width: float, truth: float) -> bool:
    """Whether an interval is one at all and holds a number."""
    return half_width >= 0 and bool(np.isfinite(mean)) and abs(mean - truth) <= half_width + 1e-6 * max(1.0, abs(truth))


@degenerate
def test_intervals_and_estimates(won: np.ndarray) -> None:
    for interval in (fixed_interval(won), watched_interval(won)):
        assert may_hold(interval.mean, interval.half_width, won.mean())
        assert np.isinf(interval.half_width) or len(won) > 1
    for watched in (False, True):
        for each in estimates(deals_of(won, 2), watched=watched):
            assert may_hold(*each.rate, each.rate[0])
            assert each.saved > 0
            assert "nan" not in str(each)
    for flow in chip_flows(deals_of(won, 5)):
        assert flow.excess.half_width >= 0
        assert np.isfinite([flow.paid, flow.explained, flow.excess.mean]).all()
        assert len(won) > 1 or not flow.is_hint


@degenerate
def test_ratings_and_ranks(won: np.ndarray) -> None:
    """The second agent mirrors the first, the third is its equal."""
    values = np.stack([won, -won, won], axis=1)
    rating, low, high = elo(block_wins(values, 50))
    assert np.isfinite([rating, low, high]).all()
    assert (low < high).all()
    rates = (values[:, :, None] - values[:, None, :]).mean(axis=0)
    chances, against = nash_average(rates)
    assert chances.sum() == pytest.approx(1)
    assert against.max() <= 1e-5 * max(1.0, np.abs(rates).max())
    assert sorted(instant_runoff(rates).tolist()) == [1, 2, 3]
    scores = Scores(("a", "b"))
    scores.add(deals_of(won, 2), "chips")
    assert len(won) >= 200 or (orders_of(scores).ranks == [1, 2]).all()
    mean, half = fixed_interval(won).times(100)
    found = {
        each.player: each
        for each in rate([MatchResult("a", "b", mean, half, 1, 1), MatchResult("c", "b", mean, half, 1, 1)])
    }
    assert sum(each.rate for each in found.values()) == pytest.approx(0, abs=1e-6)
    assert all(may_hold(each.rate, each.half_width, each.rate) for each in found.values())
    if found["a"].half_width < np.inf:
        assert found["a"].rate == pytest.approx(mean / 3, rel=0.001 + half / 1_000, abs=1e-3)
    else:
        assert half > 300


@degenerate
@pytest.mark.parametrize("terms", ["zero", "constant", "collinear", "cancelling", "outlier"])
def test_weights_of_aivat_widen_nothing_by_much(won: np.ndarray, terms: str) -> None:
    """Two rotations, between which cancelling terms are each other's negative but for rounding."""
    noise = np.random.default_rng(0).normal(size=(len(won), 7))
    given = {
        "zero": np.zeros_like(noise),
        "constant": np.ones_like(noise),
        "collinear": np.repeat(noise[:, :1], 7, axis=1),
        "cancelling": noise,
        "outlier": np.where(np.arange(len(won))[:, None] == len(won) // 3, OUTLIER, 0.0) * np.ones(7),
    }[terms]
    other = -given * (1 + 1e-16) + 1e-17 if terms == "cancelling" else given
    learner, estimate, at = _EarlierBlocks(np.full(7, 0.5)), [], 0
    while at < len(won):
        block = slice(at, at + max(16, at))
        rows = len(won[block])
        for rotation in (given, other):
            all_terms = np.stack([rotation[block], -rotation[block]], axis=1)
            net, first = np.stack([won[block], -won[block]], axis=1), np.tile([True, False], (rows, 1))
            weights = learner.weights_for(at, all_terms, net, first)
            estimate.append(net[:, 0] + rotation[block] @ weights)
        at += rows
    assert np.isfinite(weights).all()
    assert np.abs(weights).max() < 1_000
    if len(won) == 300 and terms != "outlier":
        assert np.concatenate(estimate).std() < 1.3 * won.std() + 0.5


@pytest.mark.parametrize("pair", [("always_fold", "calling_station"), ("calling_station", "calling_station")])
@pytest.mark.parametrize("count", [1, 17])
def test_matches_with_little_in_them(pair: tuple[str, str], count: int) -> None:
    agents, columns = [make_agent(name) for name in pair], [aivat := Aivat(), ImaginaryAivat(aivat)]
    deals = play_deals(Rules.preset("leduc"), agents, [0, 1], range(count), seed=1, columns=columns)
    assert all(np.isfinite(values).all() for values in deals.columns.values())
    assert all(each.interval.half_width >= 0 for each in estimates(deals))
    assert np.isfinite(learnt_weights("leduc", agents[0], agents[1], deals=count)).all()


def test_ranges_that_hold_no_hand_are_an_error() -> None:
    class Denies(Fixed):
        """Its ranges say that it never calls, which is all it does."""

        gives_probabilities, gives_ranges = False, True

        def act(self, tables, rules, rows):
            return np.zeros(len(rows), np.int64)

    agents = [Denies(-1, "denies"), make_agent("calling_station")]
    with pytest.raises(AgentFailed, match=r"'denies': AIVAT: it played 0 at table .*ranges tell never to play"):
        play_deals(Rules.preset("kuhn"), agents, [0, 1], range(5), columns=[ImaginaryAivat()])


def test_one_number_has_no_spread() -> None:
    with pytest.raises(ValueError, match="draws must be at least 2, got 1"):
        sampled_exploitability("random", "kuhn", draws=1)
    with pytest.raises(ValueError, match="two or more"):
        less_group_mean([1.0])
    assert less_group_mean([OUTLIER, 0.0, 0.0]).tolist() == [OUTLIER, -OUTLIER / 2, -OUTLIER / 2]

"""Estimators and intervals: unbiased, and right as often as they say."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from arena.push_fold import RULES, PushFold, value
from errors import complaint, mentions
from holdem_agents.scripted import CallingStation, Maniac, Random
from holdem_env import Rules
from holdem_env.agents import make_agent
from holdem_env.arena import (
    AllInValue,
    Deals,
    best_estimate,
    estimates,
    fixed_interval,
    join,
    play_deals,
    register_estimator,
    sequence,
    watched_interval,
)
from holdem_env.arena.estimators.registry import ESTIMATORS
from holdem_env.arena.estimators.stopping import play_estimated
from holdem_env.arena.statistics.deals import drawn
from holdem_env.arena.tournaments.standings import standings
from holdem_env.arena.tournaments.store import Store
from holdem_env.arena.tournaments.tournament import Tournament, run

HEADS_UP = Rules.preset("heads-up-no-limit")
TIGHT, LOOSE = PushFold("tight", "77+, ATs+, AQo+", "TT+, AKs"), PushFold("loose", "22+, A2+, K2+", "88+, AJ+")
MATCHES, DEALS = 1000, 300


@pytest.fixture(scope="module")
def push_fold() -> Deals:
    """A thousand matches of 300 deals."""
    return play_deals(RULES, [TIGHT, LOOSE], [0, 1], range(MATCHES * DEALS), seed=5, columns=[AllInValue()])


def test_an_own_estimator_is_one_class_and_its_rank_decides(tmp_path, monkeypatch):
    class Halved(AllInValue):
        name, rank, summary = "halved", 99, "halves"

        @classmethod
        def new(cls, columns):
            assert [each.name for each in columns] == ["all_in", "aivat"]
            return cls()

        def values(self, tables, rules, seating, agents):
            return super().values(tables, rules, seating, agents) / 2

    monkeypatch.setattr(ESTIMATORS, "registered", ESTIMATORS.registered.copy())
    register_estimator(Halved)
    names = ["halved", "aivat", "all_in"]
    agents = [make_agent("maniac"), make_agent("calling_station")]
    found, _ = play_estimated(agents, HEADS_UP, 200, estimators=names)
    assert [each.name for each in found[:4]] == ["raw", "all_in", "aivat", "halved"]
    assert found[-1].interval.mean == pytest.approx(found[-3].interval.mean / 2)
    tournament = Tournament(
        rules=HEADS_UP, agents=["maniac", "calling_station"], hands=200, seed=0, isolation="none", estimators=names
    )
    assert tournament.estimators == ("all_in", "aivat", "halved")
    with Store(tmp_path / "x.db", create=True) as store:
        run(tournament, store)
        table = standings(store)
        assert table.cross["maniac", "calling_station"].rate == pytest.approx(found[-1].rate)
        assert "it is made of halves" in table.explanation


def test_of_the_rotations_one_is_drawn_that_has_nothing_to_do_with_button_or_deal():
    for seats in (2, 3, 6):
        for step in (1, seats):
            counts = np.bincount(drawn(np.arange(0, 20_000 * step, step), seats))
            assert np.abs(counts / 20_000 - 1 / seats).max() < 0.015


@pytest.mark.slow
def test_the_known_value_of_push_or_fold_is_recovered(push_fold):
    truth = value(TIGHT, LOOSE)
    found = estimates(push_fold)
    assert [each.name for each in found] == ["raw", "all_in", "duplicate", "duplicate + all_in"]
    for each in found:
        assert each.interval.low < truth < each.interval.high, each
        assert each.interval.half_width < 0.006
    opponent = best_estimate(push_fold, 1)
    assert opponent.interval.mean == pytest.approx(-best_estimate(push_fold, 0).interval.mean)
    assert value(LOOSE, TIGHT) == pytest.approx(-truth)


@pytest.mark.slow
@pytest.mark.parametrize("column", ["chips", "all_in"])
@pytest.mark.parametrize("way", ["single", "per_deal"])
def test_of_a_thousand_matches_95_in_100_intervals_hold_the_known_value(push_fold, column, way):
    truth = value(TIGHT, LOOSE)
    values = getattr(push_fold, way)(0, column).reshape(MATCHES, DEALS)
    held = sum(interval.low < truth < interval.high for interval in map(fixed_interval, values))
    assert 0.93 <= held / MATCHES <= 0.97


def test_a_sequence_may_be_watched_and_a_fixed_interval_may_not(push_fold):
    """The probability that the truth is ever outside while somebody watches: at most 5 in 100 for the sequence."""
    draws = np.random.default_rng(3).choice(push_fold.per_deal(), (200, 4000))
    truth = push_fold.per_deal().mean()
    ever_out = lies = 0
    for values in draws:
        mean, half = sequence(values, best_at=2000)
        ever_out += (np.abs(mean - truth) > half).any()
        looks = [fixed_interval(values[:count]) for count in range(200, 4001, 200)]
        lies += any(not look.low < truth < look.high for look in looks)
    assert ever_out / 200 <= 0.05
    assert lies / 200 > 0.12


def test_the_sequence_is_wider_than_the_fixed_interval_but_not_by_much(push_fold):
    values = push_fold.per_deal()[:10_000]
    fixed, watched = fixed_interval(values), watched_interval(values)
    assert 1.2 < watched.half_width / fixed.half_width < 1.8
    assert watched.mean == pytest.approx(fixed.mean)
    assert watched_interval(values[:50]).half_width == inf
    assert sequence(np.full(300, 0.1))[1][-1] == 0


def test_each_estimator_is_unbiased():
    """All agree with the raw result of many more hands."""
    agents = [Maniac(aggression=0.3), CallingStation(), Random()]
    rules = Rules(seats=3, stacks=1000)
    truth = play_deals(rules, agents, [0, 1, 2], range(30_000), seed=77)
    deals = play_deals(rules, agents, [0, 1, 2], range(3_000), seed=1, columns=[AllInValue(samples=40)])
    for agent in range(3):
        exact = best_estimate(truth, agent).interval
        for each in estimates(deals, agent):
            error = np.hypot(each.interval.half_width, exact.half_width) / 1.96
            assert abs(each.interval.mean - exact.mean) < 3.5 * error, each


def test_duplicates_and_all_in_value_save_hands_and_say_how_many():
    deals = play_deals(HEADS_UP, [Maniac(), CallingStation()], [0, 1], range(4000), seed=2, columns=[AllInValue()])
    raw, all_in, duplicate, both = estimates(deals)
    assert raw.saved == 1.0
    assert min(all_in.saved, duplicate.saved, both.saved) > 1.3
    assert raw.hands_for(5) / both.hands_for(5) == pytest.approx(both.saved, rel=0.01)
    assert raw.hands == 4000
    assert both.hands == 8000
    assert both.rate[0] == pytest.approx(100 * both.interval.mean)


def test_another_column_is_an_estimator_like_the_others():
    deals = play_deals(HEADS_UP, [Maniac(), CallingStation()], [0, 1], range(40))
    more = deals.with_column("aivat", deals.columns["chips"] / 2)
    assert [each.name for each in estimates(more)] == ["raw", "aivat", "duplicate", "duplicate + aivat"]
    assert best_estimate(more).interval.mean == pytest.approx(best_estimate(deals).interval.mean / 2)
    mentions(complaint(deals.with_column, "aivat", np.zeros(2)), "aivat", 2)


@pytest.mark.parametrize("tables", [8, 64, 2048])
def test_what_is_played_depends_neither_on_the_batch_nor_on_the_other_deals(tables):
    agents = [Maniac(), Random()]
    whole = play_deals(HEADS_UP, agents, [0, 1], range(40), seed=9, columns=[AllInValue()], tables=tables)
    parts = [play_deals(HEADS_UP, agents, [0, 1], numbers, 9, [AllInValue()]) for numbers in (range(25, 40), range(25))]
    joined = join(parts)
    for name, values in whole.columns.items():
        assert np.array_equal(values, joined.columns[name])
    assert np.array_equal(whole.numbers, joined.numbers)
    mentions(complaint(join, [whole, parts[0]]), "a deal is there twice")


def test_bad_input_is_named():
    mentions(complaint(play_deals, HEADS_UP, [Maniac(), Random()], [0, 2], range(4)), "lineup", "0..1")
    mentions(complaint(fixed_interval, np.zeros(3), 95), "confidence", 95)
    assert fixed_interval(np.zeros(1)).half_width == inf
    mentions(complaint(play_deals(HEADS_UP, [Maniac(), Random()], [0, 1], range(4)).per_deal, "nit"), "nit")


def test_a_few_equal_numbers_do_not_show_that_all_are_equal():
    won = np.full(29, 0.1 + 0.2)
    assert fixed_interval(won).half_width == inf
    assert fixed_interval(won, constant=True).half_width == pytest.approx(0)
    assert fixed_interval(np.full(30, 0.3)).half_width == pytest.approx(0)
    assert fixed_interval(np.array([0.3, 0.3, 0.4])).half_width < 1

"""Matches: the same cards from every seat, and intervals that are right."""

from __future__ import annotations

import numpy as np
import pytest

from holdem_agents.scripted import CallingStation, Maniac, Random
from holdem_env import Rules
from holdem_env.agents import Agent, make_agent
from holdem_env.arena import AgentFailed, play_deals, play_match
from holdem_env.arena.matches.match import summarize

HEADS_UP = Rules.preset("heads-up-no-limit")


class Folder(Agent):
    """Always folds, also when checking is free (R14)."""

    name = "folder"

    def act(self, tables, rules, rows):
        return np.full(len(rows), -1)


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_every_deal_is_played_from_every_seat_with_the_same_cards(seats):
    seen: dict[int, dict[int, object]] = {}

    def take_down(tables, seating):
        for t, agents in zip(tables, seating, strict=True):
            whole = t["hole"][:seats, :2].tolist(), t["deck"][: 2 * seats + 8].tolist(), int(t["button"])
            seen.setdefault(int(t["table_id"]), {})[agents.tolist().index(0)] = whole

    agents, lineup = [CallingStation(), Folder()], [0] + [1] * (seats - 1)
    deals = play_deals(Rules(seats=seats), agents, lineup, range(15), tables=5, finished=take_down)
    assert deals.hands == 15 * seats
    assert len(seen) == 15
    for by_seat in seen.values():
        assert sorted(by_seat) == list(range(seats))  # it had every seat
        assert all(dealt == by_seat[0] for dealt in by_seat.values())  # in the same deal
    decks = [tuple(by_seat[0][1]) for by_seat in seen.values()]
    assert len(set(decks)) == 15


def test_an_agent_against_itself_is_even_after_a_few_deals_too():
    assert play_match(Maniac(), Maniac(), HEADS_UP, hands=10, num_tables=5).half_width == 0
    assert play_match(Folder(), CallingStation(), HEADS_UP, hands=10, num_tables=5).half_width == np.inf


@pytest.mark.parametrize("deals", [5, 10, 20])
def test_intervals_of_few_deals_hold_the_truth_as_often(deals):
    values = np.random.default_rng(deals).normal(size=(4000, deals))
    held = np.mean([abs(result.mean) < result.half_width for result in (summarize("a", "b", v, 2) for v in values)])
    assert 0.94 < held < 0.96


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("agent", [Random(), Maniac(), CallingStation()], ids=lambda agent: agent.name)
@pytest.mark.parametrize("seats", [2, 4])
def test_an_agent_against_itself_is_exactly_even(agent, seats):
    """It draws the same in the same place of the same deal, so that duplicates cancel to the chip."""
    result = play_match(agent, agent, Rules(seats=seats), hands=2000, num_tables=50)
    assert result.mean == pytest.approx(0, abs=1e-9)
    assert result.half_width == pytest.approx(0, abs=1e-9)


def test_two_strategies_that_are_equal_but_draw_differently_are_even_within_the_interval():
    result = play_match(Random(seed=1), Random(seed=2), HEADS_UP, hands=40_000)
    assert abs(result.mean) < 1.5 * result.half_width
    assert result.half_width > 10


@pytest.mark.parametrize(("seats", "exact"), [(2, 75.0), (3, 100.0)])
def test_known_result_against_somebody_who_always_folds(seats, exact):
    """Heads-up the folder pays half a blind on the button and a whole one off it: 0.75 a hand.

    Three-handed the station wins 1.5, 1 and 0.5 big blinds from button, small and big blind: 1 a hand.
    """
    hands = 3 * 4 * seats  # whole rounds of the button
    result = play_match(CallingStation(), Folder(), Rules(seats=seats), hands=hands * seats, num_tables=2)
    assert result.mean == pytest.approx(exact)


def test_swapping_the_agents_swaps_the_sign():
    one, two = play_match("maniac", "random", HEADS_UP, 4000), play_match("random", "maniac", HEADS_UP, 4000)
    assert one.mean == pytest.approx(-two.mean)
    assert one.half_width == pytest.approx(two.half_width)


def test_a_seed_fixes_the_match():
    results = [play_match("maniac", "random", HEADS_UP, 4000, seed=seed) for seed in (1, 1, 2)]
    assert results[0] == results[1] != results[2]


@pytest.mark.slow
def test_intervals_cover_the_truth():
    """About 95 of 100 intervals of a thousand deals hold the win rate of all deals together."""
    agents = [make_agent(name) for name in ("maniac", "calling_station")]
    values = play_deals(HEADS_UP, agents, [0, 1], range(200_000), tables=5000).per_deal(0)
    parts = [summarize("maniac", "calling_station", part, hands=2000) for part in np.split(values[:100_000], 100)]
    covered = sum(low <= 100 * values.mean() <= high for low, high in (part.interval for part in parts))
    assert 87 <= covered <= 100


def test_summary_by_hand():
    result = summarize("a", "b", np.array([1.0, -1.0, 2.0, 0.0]), hands=8)
    assert result.mean == 50.0  # bb/100
    assert result.half_width == pytest.approx(100 * 3.182446 * np.sqrt(5 / 3) / 2, rel=1e-6)  # Student's, 3 degrees
    assert str(result) == "a against b: +50 ± 205 bb/100 (8 hands)"


def test_progress_counts_hands():
    counts = []
    play_match("random", "random", HEADS_UP, 500, num_tables=100, progress=counts.append)
    assert counts == [100, 100, 50] * 2  # whole deals from both seats


def test_an_agent_that_cannot_reset_has_failed():
    class Stubborn(CallingStation):
        name = "stubborn"

        def reset(self):
            raise RuntimeError("nothing is forgotten")

    rules = Rules.preset("heads-up-no-limit")
    with pytest.raises(AgentFailed, match="agent 'stubborn': reset: RuntimeError: nothing is forgotten") as failed:
        play_deals(rules, [make_agent("random"), Stubborn()], [0, 1], range(4))
    assert failed.value.agent == 1

"""Opponents who come to the river with other hands than re-solving assumes."""

import pytest

from holdem_env import Rules
from holdem_env.arena.best_responses.on_rivers import river_exploitability
from holdem_env.arena.best_responses.other_hands import other_hands
from solvers.blueprints.toys import by_strength, toy_strategy

RULES = Rules.preset("heads-up-no-limit").replace(stacks=24)


@pytest.mark.slow
def test_ways_of_re_solving_on_the_same_rivers():
    strategy = toy_strategy(RULES, "100%, all-in | all-in", by_strength)
    variants = [{"search": None}, {"floor": 0.0}, {"floor": 0.5}, {"safe": "gadget"}]
    plain, trusting, wary, guarded = other_hands(strategy, 4, variants, seed=1)
    assert plain.best_hand.mean == 0
    assert trusting.assumed.mean < 1 < plain.assumed.mean
    assert trusting.assumed.mean < wary.assumed.mean
    assert wary.any_hands.mean < trusting.any_hands.mean
    assert guarded.best_hand.mean < trusting.best_hand.mean
    assert guarded.assumed.mean < plain.assumed.mean / 2
    exact = river_exploitability(strategy, 4, seed=1, resolve=False).plain
    assert (
        plain.assumed.mean / exact.mean < 2
    )  # its responses have the same sizes, what they gain is over another value

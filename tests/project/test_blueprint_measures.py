"""`python -m benchmarks.blueprints`: its own measures, on toys."""

import pytest

from benchmarks.by_buckets import best_response_by_buckets
from benchmarks.on_rivers import river_exploitability
from benchmarks.other_hands import other_hands
from holdem_env import Rules
from holdem_env.arena import play_match
from holdem_env.solvers.blueprints.agent import BlueprintAgent
from holdem_env.solvers.blueprints.config import BlueprintConfig
from holdem_env.solvers.blueprints.training import Trainer
from holdem_env.solvers.card_tables.abstraction import CardAbstraction
from solvers.blueprints.one_bucket import no_tables
from solvers.blueprints.toys import by_strength, toy_strategy

RULES = Rules.preset("heads-up-no-limit").replace(stacks=24)
CONFIG = BlueprintConfig(
    rules={"preset": "heads-up-no-limit", "stacks": 20},
    sizes={"preflop": "all-in | none", "all": "none"},
    cards={"kind": "strength", "flop": 1, "turn": 1, "river": 1},
    budget={"deals": 1},
    threads=1,
)


@pytest.mark.slow
def test_re_solving_rivers_gains_and_a_floor_helps_against_other_hands():
    strategy = toy_strategy(RULES, "100%, all-in | all-in", by_strength)
    found = river_exploitability(strategy, rivers=4, seed=1)
    assert found.plain.mean == pytest.approx((100 * found.plain_chips / found.pots).mean())
    assert found.resolved.mean < 5 < found.plain.mean
    variants = [{"search": None}, {"floor": 0.0}, {"floor": 0.5}, {"safe": "gadget"}]
    plain, trusting, wary, guarded = other_hands(strategy, 4, variants, seed=1)
    assert plain.best_hand.mean == 0
    assert trusting.assumed.mean < 1 < plain.assumed.mean
    assert trusting.assumed.mean < wary.assumed.mean
    assert wary.any_hands.mean < trusting.any_hands.mean
    assert guarded.best_hand.mean < trusting.best_hand.mean


@pytest.mark.slow
def test_a_response_by_buckets_wins_from_a_strategy_that_has_not_trained_and_little_from_one_that_has(monkeypatch):
    monkeypatch.setattr(CardAbstraction, "deal_tables", no_tables)

    def gain(strategy):
        response = BlueprintAgent(best_response_by_buckets(strategy, 60_000), None, name="response")
        return play_match(response, BlueprintAgent(strategy, None), strategy.rules, 20_000)

    trainer = Trainer(CONFIG)
    found = gain(trainer.strategy())
    assert found.mean - found.half_width > 30
    trainer.train(deals=400_000)
    assert gain(trainer.strategy()).mean < found.mean / 4

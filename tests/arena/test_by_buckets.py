"""A best response that sees a strategy's buckets alone."""

import numpy as np
import pytest

from holdem_env.arena import play_match
from holdem_env.arena.best_responses.by_buckets import best_response_by_buckets
from holdem_env.solvers.blueprints.agent import BlueprintAgent
from holdem_env.solvers.blueprints.config import BlueprintConfig
from holdem_env.solvers.blueprints.training import Trainer
from holdem_env.solvers.card_tables.abstraction import CardAbstraction
from solvers.blueprints.one_bucket import no_tables

CONFIG = BlueprintConfig(
    rules={"preset": "heads-up-no-limit", "stacks": 20},
    sizes={"preflop": "all-in | none", "all": "none"},
    cards={"kind": "strength", "flop": 1, "turn": 1, "river": 1},
    budget={"deals": 1},
    threads=1,
)


@pytest.fixture(autouse=True)
def one_bucket(monkeypatch):
    monkeypatch.setattr(CardAbstraction, "deal_tables", no_tables)


def gain(response, strategy):
    """What the response wins, in bb/100."""
    return play_match(
        BlueprintAgent(response, None, name="response"), BlueprintAgent(strategy, None), strategy.rules, 20_000
    )


@pytest.mark.slow
def test_it_wins_from_a_strategy_that_has_not_trained_and_little_from_one_that_has():
    trainer = Trainer(CONFIG)
    untrained = trainer.strategy()
    progress = []
    response = best_response_by_buckets(untrained, 60_000, progress=progress.append)
    assert progress[-1] == 120_000
    assert progress == sorted(progress)
    found = gain(response, untrained)
    assert found.mean - found.half_width > 30
    trainer.train(deals=400_000)
    trained = trainer.strategy()
    against_trained = gain(best_response_by_buckets(trained, 60_000), trained)
    assert against_trained.mean < found.mean / 4


def test_it_begins_with_the_strategy_and_repeats_exactly():
    trainer = Trainer(CONFIG)
    trainer.train(deals=50_000)
    strategy = trainer.strategy()
    one, two = (best_response_by_buckets(strategy, 200, seed=3) for _ in range(2))
    assert np.array_equal(one.probability, two.probability)
    assert np.abs(one.probability.astype(int) - strategy.probability).mean() < 2
    assert not np.array_equal(one.probability, strategy.probability)


def test_deals_that_cannot_be():
    with pytest.raises(ValueError, match="deals: 0"):
        best_response_by_buckets(Trainer(CONFIG).strategy(), 0)

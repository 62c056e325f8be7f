"""`python -m benchmarks.blueprints`: its measures, on toys; and ranges that play each other, against known values."""

import numpy as np
import pytest

from benchmarks.by_buckets import best_response_by_buckets
from benchmarks.on_rivers import river_exploitability
from benchmarks.other_hands import other_hands
from benchmarks.range_play import BestResponse, Public, Strategy, held_by, sampled_flop, won
from holdem_env import Rules
from holdem_env.agents import make_agent
from holdem_env.arena import play_match
from holdem_env.engine import batch, record
from holdem_env.solvers.blueprints.agent import BlueprintAgent
from holdem_env.solvers.blueprints.config import BlueprintConfig
from holdem_env.solvers.blueprints.resolving import river_values, spot_of
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


def at_flop(players, seed: int) -> Public:
    """A flop that they come to."""
    return sampled_flop(players, RULES, np.random.default_rng(seed))[0]


def test_where_nobody_bets_nothing_is_left_to_luck() -> None:
    players = [Strategy(make_agent("calling_station"), RULES)] * 2
    flop = at_flop(players, 1)
    assert abs(flop.value()) < 1e-3  # all hands alike
    ranges = flop.ranges.copy()
    ranges[0, :700] = 0
    flop = Public(flop.table, ranges)
    assert abs(flop.value()) > 0.02
    for seed in range(3):
        assert won(flop, players, RULES, np.random.default_rng(seed)) == pytest.approx(flop.value(), abs=1e-4)


def test_local_best_response_takes_what_is_given_up() -> None:
    folds = Strategy(make_agent("always_fold"), RULES)
    responds = BestResponse(folds.agent, RULES, "fcpa", 1)
    players = [responds, folds]  # on the button, where the other checks its big blind
    flop = held_by(at_flop(players, 2), 0, np.random.default_rng(2))
    assert won(flop, players, RULES, np.random.default_rng(3)) == RULES.big_blind


@pytest.mark.slow
def test_a_river_is_worth_what_the_solver_says() -> None:
    agent = BlueprintAgent(toy_strategy(RULES, "100%, all-in | all-in", by_strength), search=None)
    players = [Strategy(agent, RULES)] * 2
    flop = at_flop(players, 3)
    table = flop.table.copy()
    log, row = record.new_log(listening=False), np.zeros(1, np.int64)
    while table["street"][0] < 3:
        batch.play_moves(table, RULES.record, log, row, np.array([record.CHECK_CALL]))
    river = Public(table, flop.ranges * (1 + np.arange(1326, dtype=np.float32) % 3))
    pairs = river.pairs
    spot = spot_of(table, RULES, 0)
    assert spot is not None
    each = river_values(agent._plain_ranges, spot.beginning(3, 5), agent.strategy.sizes, river.ranges.astype(float))
    first, second = river.ranges[:, pairs.combos].astype(float)
    met = pairs.met(second)
    by_solver = (first * met * each[0, pairs.combos]).sum() / (first * met).sum()
    paid = table["seats"]["total"][0, 0]
    assert won(river, players, RULES, np.random.default_rng(0)) == pytest.approx(by_solver - paid, abs=1e-3)

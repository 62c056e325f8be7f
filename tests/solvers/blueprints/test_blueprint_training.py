"""Trainers of blueprints: repeatable, resumed as if never stopped, and refused when they cannot be."""

import numpy as np
import pytest
from pydantic import ValidationError

from holdem_env.solvers.blueprints import training
from holdem_env.solvers.blueprints.config import BlueprintConfig
from holdem_env.solvers.blueprints.strategy_file import load_strategy, save_strategy
from holdem_env.solvers.blueprints.training import Trainer
from holdem_env.solvers.card_tables import abstraction
from solvers.blueprints.one_bucket import no_tables

ACES, SEVEN_DEUCE = 12 * 13 + 12, 0 * 13 + 5


@pytest.fixture(autouse=True)
def one_bucket(monkeypatch):
    monkeypatch.setattr(abstraction.CardAbstraction, "deal_tables", no_tables)


def config_of(**changes):
    fields = {
        "rules": {"preset": "heads-up-no-limit", "stacks": 20},
        "sizes": {"preflop": "all-in", "all": "none"},
        "cards": {"flop": 1, "turn": 1, "river": 2},
        "budget": {"deals": 5_000},
        "threads": 1,
    }
    return BlueprintConfig(**{**fields, **changes})


def test_aces_are_played_and_the_worst_hand_is_folded_to_an_all_in():
    trainer = Trainer(config_of(threads=2))
    trainer.train(deals=300_000)
    strategy = trainer.strategy()
    tree = strategy.tree
    shove = tree.first_child[0] + tree.children[0] - 1
    assert trainer.deals == 300_000
    assert tree.move[shove] == 20
    facing = strategy.probabilities(int(tree.decision[shove]))
    assert facing[ACES].argmax() == 1
    assert facing[SEVEN_DEUCE].argmax() == 0
    assert strategy.probabilities(0, ACES)[0] == 0


def test_one_thread_repeats_exactly_and_seeds_differ():
    first, second, other = (Trainer(config_of(seed=seed)) for seed in (3, 3, 4))
    first.train(deals=4_500)
    for deals in (1, 1_000, 3_700, 4_500):
        second.train(deals=deals)
    other.train(deals=4_500)
    assert first.deals == second.deals == 4_500
    assert np.array_equal(first.cumulative, second.cumulative)
    assert not np.array_equal(first.cumulative, other.cumulative)
    assert first.nodes == second.nodes > 4_500
    assert first.value == second.value


def test_what_goes_on_from_a_state_is_as_if_it_had_never_stopped():
    whole, half, resumed = (Trainer(config_of()) for _ in range(3))
    whole.train(deals=4_000)
    half.train(deals=1_500)
    resumed.restore(half.state())
    assert resumed.deals == 1_500
    assert resumed.seconds == half.seconds
    resumed.train(deals=4_000)
    assert np.array_equal(whole.cumulative, resumed.cumulative)
    assert whole.value == resumed.value


def test_time_ends_a_round():
    trainer = Trainer(config_of(threads=2))
    trainer.train(seconds=0.05)
    assert trainer.deals > 0
    assert trainer.deals % training.CHUNK == 0
    trainer.train(deals=trainer.deals)
    assert trainer.seconds < 60


def test_an_error_in_a_thread_reaches_the_caller(monkeypatch):
    trainer = Trainer(config_of(threads=2))

    def fails(*given):
        raise MemoryError("no more")

    monkeypatch.setattr(Trainer, "train_chunk", fails)
    with pytest.raises(MemoryError, match="no more"):
        trainer.train(deals=5_000)


def test_the_strategy_goes_through_its_file(tmp_path):
    trainer = Trainer(config_of())
    trainer.train(deals=2_000)
    strategy = trainer.strategy(command="holdem solve x")
    save_strategy(tmp_path / "x.strategy", strategy)
    loaded = load_strategy(tmp_path / "x.strategy", trainer.config.rules)
    assert np.array_equal(loaded.probability, strategy.probability)
    assert loaded.cards == trainer.cards
    assert loaded.training["deals"] == 2_000
    assert loaded.training["command"] == "holdem solve x"
    assert loaded.training["threads"] == 1


def test_what_does_not_fit_is_refused_with_its_size(monkeypatch):
    monkeypatch.setattr(training, "_machine_memory", lambda: 2**20)
    with pytest.raises(ValueError, match=r"too large for this machine's 0\.0 GiB of memory: .* decisions"):
        Trainer(config_of())


REFUSED = [({"rules": "six-max-no-limit"}, "two seats, not 6"), ({"rules": "leduc"}, "deck")]
REFUSED += [({"rules": "heads-up"}, "there is no preset"), ({"sizes": "large"}, "bet size 'large'")]
REFUSED += [({"sizes": 3}, "bet sizes"), ({"cards": {"kind": "magic"}}, "there is no kind")]
REFUSED += [({"cards": {"flops": 3}}, "flops"), ({"cards": {"flop": 0}}, "flop")]
REFUSED += [({"budget": {}}, "give either seconds or deals")]
REFUSED += [({"budget": {"seconds": 1, "deals": 1}}, "give either seconds or deals"), ({"threads": 0}, "threads")]
REFUSED += [({"thread": 2}, "no field 'thread'")]


@pytest.mark.parametrize(("changes", "message"), REFUSED)
def test_configurations_that_cannot_be_are_refused(changes, message):
    with pytest.raises((ValidationError, ValueError), match=message):
        config_of(**changes)

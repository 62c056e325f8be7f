"""Networks of values: small runs, killed and gone on with, and the rivers of a strategy's own play."""

import numpy as np
import pytest

from command_line import refused
from errors import complaint, mentions
from holdem_agents.runs.run import resume, train
from holdem_agents.training.config import ValuesConfig
from holdem_agents.training.values import examples, fit, run
from holdem_agents.training.values.played import sampled_rivers
from holdem_env import Rules
from holdem_env.cards.combos import possible_combos
from holdem_env.solvers.values.network import load_values
from solvers.blueprints.toys import by_strength, toy_strategy


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(examples, "BOARDS", 4)
    monkeypatch.setattr(examples, "ROWS", 4)
    monkeypatch.setattr(run, "BOARDS", 4)
    monkeypatch.setattr(run, "ROWS", 4)
    monkeypatch.setattr(run, "TESTED", 2)
    monkeypatch.setattr(fit, "WIDTH", 16)
    monkeypatch.setattr(fit, "BATCH", 8)


CONFIG = ValuesConfig(street="river", blueprint="blueprint_20bb", examples=32, epochs=2)


@pytest.mark.slow
def test_a_run_writes_a_network_and_goes_on_where_it_was_killed(tmp_path, monkeypatch):
    folder = train(CONFIG, tmp_path / "whole", show=False)
    network = load_values(folder / "final.safetensors")
    assert (network.street, network.buckets, network.training["examples"]) == ("river", 200, 16)
    assert "left to bet" in (folder / "model_card.md").read_text()

    made = []

    def killed(shard):
        if made:
            raise KeyboardInterrupt
        made.append(shard)
        return examples.make_shard(shard)

    monkeypatch.setattr(run, "make_shard", killed)
    complaint(train, CONFIG, tmp_path / "killed", show=False, kind=KeyboardInterrupt)
    monkeypatch.setattr(run, "make_shard", lambda shard: made.append(shard) or examples.make_shard(shard))
    again = load_values(resume(tmp_path / "killed", show=False) / "final.safetensors")
    assert [shard.number for shard in made] == [0, 1]
    assert np.array_equal(again.layers[0][0], network.layers[0][0])
    mentions(complaint(train, CONFIG, folder, show=False, kind=FileExistsError), "holds a run already")


def test_a_street_that_is_none():
    assert "street: " in refused("train", "values_turn", "--set", "street=flop")


RULES = Rules.preset("heads-up-no-limit").replace(stacks=24)
SIZES = "100%, all-in | all-in"


@pytest.mark.slow
def test_ranges_are_those_of_bayes():
    strategy = toy_strategy(RULES, SIZES, by_strength)
    river = next(sampled_rivers(strategy, seed=4))
    tree, expected, node = strategy.tree, possible_combos(np.array(river.board)) * np.ones((2, 1)), river.node
    path = []
    while node:
        path.append(node)
        node = int(tree.parent[node])
    for child in reversed(path):
        parent = int(tree.parent[child])
        street, player = int(tree.street[parent]), int(tree.player[parent])
        buckets = strategy.cards.buckets(street, river.board[: (0, 3, 4, 5)[street]])
        for hand in np.flatnonzero(expected[player]):
            probabilities = strategy.probabilities(int(tree.decision[parent]), int(buckets[hand]))
            expected[player, hand] *= probabilities[child - int(tree.first_child[parent])]
    assert river.ranges == pytest.approx(expected / expected.sum(axis=1, keepdims=True))


def test_a_strategy_that_never_comes_to_a_river_is_refused():
    folding = toy_strategy(RULES, SIZES, lambda tree, node, buckets: np.eye(1, tree.children[node]).repeat(buckets, 0))
    with pytest.raises(ValueError, match="no river with a decision"):
        next(sampled_rivers(folding))

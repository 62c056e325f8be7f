"""Networks of values: small runs, killed and gone on with."""

import numpy as np
import pytest

from command_line import refused
from errors import complaint, mentions
from holdem_agents.runs.run import resume, train
from holdem_agents.training.config import ValuesConfig
from holdem_agents.training.values import examples, fit, run
from holdem_env.solvers.values.network import load_values


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

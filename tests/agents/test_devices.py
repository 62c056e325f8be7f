"""Where a learner computes: the choice of a device, the path of one with memory of its own, and what is refused."""

from __future__ import annotations

import re
from typing import Any

import pytest
import torch

from command_line import holdem, refused
from errors import complaint, mentions
from holdem_agents.ppo import buffer as buffer_module
from holdem_agents.runs.config import ConfigError
from holdem_agents.training.config import Training
from holdem_agents.training.learners import devices, loop
from holdem_agents.training.learners.torch_settings import torch_settings
from holdem_agents.training.learners.trainee import Trainee
from holdem_agents.world import World

TINY: dict[str, Any] = {"rules": "heads-up-limit", "budget": {"decisions": 600}, "tables": 16}
TINY |= {"opponents": {"latest_self": 1.0, "past_selves": 1.0, "maniac": 0.3}}
TINY |= {"evaluation": {"opponents": ["random"], "hands": 20}}
LEARNER: dict[str, Any] = {"n_steps": 8, "batch_size": 64, "hidden": [16], "threads": 1}


def tiny(learner: dict[str, Any], **changes: Any) -> Training:
    return Training(**TINY | {"learner": LEARNER | learner} | changes)


@pytest.fixture
def machine(monkeypatch):
    """Makes this a machine with other devices."""

    def made(*there: str) -> None:
        monkeypatch.setattr(devices, "devices", lambda: [*there, "cpu"])

    return made


MACHINES = [("auto", [], {}, "cpu"), ("auto", ["cuda:0"], {"cuda:0": 1, "cpu": 2}, "cuda:0")]
MACHINES += [("auto", ["cuda:0"], {"cuda:0": 2, "cpu": 1}, "cpu"), ("auto", ["mps"], {"mps": 1, "cpu": 2}, "mps")]
MACHINES += [("cpu", ["cuda:0"], {}, "cpu"), ("cuda", ["cuda:0"], {}, "cuda:0")]
MACHINES += [("cuda:1", ["cuda:0", "cuda:1"], {}, "cuda:1")]


@pytest.mark.parametrize(("device", "there", "seconds", "chosen"), MACHINES)
def test_auto_takes_what_is_faster_and_says_so(device, there, seconds, chosen, machine, capfd):
    machine(*there)
    assert devices.chosen_device(device, seconds.__getitem__) == chosen
    said = capfd.readouterr().err
    assert said.count("\n") == bool(seconds)
    assert not seconds or (f"learner.device: {chosen};" in said and "cpu" in said)


def test_a_gpu_without_room_for_the_trial_is_not_taken(machine, capfd):
    machine("cuda:0")

    def seconds(device: str) -> float:
        raise torch.OutOfMemoryError("CUDA out of memory")

    assert devices.chosen_device("auto", seconds) == "cpu"
    assert "memory" in capfd.readouterr().err


@pytest.mark.parametrize("learner", [{}, {"kind": "sb3"}, {"memory": {"width": 8}}])
def test_the_trial_leaves_the_learner_as_it_is(learner):
    config = tiny(learner, sitting=2 if "memory" in learner else 1)
    trainee = Trainee(config)
    policy = trainee.model.policy
    before = {name: weights.clone() for name, weights in policy.state_dict().items()}
    shape = trainee.env.observation_encoder.shape(config.rules)
    assert 0 < devices.rollout_seconds(policy, config, shape, "cpu") < 10
    assert all(torch.equal(weights, before[name]) for name, weights in policy.state_dict().items())
    assert all(weights.grad is None for weights in policy.parameters())


@pytest.mark.parametrize("learner", [{}, {"kind": "sb3"}])
def test_both_kinds_are_tried_where_there_is_a_gpu(learner, machine, monkeypatch):
    tried = []
    machine("cuda:0")
    monkeypatch.setattr(devices, "_seconds", lambda work: tried.append(work) or len(tried))
    monkeypatch.setattr(torch.nn.Module, "to", lambda self, device: self)
    Trainee(tiny(learner | {"device": "auto"}))
    assert len(tried) == 4  # a step and a minibatch, twice


@pytest.mark.parametrize("learner", [{"suits": "canonical", "kl_coef": 0.1, "average": 0.9}, {"memory": {"width": 8}}])
def test_a_device_with_memory_of_its_own_learns_the_same(learner, monkeypatch):
    """The copies of a rollout that a GPU gets, made on the CPU."""
    config = tiny(learner, sitting=2 if "memory" in learner else 1)
    found = []
    for shares in (True, False):
        monkeypatch.setattr(buffer_module, "shares_memory", lambda device, shares=shares: shares)
        trainee = Trainee(config)
        with torch_settings():
            loop.train(trainee.model, trainee.hooks(), decisions=600)
        found.append(trainee.model.policy.state_dict())
    assert all(torch.equal(found[0][name], found[1][name]) for name in found[0])


@pytest.mark.parametrize("device", ["cuda", "cuda:7", "mps"])
def test_a_device_that_is_not_there(device, machine, tmp_path, monkeypatch):
    machine()
    monkeypatch.chdir(tmp_path)
    error = refused("train", "demo", "--set", f"learner.device={device}")
    assert error.count("\n") <= 1
    assert f"there is no {device} here; this machine has cpu" in error
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("error", "where"),
    [
        (MemoryError("Unable to allocate 4 TiB"), "machine"),
        (RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes"), "machine"),
        (torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 9 GiB"), "GPU"),
    ],
)
def test_memory_that_runs_out(error, where):
    with pytest.raises(ValueError, match=rf"{where}.*learner.batch_size, tables.*learner.hidden"), torch_settings():
        raise error


def test_a_network_larger_than_the_memory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = holdem("train", "demo", "--decisions", "100", "--set", "learner.hidden=[8,4398046511104]")
    assert result.exit_code == 2
    assert "learner.hidden" in result.output


def test_another_device_goes_on_with_a_run():
    from holdem_agents.runs.config import check_resumable, differences

    now, before = (tiny({"device": device}).model_dump(mode="json") for device in ("cpu", "cuda"))
    assert differences(now, before) == "learner.device is 'cpu', was 'cuda'"
    check_resumable(tiny({"device": "cpu"}), before, "config.yaml")
    with pytest.raises(ConfigError, match=r"learner\.threads"):
        check_resumable(tiny({"device": "cpu", "threads": 2}), before, "config.yaml")


@pytest.mark.parametrize(("local", "device"), [("0", "cuda:0"), ("1", "cuda:1"), ("2", "cuda:0")])
def test_ranks_have_a_gpu_each(local, device, machine, monkeypatch):
    machine("cuda:0", "cuda:1")
    monkeypatch.setenv("LOCAL_RANK", local)
    assert devices.chosen_device("cuda", dict[str, float]().__getitem__, World(0, 3)) == device


@pytest.mark.parametrize(
    ("faster", "rounding"),
    [({"autocast": "bfloat16"}, 1e-2), pytest.param({"compile": True}, 1e-5, marks=pytest.mark.slow)],
)
def test_a_faster_network_says_the_same_but_for_rounding(faster: dict[str, Any], rounding: float) -> None:
    learner = Trainee(tiny(faster))
    learner.set_up()
    model: Any = learner.model
    with torch_settings(1):
        loop.train(model, learner.hooks(), decisions=256)
    seen = model.rollout_buffer.observations_of(model.rollout_buffer.complete)
    plain, found = model.policy.logits_and_values(seen), model.forward(seen)
    for one, other in zip(plain, found, strict=True):
        assert other.dtype == torch.float32
        assert torch.allclose(one, other, atol=rounding)
        assert ((one != other).any()) == ("autocast" in faster)


@pytest.mark.parametrize(
    ("learner", "words"),
    [
        ({"memory": {"width": 8}, "autocast": "bfloat16"}, "with memory has neither"),
        ({"autocast": "float16"}, "bfloat16"),
    ],
)
def test_others_compute_as_they_are(learner: dict[str, Any], words: str) -> None:
    assert re.search(words, complaint(tiny, learner))


def test_where_nothing_can_be_compiled_it_says_so(monkeypatch) -> None:
    def fails(observations: torch.Tensor) -> None:
        raise RuntimeError("no C++ compiler")

    monkeypatch.setattr(torch, "compile", lambda forward, dynamic: fails)
    mentions(complaint(Trainee, tiny({"compile": True}), kind=ConfigError), "cannot compile here: RuntimeError: no C")

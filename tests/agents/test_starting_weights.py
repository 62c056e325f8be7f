"""Learners that begin with the weights of an earlier agent."""

from __future__ import annotations

import pytest
import torch

from errors import complaint, mentions
from holdem_agents.agent_files.model_files import load
from holdem_agents.runs.config import ConfigError, load_config
from holdem_agents.runs.run import resume, train
from holdem_agents.training.config import Training
from holdem_agents.training.learners.starting_weights import fitting
from holdem_agents.training.learners.trainee import Trainee

SMALL = Training(
    rules="heads-up-limit",
    budget={"decisions": 300},
    tables=16,
    learner={"n_steps": 8, "batch_size": 128, "hidden": [16, 8], "threads": 1, "average": 0.9, "kl_coef": 0.01},
    opponents={"latest_self": 1.0},
    evaluation={"opponents": ["random"], "hands": 100, "past_selves": 0},
    checkpoint_minutes=0,
)


def changed(**changes) -> Training:
    return Training(**(SMALL.model_dump(mode="json", exclude_unset=True) | changes))


def learner_settings(**changes) -> dict:
    return SMALL.learner.model_dump(mode="json", exclude_unset=True) | changes


@pytest.fixture(scope="module")
def earlier(tmp_path_factory):
    """The model file of an earlier run."""
    return train(SMALL, tmp_path_factory.mktemp("runs") / "earlier", show=False) / "final.safetensors"


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"rules": {"preset": "heads-up-limit", "stacks": 30}},  # other stacks are the same game
        {"seed": 5},
        {"reward": "all_in_value", "learner": learner_settings(average=None, kl_coef=0)},
        {"learner": learner_settings(kind="sb3")},
    ],
)
def test_a_learner_begins_with_the_weights_of_a_file(earlier, changes, tmp_path):
    learner = Trainee(changed(start=str(earlier), **changes))
    learner.save(tmp_path / "copy.safetensors")
    before, now = load(earlier), load(tmp_path / "copy.safetensors")
    assert before.policy.state_dict().keys() == now.policy.state_dict().keys()
    seen = torch.rand(20, *before.policy.shape, generator=torch.Generator().manual_seed(3))
    assert torch.equal(before.policy(seen), now.policy(seen))
    assert torch.equal(before.policy.values(seen), now.policy.values(seen))


def test_the_slow_copy_begins_with_them_too(earlier):
    learner = Trainee(changed(start=str(earlier)))
    for copy in (learner.average, learner.reference):
        for name, tensor in learner.model.policy.state_dict().items():
            assert torch.equal(copy.policy.state_dict()[name], tensor)


def test_canonical_suits_and_other_settings_come_from_the_file(tmp_path):
    config = changed(observation="flat+equity", learner=learner_settings(suits="canonical"))
    Trainee(config).save(tmp_path / "a.safetensors")
    known = fitting(load(tmp_path / "a.safetensors"))
    assert (known.observation, known.hidden, known.suits) == ("flat+equity", (16, 8), "canonical")
    fit = changed(
        observation=known.observation,
        actions=known.actions,
        learner=learner_settings(hidden=known.hidden, suits=known.suits),
        start=str(tmp_path / "a.safetensors"),
    )
    Trainee(fit)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"observation": "flat+equity"}, r"it observes 'flat', not 'flat\+equity' \(set observation: flat\)"),
        ({"learner": learner_settings(hidden=[8])}, r"hidden .*\[16, 8\], not \[8\] \(set learner.hidden:"),
        ({"learner": learner_settings(suits="canonical")}, r"plain, not canonical \(set learner.suits:"),
        ({"rules": {"preset": "heads-up-limit", "seats": 3}}, "2 seats; .* 3 seats"),
        ({"observation": "flat+equity", "learner": learner_settings(hidden=[8], suits="canonical")}, "obs.*hid.*suits"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_before_anything_is_written(earlier, changes, message, tmp_path):
    with pytest.raises(ConfigError, match=f"^start: .*{message}"):
        train(changed(start=str(earlier), **changes), tmp_path / "new", show=False)
    assert not list(tmp_path.iterdir())


def test_other_actions_are_named_with_those_that_fit(tmp_path):
    no_limit = changed(rules="heads-up-no-limit", actions="min, 100%, all-in")
    Trainee(no_limit).save(tmp_path / "a.safetensors")
    other = no_limit.model_copy(update={"actions": "fcpa", "start": str(tmp_path / "a.safetensors")})
    mentions(complaint(Trainee, other, kind=ConfigError), 100, "fcpa")


def test_files_that_are_none(tmp_path):
    mentions(complaint(Trainee, changed(start="gone.safetensors"), kind=ConfigError), "start", "gone.safetensors")
    (tmp_path / "bad.safetensors").write_bytes(b"no")
    with pytest.raises(ConfigError, match=r"^start: .*bad.safetensors: it is no safetensors file"):
        Trainee(changed(start=str(tmp_path / "bad.safetensors")))
    mentions(complaint(load_config, "demo", ["start=old.zip"], kind=ConfigError), "--set", "old.zip")
    assert load_config("demo", ["start=a.safetensors"]).start == "a.safetensors"


def test_a_network_that_is_none_of_ours_is_refused(earlier, tmp_path):
    from holdem_agents.agent_files import model_files
    from holdem_agents.networks.policy_network import PolicyNetwork

    agent = load(earlier)
    old = agent.policy
    trunk = [torch.nn.Tanh() if isinstance(layer, torch.nn.ReLU) else layer for layer in old.trunk]
    agent.policy = PolicyNetwork.of(trunk, [*old.policy], [*old.value], old.shape, old.actions)
    model_files.write(tmp_path / "tanh.safetensors", agent, agent.policy, "MaskablePPO", {})
    with pytest.raises(ConfigError, match=r"tanh.safetensors: its network is none of holdem train: .*linear, tanh"):
        Trainee(changed(start=str(tmp_path / "tanh.safetensors")))


@pytest.mark.slow
def test_a_resumed_run_does_not_need_the_file(earlier, tmp_path):
    start = tmp_path / "start.safetensors"
    start.write_bytes(earlier.read_bytes())
    folder = train(changed(start=str(start)), tmp_path / "run", show=False)
    start.unlink()
    path = folder / "config.yaml"
    path.write_text(path.read_text().replace("decisions: 300", "decisions: 600"))
    resume(folder, show=False)
    path.write_text(path.read_text().replace(str(start), str(earlier)))
    mentions(complaint(resume, folder, show=False, kind=ConfigError), "start is ")

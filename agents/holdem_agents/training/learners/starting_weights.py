"""Training that goes on from an earlier agent: a learner begins with the weights of a model file.

Only the weights are taken, those of the value included. The optimizer starts over.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from holdem_env.agents.registry import MODEL_SUFFIX
from holdem_env.encoders import get_actions, get_observation

from ...agent_files.game_check import check_same_game
from ...agent_files.model_files import FileAgent, digest, load, name_of
from ...networks.policy_network import PolicyNetwork
from ...runs.config import ConfigError
from ..config import Remembers, Training


@dataclass(frozen=True)
class Fitting:
    """The settings with which a learner has the same network and encoders as a model file.

    observation, actions, sitting: as in Training. hidden, suits, memory: as in Learner.
    """

    observation: str
    actions: str
    hidden: tuple[int, ...]
    suits: str
    memory: Remembers | None = None
    sitting: int = 1


def fitting(agent: FileAgent) -> Fitting:
    """The settings that fit this agent's network. Raises ValueError for a network that no learner has."""
    network = agent.policy.architecture
    before = [layer.kind for layer in network.trunk if layer.kind in ("canonical_suits", "flatten", "events")]
    hidden = tuple(layer.outputs for layer in network.trunk if layer.kind == "linear" and layer.outputs)
    trunk = [*before[:1], *["linear", "relu"] * len(hidden)]
    kinds = [[layer.kind for layer in part] for part in (network.trunk, network.policy, network.value)]
    if not hidden or kinds != [trunk, ["linear"], ["linear"]]:
        names = "trunk", "policy", "value"
        text = "; ".join(f"{name}: {', '.join(part)}" for name, part in zip(names, kinds, strict=True))
        raise ValueError(
            "its network is none of holdem train: those have a trunk of linear and relu layers in turns, and one "
            f"linear layer each for policy and value; this one has {text}"
        )
    suits = "canonical" if "canonical_suits" in before else "plain"
    encoders = agent.observation_encoder.name, name_of(agent.action_encoder)
    if network.memory is None:
        return Fitting(*encoders, hidden, suits)
    return Fitting(*encoders, hidden, suits, Remembers(width=network.memory.outputs), network.memory.hands)


def check_start(config: Training) -> FileAgent | None:
    """The agent whose weights a learner with this configuration begins with; None if they are random.

    Raises ConfigError if there is no such file, if it is damaged, or if it does not fit. The message names all that
    differs and what would be right.
    """
    if config.start is None:
        return None
    path = Path(config.start)
    if not path.is_file():
        raise ConfigError(f"start: there is no file {path}; give an agent's {MODEL_SUFFIX}, or leave `start` out")
    try:
        agent = load(path)
        assert agent.trained_on is not None
        check_same_game(str(path), agent.trained_on, config.rules)
        known = fitting(agent)
    except ValueError as error:
        text = str(error)
        raise ConfigError(f"start: {text if str(path) in text else f'{path}: {text}'}") from None
    if wrong := _differences(agent, known, config):
        raise ConfigError(f"start: {path} does not fit this configuration: {'; '.join(wrong)}")
    return agent


def _differences(agent: FileAgent, known: Fitting, config: Training) -> list[str]:
    """What of the configuration does not fit a file, each with what would fit."""
    rules, learner, wrong = config.rules, config.learner, []
    seen, acted = get_observation(config.observation), get_actions(config.actions, rules)
    if known.observation != seen.name or digest(agent.observation_encoder, rules) != digest(seen, rules):
        wrong.append(f"it observes {known.observation!r}, not {seen.name!r} (set observation: {known.observation})")
    if agent.action_encoder.meanings(rules) != acted.meanings(rules):
        other = config.actions or name_of(acted)
        wrong.append(f"its actions are {known.actions!r}, not {other!r} (set actions: {known.actions!r})")
    if known.hidden != learner.hidden:
        hidden = list(known.hidden)
        wrong.append(f"its hidden layers are {hidden}, not {list(learner.hidden)} (set learner.hidden: {hidden})")
    if known.suits != learner.suits:
        wrong.append(f"its suits are {known.suits}, not {learner.suits} (set learner.suits: {known.suits})")
    if known.memory != learner.memory:
        has, wanted = (f"{{width: {each.width}}}" if each else "null" for each in (known.memory, learner.memory))
        wrong.append(f"its memory is {has}, not {wanted} (set learner.memory: {has})")
    if known.memory and known.sitting != config.sitting:
        wrong.append(f"it remembers {known.sitting} hands, not {config.sitting} (set sitting: {known.sitting})")
    return wrong


@torch.no_grad()
def copy_network(network: PolicyNetwork, policy: Any) -> None:
    """Copy the weights of a network into a learner's policy of the same layers, the value's included."""
    if isinstance(policy, PolicyNetwork):
        policy.load_state_dict(network.state_dict())
        return
    parts = {
        "trunk": policy.features_extractor.layers,
        "policy": torch.nn.Sequential(policy.action_net),
        "value": torch.nn.Sequential(policy.value_net),
    }
    for name, part in parts.items():
        part.load_state_dict(getattr(network, name).state_dict())

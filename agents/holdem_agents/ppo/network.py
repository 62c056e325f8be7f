"""The network of the learner: one ReLU trunk that policy and value share, and a linear layer for each of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import prod, sqrt
from typing import Any, Protocol

import torch
from torch import nn

from holdem_env.encoders import ObservationEncoder
from holdem_env.game.rules import Rules

from ..networks.event_layer import Events
from ..networks.policy_network import GATES, HAND_END, CanonicalSuits, PolicyNetwork
from ..networks.suit_order import RANKS, SUITS
from ..networks.tensors import device_of

BY_RANK_AND_SUIT = "by 4 * rank + suit"
EVENTS = "tokens"
"""The observation whose rows are events; networks with memory read them by `Events`."""
POLICY_GAIN = 0.01
"""Small, so that an untrained policy takes all offered actions about equally often."""


def card_places(observation: ObservationEncoder, rules: Rules) -> list[int]:
    """The indices where the sets of 52 cards of a flat observation begin.

    Raises ValueError if the observation has none, because `CanonicalSuits` cannot sort its suits.
    """
    layout = observation.layout(rules) if len(observation.shape(rules)) == 1 else []
    places = [first for meaning, first, last in layout if BY_RANK_AND_SUIT in meaning and last - first == RANKS * SUITS]
    if not places:
        raise ValueError(
            f"learner.suits: 'canonical' needs an observation with cards {BY_RANK_AND_SUIT}, such as 'flat'; "
            f"{observation.name!r} has none"
        )
    return places


class LearningNetwork(Protocol):
    """What PPO asks of a network: to be a `torch.nn.Module` with the method `logits_and_values`, and nothing else. The
    module's other attributes may have any names.

    Every observation that it is given is one that a table has; there is at least one.
    """

    def logits_and_values(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """(B, *shape) float32 observations to (B, actions) logits, which need not be normalized, and (B,) values."""
        ...


class ActorCritic(PolicyNetwork):
    """A network that learns: a `PolicyNetwork` whose logits and values are computed together."""

    def predict_values(self, observations: torch.Tensor) -> torch.Tensor:
        """(B, *shape) float32 observations to (B,) values; SB3's name for `values`."""
        return self.values(observations)

    def __deepcopy__(self, memo: dict[int, Any]) -> ActorCritic:
        copied = type(self)(self.architecture, self.shape, self.actions)
        copied.load_state_dict(self.state_dict())
        return copied.to(device_of(self)).requires_grad_(False)

    @property
    def cards(self) -> tuple[int, ...]:
        """Where the sets of cards begin whose suits the network sorts; empty if it leaves them as they are."""
        first = self.trunk[0]
        return first.cards if isinstance(first, CanonicalSuits) else ()

    def logits_and_values(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """(B, *shape) float32 observations, their suits sorted already, to (B, actions) logits that are not normalized,
        and (B,) values."""
        return self.heads(self.first(self.features(observations)))

    def features(self, observations: torch.Tensor) -> torch.Tensor:
        """(B, *shape) float32 observations, their suits sorted already, to the trunk's features, (B, F)."""
        features: torch.Tensor = self.trunk[1 if self.cards else 0 :](observations)
        return features

    def heads(self, features: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Features, with the hidden state if the network has a memory, to unnormalized logits and values."""
        return self.policy(features), self.value(features)[:, 0]


def new_network(
    observation: ObservationEncoder,
    actions: int,
    rules: Rules,
    hidden: Sequence[int],
    is_canonical: bool,
    memory: int = 0,
    hands: int = 1,
) -> ActorCritic:
    """An untrained network: orthogonal weights (Saxe et al. 2014) from PyTorch's random numbers, biases of 0.

    memory: the width of its recurrent layer, whose state is zeros again after `hands` hands; 0 for none.
    """
    shape = observation.shape(rules)
    before: list[nn.Module] = [CanonicalSuits(card_places(observation, rules))] if is_canonical else []
    inputs = prod(shape)
    if memory and observation.name == EVENTS:
        events, inputs = Events(shape[0], hidden[0]), hidden[0]
        events.reset()
        before = [events]
    elif len(shape) > 1:
        before = [nn.Flatten()]
    widths = [inputs, *hidden]
    trunk = [*before, *(layer for one, two in pairwise(widths) for layer in (_linear(one, two, sqrt(2)), nn.ReLU()))]
    recurrent = _gru(hidden[-1] + HAND_END, memory) if memory else None
    features = hidden[-1] + memory
    policy, value = _linear(features, actions, POLICY_GAIN), _linear(features, 1, 1.0)
    return ActorCritic.of(trunk, [policy], [value], shape, actions, recurrent, hands)


def _gru(inputs: int, outputs: int) -> nn.GRU:
    layer = nn.GRU(inputs, outputs)
    for name, tensor in layer.named_parameters():
        if name.startswith("weight"):
            for gate in range(GATES):
                nn.init.orthogonal_(tensor.data[gate * outputs : (gate + 1) * outputs])
        else:
            nn.init.zeros_(tensor)
    return layer


def _linear(inputs: int, outputs: int, gain: float) -> nn.Linear:
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer

"""The network: one ReLU trunk that policy and value share, with the suits as they are or in canonical order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import torch
from gymnasium.spaces import Box
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from holdem_env.encoders import ObservationEncoder
from holdem_env.game.rules import Rules

from ..policy_network import RANKS, SUITS, CanonicalSuits

__all__ = ["CanonicalSuits", "Trunk", "card_places"]

BY_RANK_AND_SUIT = "by 4 * rank + suit"


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


class Trunk(BaseFeaturesExtractor):
    """Fully connected layers of the given widths, each followed by a ReLU.

    With `net_arch=[]`, policy and value are one linear layer each on top of it, so the trunk runs once for both.
    cards: the indices where sets of cards begin, for canonical suits; None leaves the suits as they are.
    """

    def __init__(
        self, observation_space: Box, hidden: Sequence[int] = (256, 256), cards: Sequence[int] | None = None
    ) -> None:
        super().__init__(observation_space, hidden[-1])
        size = 1
        for length in observation_space.shape:
            size *= length
        widths = [size, *hidden]
        before: list[nn.Module] = [CanonicalSuits(cards)] if cards else []
        if len(observation_space.shape) > 1:
            before = [nn.Flatten()]
        self.layers = nn.Sequential(
            *before, *(layer for one, two in pairwise(widths) for layer in (nn.Linear(one, two), nn.ReLU()))
        )

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """The features of a batch of observations."""
        features: torch.Tensor = self.layers(observations)
        return features

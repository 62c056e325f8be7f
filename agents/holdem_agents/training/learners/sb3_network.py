"""The network in SB3: one ReLU trunk that policy and value share, with the suits as they are or in canonical order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import torch
from gymnasium.spaces import Box
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from ...policy_network import CanonicalSuits
from ...ppo import card_places

__all__ = ["CanonicalSuits", "Trunk", "card_places"]


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

"""The network: one ReLU trunk that policy and value share."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import torch
from gymnasium.spaces import Box
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn


class Trunk(BaseFeaturesExtractor):
    """Fully connected layers of the given widths, each followed by a ReLU.

    With `net_arch=[]` the policy and the value are one linear layer each on top, so that the trunk is computed once
    for both.
    """

    def __init__(self, observation_space: Box, hidden: Sequence[int] = (256, 256)) -> None:
        super().__init__(observation_space, hidden[-1])
        widths = [observation_space.shape[0], *hidden]
        self.layers = nn.Sequential(
            *(layer for one, two in pairwise(widths) for layer in (nn.Linear(one, two), nn.ReLU()))
        )

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """The features of a batch of observations."""
        features: torch.Tensor = self.layers(observations)
        return features

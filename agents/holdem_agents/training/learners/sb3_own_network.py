"""A network of your own class as a policy of SB3."""

from __future__ import annotations

from typing import Any

import torch
from gymnasium.spaces import Box
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from ...own_network import new_own_network


class OwnNetworkExtractor(BaseFeaturesExtractor):
    """Features that are the network's logits, and its value after them. text: the part, as in `new_own_network`."""

    def __init__(self, observation_space: Box, text: str, actions: int) -> None:
        super().__init__(observation_space, actions + 1)
        self.network = new_own_network(text, observation_space.shape, actions)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """(B, *shape) to (B, actions + 1)."""
        logits, values = self.network.logits_and_values(observations)
        return torch.cat([logits, values[:, None]], dim=1)


class _Columns(nn.Module):
    """Some columns of the features."""

    def __init__(self, first: int, last: int) -> None:
        super().__init__()
        self._first, self._last = first, last

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        return features[:, self._first : self._last]


class OwnNetworkPolicy(MaskableActorCriticPolicy):
    """Without layers of SB3's. Needs OwnNetworkExtractor, net_arch=[] and ortho_init=False, which leaves the network's
    weights as its class has made them."""

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        actions = self.features_dim - 1
        policy: Any = self
        policy.action_net, policy.value_net = _Columns(0, actions), _Columns(actions, actions + 1)
        optimizer: Any = self.optimizer_class
        self.optimizer = optimizer(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)

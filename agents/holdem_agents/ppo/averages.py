"""Averages of a learner's weights: as the agent that training delivers, and as a policy that the learner is pulled to.

In self-play the newest policy is an answer to the policies just before it. The average of many policies is harder to
exploit than any one of them (fictitious play, Brown 1951). A Kullback-Leibler penalty toward a slow copy of the policy
damps the cycles themselves (magnetic mirror descent, Sokota et al. 2023).
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import torch
from stable_baselines3.common.callbacks import BaseCallback


class WeightAverageCallback(BaseCallback):
    """Keeps an exponential moving average of the learner's weights, updated once per rollout.

    policy: a copy of the learner's policy that holds the averaged weights. decay: the share of the average that an
    update keeps. warm_up: whether the first updates keep less, because the average has seen little by then.
    """

    def __init__(self, policy: torch.nn.Module, decay: float, warm_up: bool = True) -> None:
        super().__init__()
        self.policy: Any = deepcopy(policy)
        self.policy.eval()
        self._decay, self._warm_up = decay, warm_up

    def _on_rollout_start(self) -> None:
        model: Any = self.model
        rollouts = model._n_updates // model.n_epochs  # a checkpoint restores this number, so a resumed run agrees
        most = (1 + rollouts) / (10 + rollouts) if self._warm_up else 1.0
        update_average(self.policy, model.policy, min(self._decay, most))

    def _on_step(self) -> bool:
        return True


@torch.no_grad()
def update_average(average: torch.nn.Module, newest: torch.nn.Module, decay: float) -> None:
    """average = decay * average + (1 - decay) * newest, weight by weight."""
    for mean, value in zip(average.parameters(), newest.parameters(), strict=True):
        mean.lerp_(value, 1 - decay)

"""Exponential moving averages (EMA) of a learner's weights: the agent that training delivers, and the reference policy.

In self-play the newest policy is an answer to the policies just before it. The average of many policies is harder to
exploit than any one of them (fictitious play, Brown 1951); weights are averaged in place of policies, as in Polyak and
Juditsky (1992) and Izmailov et al. (2018). A slower average is the reference policy, or magnet, of the KL penalty,
which damps the cycles themselves (magnetic mirror descent, Sokota et al. 2023; Perolat et al. 2021, 2022).
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import torch

from .hooks import Hook, Stats


class WeightAverage(Hook):
    """Keeps an exponential moving average of the learner's weights, updated before each step.

    policy: a copy of the learner's policy with the averaged weights. decay: the weight of the old average in an update.
    warm_up: whether the first updates use a smaller decay, because the average has seen little by then.
    """

    def __init__(self, policy: torch.nn.Module, decay: float, warm_up: bool = True) -> None:
        self.policy: Any = deepcopy(policy)
        self.policy.eval()
        self._decay, self._warm_up = decay, warm_up

    def before_step(self, stats: Stats) -> None:
        steps = self.model.updates // self.model.n_epochs  # a checkpoint restores this number, so a resumed run agrees
        largest = (1 + steps) / (10 + steps) if self._warm_up else 1.0
        update_average(self.policy, self.model.policy, min(self._decay, largest))


@torch.no_grad()
def update_average(average: torch.nn.Module, newest: torch.nn.Module, decay: float) -> None:
    """average = decay * average + (1 - decay) * newest, weight by weight."""
    for mean, value in zip(average.parameters(), newest.parameters(), strict=True):
        mean.lerp_(value, 1 - decay)

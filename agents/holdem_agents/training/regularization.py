"""What keeps a learner from running in circles: an average of its weights over time, and a pull toward a slow copy.

In self-play the newest policy is an answer to the ones just before it. The average of many is harder to exploit than
any of them (Brown 1951, fictitious play); a pull toward a slow copy damps the circles themselves (Sokota and others
2023, magnetic mirror descent).
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback

Evaluation = tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]


class SlowCopy(BaseCallback):
    """A policy whose weights are a running average of the learner's; moved once a rollout.

    memory: how much of it is kept each time; less in the beginning, where there is little to be remembered.
    """

    def __init__(self, policy: MaskableActorCriticPolicy, memory: float) -> None:
        super().__init__()
        self.policy = deepcopy(policy)
        self.policy.set_training_mode(False)
        self._memory = memory

    def _on_rollout_start(self) -> None:
        model: Any = self.model
        rollouts = model._n_updates // model.n_epochs  # counted by what a checkpoint has anyway
        move_toward(self.policy, model.policy, min(self._memory, (1 + rollouts) / (10 + rollouts)))

    def _on_step(self) -> bool:
        return True


@torch.no_grad()
def move_toward(slow: torch.nn.Module, fast: torch.nn.Module, memory: float) -> None:
    """slow = memory * slow + (1 - memory) * fast, weight by weight."""
    for mine, its in zip(slow.parameters(), fast.parameters(), strict=True):
        mine.lerp_(its, 1 - memory)


class PulledPolicy(MaskableActorCriticPolicy):
    """A policy whose entropy bonus can have a second part: the divergence from a slow copy, as a malus.

    PPO adds entropy times its coefficient to the objective, so what is subtracted here is divided by that coefficient.
    """

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        # In a list: a module as an attribute would become a part of this one, its weights and its file.
        self._slow: list[MaskableActorCriticPolicy] = []
        self.pull_per_entropy = 0.0

    def pull_toward(self, slow: MaskableActorCriticPolicy) -> None:
        """Be pulled toward this policy from now on, as strongly as `pull_per_entropy` says."""
        self._slow = [slow]

    def evaluate_actions(
        self, obs: torch.Tensor, actions: torch.Tensor, action_masks: torch.Tensor | None = None
    ) -> Evaluation:
        """Values, log-probabilities, and the entropy less the pull."""
        if not self._slow or not self.pull_per_entropy:
            evaluation: Evaluation = super().evaluate_actions(obs, actions, action_masks)
            return evaluation
        latent_pi, latent_vf = self.mlp_extractor(self.extract_features(obs))
        mine: Any = self._get_action_dist_from_latent(latent_pi)
        mine.apply_masking(action_masks)
        with torch.no_grad():
            its: Any = self._slow[0].get_distribution(obs, action_masks)  # type: ignore[arg-type]
        difference = mine.distribution.logits - its.distribution.logits
        divergence = (mine.distribution.probs * difference).sum(dim=1)
        return self.value_net(latent_vf), mine.log_prob(actions), mine.entropy() - self.pull_per_entropy * divergence

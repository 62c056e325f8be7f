"""Weight averaging and KL regularization: both keep self-play from going in circles.

In self-play the newest policy is an answer to the policies just before it. The average of many policies is harder to
exploit than any one of them (fictitious play, Brown 1951). A KL penalty toward a slow copy of the policy damps the
cycles themselves (magnetic mirror descent, Sokota et al. 2023).
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback

Evaluation = tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]


class WeightAverageCallback(BaseCallback):
    """Keeps an exponential moving average of the learner's weights, updated once per rollout.

    policy: a copy of the learner's policy that holds the averaged weights. decay: the share of the average that an
    update keeps. The first updates keep less, because the average has seen little by then.
    """

    def __init__(self, policy: torch.nn.Module, decay: float) -> None:
        super().__init__()
        self.policy = deepcopy(policy)
        self.policy.eval()
        self._decay = decay

    def _on_rollout_start(self) -> None:
        model: Any = self.model
        rollouts = model._n_updates // model.n_epochs  # a checkpoint restores this number, so a resumed run agrees
        update_average(self.policy, model.policy, min(self._decay, (1 + rollouts) / (10 + rollouts)))

    def _on_step(self) -> bool:
        return True


@torch.no_grad()
def update_average(average: torch.nn.Module, newest: torch.nn.Module, decay: float) -> None:
    """average = decay * average + (1 - decay) * newest, weight by weight."""
    for mean, value in zip(average.parameters(), newest.parameters(), strict=True):
        mean.lerp_(value, 1 - decay)


class KLRegularizedPolicy(MaskableActorCriticPolicy):
    """A policy whose entropy bonus can include a KL penalty toward a reference policy.

    PPO adds entropy times its coefficient to the objective. The penalty is subtracted from that entropy, so its weight
    is given as a multiple of the coefficient: `kl_per_entropy`.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # In a list, because PyTorch would make a module in an attribute part of this one, weights and file included.
        self._references: list[MaskableActorCriticPolicy] = []
        self.kl_per_entropy = 0.0

    def regularize_toward(self, reference: MaskableActorCriticPolicy) -> None:
        """Penalize divergence from this policy from now on, with the weight `kl_per_entropy`."""
        self._references = [reference]

    def evaluate_actions(
        self, obs: torch.Tensor, actions: torch.Tensor, action_masks: torch.Tensor | None = None
    ) -> Evaluation:
        """Values, log-probabilities, and the entropy minus the penalty."""
        if not self._references or not self.kl_per_entropy:
            evaluation: Evaluation = super().evaluate_actions(obs, actions, action_masks)
            return evaluation
        latent_pi, latent_vf = self.mlp_extractor(self.extract_features(obs))
        own: Any = self._get_action_dist_from_latent(latent_pi)
        own.apply_masking(action_masks)
        with torch.no_grad():
            reference: Any = self._references[0].get_distribution(obs, action_masks)  # type: ignore[arg-type]
        difference = own.distribution.logits - reference.distribution.logits
        divergence = (own.distribution.probs * difference).sum(dim=1)
        return self.value_net(latent_vf), own.log_prob(actions), own.entropy() - self.kl_per_entropy * divergence


PulledPolicy = KLRegularizedPolicy  # the class name inside .zip files from before version 0.2

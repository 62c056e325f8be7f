"""The KL penalty of SB3's learner toward a reference policy, the magnet of `...ppo.weight_averaging`."""

from __future__ import annotations

from typing import Any

import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

Evaluation = tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]


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

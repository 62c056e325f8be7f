"""PPO's loss (Schulman et al. 2017, equations 7 and 9), of which autograd finds the gradient.

Magnetic mirror descent (MMD; Sokota et al. 2023, arXiv:2206.05825) takes, of an advantage A, a magnet rho, a
temperature alpha and a stepsize eta, the policy that maximizes E[A] - alpha KL(pi, rho) - KL(pi, pi_t) / eta. With the
uniform rho, -alpha KL(pi, rho) is alpha times the entropy but for a constant: `ent_coef` is alpha, `kl_coef` 1 / eta,
and the reference policy pi_t, the one that played the rollout. With a slow copy for a reference, that is a second
magnet, and clipping alone keeps the policy near pi_t.
"""

from __future__ import annotations

from typing import NamedTuple

import torch

NOT_OFFERED = -1e9
"""The logit of an action that is not offered: its probability is 0, and 0 times its logarithm is 0."""


class Losses(NamedTuple):
    """Means over a minibatch, each of shape ().

    Attributes:
        policy: Clipped surrogate loss (equation 7).
        value: Squared error of the values.
        entropy: The policy's entropy.
        approx_kl: Divergence from the policy that played the rollout; None if the loss has no such part.
        clip_fraction: Share of the clipped probability ratios; None if the loss has no such part.
        reference_kl: The policy's KL divergence from the reference; None without one.
    """

    policy: torch.Tensor
    value: torch.Tensor
    entropy: torch.Tensor
    approx_kl: torch.Tensor | None = None
    clip_fraction: torch.Tensor | None = None
    reference_kl: torch.Tensor | None = None


def log_probabilities(logits: torch.Tensor, offered: torch.Tensor) -> torch.Tensor:
    """(B, A) logits to log-probabilities of the offered actions; those of the others are far below 0."""
    masked = logits.masked_fill(~offered, NOT_OFFERED)
    return masked - masked.logsumexp(dim=1, keepdim=True)  # on narrow rows faster than log_softmax


def ppo_losses(
    log_probs: torch.Tensor,
    values: torch.Tensor,
    actions: torch.Tensor,
    old_log_probs: torch.Tensor,
    advantages: torch.Tensor,
    returns: torch.Tensor,
    clip_range: float,
    reference_log_probs: torch.Tensor | None = None,
) -> Losses:
    """The parts of the loss of a minibatch. log_probs, reference_log_probs: (B, A). actions: (B,) int64. The others:
    (B,)."""
    log_ratio = log_probs.gather(1, actions[:, None])[:, 0] - old_log_probs
    ratio = log_ratio.exp()
    clipped = ratio.clamp(1 - clip_range, 1 + clip_range)
    probs = log_probs.exp()
    with torch.no_grad():
        approx_kl = (ratio - 1 - log_ratio).mean()  # Schulman 2020, "Approximating KL divergence", k3
        clip_fraction = ((ratio - 1).abs() > clip_range).float().mean()
    reference_kl = None
    if reference_log_probs is not None:
        reference_kl = (probs * (log_probs - reference_log_probs)).sum(dim=1).mean()
    return Losses(
        policy=-torch.minimum(ratio * advantages, clipped * advantages).mean(),  # equation 7
        value=(values - returns).square().mean(),
        entropy=-(probs * log_probs).sum(dim=1).mean(),
        approx_kl=approx_kl,
        clip_fraction=clip_fraction,
        reference_kl=reference_kl,
    )

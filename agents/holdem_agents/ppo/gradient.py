"""PPO's loss (Schulman et al. 2017, equations 7 and 9) and its gradient by the logits and values, in one pass over a
batch; `sample` draws the actions of the rollouts.

Magnetic mirror descent (MMD; Sokota et al. 2023, arXiv:2206.05825) takes, of an advantage A, a magnet rho, a
temperature alpha and a stepsize eta, the policy that maximizes E[A] - alpha KL(pi, rho) - KL(pi, pi_t) / eta. With the
uniform rho, -alpha KL(pi, rho) is alpha times the entropy but for a constant: `ent_coef` is alpha, `kl_coef` 1 / eta,
and the reference policy pi_t, the one that played the rollout. With a slow copy for a reference, that is a second
magnet, and clipping alone keeps the policy near pi_t.

Actions that are not offered are left out. The loss is the clipped surrogate, the squared error of the value, an entropy
bonus, and a KL penalty toward a reference policy if there is one. Autograd takes dozens of small operations for the
same: a whole update takes 1.06 to 1.09 times as much processor time with it (`python -m benchmarks learners --only "an
update"`). Its oracle in the tests is autograd on the loss of docs/examples/ppo_single_file.py.
"""

from __future__ import annotations

import numpy as np

from holdem_env.compiled.compiler import inline, kernel
from holdem_env.engine.batch import NO_MOVE

POLICY_LOSS, VALUE_LOSS, ENTROPY, APPROX_KL, CLIPPED, REFERENCE_KL = range(6)
STATISTICS = 6


@kernel
def sample(logits, choices, uniform, action, log_prob, moves):  # type: ignore[no-untyped-def]
    """Draw an offered action from the softmax of each row of logits.

    logits: (B, A) float32. choices: (B, A) int64 moves, NO_MOVE where not offered. uniform: (B,) in [0, 1).
    Writes action, its log_prob and its move.
    """
    for k in range(logits.shape[0]):
        top, total = -np.inf, 0.0
        for a in range(logits.shape[1]):
            if choices[k, a] != NO_MOVE and logits[k, a] > top:
                top = logits[k, a]
        for a in range(logits.shape[1]):
            if choices[k, a] != NO_MOVE:
                total += np.exp(logits[k, a] - top)
        left, chosen = uniform[k] * total, -1
        for a in range(logits.shape[1]):
            if choices[k, a] != NO_MOVE:
                chosen = a
                left -= np.exp(logits[k, a] - top)
                if left < 0:
                    break
        action[k] = chosen
        log_prob[k] = logits[k, chosen] - top - np.log(total)
        moves[k] = choices[k, chosen]


@inline
def log_softmax(logits, choices, log_p):  # type: ignore[no-untyped-def]
    """Write the log-probabilities of the offered actions of one decision to log_p."""
    top, total = -np.inf, 0.0
    for a in range(logits.size):
        if choices[a] != NO_MOVE and logits[a] > top:
            top = logits[a]
    for a in range(logits.size):
        if choices[a] != NO_MOVE:
            total += np.exp(logits[a] - top)
    log_total = np.log(total)
    for a in range(logits.size):
        log_p[a] = logits[a] - top - log_total


@kernel
def loss_gradient(  # type: ignore[no-untyped-def]
    logits,
    values,
    choices,
    actions,
    old_log_prob,
    advantages,
    returns,
    clip_range,
    ent_coef,
    vf_coef,
    reference_logits,
    kl_coef,
    grad_logits,
    grad_values,
    statistics,
):
    """Write the gradient of a batch's mean loss by its logits and values to grad_logits and grad_values.

    logits: (B, A) float32. values, old_log_prob, advantages, returns: (B,) float32. choices: (B, A) int64.
    reference_logits: (B, A) float32 of the reference policy, or (0, A). statistics: (6,) float64, to which the sums of
    policy loss, value loss, entropy, approximate KL divergence from the old policy, clipped decisions and KL divergence
    from the reference policy are added.
    """
    size, width = logits.shape
    log_p, p, log_q = np.empty(width), np.empty(width), np.empty(width)
    has_reference = reference_logits.shape[0] > 0
    for k in range(size):
        log_softmax(logits[k], choices[k], log_p)
        entropy = reference_kl = 0.0
        if has_reference:
            log_softmax(reference_logits[k], choices[k], log_q)
        for a in range(width):
            if choices[k, a] != NO_MOVE:
                p[a] = np.exp(log_p[a])
                entropy -= p[a] * log_p[a]
                if has_reference:
                    reference_kl += p[a] * (log_p[a] - log_q[a])

        # The clipped surrogate, equation 7: min(r A, clip(r, 1 - epsilon, 1 + epsilon) A) with r = pi / pi_old.
        log_ratio = log_p[actions[k]] - old_log_prob[k]
        ratio, advantage = np.exp(log_ratio), advantages[k]
        clipped = min(max(ratio, 1 - clip_range), 1 + clip_range)
        surrogate = min(ratio * advantage, clipped * advantage)
        # Its gradient by log pi is -r A; where the clipped term is the smaller one, it is constant.
        grad_log_prob = -advantage * ratio if ratio * advantage <= clipped * advantage else 0.0

        for a in range(width):
            grad_logits[k, a] = 0.0
            if choices[k, a] != NO_MOVE:
                grad = grad_log_prob * ((1.0 if a == actions[k] else 0.0) - p[a])
                grad += ent_coef * p[a] * (log_p[a] + entropy)  # of -entropy, the bonus S of equation 9; MMD's alpha
                if has_reference:
                    grad += kl_coef * p[a] * (log_p[a] - log_q[a] - reference_kl)  # of KL(pi, reference); MMD's 1 / eta
                grad_logits[k, a] = grad / size
        error = values[k] - returns[k]
        grad_values[k] = 2 * vf_coef * error / size  # of the value loss (V - V_target)^2 of equation 9

        statistics[POLICY_LOSS] -= surrogate
        statistics[VALUE_LOSS] += error * error
        statistics[ENTROPY] += entropy
        statistics[APPROX_KL] += ratio - 1 - log_ratio  # Schulman 2020, "Approximating KL divergence", k3
        statistics[CLIPPED] += abs(ratio - 1) > clip_range
        statistics[REFERENCE_KL] += reference_kl

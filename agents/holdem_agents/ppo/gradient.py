"""PPO's loss and its gradient by hand: one pass over a batch instead of the dozens of small operations of autograd.

The loss is that of Schulman et al. (2017) with the actions that are not offered left out: the clipped surrogate, the
squared error of the value, an entropy bonus, and a Kullback-Leibler penalty toward a reference policy if there is one.
"""

from __future__ import annotations

import numpy as np

from holdem_env.compiled.compiler import inline, kernel
from holdem_env.engine.batch import NO_MOVE

POLICY_LOSS, VALUE_LOSS, ENTROPY, KL, CLIPPED, PENALTY = range(6)
STATISTICS = 6


@kernel
def sample(heights, choices, uniform, action, log_prob, moves):  # type: ignore[no-untyped-def]
    """Draw an offered action from the softmax of each row of heights.

    heights: (B, A) float32 logits. choices: (B, A) int64 moves, NO_MOVE where not offered. uniform: (B,) in [0, 1).
    Writes action, its log_prob and its move.
    """
    for k in range(heights.shape[0]):
        top, total = -np.inf, 0.0
        for a in range(heights.shape[1]):
            if choices[k, a] != NO_MOVE and heights[k, a] > top:
                top = heights[k, a]
        for a in range(heights.shape[1]):
            if choices[k, a] != NO_MOVE:
                total += np.exp(heights[k, a] - top)
        left, chosen = uniform[k] * total, -1
        for a in range(heights.shape[1]):
            if choices[k, a] != NO_MOVE:
                chosen = a
                left -= np.exp(heights[k, a] - top)
                if left < 0:
                    break
        action[k] = chosen
        log_prob[k] = heights[k, chosen] - top - np.log(total)
        moves[k] = choices[k, chosen]


@inline
def softmax_logs(heights, choices, log_p):  # type: ignore[no-untyped-def]
    """The log-probabilities of the offered actions of one decision, into log_p."""
    top, total = -np.inf, 0.0
    for a in range(heights.size):
        if choices[a] != NO_MOVE and heights[a] > top:
            top = heights[a]
    for a in range(heights.size):
        if choices[a] != NO_MOVE:
            total += np.exp(heights[a] - top)
    log_total = np.log(total)
    for a in range(heights.size):
        log_p[a] = heights[a] - top - log_total


@kernel
def gradient(  # type: ignore[no-untyped-def]
    heights,
    values,
    choices,
    actions,
    old_log_prob,
    advantages,
    targets,
    clip,
    entropy_weight,
    value_weight,
    reference,
    pull,
    by_heights,
    by_values,
    statistics,
):
    """The gradient of the mean loss of a batch by heights and values, into by_heights and by_values.

    heights: (B, A) float32. values, old_log_prob, advantages, targets: (B,) float32. choices: (B, A) int64.
    reference: (B, A) float32 logits of the policy of the penalty, or (0, A). pull: the penalty's weight.
    statistics: (6,) float64, the sums of policy loss, value loss, entropy, approximate KL divergence from the old
    policy, clipped decisions, and the penalty's divergence are added to it.
    """
    size, width = heights.shape
    log_p, p, q = np.empty(width), np.empty(width), np.empty(width)
    has_reference = reference.shape[0] > 0
    for k in range(size):
        softmax_logs(heights[k], choices[k], log_p)
        entropy = divergence = 0.0
        if has_reference:
            softmax_logs(reference[k], choices[k], q)
        for a in range(width):
            if choices[k, a] != NO_MOVE:
                p[a] = np.exp(log_p[a])
                entropy -= p[a] * log_p[a]
                if has_reference:
                    divergence += p[a] * (log_p[a] - q[a])
        log_ratio = log_p[actions[k]] - old_log_prob[k]
        ratio, gain = np.exp(log_ratio), advantages[k]
        clipped = min(max(ratio, 1 - clip), 1 + clip)
        surrogate = min(ratio * gain, clipped * gain)
        # Where the clipped term is the smaller one, the ratio is constant.
        slope = -gain * ratio if ratio * gain <= clipped * gain else 0.0
        for a in range(width):
            by_heights[k, a] = 0.0
            if choices[k, a] != NO_MOVE:
                by = slope * ((1.0 if a == actions[k] else 0.0) - p[a]) + entropy_weight * p[a] * (log_p[a] + entropy)
                if has_reference:
                    by += pull * p[a] * (log_p[a] - q[a] - divergence)
                by_heights[k, a] = by / size
        error = values[k] - targets[k]
        by_values[k] = 2 * value_weight * error / size
        statistics[POLICY_LOSS] -= surrogate
        statistics[VALUE_LOSS] += error * error
        statistics[ENTROPY] += entropy
        statistics[KL] += ratio - 1 - log_ratio
        statistics[CLIPPED] += abs(ratio - 1) > clip
        statistics[PENALTY] += divergence

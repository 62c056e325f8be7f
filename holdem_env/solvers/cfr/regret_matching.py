"""Regret matching: each action in proportion to its positive regret, all alike where no regret is positive.

    strategy(a) = max(R(a), 0) / sum over b of max(R(b), 0)

Hart and Mas-Colell (2000); for counterfactual regrets Zinkevich et al. (2007), equation 8. Cumulative strategies become
average strategies by the same formula, as they are never negative.

The compiled functions keep a strategy as its weights and two terms of each information set: the probability of an
action is max(weight, 0) * scale + uniform.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...compiled.compiler import inline


def normalize(weights: NDArray[Any], axis: int) -> NDArray[Any]:
    """Regret matching of whole arrays: regrets, or a cumulative strategy, with the actions along `axis`."""
    positive = np.maximum(weights, 0)
    total = positive.sum(axis=axis, keepdims=True)
    strategy: NDArray[Any] = np.full_like(positive, 1 / positive.shape[axis])
    np.divide(positive, total, out=strategy, where=total > 0)
    return strategy


@inline
def action_probability(weight, scale, uniform, zero):
    """The probability of an action by its weight (a regret, or what is in the cumulative strategy) and the terms of
    its information set. zero: of the weights' type."""
    return max(weight, zero) * scale + uniform


@inline
def regret_matching(weights, first, actions, width, count, scale, uniform):
    """The terms of `count` information sets, the hands at a decision, in single or double precision.

    weights: those of hand i for action a at first + a * width + i. scale, uniform: (count,), written.
    """
    zero, one = weights.dtype.type(0), weights.dtype.type(1)
    for i in range(count):
        scale[i] = zero
    for a in range(actions):
        place = first + a * width
        own = weights[place : place + count]
        for i in range(count):
            scale[i] += max(own[i], zero)
    alike = one / weights.dtype.type(actions)
    for i in range(count):
        is_known = scale[i] > zero
        uniform[i] = zero if is_known else alike
        scale[i] = one / scale[i] if is_known else zero


@inline
def positive_sum(weights, first, actions):
    """The sum of the positive weights of one information set, which begin at `first`."""
    zero = weights.dtype.type(0)
    total = zero
    for a in range(actions):
        total += max(weights[first + a], zero)
    return total


@inline
def matching_terms(total, actions, unit):
    """(scale, uniform) of one information set whose positive weights have this sum, so that its probabilities add up to
    `unit`. actions: how many there are. All are of one floating type."""
    zero = unit - unit
    return (unit / total, zero) if total > zero else (zero, unit / actions)

"""What CFR does at a decision: regret matching (Hart and Mas-Colell 2000) for each hand of a vector of hands at once
(Johanson et al. 2011), the updates (Zinkevich et al. 2007), and discounting (Brown and Sandholm 2019).

An iteration walks the tree for one player after the other. On the way down the other player's reach probabilities are
multiplied by its strategy, and its cumulative strategy grows; on the way up the player's counterfactual values are
added up, and its regrets are updated. A walk with average strategies gives values and best responses.

Regrets and cumulative strategies of a decision are one `Block`. A strategy is never written down: it is those weights
with their `matching_terms`. Reach probabilities and values are rows of hands; the values of a decision's actions are
rows that follow one another.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..compiled.compiler import inline
from ..utils.validation import suggestion

Rows = NDArray[np.floating[Any]]
"""Of hands: (hands,), or (rows, hands)."""


class Block(NamedTuple):
    """The regrets of a decision on a board, or its cumulative strategy: of hand i for action a at
    weights[first + a * width + i]. actions, count: how many actions and hands there are."""

    weights: Rows
    first: int
    actions: int
    width: int
    count: int  # type: ignore[assignment]  # not a tuple's method


def normalize(weights: NDArray[Any], axis: int) -> NDArray[Any]:
    """Regret matching of whole arrays: regrets, or a cumulative strategy, with the actions along `axis`."""
    positive = np.maximum(weights, 0)
    total = positive.sum(axis=axis, keepdims=True)
    strategy: NDArray[Any] = np.full_like(positive, 1 / positive.shape[axis])
    np.divide(positive, total, out=strategy, where=total > 0)
    return strategy


@inline
def action_probability(weight: Any, scale: Any, uniform: Any, zero: Any) -> Any:
    """The probability of an action by its weight (a regret, or what is in the cumulative strategy) and the terms of
    its information set. zero: of the weights' type."""
    return max(weight, zero) * scale + uniform


@inline
def regret_matching(block: Block, scale: Rows, uniform: Rows) -> None:
    """The terms of a decision's information sets, one for each hand, in single or double precision. scale, uniform:
    (hands,), written."""
    weights, first, actions, width, count = block
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
def positive_sum(weights: Rows, first: int, actions: int) -> Any:
    """The sum of the positive weights of one information set, which begin at `first`."""
    zero = weights.dtype.type(0)
    total = zero
    for a in range(actions):
        total += max(weights[first + a], zero)
    return total


@inline
def matching_terms(total: Any, actions: Any, unit: Any) -> tuple[Any, Any]:
    """(scale, uniform) of one information set whose positive weights have this sum, so that its probabilities add up to
    `unit`. actions: how many there are. All are of one floating type."""
    zero = unit - unit
    return (unit / total, zero) if total > zero else (zero, unit / actions)


TRAIN, BEST, VALUE, RESPOND = 0, 1, 2, 3
"""What a walk does at the player's own decisions: update the regrets, take the best action for each hand, play the
average strategy, or take the best action and write it down in place of the regrets."""


@inline
def propagate_reach(before: Rows, block: Block, a: int, scale: Rows, uniform: Rows, behind: Rows) -> None:
    """The reach probabilities behind action a: those before it times its probability."""
    weights, place, count = block.weights, block.first + a * block.width, block.count
    own, zero = weights[place : place + count], weights.dtype.type(0)
    for i in range(count):
        behind[i] = before[i] * action_probability(own[i], scale[i], uniform[i], zero)


@inline
def update_cumulative_strategy(block: Block, a: int, behind: Rows, kept: Any) -> None:
    """Add the iteration's strategy, weighted by the player's reach (Zinkevich et al. 2007, equation 4), that is the
    reach behind action a, to what is kept of the iterations before."""
    place, count = block.first + a * block.width, block.count
    sums = block.weights[place : place + count]
    for i in range(count):
        sums[i] = sums[i] * kept + behind[i]


@inline
def expected_values(
    block: Block, scale: Rows, uniform: Rows, action_values: Rows, first_value: int, value: Rows
) -> None:
    """Counterfactual values of a decision by the player's strategy: the sum over actions of probability times value."""
    weights, first, actions, width, count = block
    zero = weights.dtype.type(0)
    for i in range(count):
        value[i] = zero
    for a in range(actions):
        place = first + a * width
        own, of_action = weights[place : place + count], action_values[first_value + a]
        for i in range(count):
            value[i] += of_action[i] * action_probability(own[i], scale[i], uniform[i], zero)


@inline
def best_response_values(actions: int, count: int, action_values: Rows, first_value: int, value: Rows) -> None:
    """Counterfactual values of a decision by a best response: each hand's best action (Johanson et al. 2011)."""
    of_action = action_values[first_value]
    for i in range(count):
        value[i] = of_action[i]
    for a in range(1, actions):
        of_action = action_values[first_value + a]
        for i in range(count):
            value[i] = max(value[i], of_action[i])


@inline
def write_best_response(block: Block, action_values: Rows, first_value: int, value: Rows) -> None:
    """1 for the first action of each hand that is worth as much as the best one, 0 for the others."""
    weights, first, actions, width, count = block
    zero, one = weights.dtype.type(0), weights.dtype.type(1)
    for i in range(count):
        left = one
        for a in range(actions):
            is_best = action_values[first_value + a, i] == value[i]
            weights[first + a * width + i] = left if is_best else zero
            left = zero if is_best else left


@inline
def update_regrets(
    block: Block, action_values: Rows, first_value: int, value: Rows, positive: Any, negative: Any
) -> None:
    """R(a) = R(a) * factor + value(a) - value of the decision (Zinkevich et al. 2007, equation 7). positive, negative:
    DCFR's factors of regrets above and below 0 (Brown and Sandholm 2019)."""
    regrets, first, actions, width, count = block
    zero = regrets.dtype.type(0)
    for a in range(actions):
        place = first + a * width
        own, of_action = regrets[place : place + count], action_values[first_value + a]
        for i in range(count):
            regret = own[i]
            own[i] = regret * (positive if regret > zero else negative) + (of_action[i] - value[i])


@inline
def predict_regrets(block: Block, predicted: Rows, action_values: Rows, first_value: int, value: Rows) -> None:
    """What predictive CFR+ matches: the positive regrets, and those of the last iteration once more (Farina, Kroer and
    Sandholm 2021, predictive regret matching+)."""
    regrets, first, actions, width, count = block
    zero = regrets.dtype.type(0)
    for a in range(actions):
        place = first + a * width
        of_action = action_values[first_value + a]
        for i in range(count):
            predicted[place + i] = max(regrets[place + i], zero) + (of_action[i] - value[i])


Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Discounting:
    """alpha, beta, gamma: see above; inf keeps regrets as they are, -inf makes them 0. predictive: regret matching uses
    the regrets that are expected of the next iteration, those of the last one counted twice (Farina et al. 2021)."""

    alpha: float
    beta: float
    gamma: float
    predictive: bool = False

    def factors(self, first: int, count: int) -> Floats:
        """(count, 3): the factors of regrets above 0, of regrets below 0 and of the cumulative strategy in the
        iterations from number `first` on, which is 1 or more."""
        done = np.arange(first - 1, first - 1 + count, dtype=np.float64)
        strategy = (done / (done + 1)) ** self.gamma
        return np.stack([_kept(done, self.alpha), _kept(done, self.beta), strategy], axis=1)


def _kept(done: Floats, exponent: float) -> Floats:
    if np.isinf(exponent):
        return np.full_like(done, float(exponent > 0))
    grown = np.maximum(done, 1) ** exponent  # before the first iteration there is nothing to keep
    return grown / (grown + 1)


ALGORITHMS = {
    "dcfr": Discounting(1.5, 0.0, 2.0),  # the parameters that Brown and Sandholm (2019) recommend
    "cfr+": Discounting(inf, -inf, 1.0),  # Tammelin (2014): no negative regrets, linear averaging
    "pcfr+": Discounting(inf, -inf, 2.0, predictive=True),  # Farina, Kroer and Sandholm (2021): quadratic averaging
}
SUBGAME_DCFR = Discounting(1.5, 0.0, 3.0)
"""DCFR with a cumulative strategy that drops its beginning sooner, as subgames are solved in few iterations."""


def spot_discounting(algorithm: str) -> Discounting:
    """The same for the rest of a hand, where DCFR forgets its beginning sooner."""
    return SUBGAME_DCFR if algorithm == "dcfr" else discounting_of(algorithm)


def discounting_of(algorithm: str) -> Discounting:
    """The parameters of an algorithm by its name. Raises ValueError for another name."""
    if algorithm not in ALGORITHMS:
        raise ValueError(f"algorithm: there is no {algorithm!r}: {suggestion(algorithm, list(ALGORITHMS))}")
    return ALGORITHMS[algorithm]

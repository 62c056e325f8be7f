"""What CFR does at a decision: regret matching (Hart and Mas-Colell 2000) for each hand of a vector of hands at once
(Johanson et al. 2011), the updates (Zinkevich et al. 2007), and discounting (Brown and Sandholm 2019).

An iteration walks the tree for one player after the other. On the way down the other player's reach probabilities are
multiplied by its strategy, and its cumulative strategy grows; on the way up the player's counterfactual values are
added up, and its regrets are updated. A walk with average strategies gives values and best responses.

Regrets and cumulative strategies of a decision are one `Block`. A strategy is never written down: it is those weights
with the terms of `regret_matching`. Reach probabilities and values are rows of hands; the values of a decision's
actions are rows that follow one another. Rows are computed with a line of hands at a time (`compiled/intrinsics.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..compiled.compiler import inline, kernel
from ..compiled.intrinsics import choose, fill_line, line_size, read_line, write
from ..utils.validation import suggestion

Ints = NDArray[np.int64]
Rows = NDArray[np.floating[Any]]  # of hands: (hands,), or (rows, hands)


class Block(NamedTuple):
    """The regrets of a decision on a board, or its cumulative strategy: of hand i for action a at
    weights[first + a * width + i]. actions: how many there are. width: of a row, whole lines; zeros lie behind the last
    hand of the board."""

    weights: Rows
    first: int
    actions: int
    width: int


def normalize(weights: NDArray[Any], axis: int) -> NDArray[Any]:
    """Regret matching of whole arrays: regrets, or a cumulative strategy, with the actions along `axis`."""
    positive = np.maximum(weights, 0)
    total = positive.sum(axis=axis, keepdims=True)
    strategy: NDArray[Any] = np.full_like(positive, 1 / positive.shape[axis])
    np.divide(positive, total, out=strategy, where=total > 0)
    return strategy


@kernel
def normalize_blocks(offset: Ints, first_block: Ints, children: Ints, weights: Any, out: Rows) -> None:
    """The same for the blocks of all action nodes, as `GameArrays` lays them out, into `out`."""
    kind, zero = out.dtype.type, out.dtype.type(0)
    for node in range(len(children)):
        actions, blocks = children[node], first_block[node + 1] - first_block[node]
        size = (offset[node + 1] - offset[node]) // max(blocks, 1)
        width = size // max(actions, 1)
        for block in range(blocks):
            first = offset[node] + block * size
            for i in range(first, first + width):
                total = zero
                for a in range(actions):
                    total += max(kind(weights[i + a * width]), zero)
                for a in range(actions):
                    positive = max(kind(weights[i + a * width]), zero)
                    out[i + a * width] = positive / total if total > zero else kind(1 / actions)


@inline
def positive_part(lanes: Any) -> Any:
    """Return numbers above 0, and 0 for the others."""
    return choose(lanes, lanes, lanes - lanes)


@inline
def regret_matching(block: Block, i: int) -> tuple[Any, Any]:
    """Return (scale, uniform) for a decision with the hands from i on: the terms of `probabilities`."""
    weights, first, actions, width = block
    kind = weights.dtype.type
    zero, one = fill_line(kind(0)), fill_line(kind(1))
    total = zero
    for a in range(actions):
        total = total + positive_part(read_line(weights, first + a * width + i))
    scale = one / choose(total, total, one)
    return choose(total, scale, zero), choose(total, zero, fill_line(kind(1) / kind(actions)))


@inline
def probabilities(block: Block, a: int, i: int, scale: Any, uniform: Any) -> Any:
    """Return the probabilities of action a with the hands from i on."""
    return positive_part(read_line(block.weights, block.first + a * block.width + i)) * scale + uniform


@inline
def clear(row: Rows, width: int) -> None:
    """Make the first numbers of a row 0: a few lines, for which memset is slow."""
    for i in range(0, width, line_size(row)):
        write(row, i, fill_line(row.dtype.type(0)))


@inline
def copy(row: Rows, to: Rows) -> None:
    """Write a row into another. An assignment of arrays would count references (compiled/insides/borrowing.py)."""
    for i in range(row.size):
        to[i] = row[i]


TRAIN, BEST, VALUE, RESPOND = 0, 1, 2, 3
"""What a walk does at the player's own decisions: update the regrets, take the best action for each hand, play the
average strategy, or take the best action and write it down in place of the regrets."""


@inline
def propagate_reach(block: Block, before: Rows, rows: Rows, first_row: int) -> None:
    """The reach probabilities behind each action, rows from `first_row` on: those before it times its probability."""
    for i in range(0, block.width, line_size(block.weights)):
        scale, uniform = regret_matching(block, i)
        reach = read_line(before, i)
        for a in range(block.actions):
            write(rows[first_row + a], i, reach * probabilities(block, a, i, scale, uniform))


@inline
def update_cumulative_strategy(block: Block, rows: Rows, first_row: int, kept: Any) -> None:
    """Add the iteration's strategy, weighted by the player's reach (Zinkevich et al. 2007, equation 4), that is the
    reach behind each action, to what is kept of the iterations before."""
    sums, first, actions, width = block
    for a in range(actions):
        place, behind = first + a * width, rows[first_row + a]
        for i in range(0, width, line_size(sums)):
            write(sums, place + i, read_line(sums, place + i) * fill_line(kept) + read_line(behind, i))


@inline
def expected_values(block: Block, action_values: Rows, first_value: int, value: Rows) -> None:
    """Counterfactual values of a decision by the player's strategy: the sum over actions of probability times value."""
    for i in range(0, block.width, line_size(block.weights)):
        scale, uniform = regret_matching(block, i)
        total = scale - scale
        for a in range(block.actions):
            total = total + read_line(action_values[first_value + a], i) * probabilities(block, a, i, scale, uniform)
        write(value, i, total)


@inline
def best_response_values(actions: int, width: int, action_values: Rows, first_value: int, value: Rows) -> None:
    """Counterfactual values of a decision by a best response: each hand's best action (Johanson et al. 2011)."""
    for i in range(0, width, line_size(value)):
        best = read_line(action_values[first_value], i)
        for a in range(1, actions):
            of_action = read_line(action_values[first_value + a], i)
            best = choose(of_action - best, of_action, best)
        write(value, i, best)


@inline
def write_best_response(block: Block, action_values: Rows, first_value: int, value: Rows) -> None:
    """1 for the first action of each hand that is worth as much as the best one, 0 for the others."""
    weights, first, actions, width = block
    zero, one = weights.dtype.type(0), weights.dtype.type(1)
    for i in range(width):
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
    regrets, first, actions, width = block
    for a in range(actions):
        place, of_action = first + a * width, action_values[first_value + a]
        for i in range(0, width, line_size(value)):
            regret = read_line(regrets, place + i)
            kept = regret * choose(regret, fill_line(positive), fill_line(negative))
            write(regrets, place + i, kept + (read_line(of_action, i) - read_line(value, i)))


@inline
def predict_regrets(block: Block, predicted: Rows, action_values: Rows, first_value: int, value: Rows) -> None:
    """What predictive CFR+ matches: the positive regrets, and those of the last iteration once more (Farina, Kroer and
    Sandholm 2021, predictive regret matching+)."""
    regrets, first, actions, width = block
    for a in range(actions):
        place, of_action = first + a * width, action_values[first_value + a]
        for i in range(0, width, line_size(value)):
            gained = read_line(of_action, i) - read_line(value, i)
            write(predicted, place + i, positive_part(read_line(regrets, place + i)) + gained)


Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Discounting:
    """alpha, beta, gamma: see above; inf keeps regrets as they are, -inf makes them 0. predictive: regret matching uses
    the regrets that are expected of the next iteration, those of the last one counted twice (Farina et al. 2021)."""

    alpha: float
    beta: float
    gamma: float
    predictive: bool = False

    def factors(self, done: int, count: int) -> Floats:
        """(count, 4): the factors of regrets above 0, of regrets below 0 and of the cumulative strategy in the
        iterations behind the first `done`, and the iterations' numbers."""
        before = np.arange(done, done + count, dtype=np.float64)
        number, found = before + 1, np.empty((count, 4))
        found[:, 0], found[:, 1] = _kept(before, self.alpha), _kept(before, self.beta)
        found[:, 2], found[:, 3] = (before / number) ** self.gamma, number
        return found


def _kept(done: Floats, exponent: float) -> Floats | float:
    if abs(exponent) == inf:
        return float(exponent > 0)
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

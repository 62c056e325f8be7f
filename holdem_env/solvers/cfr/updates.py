"""What one iteration of CFR does at a decision, for a vector of hands at once (Johanson et al. 2011).

An iteration walks the tree for one player after the other. On the way down the other player's reach probabilities are
multiplied by its strategy, and its cumulative strategy grows; on the way up the player's counterfactual values are
added up, and its regrets are updated. A walk with average strategies gives values and best responses.

Regrets and cumulative strategies of a decision are one block for each action: those of hand i stand at
first + action * width + i. A strategy is never written down: it is those weights with their `matching_terms`. Reach
probabilities and values are rows of hands; the values of a decision's actions are rows that follow one another.
"""

from __future__ import annotations

from ...compiled.compiler import inline
from .regret_matching import action_probability

TRAIN, BEST, VALUE = 0, 1, 2
"""What a walk does at the player's own decisions: update the regrets, take the best action for each hand, or play the
average strategy."""


@inline
def propagate_reach(before, weights, place, scale, uniform, behind, count):
    """The reach probabilities behind an action, whose weights begin at `place`: those before it times its
    probability."""
    own, zero = weights[place : place + count], weights.dtype.type(0)
    for i in range(count):
        behind[i] = before[i] * action_probability(own[i], scale[i], uniform[i], zero)


@inline
def update_cumulative_strategy(cumulative, place, behind, count, kept):
    """Add the iteration's strategy, weighted by the player's reach (Zinkevich et al. 2007, equation 4), that is the
    reach behind the action, to what is kept of the iterations before."""
    sums = cumulative[place : place + count]
    for i in range(count):
        sums[i] = sums[i] * kept + behind[i]


@inline
def expected_values(weights, first, actions, width, scale, uniform, action_values, first_value, value, count):
    """Counterfactual values of a decision by the player's strategy: the sum over actions of probability times value."""
    zero = weights.dtype.type(0)
    for i in range(count):
        value[i] = zero
    for a in range(actions):
        place = first + a * width
        own, of_action = weights[place : place + count], action_values[first_value + a]
        for i in range(count):
            value[i] += of_action[i] * action_probability(own[i], scale[i], uniform[i], zero)


@inline
def best_response_values(actions, action_values, first_value, value, count):
    """Counterfactual values of a decision by a best response: each hand's best action (Johanson et al. 2011)."""
    of_action = action_values[first_value]
    for i in range(count):
        value[i] = of_action[i]
    for a in range(1, actions):
        of_action = action_values[first_value + a]
        for i in range(count):
            value[i] = max(value[i], of_action[i])


@inline
def update_regrets(regrets, first, actions, width, action_values, first_value, value, count, positive, negative):
    """R(a) = R(a) * factor + value(a) - value of the decision. positive, negative: DCFR's factors of regrets above and
    below 0."""
    zero = regrets.dtype.type(0)
    for a in range(actions):
        place = first + a * width
        own, of_action = regrets[place : place + count], action_values[first_value + a]
        for i in range(count):
            regret = own[i]
            own[i] = regret * (positive if regret > zero else negative) + (of_action[i] - value[i])


@inline
def predict_regrets(regrets, predicted, first, actions, width, action_values, first_value, value, count):
    """What predictive CFR+ matches: the positive regrets, and those of the last iteration once more (Farina, Kroer and
    Sandholm 2021, predictive regret matching+)."""
    zero = regrets.dtype.type(0)
    for a in range(actions):
        place = first + a * width
        of_action = action_values[first_value + a]
        for i in range(count):
            predicted[place + i] = max(regrets[place + i], zero) + (of_action[i] - value[i])

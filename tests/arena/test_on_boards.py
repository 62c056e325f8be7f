"""Best responses with exact cards on sampled boards, against plain matrices over all pairs of hands."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from holdem_env import Rules, evaluate
from holdem_env.arena.best_responses.on_boards import Showdowns, best_responses_on_boards
from holdem_env.cards.combos import COMBO_CARDS, possible_combos
from holdem_env.solvers.trees.betting_tree import BettingTree

RULES = Rules.preset("heads-up-no-limit", stacks=6)
BUCKETS = 3


class Cards:
    """Three buckets, by the higher card."""

    def buckets(self, street, board=()):
        return np.where(possible_combos(np.array(board, np.int64)), COMBO_CARDS.max(axis=1) // 4 % BUCKETS, -1)


def strategy(seed: int):
    """Random probabilities for a small tree, as `Strategy` gives them."""
    tree, generator = BettingTree.from_rules(RULES, "all-in"), np.random.default_rng(seed)
    nodes = np.flatnonzero(tree.decision >= 0)
    by_decision = {int(tree.decision[n]): generator.dirichlet(np.ones(tree.children[n]), BUCKETS) for n in nodes}
    return SimpleNamespace(rules=RULES, tree=tree, cards=Cards(), probabilities=by_decision.__getitem__)


def plain_gain(given, board, player, from_street):
    """The same by matrices over all pairs of hands."""
    tree = given.tree
    hands = np.flatnonzero(possible_combos(board))
    cards = COMBO_CARDS[hands]
    values = evaluate(np.concatenate([cards, np.tile(board, (len(hands), 1))], axis=1)).astype(np.int64)
    apart = ~(cards[:, None, :, None] == cards[None, :, None, :]).any(axis=(2, 3))
    order = np.sign(values[:, None] - values[None])
    bucket = given.cards.buckets(0, ())[hands]

    def value(node, reach, best):
        if tree.kind[node] != 0:
            win, lose, tie = tree.payoff[node, [player, 1 - player, 2], player]
            return (np.select([order > 0, order < 0], [win, lose], tie) * apart) @ reach
        probabilities, first = given.probabilities(int(tree.decision[node]))[bucket], tree.first_child[node]
        kids = range(tree.children[node])
        if tree.player[node] != player:
            return sum(value(first + k, reach * probabilities[:, k], best) for k in kids)
        parts = np.array([value(first + k, reach, best) for k in kids])
        return parts.max(axis=0) if best and tree.street[node] >= from_street else (parts.T * probabilities).sum(axis=1)

    ones = np.ones(len(hands))
    return (value(0, ones, True) - value(0, ones, False)).sum() / apart.sum()


def test_showdowns_are_sums_over_pairs() -> None:
    board = np.array([3, 17, 20, 33, 51])
    showdowns = Showdowns(board)
    cards = COMBO_CARDS[showdowns.combos]
    values = evaluate(np.concatenate([cards, np.tile(board, (len(cards), 1))], axis=1)).astype(np.int64)
    apart = ~(cards[:, None, :, None] == cards[None, :, None, :]).any(axis=(2, 3))
    reach = np.random.default_rng(0).random(len(cards))
    sign = np.sign(values[:, None] - values[None])
    for found, expected in zip(showdowns.met(reach), (sign > 0, sign == 0, sign < 2), strict=True):
        assert found == pytest.approx((expected & apart) @ reach)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("from_street", [0, 3])
def test_it_is_what_plain_matrices_say(from_street: int) -> None:
    given = strategy(1)
    (found,) = best_responses_on_boards(given, 1, [from_street], seed=4)
    board = np.random.default_rng([0x424F5244, 4]).choice(52, 5, replace=False)
    expected = np.mean([plain_gain(given, board, player, from_street) for player in range(2)])
    assert found.mean == pytest.approx(1000 * expected / RULES.big_blind)


def test_who_deviates_earlier_wins_more() -> None:
    rates = best_responses_on_boards(strategy(2), 2, range(4))
    means = [rate.mean for rate in rates]
    assert means == sorted(means, reverse=True)
    assert means[3] > 0
    assert "at most, as it knows the cards to come; 2 boards" in str(rates[0])
    assert "at least, on the river alone; 2 boards" in str(rates[3])


def test_bad_input() -> None:
    with pytest.raises(ValueError, match="boards: 0"):
        best_responses_on_boards(strategy(1), 0)
    with pytest.raises(ValueError, match="from_streets: 4"):
        best_responses_on_boards(strategy(1), 1, [3, 4])

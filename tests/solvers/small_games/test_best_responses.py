"""The value of a strategy and the best response to it: against a walk of every deal in plain NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from arena.open_book_agents import Linear
from arena.plain_walk import best_response_value, expected_payoffs, walk
from holdem_env.arena import exploitability
from holdem_env.arena.best_responses.game_tree import AgentGame
from holdem_env.solvers.small_games import game as small_game
from holdem_env.solvers.small_games.game import PublicTree, every_move
from holdem_env.solvers.small_games.hands import Hands, example_deals
from holdem_env.solvers.small_games.vector_cfr import best_responses, exploitability_of, winnings_of
from solvers.small_games.games import GAMES, WALKED


@pytest.mark.fast_cases(5)
@pytest.mark.parametrize("name", WALKED)
@pytest.mark.parametrize("button", [0, 1])
def test_the_same_as_a_walk_of_every_deal(name: str, button: int) -> None:
    rules, agents = GAMES[name], [Linear(1), Linear(2)]
    levels = walk(agents, rules, button)
    game = AgentGame(rules, button, agents)
    strategy = game.strategy(agents)
    values, best = winnings_of(game.tree, strategy), best_responses(game.tree, strategy)
    assert [values[game.seats.index(seat)] for seat in range(2)] == pytest.approx(expected_payoffs(levels), abs=1e-9)
    walked = [best_response_value(levels, seat) for seat in range(2)]
    assert [best[game.seats.index(seat)] for seat in range(2)] == pytest.approx(walked, abs=1e-9)


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("name", GAMES)
def test_boards_that_differ_by_their_suits_count_as_one(name: str) -> None:
    """The same strategy, one that knows ranks alone, on all boards and on those that stand for others."""
    rules, found = GAMES[name], []
    for symmetric in (True, False):
        hands = Hands(rules, symmetric)
        tree = PublicTree(hands, every_move(rules, example_deals(hands)))
        found.append((exploitability_of(tree, by_ranks(tree)), *best_responses(tree, by_ranks(tree))))
    assert found[0] == pytest.approx(found[1], abs=1e-9)


def by_ranks(tree: PublicTree) -> np.ndarray:
    """A strategy by the ranks of hand and board alone, as good as any other."""
    boards = [board for level in tree.hands.boards for board in level]
    strategy = np.zeros(tree.entries)
    for node, board in zip(*(part.tolist() for part in tree.places), strict=True):
        lying = [tuple(sorted(card // 4 for card in street)) for street in boards[board].cards]
        at = int(tree.nodes["betting"][node])
        for hand, cards in enumerate(tree.hands.cards.tolist()):
            seen = str((at, lying, [card // 4 for card in cards]))
            weights = np.random.default_rng(list(seen.encode())).random(int(tree.nodes["children"][node]))
            tree.strategy_at(strategy, node)[:, board - tree.nodes["board"][node], hand] = weights
    return strategy


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("name", ["leduc", "leduc, pot limit, all-in early", "two cards and a flop", "open flop"])
def test_sweeps_over_sorted_hands_are_sums_over_pairs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, found = GAMES[name], []
    for swept in (2, 0):
        monkeypatch.setattr(small_game, "SWEPT_CARDS", swept)
        hands = Hands(rules)
        tree = PublicTree(hands, every_move(rules, example_deals(hands)))
        assert (tree.arrays.pairs.shape[0] > 1) == (swept == 0)
        found.append((*best_responses(tree, by_ranks(tree)), *winnings_of(tree, by_ranks(tree))))
    assert found[0] == pytest.approx(found[1], abs=1e-9)


def test_who_tells_other_probabilities_by_the_hand_is_no_cheat() -> None:
    assert exploitability(Linear(3), "kuhn") > 0

"""The value of a strategy and the best response to it: against a walk of every deal in plain NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from arena.open_book_agents import Linear
from arena.plain_walk import best_response_value, expected_payoffs, walk
from holdem_env.arena import exploitability
from holdem_env.arena.best_responses.exploitability import AgentGame
from holdem_env.solvers.public_game import PublicGame, hands_of
from holdem_env.solvers.solver import played_game
from holdem_env.solvers.trees import BettingTree
from solvers.small_games.games import GAMES, WALKED


@pytest.mark.fast_cases(5)
@pytest.mark.parametrize("name", WALKED)
@pytest.mark.parametrize("button", [0, 1])
def test_the_same_as_a_walk_of_every_deal(name: str, button: int) -> None:
    rules, agents = GAMES[name], [Linear(1), Linear(2)]
    levels = walk(agents, rules, button)
    game = AgentGame(rules, button, agents)
    solver = game.solver(agents)
    values, best = solver.winnings().tolist(), solver.best_responses().tolist()
    assert [values[game.seats.index(seat)] for seat in range(2)] == pytest.approx(expected_payoffs(levels), abs=1e-9)
    walked = [best_response_value(levels, seat) for seat in range(2)]
    assert [best[game.seats.index(seat)] for seat in range(2)] == pytest.approx(walked, abs=1e-9)


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("name", GAMES)
def test_boards_that_differ_by_their_suits_count_as_one(name: str) -> None:
    """The same strategy, one that knows ranks alone, on all boards and on those that stand for others."""
    rules, found = GAMES[name], []
    for symmetric in (True, False):
        game = PublicGame(BettingTree.from_rules(rules, "every"), rules, isomorphic=symmetric, kind=np.float64)
        solver = played_game(game, by_ranks(game))
        found.append((solver.exploitability(), *solver.best_responses()))
    assert found[0] == pytest.approx(found[1], abs=1e-9)


def by_ranks(game: PublicGame) -> np.ndarray:
    """A strategy by the ranks of hand and board alone, as good as any other."""
    strategy = np.zeros(game.entries)
    for player in range(2):
        nodes, boards, hands = game.information_sets(player)
        for node, board, hand in zip(nodes.tolist(), boards.tolist(), hands.tolist(), strict=True):
            level, lying = int(game.depth[node]), game.boards.lying(board)
            streets = np.split(lying, np.cumsum(game.deals[:level])[:-1]) if level else []
            ranks = [tuple(sorted(int(card) // 4 for card in street)) for street in streets]
            seen = str((node, ranks, [card // 4 for card in game.hands.cards[hand].tolist()]))
            weights = np.random.default_rng(list(seen.encode())).random(int(game.tree.children[node]))
            entries = game.entries_of(*(np.array([one]) for one in (node, board, hand)), len(weights))
            strategy[entries[0]] = weights
    return strategy


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("name", ["two cards and a flop", "open flop"])
def test_sums_over_sorted_hands_are_sums_over_pairs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, found = GAMES[name], []
    for are_sorted in (True, False):
        monkeypatch.setattr(hands_of(rules), "are_sorted", are_sorted)
        game = PublicGame(BettingTree.from_rules(rules, "every"), rules, kind=np.float64)
        assert (len(game.boards.classes) == 0) == are_sorted
        solver = played_game(game, by_ranks(game))
        found.append((*solver.best_responses(), *solver.winnings()))
    assert found[0] == pytest.approx(found[1], abs=1e-9)


def test_who_tells_other_probabilities_by_the_hand_is_no_cheat() -> None:
    assert exploitability(Linear(3), "kuhn") > 0

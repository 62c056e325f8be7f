"""Hands played from a spot on against its solution, for agents that give no probabilities: hands of the spot's ranges,
each deal from both seats. To answer a bet that is not in the solution's tree, the spot is solved again with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...agents.protocol import Agent
from ...agents.queries import SealedAgent
from ...agents.sampling import sampled_columns
from ...cards.combos import COMBO_CARDS, COMBOS, combo_number
from ...cards.text import CARDS
from ...compiled.records import Records
from ...engine import batch, record
from ...game.rules import Rules
from ...solvers.blueprints.resolving import at_spot
from ...solvers.solution import Solution
from ...solvers.subgames import solve_tree
from ...solvers.trees.bet_sizes import BetSizes
from ...solvers.trees.betting_tree import BettingTree
from .spot_file import GivenSpot

Deal = tuple[NDArray[np.int64], NDArray[np.int64], Sequence[int]]
"""The button's cards, the other's, and the whole board in the order of the deals."""
PLAYERS = 2
BUTTON = 0
ACCURACY = 0.5  # percent of the pot, of the solutions
MAX_ITERATIONS = 400


def won_from_solution(agent: Agent, rules: Rules, given: GivenSpot, sizes: BetSizes, hands: int, seed: int) -> float:
    """Chips a hand that an agent wins from a spot's solution, the mean of both seats. hands: deals, each played twice.
    sizes: of the solution. Raises what the agent raises, and IllegalMove."""
    random, solved = np.random.default_rng(seed), Solved(given, sizes)
    tables, log = dealt_spot(rules, given, hands, random), record.new_log(listening=False)
    most, won = agent.facts.tables_at_once or hands, 0
    for player in range(PLAYERS):
        asked = SealedAgent(agent)
        for first in range(0, hands, most):
            some = tables[first : first + most].copy()
            while (rows := np.flatnonzero(some["over"] == 0)).size:
                is_own = some["actor"][rows] == player  # the button is in seat 0
                own, others = rows[is_own], rows[~is_own]
                if len(own):
                    asked.play(some, rules, log, own)
                if len(others):
                    batch.play_moves(some, rules.record, log, others, solved.moves(some, others, random))
            won += int((some["seats"]["stack"][:, player] - some["start_stack"][:, player]).sum())
    return won / (PLAYERS * hands)


def dealt_spot(rules: Rules, given: GivenSpot, hands: int, random: np.random.Generator) -> Records:
    """(hands,) TABLE: tables at the spot, with hands drawn from the ranges, and other cards to come."""
    spot, log = given.spot, record.new_log(listening=False)
    deals = [_deal(rules, given, random) for _ in range(hands)]
    tables = dealt_records(rules, BUTTON, deals)
    rows = np.arange(hands)
    tables["hand"] = tables["table_id"] = rows
    for move in (move for street in spot.moves for move in street):
        batch.play_moves(tables, rules.record, log, rows, np.full(hands, move))
    return tables


def _deal(rules: Rules, given: GivenSpot, random: np.random.Generator) -> Deal:
    while True:
        one, two = (COMBO_CARDS[random.choice(COMBOS, p=weights / weights.sum())] for weights in given.ranges)
        known = {*one.tolist(), *two.tolist(), *given.spot.board}
        if len(known) == len(one) + len(two) + len(given.spot.board):
            break
    rest = random.permutation(np.setdiff1d(np.arange(CARDS), list(known))).tolist()
    board = [*given.spot.board, *rest][: sum(rules.board_cards)]
    return one.astype(np.int64), two.astype(np.int64), board


def dealt_records(rules: Rules, button: int, deals: Sequence[Deal]) -> record.Records:
    """A TABLE record for each deal, posted and dealt."""
    tables = record.new_records(record.TABLE, len(deals))
    batch.number_tables(tables, 0, 0, button)
    tables["seats"]["stack"][:, :2] = rules.starting_stacks
    tables["deck"][:, : len(rules.deck)] = [_deck(rules, deal) for deal in deals]
    tables["hand"] = 0
    batch.start_hands(tables, rules.record, record.new_log(listening=False))
    return tables


def _deck(rules: Rules, deal: Deal) -> list[int]:
    """The deck in dealing order that deals this (R4): one card at a time, the button last."""
    on_button, other, board = deal
    dealt = {*on_button, *other, *board}
    left = iter([card for card in rules.deck if card not in dealt])
    deck = [int(cards[k]) for k in range(rules.hole_cards) for cards in (other, on_button)]
    lying = iter(board)
    for street, count in enumerate(rules.board_cards):
        deck += [next(left) for _ in range(int(rules.record["burn_cards"][0, street]) if count else 0)]
        deck += [next(lying) for _ in range(count)]
    return [*deck, *left]


class Solved:
    """A spot's solution, and those with bets that it does not have, each made when it is asked for."""

    def __init__(self, given: GivenSpot, sizes: BetSizes) -> None:
        self.given, self.sizes = given, sizes
        self.solutions: dict[tuple[int, ...], Solution] = {}

    def solution(self, line: tuple[int, ...] = ()) -> Solution:
        """The spot solved, with the moves of a line in its tree."""
        if line not in self.solutions:
            spot = self.given.spot
            tree = BettingTree.from_record(spot.game, at_spot(spot), self.sizes, line)
            self.solutions[line] = solve_tree(
                tree, spot.board, self.given.ranges, accuracy=ACCURACY, iterations=MAX_ITERATIONS, threads=1
            )
        return self.solutions[line]

    def moves(self, tables: Records, rows: NDArray[np.int64], random: np.random.Generator) -> NDArray[np.int64]:
        """(K,): the solution's moves at tables[rows]."""
        return np.array([self._move(tables[row], random) for row in rows], np.int64)

    def _move(self, table: Any, random: np.random.Generator) -> int:
        street = len(self.given.spot.moves) - 1
        made = table["made"][: int(table["moves"])]
        solution, node = self.followed(tuple(made["move"][made["street"] >= street].tolist()))
        dealt = table["board"][len(self.given.spot.board) : int(table["board_count"])].tolist()
        hand = combo_number(*table["hole"][int(table["actor"]), : COMBO_CARDS.shape[1]].tolist())
        likely = solution.strategy(node, dealt)[hand]
        return solution.tree.moves(node)[int(sampled_columns(likely[None], random)[0])]

    def followed(self, line: tuple[int, ...]) -> tuple[Solution, int]:
        """The solution that has a line's moves, and the node to which they lead."""
        solution, node = self.solution(), 0
        for k, move in enumerate(line):
            if move not in solution.tree.moves(node):
                solution, node = self.solution(line[: k + 1]), 0
                for before in line[:k]:
                    node = solution.tree.child(node, before)
            node = solution.tree.child(node, move)
        return solution, node

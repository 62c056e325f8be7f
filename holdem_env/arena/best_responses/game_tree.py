"""The public tree of a small two-player game with every board and every legal move, and agents' strategies in it.

The public game is the one that is solved (`holdem_env.solvers.public_game`), with every legal move. An
agent is asked for its probabilities at each of its information sets: a decision of its seat, a board and a hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...agents.asking import asked_probabilities, require_probabilities
from ...agents.protocol import Agent
from ...engine import batch, record
from ...game.rule_checks import check_automatic_showing
from ...game.rules import Rules
from ...solvers.public_game import PublicGame, size_of
from ...solvers.small_games.game import boards_by_street
from ...solvers.solver import Solver, solver_of
from ...solvers.trees import BetSizes, TooLarge
from ...solvers.trees.bet_sizes import EVERY
from ...solvers.trees.growing import grown_tree
from ...solvers.trees.roots import whole_hand

Ints = NDArray[np.int64]
MOST_NODES = 100_000  # of the betting; each has a record of 2.7 kB
MOST_INFORMATION_SETS = 1_000_000  # an agent is asked at each of them, twice
ROWS = 16_384  # asked for at once; a record has 2.7 kB
SAME = 1e-4  # networks give a little different numbers in batches of different sizes
OTHER_WORDS = 1  # a seed under which agents get other random words
INSTEAD = (
    "take a small game such as Rules.preset('leduc') or 'kuhn', or measure with local_best_response, which takes "
    "heads-up hold'em"
)


def why_not_exact(rules: Rules) -> str | None:
    """Why exact values of a game cannot be computed; None if they can, as far as is known without listing its moves."""
    if rules.seats != 2:
        return f"exact values are for two seats; here are {rules.seats}"
    if rules.session is not None or rules.dealer_errors is not None:
        return "exact values are for single hands without dealer's errors; these rules have more"
    seen = boards_by_street(rules, isomorphic=False)[-1] * comb(len(rules.deck), rules.hole_cards)
    return _too_large(seen, "on the last street") if seen > MOST_INFORMATION_SETS else None


def _too_large(count: int, where: str) -> str:
    return (
        f"exact values: this game has {count:,} or more information sets {where}, at most {MOST_INFORMATION_SETS:,} "
        f"can be asked for; {INSTEAD}"
    )


class AgentGame:
    """A game with the button at one seat, as far as its cards and moves go, for agents that play it. game: in which
    player 0 has the button; seats: those of players 0 and 1.

    Raises ValueError for games that are too large, and for those with more than two seats, sessions, dealer's errors
    or manual showing; and what `strategy` raises, for agents that cannot tell how they begin.
    """

    def __init__(self, rules: Rules, button: int, agents: Sequence[Agent]) -> None:
        check_automatic_showing(rules, "an exact value")
        if why := why_not_exact(rules):
            raise ValueError(why)
        self.rules, self.seats = rules, (button, 1 - button)
        root = whole_hand(rules, None, button)
        _ask_first(rules, root, agents)
        self._asked_at: list[tuple[Ints, Any]] = []
        try:
            self.betting = grown_tree(rules, root, BetSizes(EVERY), None, self._legal_moves, MOST_NODES)
        except TooLarge as error:
            raise ValueError(f"exact values: {error}; {INSTEAD}") from None
        count = size_of(self.betting, rules, isomorphic=False).information_sets
        if count > MOST_INFORMATION_SETS:
            raise ValueError(_too_large(count, "in all"))
        nodes, tables = zip(*self._asked_at, strict=True)
        self._records, self._row = np.concatenate(tables), np.zeros(len(self.betting), np.int64)
        self._row[np.concatenate(nodes)] = np.arange(len(self._records))
        self.game = PublicGame(self.betting, rules, isomorphic=False, kind=np.float64)

    def _legal_moves(self, nodes: Ints, tables: record.Records) -> list[Ints]:
        """See `growing.Named`: every legal move, the fold where checking is free too (R14), as agents may make it."""
        self._asked_at.append((nodes, tables))
        found = []
        for least, most in zip(tables["raise_min"].tolist(), tables["raise_max"].tolist(), strict=True):
            raises = range(least, most + 1, self.rules.smallest_chip) if most > 0 else ()
            found.append(np.array([record.FOLD, record.CHECK_CALL, *raises], np.int64))
        return found

    def solver(self, agents: Sequence[Agent]) -> Solver:
        """One whose strategy is what the agents play, agents[seat] in its seat.

        Raises ValueError for invalid probabilities, for illegal moves, and for an agent whose
        probabilities depend on what its seat may not see; StrategyUnknown if an agent gives none.
        """
        strategy = np.zeros(self.game.entries)
        for player, seat in enumerate(self.seats):
            for nodes, boards, hands in self._questions(player):
                probabilities = self._checked_probabilities(agents[seat], seat, nodes, boards, hands)
                entries = self.game.entries_of(nodes, boards, hands, probabilities.shape[1])
                offered = np.arange(probabilities.shape[1]) < self.betting.children[nodes][:, None]
                strategy[entries[offered]] = probabilities[offered]
        return solver_of(self.game, strategy)

    def _questions(self, player: int) -> Iterator[tuple[Ints, Ints, Ints]]:
        """The player's information sets, ROWS at a time: decisions, boards and hands."""
        nodes, boards, hands = self.game.information_sets(player)
        for first in range(0, len(hands), ROWS):
            some = slice(first, first + ROWS)
            yield nodes[some], boards[some], hands[some]

    def _checked_probabilities(
        self, agent: Agent, seat: int, nodes: Ints, boards: Ints, hands: Ints
    ) -> NDArray[np.float64]:
        """How likely each move is at each decision, (K, most moves), by the agent, which must not depend on what is
        hidden from it."""
        tables = self._tables(seat, nodes, boards, hands)
        probabilities = self._asked(agent, tables)
        tables["seed"] = OTHER_WORDS
        tables["table_id"] += len(tables)
        off = float(np.abs(probabilities - self._asked(agent, tables)).max())
        if off > SAME:
            raise ValueError(
                f"agent {agent.name!r}: its probabilities depend on something that its seat may not see: they differ "
                f"by {off:.2g} where the seat sees the same"
            )
        return probabilities

    def _tables(self, seat: int, nodes: Ints, boards: Ints, hands: Ints) -> record.Records:
        """A TABLE record for each decision, board and hand; of the opponent's cards nothing is known."""
        tables = np.take(self._records, self._row[nodes])
        tables["hole"][:, :2] = record.NO_CARD
        tables["hole"][:, seat, : self.rules.hole_cards] = self.game.hands.cards[hands]
        cards = self.game.boards.cards[boards]
        tables["board"][:, : cards.shape[1]] = np.where(cards >= 0, cards, tables["board"][:, : cards.shape[1]])
        tables["table_id"] = np.arange(len(tables))
        return tables

    def _asked(self, agent: Agent, tables: record.Records) -> NDArray[np.float64]:
        rows = np.arange(len(tables))
        moves, likely = asked_probabilities(agent, tables, self.rules, rows)
        least = tables["raise_min"][:, None]
        raised = record.CHECK_CALL - record.FOLD + 1 + (moves - least) // self.rules.smallest_chip
        place = np.where(moves > record.CHECK_CALL, raised, moves - record.FOLD)
        probabilities = np.zeros((len(tables), int(self.betting.children.max())))
        given = moves != batch.NO_MOVE
        probabilities[np.broadcast_to(rows[:, None], moves.shape)[given], place[given]] = likely[given]
        return probabilities


def _ask_first(rules: Rules, tables: record.Records, agents: Sequence[Agent]) -> None:
    """Ask the agents how they would begin: those that cannot tell, or not in this game, are refused before the walk."""
    for agent in agents:
        require_probabilities(agent, "exact values")
    if tables["actor"][0] != record.NOBODY:
        for agent in agents:
            asked_probabilities(agent, tables, rules, np.zeros(1, np.int64))

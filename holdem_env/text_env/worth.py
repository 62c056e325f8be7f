"""What the moves at a decision are worth by a solution, and how likely it makes them.

`GameWorth` is for games that are solved whole, `SpotsWorth` for rivers and turns of a file, `BlueprintWorth` for the
first betting round of hold'em. Each takes a decision as the seat saw it: (1,) TABLE.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..agents.protocol import Agent
from ..agents.queries import asked_probabilities, asked_range_probabilities, require_probabilities
from ..arena.best_responses.preflop_rollouts import blueprint_for, rollout_winnings
from ..arena.scoring.spot_file import GivenSpot, load_spots
from ..arena.scoring.spot_play import Solved, dealt_records
from ..arena.scoring.spots import Spots
from ..arena.scoring.task import load_task
from ..cards.combos import COMBO_CARDS, combo_number, possible_combos
from ..compiled.records import Records
from ..engine import batch
from ..engine.batch import NO_MOVE
from ..engine.record import FOLD, new_log
from ..game.differences import difference_text
from ..game.rules import Rules
from ..game.rules_input import as_rules
from ..solvers.solution import Solution
from ..solvers.trees.bet_sizes import BetSizes

Check = Callable[[Rules], None]
"""Raises ValueError for a game that is not the one known."""
ROW = np.zeros(1, np.int64)
LEAST = 1e-4
"""How likely every hand makes a move at least: opponents need not play as the blueprint does."""


class Worth(Protocol):
    """What a solution says of decisions."""

    def values(self, before: Records, move: int) -> Mapping[int, float]:
        """By engine move, `move` among them, what it wins in chips, up to a constant, if all else is played by the
        solution. Empty where the solution has nothing to say."""

    def probabilities(self, before: Records, move: int, rules: Rules) -> Mapping[int, float]:
        """By engine move, how likely the solution makes it. Empty where the solution has nothing to say."""

    def check_rules(self, rules: Rules) -> None:
        """Raise ValueError unless the solution is of this game."""


def require_same_game(known: Rules, rules: Rules, whose: str) -> None:
    """Raise ValueError, naming the differences, unless two games are the same. whose: the known game."""
    if fields := known.differences(rules):
        what = difference_text(known, rules, fields)
        raise ValueError(f"rules: must be those of {whose}, in parentheses what is given: {what}")


def likely_moves(agent: Agent, before: Records, rules: Rules) -> dict[int, float]:
    """An agent's moves at a decision and their probabilities."""
    moves, likely = asked_probabilities(agent, before, rules, ROW)
    pairs = zip(moves[0].tolist(), likely[0].tolist(), strict=True)
    return {move: probability for move, probability in pairs if move != NO_MOVE}


class AgentWorth:
    """How likely an agent makes each move; what moves are worth it does not say."""

    def __init__(self, agent: Agent) -> None:
        require_probabilities(agent, "solution")
        self.agent = agent

    def probabilities(self, before: Records, move: int, rules: Rules) -> dict[int, float]:
        return likely_moves(self.agent, before, rules)

    def check_rules(self, rules: Rules) -> None:
        self.agent.check_rules(rules)

    def values(self, before: Records, move: int) -> dict[int, float]:
        return {}


class GameWorth:
    """The worth of all moves in a small game, exactly, against a strategy for both seats.

    Every move of the solution's tree has a value, including moves that it never makes. A decision has none if the
    solution's opponent never reaches it, or if it follows or is a bet that the tree does not have.

    Args:
        solution: A solution of `solve`.
    """

    def __init__(self, solution: Solution) -> None:
        self.rules, self.agent, self.solution = solution.rules, solution.agent(), solution
        self._found: dict[tuple[int, tuple[int, ...]], NDArray[np.float64]] = {}

    def check_rules(self, rules: Rules) -> None:
        require_same_game(self.rules, rules, "the solution")

    def probabilities(self, before: Records, move: int, rules: Rules) -> dict[int, float]:
        return likely_moves(self.agent, before, self.rules)

    def values(self, before: Records, move: int) -> dict[int, float]:
        tree, hands, t, node = self.solution.tree, self.solution.game.hands, before[0], 0
        for made in t["made"]["move"][: int(t["moves"])].tolist():
            if made not in tree.moves(node):
                return {}
            node = tree.child(node, made)
        key = node, tuple(t["board"][: int(t["board_count"])].tolist())
        if key not in self._found:
            self._found[key] = self.solution.move_ev(*key)
        actor, held = int(t["actor"]), self.rules.hole_cards
        ev = self._found[key][int(hands.numbers(t["hole"][actor : actor + 1, :held].astype(np.int64))[0])]
        found = dict(zip(tree.moves(node), ev.tolist(), strict=True))
        if FOLD not in found:  # legal, but in no tree where checking is
            found[FOLD] = -float(tree.put_in[0, tree.player[node]])
        return {} if np.isnan(ev).any() or move not in found else found


class SpotsWorth:
    """The worth of moves in spots of a file, such as those of river-v1 and turn-v1, each solved when it is met.

    A bet that the solution does not have is judged by the spot solved again with it.

    Args:
        spots: The spots.
        sizes: Bet sizes of the solutions.
    """

    def __init__(self, spots: Sequence[GivenSpot], sizes: BetSizes) -> None:
        self._solved = {self._key(given.spot.moves, given.spot.board): Solved(given, sizes) for given in spots}
        self._sizes = sorted({len(board) for _, board in self._solved})
        self._games = {id(given.spot.game): given.spot.game for given in spots}

    def check_rules(self, rules: Rules) -> None:
        for game in self._games.values():
            require_same_game(game, rules, "the spots")

    @staticmethod
    def _key(moves: Iterable[Iterable[int]], board: Iterable[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        first, second, third, *later = board
        return tuple(move for street in moves for move in street), (*sorted((first, second, third)), *later)

    def _spot(self, t: np.void) -> Solved | None:
        """The spot of a table's hand; None if it came from none of these."""
        made, board = t["made"][: int(t["moves"])], t["board"][: int(t["board_count"])].tolist()
        for size in self._sizes:
            street = size - 2
            line = made["move"][made["street"] < street].tolist()
            if len(board) >= size and (found := self._solved.get(self._key([line], board[:size]))):
                return found
        return None

    def _at(self, before: Records, move: int) -> tuple[list[int], NDArray[np.float64], NDArray[np.float64]]:
        """The moves, how likely each is, and what it wins, with the hand that was held; no moves outside the spots."""
        t = before[0]
        solved = self._spot(t)
        if solved is None:
            return [], np.zeros(0), np.zeros(0)
        spot, made = solved.given.spot, t["made"][: int(t["moves"])]
        line = made["move"][made["street"] >= len(spot.moves) - 1].tolist()
        solution, after = solved.followed((*line, move))
        node = int(solution.tree.parent[after])
        dealt = t["board"][len(spot.board) : int(t["board_count"])].tolist()
        hand = combo_number(*t["hole"][int(t["actor"]), : COMBO_CARDS.shape[1]].tolist())
        return solution.tree.moves(node), solution.strategy(node, dealt)[hand], solution.move_ev(node, dealt)[hand]

    def probabilities(self, before: Records, move: int, rules: Rules) -> dict[int, float]:
        moves, likely, _ = self._at(before, move)
        return dict(zip(moves, likely.tolist(), strict=True)) if likely.any() else {}

    def values(self, before: Records, move: int) -> dict[int, float]:
        moves, _, values = self._at(before, move)
        return {} if np.isnan(values).any() else dict(zip(moves, values.tolist(), strict=True))


def task_spots(name: str) -> tuple[list[GivenSpot], BetSizes]:
    """Return the spots of a task such as "river-v1", and the bets that are judged there.

    Raises:
        ValueError: If the task has no spots, or `load_task` or `load_spots` refuses its file.
    """
    task = load_task(name)
    for measure in task.measures:
        if isinstance(measure, Spots):
            return load_spots(task.path_of(measure.file), as_rules(task.rules)), BetSizes.parse(measure.sizes)
    raise ValueError(f"spots: must be a task with spots such as 'river-v1', got {name!r}")


class BlueprintWorth:
    """The worth of moves before the flop: the shipped blueprint plays the hand out, on the same decks for every move.

    rules: of heads-up hold'em that a shipped blueprint plays; ValueError otherwise. rollouts: of each move; the values
    are their means. On later streets it has nothing to say.
    """

    def __init__(self, rules: Rules, rollouts: int = 400) -> None:
        found = blueprint_for(rules)
        if found is None:
            raise ValueError("regret: no shipped blueprint plays these rules")
        self.rules, self.agent, self.rollouts = rules, found, rollouts

    def check_rules(self, rules: Rules) -> None:
        require_same_game(self.rules, rules, "the blueprint's worth")

    def probabilities(self, before: Records, move: int, rules: Rules) -> dict[int, float]:
        return likely_moves(self.agent, before, self.rules)

    def values(self, before: Records, move: int) -> dict[int, float]:
        if before["street"][0]:
            return {}
        choices = sorted({move, *likely_moves(self.agent, before, self.rules)})
        whole, weights = self._replayed(before[0])
        won = rollout_winnings(whole, self.rules, self.agent, choices, weights, self.rollouts).mean(axis=1)
        return dict(zip(choices, won.tolist(), strict=True))

    def _replayed(self, t: np.void) -> tuple[Records, NDArray[np.float64]]:
        """The table with some cards in the places of those that the seat does not know, and the weights (1326,) of the
        other player's hands, by what the blueprint does with them."""
        seat, button = int(t["actor"]), int(t["button"])
        own = t["hole"][seat, : COMBO_CARDS.shape[1]].astype(np.int64)
        weights = possible_combos(own).astype(np.float64)
        others = COMBO_CARDS[int(weights.argmax())].astype(np.int64)
        hands = (own, others) if seat == button else (others, own)
        board = [card for card in self.rules.deck if card not in (*own, *others)][: sum(self.rules.board_cards)]
        tables, log = dealt_records(self.rules, button, [(*hands, board)]), new_log(listening=False)
        for move in t["made"]["move"][: int(t["moves"])]:
            if tables["actor"][0] != seat:
                moves, likely = asked_range_probabilities(self.agent, tables, self.rules, ROW)
                there = np.flatnonzero(moves[0] != NO_MOVE)
                weights *= np.maximum(likely[0, :, there[np.abs(moves[0, there] - move).argmin()]], LEAST)
            batch.play_moves(tables, self.rules.record, log, ROW, np.array([move], np.int64))
        return tables, weights

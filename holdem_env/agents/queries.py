"""Ask agents for their moves and probabilities by what their seats may see, and check the answers."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..cards.combos import COMBOS, combo_cards
from ..cards.text import cards_text
from ..compiled.records import Records
from ..engine import batch
from ..engine.legality import IllegalMove, why_illegal
from ..engine.record import NO_CARD, TABLE
from ..engine.seat_view import new_views, view_rows
from ..game.rules import Rules
from .error_places import wrong_signature
from .protocol import Agent, StrategyUnknown
from .range_copies import Likely, Rows, check_two_cards, hands_left, padded, range_by_copies

SUM_TOLERANCE = 1e-6  # how far the sum of probabilities may be from 1
MAX_ROWS = 16_384  # asked for at once
MAX_RANGES = 64  # tables whose ranges are asked for at once


class SharedViews(Agent):
    """An agent that reads what it is asked in memory of its own."""

    @abstractmethod
    def new_views(self, count: int) -> Records:
        """Return at least `count` blank TABLE records there."""


class SealedAgent:
    """An agent as a match asks it: by copies in which everything hidden from the seat to act is blank.

    Whatever the agent writes there, it changes nothing at the tables. The copies are used again for the next question.
    """

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self._new_views = agent.new_views if isinstance(agent, SharedViews) else new_views
        self._views = np.empty(0, TABLE)
        self._rules: Rules | None = None

    def moves(self, tables: Records, rules: Rules, rows: Rows, rotation: int = 0) -> Rows:
        """The agent's moves at tables[rows], checked to be legal: (K,) int64. rotation: see `view_rows`.

        Raises IllegalMove if a move is illegal, and ValueError if they are not one integer per row.
        """
        agent = self.agent
        views = self.views(tables, rules, rows, rotation=rotation)
        answer = answered_moves(agent, views, rules, len(rows))
        moves = np.array(answer, np.int64)  # a copy, so that nobody changes them once they are checked
        bad = batch.first_illegal(tables, rules.record, rows, moves)
        if bad >= 0:
            why = why_illegal(tables, rules.record, int(rows[bad]), int(moves[bad]))
            raise IllegalMove(f"agent {agent.name!r}, table {rows[bad]}: {why}")
        return moves

    def play(self, tables: Records, rules: Rules, log: Records, rows: Rows) -> None:
        """Ask for the moves at tables[rows], and play them. Raises as `moves` does; then none is played."""
        batch.play_moves(tables, rules.record, log, rows, self.moves(tables, rules, rows))

    def views(self, tables: Records, rules: Rules, rows: Rows, seats: Rows | None = None, rotation: int = 0) -> Records:
        """tables[rows] as the seats, by default those to act, may see them: (K,) TABLE records of the agent's own."""
        if rules is not self._rules or len(self._views) < len(rows):
            self._views, self._rules = self._new_views(len(rows)), rules
        view_rows(tables, rules.record, rows, self._views, seats, rotation)
        return self._views[: len(rows)]

    def report_finished_hands(self, tables: Records, rules: Rules, rows: Rows, seats: Rows, rotation: int = 0) -> None:
        """Report finished hands to the agent, tables[rows], as its seats see them: (K,) int64."""
        views = self.views(tables, rules, rows, seats, rotation)
        views["actor"] = seats
        self.agent.hand_over(views, rules, np.arange(len(rows)))


def answered_moves(agent: Agent, views: Records, rules: Rules, count: int) -> NDArray[Any]:
    """What `act` answers about the first `count` views. Raises ValueError unless it is this number of integers."""
    try:
        moves = np.asarray(agent.act(views, rules, np.arange(count)))
    except TypeError as error:
        if wrong := wrong_signature(agent):
            raise wrong from error
        raise
    if moves.shape != (count,) or moves.dtype.kind not in "iu":
        raise ValueError(
            f"agent {agent.name!r}: act must give {count} integers, one a row; it gave shape {moves.shape}, "
            f"dtype {moves.dtype}"
        )
    if moves.dtype == np.uint64 and (moves > np.iinfo(np.int64).max).any():
        raise ValueError(f"agent {agent.name!r}: act must give moves, got {moves.max()}")
    return moves


def answered_probabilities(agent: Agent, given: Any, count: int, hands: tuple[int, ...] = ()) -> Likely:
    """A copy of what `probabilities` answers about `count` rows, or with the hands (1326,) what `range_probabilities`
    does. Raises ValueError for other shapes and dtypes; nothing else is checked."""
    moves, likely = (np.asarray(part) for part in given)
    is_right = moves.ndim == 2 and len(moves) == count and likely.shape == (count, *hands, moves.shape[1])
    if not (is_right and moves.dtype.kind in "iu" and likely.dtype.kind in "fiu"):
        what = f"probabilities must give integer moves and their probabilities, both ({count}, A)"
        if hands:
            shapes = f"({count}, A) and their probabilities ({count}, {COMBOS}, A)"
            what = f"range_probabilities must give integer moves {shapes}"
        raise ValueError(
            f"agent {agent.name!r}: {what}; it gave {moves.dtype} {moves.shape} and {likely.dtype} {likely.shape}"
        )
    return np.array(moves, np.int64, order="C"), np.array(likely, np.float64, order="C")


def play_agent(agent: Agent, tables: Records, rules: Rules, log: Records, rows: Rows) -> None:
    """Ask an agent for its moves at tables[rows] and play them.

    Raises IllegalMove if a move is illegal, and ValueError if they are not one integer per row. Then none is played.
    """
    SealedAgent(agent).play(tables, rules, log, rows)


def asked_moves(agent: Agent, tables: Records, rules: Rules, rows: Rows) -> Rows:
    """An agent's moves at tables[rows], (K,) int64, by what the seats to act may see. Raises as `play_agent` does."""
    return SealedAgent(agent).moves(tables, rules, rows)


def require_probabilities(agent: Agent, what: str) -> None:
    """Raises StrategyUnknown for an agent without probabilities; the message names `what` needs them."""
    _require(agent.gives_probabilities, agent, what, "`probabilities`")


def require_ranges(agent: Agent, what: str) -> None:
    """Raises StrategyUnknown for an agent that answers no range queries; the message names `what` needs them."""
    _require(agent.gives_ranges, agent, what, "`probabilities` or `range_probabilities`")


def _require(is_given: bool, agent: Agent, what: str, methods: str) -> None:
    if not is_given:
        raise StrategyUnknown(
            f"{what}: agent {agent.name!r} does not give the probabilities of its moves (its class has no method "
            f"{methods}); only agents that do can be measured this way"
        )


def asked_probabilities(agent: Agent, tables: Records, rules: Rules, rows: Rows) -> Likely:
    """The agent's moves and their probabilities at tables[rows], checked; see `Agent.probabilities`. The agent sees
    what the seats to act may see.

    Raises ValueError for wrong shapes, invalid probabilities or a move named twice, and IllegalMove for an illegal
    move.
    """
    starts = range(0, len(rows), MAX_ROWS)
    return padded([_asked_once(agent, tables, rules, rows[at : at + MAX_ROWS]) for at in starts], ())


def _asked_once(agent: Agent, tables: Records, rules: Rules, rows: Rows) -> Likely:
    views = SealedAgent(agent).views(tables, rules, rows)
    given = agent.probabilities(views, rules, np.arange(len(rows)))
    moves, probabilities = answered_probabilities(agent, given, len(rows))
    who = f"agent {agent.name!r}: probabilities"
    invalid = _no_distribution(moves, probabilities, 1)
    if invalid.any():
        row = int(invalid.argmax())
        raise ValueError(f"{who} are no distribution at table {rows[row]}: {_in_words(moves[row], probabilities[row])}")
    _check_moves(who, tables, rules, rows, moves, probabilities)
    return moves, probabilities


def asked_range_probabilities(
    agent: Agent,
    tables: Records,
    rules: Rules,
    rows: Rows,
    most: int = MAX_RANGES,
    hands: NDArray[np.bool_] | None = None,
) -> Likely:
    """What the agent would do at tables[rows] with each of the 1,326 hands, checked; see `Agent.range_probabilities`.
    The agent sees what everybody may see: of the seats to act, whose hands these are, the own cards are blank, too.

    most: the largest number of tables asked for at once. hands: (K, 1326) bool, those that matter; the others get 0,
    and an agent that would be asked hand by hand is not asked for them. Raises ValueError for games whose hands are not
    two cards of the full deck, for wrong shapes, invalid probabilities or a move named twice, and IllegalMove for an
    illegal move.
    """
    check_two_cards(rules)
    mattering = np.ones((len(rows), COMBOS), np.bool_) if hands is None else hands
    starts = range(0, len(rows), most)
    return padded(
        [_asked_ranges(agent, tables, rules, rows[at : at + most], mattering[at : at + most]) for at in starts]
    )


def _asked_ranges(agent: Agent, tables: Records, rules: Rules, rows: Rows, hands: NDArray[np.bool_]) -> Likely:
    views = SealedAgent(agent).views(tables, rules, rows)
    views["hole"][np.arange(len(rows)), views["actor"]] = NO_CARD
    every = np.arange(len(rows))
    left = hands_left(views, every)
    if type(agent).range_probabilities is Agent.range_probabilities:
        given = range_by_copies(agent.probabilities, views, rules, every, hands)
    else:
        given = agent.range_probabilities(views, rules, every)
    moves, probabilities = answered_probabilities(agent, given, len(rows), (COMBOS,))
    who = f"agent {agent.name!r}: range_probabilities"
    probabilities *= hands[:, :, None] | ~left[:, :, None]
    invalid = _no_distribution(moves[:, None], probabilities, left & hands)
    if invalid.any():
        row, combo = np.unravel_index(int(invalid.argmax()), invalid.shape)
        wrong = "no distribution" if left[row, combo] else "not 0, though the hand cannot be,"
        raise ValueError(
            f"{who} are {wrong} with {cards_text(combo_cards(int(combo)))} at table {rows[row]}: "
            f"{_in_words(moves[row], probabilities[row, combo])}"
        )
    _check_moves(who, tables, rules, rows, moves, probabilities.max(axis=1))
    return moves, probabilities


def _no_distribution(moves: Rows, likely: NDArray[np.float64], sums: int | NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Where probabilities are negative or NaN, do not add up to these sums, or stand by a padded move."""
    invalid = ~(np.abs(likely.sum(axis=-1) - sums) <= SUM_TOLERANCE) | ~(likely >= 0).all(axis=-1)  # catches NaN, too
    invalid |= (likely * (moves == batch.NO_MOVE)).any(axis=-1)
    return np.asarray(invalid)


def _check_moves(
    who: str, tables: Records, rules: Rules, rows: Rows, moves: Rows, probabilities: NDArray[np.float64]
) -> None:
    ordered = np.sort(moves, axis=1)
    twice = ((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] != batch.NO_MOVE)).any(axis=1)
    if twice.any():
        row = int(twice.argmax())
        raise ValueError(f"{who} name a move twice at table {rows[row]}: {_in_words(moves[row], probabilities[row])}")
    named = moves != batch.NO_MOVE
    row_of_move, all_moves = np.repeat(rows, named.sum(axis=1)), moves[named]
    bad = batch.first_illegal(tables, rules.record, row_of_move, all_moves)
    if bad >= 0:
        row = row_of_move[bad]
        why = why_illegal(tables, rules.record, int(row), int(all_moves[bad]))
        raise IllegalMove(f"{who}, table {row}: {why}")


def _in_words(moves: Rows, probabilities: NDArray[np.float64]) -> str:
    pairs = zip(moves.tolist(), probabilities.tolist(), strict=True)
    return ", ".join(f"{move}: {probability:.4g}" for move, probability in pairs)

"""Batches of deals or sessions, each played in all rotations, each rotation by other clones."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ...agents.protocol import Agent
from ...compiled.records import Records
from ...game.rules import Rules
from .dealer import Dealer
from .players import AgentFailed, Players, copies_each, most_tables
from .stopwatch import Stopwatch, TimeLimit
from .witness import Tampered

Rows = NDArray[np.int64]
Columns = dict[str, NDArray[np.float64]]
Finished = Callable[[Records, Rows], None]
"""Called with tables whose hands are over, (N,) TABLE records, and their seating, (N, seats). One that has a method
`before(rotation, played)` gets these first: the rotation of the deals, and all moves of the hands in order, as
(rows, moves) pairs of int64 arrays."""


def in_batches(count: int, most: int, blocks: Sequence[int] = ()) -> list[slice]:
    """Return slices of `count` deals in batches of at most `most`.

    All deals of a batch are dealt at once.

    Args:
        count: Deals in all.
        most: Deals of a batch, at most.
        blocks: How many deals each estimator that learns from earlier ones takes next; after these, as many as were
            played before.
    """
    found: list[slice] = []
    first = 0
    while first < count:
        size = min([most, *(max(each, first) for each in blocks)])
        found.append(slice(first, min(count, first + size)))
        first += size
    return found


@dataclass
class Batches(ABC):
    """Plays batches. What a batch is made of, deals or sessions, subclasses say in `play_rotation`. players:
    those of an earlier match between the same agents. At the end of the `with` block clones are closed."""

    rules: Rules
    agents: list[Agent]
    seed: int
    stopwatch: Stopwatch | None = None
    finished: Finished | None = None
    players: Players | None = None

    def __post_init__(self) -> None:
        self.stopwatch = self.stopwatch or Stopwatch([TimeLimit()] * len(self.agents))
        self._players = self.players or Players(self.agents)
        self._tables = most_tables(self.agents)
        self._as_given = self.rules.model_dump_json()
        self._dealer: Dealer | None = None

    @abstractmethod
    def play_rotation(self, dealer: Dealer, numbers: Rows) -> Columns:
        """Play the deals or sessions `numbers` at the dealer's tables, (D,): columns of (D, seats)."""

    def play(
        self,
        numbers: Rows,
        seating: Rows,
        batches: Sequence[slice] = (slice(None),),
        progress: Callable[[int], None] | None = None,
    ) -> Columns:
        """Every batch in every rotation, one after the other; where agents hold anything, such as processes, all
        batches in one rotation, then all in the next, before which it is closed.

        numbers: (D,), which deals or sessions; seating: (D, R, seats), who sits where in each rotation. batches: by
        default one of all. progress: called with the number that is over after each batch of a rotation.
        Returns columns of (D, R, seats). Raises AgentFailed.
        """
        turns = range(seating.shape[1])
        self._players.seat(turns, copies_each(seating[:, 0], len(self.agents)))
        places = [(turn, at) for at in range(len(batches)) for turn in turns]
        parts: dict[tuple[int, int], Columns] = {}
        for turn, at in sorted(places) if self._players.hold_anything else places:
            if at == 0:
                self._players.start(turn)
            some, seats = numbers[batches[at]], seating[batches[at]]
            try:
                parts[turn, at] = self._rotation(some, seats[:, turn], turn)
            except Tampered as error:
                self._find_out(some, seats, error)
                raise
            if progress:
                progress(len(some))
            if at == len(batches) - 1:
                self._players.end(turn)
        by_turn = [[parts[turn, at] for at in range(len(batches))] for turn in turns]
        return {
            name: np.stack([np.concatenate([part[name] for part in each]) for each in by_turn], axis=1)
            for name in parts[0, 0]
        }

    def report_finished(self, dealer: Dealer) -> None:
        """Call `finished`: the hands at the dealer's tables are over."""
        if self.finished is None:
            return
        if callable(before := getattr(self.finished, "before", None)):
            before(dealer.rotation, dealer.played)
        self.finished(dealer.records, dealer.seating)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._players.end()

    def _rotation(self, numbers: Rows, seating: Rows, turn: int, is_careful: bool = False) -> Columns:
        self._players.reset(turn)
        some = [slice(first, first + self._tables) for first in range(0, len(numbers), self._tables)]
        parts = [self._at_once(numbers[part], seating[part], turn, is_careful) for part in some]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    def _at_once(self, numbers: Rows, seating: Rows, turn: int, is_careful: bool) -> Columns:
        deals = self.rules, self.agents, seating, numbers, self.seed
        dealer = Dealer(*deals, self.stopwatch, self._players, turn, is_careful, before=self._dealer)
        columns = self.play_rotation(dealer, numbers)
        self._dealer = dealer
        return columns

    def _find_out(self, numbers: Rows, seating: Rows, error: Tampered) -> None:
        """Play a batch again, looking after each question: AgentFailed names the agent that changes the tables."""
        self._players.end()
        self._players, self._dealer = Players(self.agents), None
        self._players.seat(range(seating.shape[1]), copies_each(seating[:, 0], len(self.agents)))
        self.rules = Rules.model_validate_json(self._as_given)  # an agent may have changed those that it was handed
        for turn in range(seating.shape[1]):
            try:
                self._rotation(numbers, seating[:, turn], turn, is_careful=True)
            except AgentFailed as failure:
                raise failure from error

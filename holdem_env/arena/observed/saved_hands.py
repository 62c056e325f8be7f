"""Every hand of a match or a tournament, written to a history file as it is over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...compiled.records import Records
from ...engine.record import new_log
from ...game.rules import Rules
from ...history.errors import HistoryError
from ...history.hand_writer import HandWriter
from ...history.names import distinct_names
from ...history.times import time_fields
from ...protocols.json_lines.situations import names_by_seat
from ...table.table import Table

Rows = NDArray[np.int64]


class SavedHands:
    """A writer of all hands that it is shown: the `finished` of `play_match`, `play_deals` and `play_sessions`.

    Example::

        with HandWriter("match.phhs") as writer:
            play_match(one, two, rules, finished=SavedHands(writer, [one.name, two.name], rules))

    In the file, `_deal` is the number of the deal, which is played once from every seat. `_hands` says how each bot
    knows the hand (docs/protocol.md).

    Args:
        writer: The file.
        names: The agents' names, by their number in the line-up. An agent with several seats at a table is numbered
            there.
        rules: The game.
        event: What the hands belong to, for the file.
        now: Returns the time stamp of the hands. By default the time in UTC when their batch is over.
        most: Hands to write, the first ones; None for all.
        match: An id of the match, `_match` in the file.
        own: Writers by agent number. These agents get their hands in files of their own, as their seats saw them.
        first_hand: The number of the first hand. By default the file counts.

    Attributes:
        left_out: Hands that the format could not express, such as those with a dead small blind in a .phhs (R10).

    Raises:
        HistoryError: If the file's format cannot express the game, before anything is played.
    """

    def __init__(
        self,
        writer: HandWriter,
        names: Sequence[str],
        rules: Rules,
        event: str | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        most: int | None = None,
        match: str | None = None,
        own: Mapping[int, HandWriter] | None = None,
        first_hand: int | None = None,
    ) -> None:
        self._match, self._own = match, own or {}
        self.names, self.rules, self._left = list(names), rules, most
        self._writer, self._event, self._now = writer, event, now
        self.left_out = 0
        self._rotation, self._played, self._next = 0, list[tuple[Rows, Rows]](), first_hand
        check_writable(writer, rules)

    def before(self, rotation: int, played: Iterable[tuple[Rows, Rows]]) -> None:
        """Of the hands that come next: their rotation, and their moves as (rows, moves) pairs in order."""
        self._rotation, self._played = rotation, [] if self._left == 0 else list(played)

    def __call__(self, tables: Records, seating: NDArray[np.int64]) -> None:
        """Write hands that are over, (N,) TABLE records. seating: (N, seats), which agent sits where."""
        count = len(tables) if self._left is None else min(len(tables), self._left)
        if self._left is not None:
            self._left -= count
        if not count:
            return
        moves = _by_table(self._played, len(tables))
        known_as = names_by_seat(tables[:count], self.rules, self._rotation)
        metadata = time_fields(self._now()) | ({"event": self._event} if self._event else {})
        for row in range(count):
            table = replayed(tables[row : row + 1], self.rules, moves[row])
            seats = seating[row].tolist()
            players, about = distinct_names([self.names[agent] for agent in seats]), self._about(tables[row])
            about |= metadata
            names = dict(zip(players, known_as[row], strict=True))
            try:
                self._writer.write(table, hand=self._next, players=players, metadata=about | {"_hands": names})
                for agent, writer in self._own.items():
                    seat = seats.index(agent)
                    own = about | {"_hands": {players[seat]: known_as[row][seat]}}
                    writer.write(table, hand=self._next, players=players, metadata=own, seat=seat)
            except HistoryError:
                self.left_out += 1
            if self._next is not None:
                self._next += 1

    def _about(self, t: Any) -> dict[str, Any]:
        deal = int(t["table_id"])
        about = {"_deal": deal} | ({"_match": self._match} if self._match else {})
        if self.rules.session is None or self.rules.session.kind != "tournament" or self.rules.session.num_hands:
            return about
        return {**about, "event": f"Tournament #{deal + 1}", "level": int(t["blind_level"]) + 1}


def replayed(tables: Records, rules: Rules, moves: Sequence[int]) -> Table:
    """One hand that is over, (1,) TABLE records, dealt and played again. moves: all of the hand's, in order."""
    arranged = tables.copy()
    arranged["seats"]["stack"] = arranged["start_stack"]
    table = Table.of_session(rules, arranged, new_log(listening=True))
    for move in moves:
        table.play(move)
    return table


def _by_table(played: Sequence[tuple[Rows, Rows]], count: int) -> list[list[int]]:
    if not played:
        return [[] for _ in range(count)]
    rows, moves = (np.concatenate(parts) for parts in zip(*played, strict=True))
    order = np.argsort(rows, kind="stable")
    ends = np.searchsorted(rows[order], np.arange(count + 1))
    ordered = moves[order].tolist()
    return [ordered[first:end] for first, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)]


def check_writable(writer: HandWriter, rules: Rules) -> None:
    """Raise HistoryError if the format cannot express each of the game's stages."""
    if rules.dealer_errors is not None:
        raise HistoryError(None, None, "a history file cannot express dealer's errors (R33-R38)")
    for game in rules.stages:
        writer.check_game(game)

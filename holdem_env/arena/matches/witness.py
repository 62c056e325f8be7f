"""The witness: tables that no agent can reach, at which all is played again from the moves alone. The hands must come
out the same, no chip has come or gone (R40), and nobody has won or lost more than the stacks allow."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...agents.protocol import Agent
from ...compiled.records import frozen
from ...engine import batch, record
from ...game.rules import Rules
from .players import AgentFailed

Rows = NDArray[np.int64]
Question = tuple[Rows, Rows]
WORD = 8  # bytes that are compared at once


class Tampered(RuntimeError):
    """Records that only the arena writes were changed by something else while agents were asked."""


class Witness:
    """A second set of records, to which the dealer does all that it does to the first.

    agents: for messages. count: how many tables there are, all blank. is_careful: play the moves again at once, and
    name the agent after whose question the tables differ. before: a witness whose records are used again; they agree
    with the dealer's.
    """

    def __init__(
        self, rules: Rules, agents: Sequence[Agent], count: int, is_careful: bool, before: Witness | None = None
    ) -> None:
        self.rules, self._agents, self._is_careful = rules, agents, is_careful
        self.records: record.Records = before.records if before else record.new_records(record.TABLE, count)
        self._log = record.new_log(listening=False)
        self._record = frozen(rules.record)
        self._seen = 0

    def keep(self, going: NDArray[np.bool_]) -> None:
        self.records = self.records[going]

    def look(self, number: int, tables: record.Records, played: Sequence[Question]) -> None:
        """After each question to an agent. Raises AgentFailed with is_careful."""
        if self._is_careful:
            self._play(played[self._seen :])
            self._seen = len(played)
            if why := self._difference(tables):
                raise AgentFailed(number, self._agents[number].name, f"it changed the arena's {why}")

    def check(self, tables: record.Records, played: Sequence[Question]) -> None:
        """When all hands are over. Raises Tampered."""
        self._play(played[self._seen :])
        self._seen = 0
        if why := self._difference(tables) or self._impossible(tables):
            raise Tampered(f"while agents were asked, something changed the arena's {why}")

    def _play(self, played: Sequence[Question]) -> None:
        """Play table by table, which is easier on the processor's cache than move by move."""
        if not played:
            return
        rows, moves = (np.concatenate(parts) for parts in zip(*played, strict=True))
        by_table = np.argsort(rows.astype(np.min_scalar_type(len(self.records))), kind="stable")
        batch.play_moves(self.records, self._record, self._log, rows[by_table], moves[by_table])

    def _difference(self, tables: record.Records) -> str | None:
        """The first table and field that differ from these records, in words; None if all agree."""
        if self.rules.record.tobytes() != self._record.tobytes():
            return "rules"
        if np.array_equal(_words(tables), _words(self.records)):
            return None
        row = int((_words(tables) != _words(self.records)).any(axis=1).argmax())
        one, two = tables[row], self.records[row]
        names = [name for name in record.TABLE.names or () if one[name].tobytes() != two[name].tobytes()]
        return f"table {row}: {', '.join(names)}"

    def _impossible(self, tables: record.Records) -> str | None:
        """What cannot be of finished hands, in words; None if nothing is wrong."""
        seats = self.rules.seats
        ended, began = (part[:, :seats] for part in (tables["seats"]["stack"], tables["start_stack"]))
        made = ended.sum(axis=1) + tables["rake"] - began.sum(axis=1)
        if made.any():
            row = int((made != 0).argmax())
            return f"chips: {int(made[row]):+d} at table {row}"
        if (ended < 0).any():
            return f"chips: a stack below zero at table {int((ended < 0).any(axis=1).argmax())}"
        return None


def _words(tables: record.Records) -> Rows:
    return np.ascontiguousarray(tables).view(np.int64).reshape(len(tables), record.TABLE.itemsize // WORD)

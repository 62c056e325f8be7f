"""The decisions of played hands as a Parquet file, for offline reinforcement learning: a row for each decision, which
pandas, Polars, d3rlpy's or your own
code reads without this library.

    with DecisionWriter("mine.parquet", "flat", "fcpa") as writer:
        for hand in read_hands("mine.phhs"):
            writer.write(hand)

The decisions of a seat in a hand stand one after the other; the last one is terminal and has the reward.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ..cards.text import UNKNOWN
from ..encoders import ActionEncoder, BoxActionEncoder, ObservationEncoder, get_actions, get_observation
from ..encoders.decoding import nearest_action
from ..engine.batch import NO_MOVE
from ..engine.record import CHECK_CALL, FOLD
from ..table.table import Table
from ..utils.atomic import whole_file
from ..utils.extras import explain_missing_extra
from .hand_record import HandRecord
from .steps import MOVES, hand_steps

SUFFIX = ".parquet"
METADATA = b"holdem"
AT_ONCE = 10_000
"""Rows that are written together."""
FIRST = np.zeros(1, np.int64)


class DecisionWriter:
    """Writes the decisions of hands to a new Parquet file, which gets its name when the block ends.

    observation, actions: encoders, by name or as objects; actions=None is the game's default. hero: only the decisions
    of the player of this name. Decisions of seats whose cards are not known are left out.

    Columns: hand (int64, from 1), seat, street (int8), observation (list of float32), action_mask (list of bool),
    action (int64; for a move that the encoder does not offer, the nearest), move (int64, the engine's), reward
    (float32, what the seat won in the hand in the game's unit, at its last decision, else 0), terminal (bool). The
    schema's metadata has, under "holdem", a JSON document: the encoders, what each action means, the rules of the first
    hand.

    Raises FileExistsError if there is a file of that name; ModuleNotFoundError without pyarrow; ValueError for
    continuous actions.
    """

    def __init__(
        self,
        path: str | Path,
        observation: str | ObservationEncoder = "flat",
        actions: str | ActionEncoder | None = None,
        hero: str | None = None,
    ) -> None:
        with explain_missing_extra(f"{path}"):
            import pyarrow.parquet
        self.path, self.hero, self.hands = Path(path), hero, 0
        self._arrow, self._parquet = pyarrow, pyarrow.parquet
        if self.path.exists():
            raise FileExistsError(f"{path} exists already; name a new file")
        self._observation, self._actions = get_observation(observation), actions
        self._rows: list[dict[str, Any]] = []
        self._open, self._writer, self._sizes = ExitStack(), None, (0, 0)

    def __enter__(self) -> Self:
        self._file = self._open.enter_context(whole_file(self.path))
        return self

    def __exit__(self, *error: Any) -> None:
        if self._writer is not None:
            if error[0] is None:
                self._flush()
            self._writer.close()
        self._open.__exit__(*error)

    def write(self, hand: HandRecord, table: Table | None = None) -> None:
        """Write a hand's decisions. table: the hand replayed, if it has been.

        Raises HistoryError for a hand that is damaged, or whose game has another number of observed numbers or of
        actions than the first one's.
        """
        table = table or hand.replay()
        actions = get_actions(self._actions, hand.rules)
        if isinstance(actions, BoxActionEncoder):
            raise ValueError(f"{self.path}: actions that are numbers have no index; give others, such as 'fcpa'")
        sizes = self._observation.size(hand.rules), actions.size(hand.rules)
        if self._writer is None:
            self._writer, self._sizes = self._begun(hand, actions), sizes
        elif sizes != self._sizes:
            raise hand.error(f"observations and actions have the sizes {sizes}; in this file they have {self._sizes}")
        self.hands += 1
        for seat in range(hand.rules.seats):
            wanted = self.hero is None or (hand.players or ())[seat : seat + 1] == (self.hero,)
            if wanted and UNKNOWN not in hand.holes[seat]:
                self._rows += self._decisions(table, seat, actions)
        if len(self._rows) >= AT_ONCE:
            self._flush()

    def _decisions(self, table: Table, seat: int, actions: ActionEncoder) -> list[dict[str, Any]]:
        rows = [
            {"hand": self.hands, "seat": seat, **self._seen(before, actions, move), "reward": 0.0, "terminal": False}
            for before, move in _moves(table, seat)
        ]
        if rows and table.is_over:
            rows[-1] |= {"reward": table.payoffs[seat] / table.rules.unit, "terminal": True}
        return rows

    def _seen(self, table: Table, actions: ActionEncoder, move: int) -> dict[str, Any]:
        """What the seat to act saw, what it was offered, and what it did."""
        rules, seat = table.rules, np.array([table.actor], np.int64)
        observation: NDArray[np.float32] = np.empty((1, self._sizes[0]), np.float32)
        self._observation.observe(table.records, rules.record, FIRST, seat, observation)
        offered = np.empty((1, self._sizes[1]), np.int64)
        actions.choose(table.records, rules.record, FIRST, offered)
        return {
            "street": table.street,
            "observation": observation[0],
            "action_mask": offered[0] != NO_MOVE,
            "action": nearest_action(offered[0], move),
            "move": move,
        }

    def _begun(self, hand: HandRecord, actions: ActionEncoder) -> Any:
        arrow = self._arrow
        small, lists = arrow.int8(), arrow.list_
        columns = {"hand": arrow.int64(), "seat": small, "street": small, "observation": lists(arrow.float32())}
        columns |= {"action_mask": lists(arrow.bool_()), "action": arrow.int64(), "move": arrow.int64()}
        columns |= {"reward": arrow.float32(), "terminal": arrow.bool_()}
        about: dict[str, Any] = {"observation": self._observation.name, "actions": list(actions.meanings(hand.rules))}
        about["rules"] = hand.rules.model_dump(mode="json", exclude_unset=True)
        self._schema = arrow.schema(columns, metadata={METADATA: json.dumps(about)})
        return self._parquet.ParquetWriter(self._file, self._schema)

    def _flush(self) -> None:
        if self._rows and self._writer is not None:
            self._writer.write_table(self._arrow.Table.from_pylist(self._rows, self._schema))
            self._rows = []


def _moves(table: Table, seat: int) -> Iterator[tuple[Table, int]]:
    """The decisions of a seat: the table before each, and the engine's move."""
    for step in hand_steps(table):
        if step.before is not None and step.mover == seat:
            made = next(operation for operation in step.operations if operation.kind in MOVES)
            yield step.before, {"fold": FOLD, "check": CHECK_CALL, "call": CHECK_CALL}.get(made.kind, made.amount)

"""HandWriter: hand after hand into one new file, whose name says in which format."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from decimal import Decimal
from itertools import count
from pathlib import Path
from typing import Any, Self, SupportsIndex, TextIO

from ..game.rules import Rules
from ..table.table import Table
from .files import StrPath, open_text, whole_text
from .formats import written_format
from .writing import HandOptions

_KEY = re.compile(r"[A-Za-z0-9_-]+")


class HandWriter:
    """A writer of hands to a new file: .phhs or .phh (PHH), or .txt (PokerStars), each also with .xz or .gz.

    Example::

        with HandWriter("mine.txt") as writer:
            writer.write(table, players=["Ann", "Bob"])

    The file gets its name when the block ends; an error in the block leaves no file. Hands are numbered from 1 if they
    have no number; a .phhs keeps each number once.

    Args:
        path: The file.
        to: The name of the format, "phh", "phhs" or "pokerstars", if the file's name does not say it.
        goes_on: Number of hands in the file, to append to them; 0 for a new file.

    Raises:
        ValueError: If the name says no format.
        FileExistsError: If the file exists.
        OSError: If the file cannot be written.
    """

    def __init__(self, path: StrPath, to: str | None = None, goes_on: int = 0) -> None:
        self.path, self.format = Path(path), written_format(path, to)
        if self.path.exists() and not goes_on:
            raise FileExistsError(f"{self.path} exists already; name a new file")
        self.hands = goes_on
        self._open = ExitStack()
        self._file: TextIO | None = None
        self._keys = set[str | None]()

    def __enter__(self) -> Self:
        self._file = self._open.enter_context(whole_text(self.path))
        if self.hands:
            with open_text(self.path) as before:
                for line in before:
                    self._file.write(line)
                    self._keys |= {self.format.key_of(line)}
        return self

    def __exit__(self, *error: Any) -> None:
        self._open.__exit__(*error)

    def write(
        self,
        table: Table,
        *,
        hand: int | str | None = None,
        players: Sequence[str] | None = None,
        unit: Decimal | int = 1,
        known: Collection[int] | None = None,
        metadata: Mapping[str, Any] | None = None,
        public: bool = False,
        seat: SupportsIndex | None = None,
    ) -> None:
        """Write a hand; the arguments are those of `phh.dumps` and `pokerstars.dumps`.

        An error leaves the file as it was, and you can write further hands.

        Raises:
            HistoryError: If the format cannot express the hand.
            ValueError: If this is a second hand in a `.phh`.
        """
        if self._file is None:
            raise ValueError("write: only within the `with` block of the HandWriter")
        if self.format.is_single_hand and self.hands:
            raise ValueError(f"{self.path}: a {self.format.suffixes[0]} holds one hand; write several to a .phhs")
        number = self.hands + 1 if hand is None else hand
        text = self._text(table, HandOptions(number, players, unit, known, metadata or {}, public, seat))
        key = self._key(number)
        self._file.write(self.format.framed(text, key))
        self.hands += 1
        self._keys.add(key)

    def _key(self, hand: int | str) -> str:
        """What a record is called in its file: the hand's number or name, or where that is taken the next free
        number."""
        key = str(hand)
        if _KEY.fullmatch(key) and key not in self._keys:
            return key
        return next(str(number) for number in count(self.hands + 1) if str(number) not in self._keys)

    def check_game(self, rules: Rules) -> None:
        """Raise HistoryError if the format cannot express a game."""
        self.format.check_game(rules)

    def _text(self, table: Table, options: HandOptions) -> str:
        assert self.format.text is not None
        return self.format.text(table, options)

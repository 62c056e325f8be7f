"""HandWriter: hand after hand into one new file, whose name says in which format."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from decimal import Decimal
from itertools import count
from pathlib import Path
from typing import Any, Self, SupportsIndex, TextIO

from ..table.table import Table
from . import phh, pokerstars
from .files import RECORD, StrPath, kind_of, open_text, whole_text
from .writing import in_file

_KEY = re.compile(r"[A-Za-z0-9_-]+")
WRITTEN = {".phh": "phh", ".phhs": "phhs", ".txt": "pokerstars"}
"""The formats that are written, by the suffix of the file."""


def written_format(path: StrPath, to: str | None = None) -> str:
    """The format of a new file: "phh", "phhs" or "pokerstars". to: the format, where the suffix does not say it.

    Raises ValueError for a name that does not say it, and an unknown format.
    """
    if to is not None and to not in WRITTEN.values():
        raise ValueError(f"{to!r} is no format that can be written; these are {', '.join(WRITTEN.values())}")
    found = to or WRITTEN.get(kind_of(path))
    if found is None:
        raise ValueError(
            f"{path}: the name does not say the format. Hands are written to .phhs (PHH, many hands), .phh (one) and "
            ".txt (PokerStars); each may be compressed: .phhs.xz, .phhs.gz"
        )
    return found


class HandWriter:
    """Writes hands to a new file: .phhs or .phh (PHH), or .txt (PokerStars), each also with .xz or .gz.

        with HandWriter("mine.txt") as writer:
            writer.write(table, players=["Ann", "Bob"])

    The file gets its name when the block ends; an error in the block leaves no file. to: the format, "phh", "phhs" or
    "pokerstars", where the name does not say it. Hands are numbered from 1 if they have no number; a .phhs keeps
    each number once. goes_on: how many hands the file holds, to which others are added; 0 for a new file.

    Raises ValueError for a name that says no format, FileExistsError if there is a file of that name, OSError if it
    cannot be written.
    """

    def __init__(self, path: StrPath, to: str | None = None, goes_on: int = 0) -> None:
        self.path, self.format = Path(path), written_format(path, to)
        if self.path.exists() and not goes_on:
            raise FileExistsError(f"{self.path} exists already; name a new file")
        self.hands = goes_on
        self._dumps = pokerstars.dumps if self.format == "pokerstars" else phh.dumps
        self._open = ExitStack()
        self._file: TextIO | None = None
        self._keys = set[str]()

    def __enter__(self) -> Self:
        self._file = self._open.enter_context(whole_text(self.path))
        if self.hands:
            with open_text(self.path) as before:
                for line in before:
                    self._file.write(line)
                    self._keys |= {header[1]} if (header := RECORD.match(line)) else set()
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
        """Write a hand; the arguments are those of `phh.dumps` and `pokerstars.dumps`. An error leaves the file as it
        was, and further hands can be written.

        Raises HistoryError for a hand that the format cannot express, ValueError for a second hand in a `.phh`.
        """
        if self._file is None:
            raise ValueError("write: only within the `with` block of the HandWriter")
        if self.format == "phh" and self.hands:
            raise ValueError(f"{self.path}: a .phh holds one hand; write several to a .phhs")
        options: dict[str, Any] = {"players": players, "unit": unit, "known": known, "metadata": metadata}
        options |= {"hand": self.hands + 1 if hand is None else hand, "public": public, "seat": seat}
        text, key = self._dumps(table, **options), self._key(options["hand"])
        self._file.write(in_file(text, self.format, key))
        self.hands += 1
        self._keys |= {key} if self.format == "phhs" else set()

    def _key(self, hand: int | str) -> str:
        """What a record is called in its file: the hand's number or name, or where that is taken the next free
        number."""
        key = str(hand)
        if _KEY.fullmatch(key) and key not in self._keys:
            return key
        return next(str(number) for number in count(self.hands + 1) if str(number) not in self._keys)

    def check(self, table: Table) -> None:
        """Raise HistoryError if the format cannot express a hand."""
        self._dumps(table)

"""Reading a file of many hands: its text is split into pieces, each piece is parsed, and a damaged one is reported."""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Callable, Iterable, Iterator
from os import fspath
from pathlib import Path
from typing import IO, NamedTuple, TypeAlias, cast

from .errors import HistoryError, OnError, report
from .files import DAMAGED, Piece, StrPath, open_text
from .hand_record import HandRecord

Split: TypeAlias = Callable[[Iterable[str]], Iterator[Piece]]
"""Splits the lines of a file into pieces of one hand each."""
Parse: TypeAlias = Callable[[Piece], HandRecord | None]
"""The hand in a piece; None for a piece without one, such as a comment. Raises HistoryError if it is malformed."""


class Placed(NamedTuple):
    """A piece of a file, and at which byte of the decompressed file it begins."""

    piece: Piece
    offset: int


def damaged_archive(file: StrPath, damage: BaseException) -> HistoryError:
    """The error for an archive that cannot be decompressed to its end."""
    return HistoryError(fspath(file), None, f"the archive is damaged or cut short ({damage})")


def hands_of(path: StrPath, split: Split, parse: Parse, on_error: OnError) -> Iterator[HandRecord]:
    """The hands of a file, one by one; a malformed piece is reported and skipped. The file is opened at once."""
    source = open_text(path)

    def hands() -> Iterator[HandRecord]:
        with source:
            pieces = split(source)
            while True:
                try:
                    piece = next(pieces, None)
                    if piece is None:
                        return
                    hand = parse(piece)
                except HistoryError as error:
                    report(error, on_error)
                except DAMAGED as damage:
                    report(damaged_archive(path, damage), on_error)
                    return
                else:
                    if hand is not None:
                        yield hand

    return hands()


def placed_pieces(path: StrPath, split: Split) -> Iterator[Placed]:
    """The pieces of a file with their places, read line by line. Raises what DAMAGED lists for a damaged archive."""
    with _open_bytes(path) as source:
        lines = _Lines(source)
        for piece in split(lines):
            yield Placed(piece, lines.drop_before(piece.line))


def piece_at(path: StrPath, split: Split, offset: int, line: int) -> Piece | None:
    """The piece that begins at this byte, on this line; None if the file ends before it."""
    with _open_bytes(path) as source:
        source.seek(offset)
        piece = next(split(_Lines(source)), None)
    return None if piece is None else piece._replace(line=line)


def _open_bytes(path: StrPath) -> IO[bytes]:
    opener = {".xz": lzma.open, ".gz": gzip.open}.get(Path(path).suffix.lower(), open)
    return cast(IO[bytes], opener(path, "rb"))  # type: ignore[operator]


class _Lines:
    """The lines of a file as text, as `open_text` reads them; remembers where each of the latest begins."""

    def __init__(self, source: IO[bytes]) -> None:
        self._source, self._offset, self._number = source, source.tell(), 0
        self._starts: dict[int, int] = {}

    def __iter__(self) -> Iterator[str]:
        for raw in self._source:
            self._number += 1
            self._starts[self._number] = self._offset
            codec = "utf-8-sig" if self._offset == 0 else "utf-8"
            self._offset += len(raw)
            text = raw.decode(codec, "surrogateescape")
            yield text[:-2] + "\n" if text.endswith("\r\n") else text

    def drop_before(self, line: int) -> int:
        """The byte at which a line begins; earlier lines are forgotten."""
        for number in [number for number in self._starts if number < line]:
            del self._starts[number]
        return self._starts[line]

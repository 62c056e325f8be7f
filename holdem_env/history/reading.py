"""Reading a file of many hands: its text is split into pieces, each piece is parsed, and a damaged one is reported."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from os import fspath
from typing import BinaryIO, NamedTuple, TextIO, TypeAlias

from .errors import MANY, HistoryError, OnError, check_on_error, none_readable, report
from .files import (
    DAMAGED,
    LONGEST_LINE,
    NO_TEXT,
    CutLine,
    Piece,
    StrPath,
    TooLargeError,
    bounded_lines,
    open_bytes,
    open_text,
)
from .hand_record import HandRecord

Split: TypeAlias = Callable[[Iterable[str]], Iterator[Piece]]
"""Splits the lines of a file into pieces of one hand each."""
Parse: TypeAlias = Callable[[Piece], HandRecord | None]
"""The hand in a piece; None for a piece without one, such as a comment. Raises HistoryError if it is malformed, or
exceeds a limit; ValueError, LookupError and TypeError become one."""


class Placed(NamedTuple):
    """A piece of a file, and at which byte of the decompressed file it begins."""

    piece: Piece
    offset: int


def damaged_archive(file: StrPath, damage: BaseException) -> HistoryError:
    """The error for an archive that cannot be decompressed to its end."""
    if isinstance(damage, TooLargeError):
        return HistoryError(fspath(file), None, str(damage))
    return HistoryError(fspath(file), None, f"the archive is damaged or cut short ({damage})")


def hands_of(path: StrPath, split: Split, parse: Parse, on_error: OnError) -> Iterator[HandRecord]:
    """The hands of a file, one by one; a malformed piece is reported and skipped. The file is opened at once.

    Raises OSError for a file that cannot be opened, ValueError for an unknown `on_error`.
    """
    check_on_error(on_error)
    source = open_text(path)

    def hands() -> Iterator[HandRecord]:
        early: list[HistoryError] | None = None if on_error == "raise" else []  # problems before the first hand
        for found in _hands_or_errors(path, source, split, parse):
            if isinstance(found, HandRecord):
                for error in early or ():
                    report(error, on_error)
                early = None
                yield found
            elif early is None:
                report(found, on_error)
            else:
                early.append(found)
        if early and len(early) > MANY:
            early = [none_readable(fspath(path), len(early), early[0])]
        for error in early or ():
            report(error, on_error)

    return hands()


def _hands_or_errors(path: StrPath, source: TextIO, split: Split, parse: Parse) -> Iterator[HandRecord | HistoryError]:
    """Each hand of an open file, or what is wrong with it; closes the file."""
    with source:
        pieces = split(bounded_lines(source))
        while True:
            try:
                piece = next(pieces, None)
            except HistoryError as error:
                yield error
                continue
            except DAMAGED as damage:
                yield damaged_archive(path, damage)
                return
            if piece is None:
                return
            try:
                hand = parse(piece)
            except HistoryError as error:
                yield error
            except (ValueError, LookupError, TypeError) as problem:  # of a parser that names no file and line
                text = f"this is no hand: {type(problem).__name__}: {problem}"
                yield HistoryError(fspath(path), None, text, piece.line)
            else:
                if hand is not None:
                    yield hand


def placed_pieces(path: StrPath, split: Split) -> Iterator[Placed]:
    """The pieces of a file with their places, read line by line. Raises what DAMAGED lists for a damaged archive."""
    with open_bytes(path) as source:
        lines = _Lines(source)
        for piece in split(lines):
            yield Placed(piece, lines.drop_before(piece.line))


def piece_at(path: StrPath, split: Split, offset: int, line: int) -> Piece | None:
    """The piece that begins at this byte, on this line; None if the file ends before it."""
    with open_bytes(path) as source:
        source.seek(offset)
        piece = next(split(_Lines(source)), None)
    return None if piece is None else piece._replace(line=line)


class _Lines:
    """The lines of a file as text, as `open_text` and `bounded_lines` read them; remembers where each of the latest
    begins."""

    def __init__(self, source: BinaryIO) -> None:
        self._source, self._offset = source, source.tell()
        self._starts, self._first = array("q"), 1

    def __iter__(self) -> Iterator[str]:
        is_rest = False
        while raw := self._source.readline(LONGEST_LINE):
            start, was_rest = self._offset, is_rest
            self._offset += len(raw)
            is_rest = len(raw) == LONGEST_LINE and not raw.endswith(b"\n")
            if is_rest and b"\0" in raw:
                raise TooLargeError(NO_TEXT)
            if was_rest:
                continue
            self._starts.append(start)
            text = raw.decode("utf-8-sig" if start == 0 else "utf-8", "surrogateescape")
            text = text[:-2] + "\n" if text.endswith("\r\n") else text
            yield CutLine(text) if is_rest else text

    def drop_before(self, line: int) -> int:
        """The byte at which a line begins; earlier lines are forgotten."""
        del self._starts[: line - self._first]
        self._first = line
        return self._starts[0]

"""PokerStars' text format, which trackers and solvers read: files of hands, also as `.xz` and `.gz`.

    for hand in pokerstars.read("HH20260101.txt"):
        table = hand.replay()

It reads cash games, Zoom and tournaments: hold'em and Omaha, no-limit, pot-limit and fixed-limit, with money of any
currency or play chips, whole or as one player has seen them. Hands that the engine cannot play, such as a board that is
run twice, are errors that say why. `dumps` and `write` are implemented in `pokerstars_writing`.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import partial
from itertools import islice
from os import fspath

from .errors import HistoryError, OnError, reason
from .files import DAMAGED, Piece, StrPath, bounded_lines, open_text
from .hand_record import HandRecord
from .phh_rules import MAX_RAISES
from .pokerstars_hands import record_of
from .pokerstars_lines import LineError, read_lines
from .pokerstars_text import is_header, raw_hands
from .pokerstars_writing import dumps, write
from .reading import Parse, hands_of

__all__ = ["dumps", "loads", "read", "write"]

_LINES_LOOKED_AT = 1_000


def read(
    path: StrPath, *, on_error: OnError = "warn", max_raises: tuple[int, ...] | None = MAX_RAISES
) -> Iterator[HandRecord]:
    """Read the hands of a file, one by one; `.xz` and `.gz` files are decompressed.

    Seats are numbered from 0 in the order of the file's numbers, `metadata["seats"]`, without the seats that were not
    dealt in. The stated payoffs are what players collected and got back minus what they put in. The rules have the rake
    that the file states as their cap.

    Args:
        path: The file.
        on_error: What to do with a malformed hand. It is skipped, and reading continues with the next one. "warn" also
            warns (HistoryWarning), "skip" does nothing else, "raise" stops with the HistoryError. A function is called
            with the HistoryError.
        max_raises: The cap of fixed-limit hands, per street, as in Rules; None for no cap.

    Raises:
        OSError: If the file cannot be opened.
        ValueError: If `on_error` is unknown.
    """
    return hands_of(path, raw_hands, parser(path, max_raises), on_error)


def loads(text: str, *, max_raises: tuple[int, ...] | None = MAX_RAISES) -> HandRecord:
    """Return the single hand in `text`, read as `read` does.

    >>> hand = loads('''
    ... PokerStars Hand #1: Hold'em No Limit ($0.50/$1 USD) - 2026/01/31 20:15:00 ET
    ... Table 'Ada' 2-max Seat #1 is the button
    ... Seat 1: Ann ($100 in chips)
    ... Seat 2: Bob ($80 in chips)
    ... Ann: posts small blind $0.50
    ... Bob: posts big blind $1
    ... *** HOLE CARDS ***
    ... Dealt to Bob [As Kd]
    ... Ann: raises $1.50 to $2.50
    ... Bob: folds
    ... Uncalled bet ($1.50) returned to Ann
    ... Ann collected $2 from pot
    ... *** SUMMARY ***
    ... Total pot $2 | Rake $0
    ... ''')
    >>> hand.replay().payoffs, hand.payoffs, hand.unit
    ([100, -100], [100, -100], Decimal('0.01'))

    Raises:
        HistoryError: If the text is malformed.
    """
    pieces = list(raw_hands(io.StringIO(text, newline=None)))
    if len(pieces) != 1:
        raise HistoryError(None, None, f"the text has {len(pieces)} hands; write them to a file and use read()")
    return _parse(pieces[0], "<text>", max_raises)


def parser(path: StrPath, max_raises: tuple[int, ...] | None = MAX_RAISES) -> Parse:
    """What parses the hands of a file."""
    return partial(_parse, file=fspath(path), max_raises=max_raises)


def is_history(file: StrPath) -> bool:
    """Whether one of the first lines of the file begins a hand, as PokerStars writes it. Raises OSError for a file that
    cannot be opened."""
    try:
        with open_text(file) as source:
            return any(is_header(line) for line in islice(bounded_lines(source), _LINES_LOOKED_AT))
    except DAMAGED:
        return False


def _parse(piece: Piece, file: str, max_raises: tuple[int, ...] | None) -> HandRecord:
    name, parsed = _number_of(piece), None
    try:
        if piece.problem:
            raise LineError(piece.problem)
        parsed = read_lines(piece.text.splitlines())
        return record_of(parsed, file, piece.line, max_raises)
    except HistoryError:
        raise
    except LineError as problem:
        action = problem.action
        text = None if action is None or parsed is None else parsed.actions[action]
        raise HistoryError(file, name, str(problem), piece.line, action if text else None, text) from problem
    except ValueError as problem:
        raise HistoryError(file, name, reason(problem), piece.line) from problem


def _number_of(piece: Piece) -> int | None:
    digits = piece.text.partition("#")[2].partition(":")[0]
    return int(digits) if digits.isdecimal() and len(digits) < 30 else None

"""The log of operations, which becomes `Table.log`. A log that is switched off costs one comparison."""

from __future__ import annotations

from ..compiled.compiler import inline
from ..compiled.scalars import Ints
from .record import LOG_OFF, MAX_HOLE, NO_CARD, LogRecord


@inline
def note(log: LogRecord, kind: int, seat: int, amount: int, pot: int) -> None:
    """Log an operation without cards."""
    if log.count != LOG_OFF:
        at = log.count
        log.kind[at] = kind
        log.seat[at] = seat
        log.amount[at] = amount
        log.pot[at] = pot
        for i in range(MAX_HOLE):
            log.cards[at, i] = NO_CARD
        log.count = at + 1


@inline
def note_cards(log: LogRecord, kind: int, seat: int, cards: Ints, first: int, count: int) -> None:
    """Log an operation on `count` cards, which stand in `cards` from `first`."""
    if log.count != LOG_OFF:
        at = log.count
        note(log, kind, seat, 0, -1)
        for i in range(count):
            log.cards[at, i] = cards[first + i]

"""Telling the processor which memory it will need next: a large batch of tables would else wait for it at each line."""

from __future__ import annotations

from ..compiled.compiler import inline
from ..compiled.intrinsics import prefetch
from ..compiled.records import CACHE_LINE, Records, place_of
from .record import MAX_MOVES, MOVE, TABLE

MOVE_SIZE = MOVE.itemsize
LINES_BEFORE_SEATS = place_of(TABLE, "seats") // CACHE_LINE
# Other lines that moves touch, or the ends of hands, which have what lies between the cards and the moves.
RAISES, CARDS, MOVES = (place_of(TABLE, name) // CACHE_LINE * CACHE_LINE for name in ("street_raises", "deck", "made"))


@inline
def prefetch_table(tables: Records, index: int, seats: int) -> None:
    """What a move at a table needs. The index may lie beyond the last table."""
    for line in range(LINES_BEFORE_SEATS + seats):
        prefetch(tables, index, line * CACHE_LINE)
    prefetch(tables, index, RAISES)


@inline
def prefetch_move(tables: Records, index: int) -> None:
    """Where the next move at a table is written. The line that says how many there
    were should be there by now, thanks to `prefetch_table`."""
    prefetch(tables, index, MOVES + tables[index].moves % MAX_MOVES * MOVE_SIZE)


@inline
def prefetch_ending(tables: Records, index: int) -> None:
    """What the end of a betting round, of a hand, and the next deal need, too."""
    for place in range(CARDS, MOVES, CACHE_LINE):
        prefetch(tables, index, place)

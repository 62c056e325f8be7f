"""Table (one hand, played move by move), Tables (thousands stepped together) and Session (hand after hand)."""

from ..engine.legality import IllegalMove, Legal
from .seat_view import SeatView
from .table import Operation, Posting, Pot, Table

__all__ = ["IllegalMove", "Legal", "Operation", "Posting", "Pot", "SeatView", "Table"]

"""Tables to talk to: one hand, thousands stepped together, sessions of many hands."""

from ..engine.legality import IllegalMove, Legal
from .table import Operation, Posting, Pot, Table

__all__ = ["IllegalMove", "Legal", "Operation", "Posting", "Pot", "Table"]

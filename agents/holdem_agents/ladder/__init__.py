"""The ladder: agents rated against a fixed set of opponents, in one file of results over time."""

from .games import LadderGame, ladder_games
from .standings import LadderRow, LadderTable, ladder_tables
from .store import LadderStore

__all__ = ["LadderGame", "LadderRow", "LadderStore", "LadderTable", "ladder_games", "ladder_tables"]

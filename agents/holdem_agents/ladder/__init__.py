"""The ladders of the package: agents rated against fixed opponents, the anchors. `holdem_env.arena.tournaments.ladder`
plays them."""

from .games import ladders
from .stores import ladder_tables

__all__ = ["ladder_tables", "ladders"]

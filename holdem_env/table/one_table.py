"""`OneTable`: what agents need of a Table, or of the AEC environment."""

from __future__ import annotations

from typing import Protocol

from ..compiled.records import Records
from ..game.rules import Rules


class OneTable(Protocol):
    """An object with one table."""

    rules: Rules

    @property
    def records(self) -> Records:
        """The table's TABLE record, in an array of length one."""

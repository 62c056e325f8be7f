"""Hooks: what runs beside a learner while it trains. A hook has any of the methods of `Hook`, and needs no base."""

from __future__ import annotations

from typing import Any, TypeAlias

Stats: TypeAlias = dict[str, Any]
"""One row of the log: numbers by name."""


class Hook:
    """What hooks do unless they say otherwise: nothing.

    Attributes:
        model: The algorithm that trains (`learner.Algorithm`).
    """

    model: Any

    def begin(self, model: Any) -> None:
        """Training begins, or goes on."""
        self.model = model

    def before_step(self, stats: Stats) -> None:
        """A step, a rollout and its update, is to begin, and the state is whole. `stats` go to the log after it."""

    def goes_on(self) -> bool:
        """Return whether training goes on. It is asked before each move of the tables, and may end a rollout."""
        return True

    def after_step(self, stats: Stats) -> None:
        """A step is done; `stats` has the algorithm's own numbers."""

    def end(self) -> None:
        """Training has ended, but not by an error."""

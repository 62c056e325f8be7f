"""Estimators by name: for tournaments' files, `holdem match --estimators`, and packages that bring their own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from ...game.rules import Rules
from ...utils.registry import Registry
from ..matches.match import Column
from .aivat import Aivat
from .all_in import AllInValue
from .imaginary import ImaginaryAivat

USUAL = ("all_in", "aivat")
"""What a match or a score is estimated by, where its game allows it, unless somebody names others."""
RESULTS = {"chips": "what was won", "prizes": "the prizes won"}


class Estimator(Column, Protocol):
    """A class whose objects estimate, for one match, what finished hands were worth.

    Attributes:
        name: In files, tables and on the command line.
        rank: Win rates are made of the estimator with the highest rank among those of a match.
        summary: What rates are made of, as in "the rate is made of what was won".
        needs_pairs: Whether it is for one agent against one other agent.
    """

    rank: int
    summary: str
    needs_pairs: bool

    @classmethod
    def new(cls, columns: Sequence[Column]) -> Column:
        """Return the column of a new match.

        Args:
            columns: Those of the match's estimators with lower ranks.
        """


ESTIMATORS: Registry[type[Estimator]] = Registry(
    "estimator", "holdem_env.estimators", {each.name: each for each in (AllInValue, Aivat, ImaginaryAivat)}
)


def register_estimator(estimator: type[Estimator]) -> None:
    """Register an estimator in this process under its `name`. Installed packages use entry points instead."""
    ESTIMATORS.register(estimator.name, estimator)


def why_no_estimator(name: str, rules: Rules, pairs: bool = True) -> str | None:
    """Return why a game has no such estimator; None if it has.

    Args:
        name: Of the estimator.
        rules: The game.
        pairs: Whether one agent plays against one other.

    Raises:
        ValueError: If no estimator has the name.
    """
    estimator = ESTIMATORS.get(name)
    if estimator.needs_pairs and not pairs:
        return f"{name}: only where one agent plays against one other"
    return estimator().why_not(rules)


def usual_estimators(rules: Rules) -> tuple[str, ...]:
    """Return the names of the usual estimators that a game of one agent against another allows."""
    return tuple(name for name in USUAL if why_no_estimator(name, rules) is None)


def new_columns(names: Iterable[str]) -> list[Column]:
    """Return the columns of a new match, the one that rates are made of last.

    Raises:
        ValueError: If no estimator has one of the names.
    """
    columns: list[Column] = []
    for estimator in sorted(map(ESTIMATORS.get, names), key=lambda each: each.rank):
        columns.append(estimator.new(columns))
    return columns


def summary_of(column: str) -> str:
    """Return what rates made of a column of deals are made of, in words."""
    if column in RESULTS:
        return RESULTS[column]
    return ESTIMATORS.get(column).summary if column in ESTIMATORS else f"the column {column!r}"

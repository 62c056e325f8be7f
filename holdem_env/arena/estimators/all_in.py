"""All-in expected value as a column of a match: the luck of the cards that came after all betting taken out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ...agents.protocol import Agent
from ...compiled.records import Records
from ...equities.all_in_value import all_in_values_of_tables, new_memory, why_no_all_in_value
from ...game.rules import Rules
from ..matches.batches import Rows
from ..matches.match import Column

SAMPLES = 400  # boards drawn where they are too many to be counted: three or more hands before the flop


class AllInValue:
    """The all-in expected value as a column of a match: net chips by seat, those of the result itself wherever betting
    went on to the last street or somebody won uncontested.

    Counted exactly where two are left in hold'em and where one or two board cards are missing; otherwise the mean of
    `samples` boards, whose error is a part of the spread of the values and so of every interval made of them.
    """

    name = "all_in"
    rank = 10
    summary = "all-in values, in which the cards after the last bet are no luck"
    needs_pairs = False

    @classmethod
    def new(cls, columns: Sequence[Column]) -> AllInValue:
        return _of_this_process()

    def __init__(self, samples: int = SAMPLES) -> None:
        if samples < 1:
            raise ValueError(f"samples: {samples}; give 1 or more")
        self.samples = samples
        self._remembered = new_memory()

    def why_not(self, rules: Rules) -> str | None:
        why = why_no_all_in_value(rules)
        return why and f"all-in expected value: {why}"

    def values(self, tables: Records, rules: Rules, seating: Rows, agents: list[Agent]) -> NDArray[np.float64]:
        return self.with_method(tables, rules)[0]

    def with_method(self, tables: Records, rules: Rules) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """The values, and for each table whether its boards were sampled."""
        return all_in_values_of_tables(tables, rules, self.samples, self._remembered)


@cache
def _of_this_process() -> AllInValue:
    """One for all matches: it remembers what it has counted."""
    return AllInValue()

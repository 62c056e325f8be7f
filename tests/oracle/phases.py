"""R19 once more, in plain Python from the rule's words: which phase the next hand is played in."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any


class Phases:
    """The phases of a session, given the big blind of each hand in turn. phases: dicts with `hands` or `orbits`."""

    def __init__(self, phases: Sequence[dict[str, Any]], seats: int) -> None:
        self.phases, self.seats = phases, seats
        self.now = 0
        self.bigs: list[int] = []  # of the hands of this phase

    def of_next_hand(self, big: int) -> int:
        """The phase of the hand that has the big blind there."""
        phase = self.phases[self.now]
        if self.bigs and self._is_over(phase, big):
            self.now = (self.now + 1) % len(self.phases)
            self.bigs = []
        self.bigs.append(big)
        return self.now

    def _is_over(self, phase: dict[str, Any], big: int) -> bool:
        if "hands" in phase:
            return len(self.bigs) == phase["hands"]
        way = [*self.bigs, big]
        orbits = sum(self._passes(self.bigs[0], before, after) for before, after in pairwise(way))
        return orbits == phase["orbits"]

    def _passes(self, start: int, before: int, after: int) -> bool:
        """Whether the big blind, on its way round, comes to the start or beyond it."""
        seat = before
        while True:
            seat = (seat + 1) % self.seats
            if seat == start:
                return True
            if seat == after:
                return False

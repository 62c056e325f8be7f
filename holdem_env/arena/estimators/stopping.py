"""A match by estimators, which may stop when it knows enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...agents.protocol import Agent
from ...game.rules import Rules
from ..matches.match import number_of_deals, play_deals
from ..matches.players import Players
from ..matches.seating import one_against_all, plays_duplicates
from ..statistics.deals import Deals, join
from ..statistics.estimates import Estimate, best_estimate
from ..statistics.estimates import estimates as estimates_of
from ..statistics.intervals import SAYS_NOTHING_BEFORE
from .registry import new_columns, usual_estimators

GROWTH = 1.1  # a match that may stop is looked at again after this multiple of its deals


@dataclass(frozen=True)
class Stops:
    """When a match ends before all hands are played: when the interval is `half_width` on either side in the
    game's unit, or the agents have used this many dollars."""

    half_width: float | None = None
    dollars: float | None = None

    def __bool__(self) -> bool:
        return self.half_width is not None or self.dollars is not None

    def why(self, best: Estimate, agents: Sequence[Agent]) -> str | None:
        """What ends a match with this best estimate, as a sentence; None to go on."""
        spent = sum(dollars_of(agent) or 0.0 for agent in agents)
        if self.half_width is not None and best.rate[1] <= self.half_width:
            return f"Stopped at ±{self.half_width:g} {best.unit.name}."
        return f"Stopped after ${spent:.2f}." if self.dollars is not None and spent >= self.dollars else None


TO_THE_END = Stops()


def play_estimated(
    agents: Sequence[Agent],
    rules: Rules,
    hands: int,
    seed: int = 0,
    stops: Stops = TO_THE_END,
    estimators: Sequence[str] = (),
    **how: Any,
) -> tuple[list[Estimate], str | None]:
    """Estimates of the first agent's win rate against the second, which has all the other seats, and what ended the
    match, if it may stop.

    The estimate that decides is the one with the least luck; which one that is depends on the game alone. Intervals of
    a match that may stop are those of a confidence sequence (`statistics.intervals`), so that looking after each part
    costs no validity.

    estimators: their names (`registry.ESTIMATORS`), by default the usual ones of the game. how: further options of
    `play_deals`. Raises ValueError for an estimator that does not exist, or not for this game.
    """
    columns, lineup = new_columns(estimators or usual_estimators(rules)), one_against_all(rules.seats)
    most = number_of_deals(hands, rules.seats, plays_duplicates(agents))
    if not stops:
        return estimates_of(play_deals(rules, agents, lineup, range(most), seed, columns, **how)), None
    parts: list[Deals] = []
    first, end, players = 0, min(most, 1 if stops.dollars else SAYS_NOTHING_BEFORE), Players(agents)
    while True:
        parts.append(play_deals(rules, agents, lineup, range(first, end), seed, columns, players=players, **how))
        played = join(parts)
        why = stops.why(best_estimate(played, watched=True, best_at=most), agents)
        if end == most:
            why = why or "All hands are played."
        if why:
            return estimates_of(played, watched=True, best_at=most), why
        first, end = end, min(most, max(end + 1, int(end * GROWTH)))


def dollars_of(agent: Agent) -> float | None:
    """What an agent's answers have cost; None for one that counts no dollars."""
    return getattr(agent.usage, "dollars", None)

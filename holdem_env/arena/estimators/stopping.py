"""A match by every estimator that its game allows, and one that stops when it knows enough."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...agents.protocol import Agent
from ...game.rules import Rules
from ..matches.batches import Finished
from ..matches.match import Column, number_of_deals, play_deals, plays_duplicates
from ..matches.players import Players
from ..matches.seating import one_against_all
from ..statistics.deals import Deals, join
from ..statistics.estimates import Estimate, best_estimate, estimates
from ..statistics.intervals import SAYS_NOTHING_BEFORE
from .aivat import Aivat
from .all_in import AllInValue
from .imaginary import ImaginaryAivat

GROWTH = 1.1
"""A match that may stop is looked at again after this multiple of its deals."""


def all_estimates(
    agents: Sequence[Agent],
    rules: Rules,
    hands: int,
    seed: int,
    progress: Callable[[int], None],
    imaginary: bool = False,
    finished: Finished | None = None,
) -> list[Estimate]:
    """Estimates of the first agent's win rate against the second, which has all the other seats.

    imaginary: also AIVAT with imaginary observations. finished: is shown all hands. Raises ValueError where imaginary
    observations cannot be had.
    """
    columns = _columns(rules, imaginary)
    deals = range(number_of_deals(hands, rules.seats, plays_duplicates(agents)))
    lineup = one_against_all(rules.seats)
    return estimates(play_deals(rules, agents, lineup, deals, seed, columns, progress=progress, finished=finished))


def estimates_until(
    agents: Sequence[Agent],
    rules: Rules,
    hands: int,
    seed: int,
    progress: Callable[[int], None],
    stop_at: float | None,
    dollars: float | None,
    tables: int,
    finished: Finished | None = None,
) -> tuple[list[Estimate], str]:
    """Play until the interval is `stop_at` bb/100 on either side, or the agents have used this many dollars, or all
    hands are played: the estimates, and what ended it.

    The estimate that decides is the one with the least luck; which one that is depends on the game alone. Intervals are
    those of a confidence sequence (`statistics.intervals`), so that looking after each part costs no validity.
    """
    columns, lineup = _columns(rules, False), one_against_all(rules.seats)
    most = number_of_deals(hands, rules.seats, plays_duplicates(agents))
    parts: list[Deals] = []
    first, end, players = 0, min(most, 1 if dollars else SAYS_NOTHING_BEFORE), Players(agents)
    while True:
        how: dict[str, Any] = {"tables": tables, "progress": progress, "finished": finished, "players": players}
        parts.append(play_deals(rules, agents, lineup, range(first, end), seed, columns, **how))
        played = join(parts)
        spent = sum(dollars_of(agent) or 0.0 for agent in agents)
        if stop_at is not None and best_estimate(played, watched=True, best_at=most).bb100[1] <= stop_at:
            why = f"Stopped at ±{stop_at:g} bb/100."
        elif dollars is not None and spent >= dollars:
            why = f"Stopped after ${spent:.2f}."
        elif end == most:
            why = "All hands are played."
        else:
            first, end = end, min(most, max(end + 1, int(end * GROWTH)))
            continue
        return estimates(played, watched=True, best_at=most), why


def dollars_of(agent: Agent) -> float | None:
    """What an agent's answers have cost; None for one that counts no dollars."""
    found: float | None = getattr(getattr(agent, "usage", None), "dollars", None)
    return found


def _columns(rules: Rules, imaginary: bool) -> list[Column]:
    """What takes luck out of a match, the least luck last. Raises ValueError as `all_estimates`."""
    if imaginary and (why := ImaginaryAivat().why_not(rules)):
        raise ValueError(why)
    columns: list[Column] = [] if AllInValue().why_not(rules) else [AllInValue()]
    if Aivat().why_not(rules) is None:
        columns.append(aivat := Aivat())
        if imaginary:
            columns.append(ImaginaryAivat(aivat))
    return columns

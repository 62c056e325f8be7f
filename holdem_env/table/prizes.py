"""Rewards of a session: chips won, prizes by finishing place, and the independent chip model (ICM)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..game.session_rules import SessionRules
from ..utils.counting import ordinal


def prizes_of(places: ArrayLike, prizes: Sequence[float]) -> NDArray[np.float64]:
    """Each seat's prize by its finishing place. Tied seats share the prizes of the places that they occupy.

    places: (seats,) or (N, seats) ints; 1 is the winner, 0 a seat that is still in and has no prize yet.
    prizes: by place, best first; further places get nothing.
    """
    places = np.asarray(places)
    paid = np.zeros(places.shape[-1] + 1)
    paid[1 : len(prizes) + 1] = prizes[: places.shape[-1]]
    before = np.concatenate([[0.0], np.cumsum(paid)])
    tied = (places[..., :, None] == places[..., None, :]).sum(axis=-1)
    shares = (before[np.minimum(places + tied, len(before) - 1)] - before[places]) / tied
    return np.where(places > 0, shares, 0.0)


def final_places(places: ArrayLike, stacks: Sequence[int]) -> NDArray[np.int64]:
    """Each seat's place when a session is over: players who are still in, with place 0, are placed by their chips."""
    by_chips = [1 + sum(chips > own for chips in stacks) for own in stacks]
    return np.where(np.asarray(places) == 0, by_chips, places)


def share_text(prize: float, prizes: Sequence[float], place: int, tied: int = 1) -> str:
    """A prize as its share of all prizes: "11.7 % of the prizes (2nd to 4th, shared)".

    tied: how many players share the places from `place` on.
    """
    text = f"{100 * prize / (sum(prizes) or 1):.3g} % of the prizes"
    return text if tied == 1 else f"{text} ({ordinal(place)} to {ordinal(place + tied - 1)}, shared)"


def icm(stacks: Sequence[float], prizes: Sequence[float]) -> list[float]:
    """The value of each stack in prizes, by the independent chip model (Harville 1973; Malmuth 1987).

    A player finishes first with a probability proportional to its chips; the same rule then gives the second place
    among the others, and so on.

    stacks: chips, 0 for a seat that is out. prizes: for the places that are still open, best first.
    """
    players = [seat for seat, stack in enumerate(stacks) if stack > 0]

    @cache
    def values(remaining: frozenset[int], place: int) -> dict[int, float]:
        """Each remaining player's expected prize, if `place` is the best place that is still open."""
        expected = dict.fromkeys(remaining, 0.0)
        if place >= len(prizes) or not remaining:
            return expected
        chips = sum(stacks[seat] for seat in remaining)
        for first in remaining:
            probability = stacks[first] / chips
            expected[first] += probability * prizes[place]
            for seat, later in values(remaining - {first}, place + 1).items():
                expected[seat] += probability * later
        return expected

    expected = values(frozenset(players), 0)
    return [expected.get(seat, 0.0) for seat in range(len(stacks))]


class Winnings:
    """Each seat's reward for each hand of a session, of the kind that the session's rules name.

    unit: chips in one unit of reward; prizes are not divided by it.
    """

    def __init__(self, session: SessionRules, unit: int) -> None:
        self._session = session
        self._unit = unit

    def begin(self, stacks: Sequence[int]) -> None:
        """Begin a session. stacks: chips per seat at its start."""
        if self._session.reward != "chips":
            self._so_far = icm(stacks, self._session.prizes) if self._session.reward == "icm" else [0.0] * len(stacks)

    def of_hand(self, payoffs: Sequence[int], stacks: Sequence[int], paid: Sequence[float], over: bool) -> list[float]:
        """Each seat's reward for a hand that is over.

        payoffs: chips won. stacks: after the hand. paid: each seat's prize so far, for all kinds but chips. over:
            whether the session is over, too.
        """
        if self._session.reward == "chips":
            return [payoff / self._unit for payoff in payoffs]
        before, self._so_far = self._so_far, self._equities(stacks, paid, over)
        return [now - earlier for now, earlier in zip(self._so_far, before, strict=True)]

    def enter(self, seat: int, stacks: Sequence[int]) -> None:
        """A player enters late: its rewards begin with the equity of its stack. stacks: with its own."""
        if self._session.reward != "chips":
            self._so_far[seat] = self._icm_of(stacks)[seat] if self._session.reward == "icm" else 0.0

    def _equities(self, stacks: Sequence[int], paid: Sequence[float], over: bool) -> list[float]:
        """Each seat's equity in the prizes: its prize; with ICM, for seats still in, the value of the stack."""
        if over or self._session.reward == "prizes":
            return list(paid)
        return [prize or value for prize, value in zip(paid, self._icm_of(stacks), strict=True)]

    def _icm_of(self, stacks: Sequence[int]) -> list[float]:
        return icm(stacks, self._session.prizes[: sum(stack > 0 for stack in stacks)])

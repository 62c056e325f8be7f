"""What hands, finishing places and stacks are worth: chips, prizes by place, and the independent chip model."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..game.session_rules import SessionRules


def prizes_of(places: ArrayLike, prizes: Sequence[float]) -> NDArray[np.float64]:
    """Each seat's prize by its finishing place: 1 is the winner, 0 still in, who has none. Tied places share theirs.

    places: (seats,) or (N, seats) ints. prizes: by place, best first; further places get nothing.
    """
    places = np.asarray(places)
    paid = np.zeros(places.shape[-1] + 1)
    paid[1 : len(prizes) + 1] = prizes[: places.shape[-1]]
    before = np.concatenate([[0.0], np.cumsum(paid)])
    tied = (places[..., :, None] == places[..., None, :]).sum(axis=-1)
    shares = (before[np.minimum(places + tied, len(before) - 1)] - before[places]) / tied
    return np.where(places > 0, shares, 0.0)


def icm(stacks: Sequence[int], prizes: Sequence[float]) -> list[float]:
    """What stacks are worth as parts of the prizes, by the independent chip model: who finishes first is drawn with
    the chances of the chips, then who is second among the others, and so on (Harville 1973; Malmuth 1987).

    stacks: chips, 0 for who is out. prizes: for the places that are still open, best first.
    """
    players = [seat for seat, stack in enumerate(stacks) if stack > 0]

    @cache
    def value(still: frozenset[int], place: int) -> dict[int, float]:
        """Each remaining player's prize on average, when `place` is the best place that is still open."""
        worth = dict.fromkeys(still, 0.0)
        if place >= len(prizes) or not still:
            return worth
        chips = sum(stacks[seat] for seat in still)
        for first in still:
            chance = stacks[first] / chips
            worth[first] += chance * prizes[place]
            for seat, later in value(still - {first}, place + 1).items():
                worth[seat] += chance * later
        return worth

    worth = value(frozenset(players), 0)
    return [worth.get(seat, 0.0) for seat in range(len(stacks))]


class Winnings:
    """What each hand of a session is worth to each seat, as the session's rules want it paid.

    stacks: chips per seat at the start. unit: chips in one unit of reward; prizes are paid as they are given.
    """

    def __init__(self, session: SessionRules, stacks: Sequence[int], unit: int) -> None:
        self._session = session
        self._unit = unit
        self._so_far = icm(stacks, session.prizes) if session.reward == "icm" else [0.0] * len(stacks)

    def of_hand(
        self, payoffs: Sequence[int], stacks: Sequence[int], places: NDArray[np.int8], over: bool
    ) -> list[float]:
        """The rewards of a hand that is over. payoffs: chips won. stacks, places: after it. over: the session, too."""
        if self._session.reward == "chips":
            return [payoff / self._unit for payoff in payoffs]
        before, self._so_far = self._so_far, self._prizes(stacks, places, over)
        return [now - earlier for now, earlier in zip(self._so_far, before, strict=True)]

    def _prizes(self, stacks: Sequence[int], places: NDArray[np.int8], over: bool) -> list[float]:
        """What each seat has of the prizes: by place who is out, the others (icm) by their chips; at the end of the
        last hand chips are places."""
        prizes = self._session.prizes
        if over:
            by_chips = [1 + sum(chips > own for chips in stacks) for own in stacks]
            places = np.where(places == 0, by_chips, places)
        paid: list[float] = prizes_of(places, prizes).tolist()
        if over or self._session.reward == "prizes":
            return paid
        still = icm(stacks, prizes[: sum(stack > 0 for stack in stacks)])
        return [there or later for there, later in zip(paid, still, strict=True)]

"""Rewards of your own: a function of hands that have ended (`reward_function=` of the environments)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..engine import record
from ..game.rules import Rules
from ..game.title import game_title


@dataclass(frozen=True, slots=True, eq=False)
class EndedHands:
    """N hands that have just ended, at one table or at many. All arrays are copies or read-only."""

    rules: Rules
    """The game; in a session, records["stage"] says which of rules.stages was played."""
    records: record.Records
    """(N,) TABLE, read-only; the tables when the chips were pushed, with all cards, bets and moves (see encoders)."""
    rewards: NDArray[np.float64]
    """(N, seats) what would be paid without a reward function."""
    places: NDArray[np.int64]
    """(N, seats) finishing places in a tournament, 1 for the winner, 0 for players still in or without a tournament."""
    episode_over: NDArray[np.bool_]
    """(N,) whether the episode is over with the hand. It always is where every hand stands alone."""

    def __repr__(self) -> str:
        many = len(self.records)
        hands = f"{many:,} hand{'' if many == 1 else 's'}"
        return f"<{type(self).__name__}: {hands}, {self.rules.seats} seats, {game_title(self.rules)}>"

    @property
    def stacks_before(self) -> NDArray[np.int64]:
        """(N, seats) chips when the hand began."""
        return self.records["start_stack"][:, : self.rules.seats]

    @property
    def stacks_after(self) -> NDArray[np.int64]:
        """(N, seats) chips when the hand was over, before rebuys, and before players come and go."""
        return self.records["seats"]["stack"][:, : self.rules.seats]

    @property
    def payoffs(self) -> NDArray[np.int64]:
        """(N, seats) chips won or lost."""
        return self.stacks_after - self.stacks_before


RewardFunction = Callable[[EndedHands], ArrayLike]


def own_rewards(
    function: RewardFunction,
    rules: Rules,
    records: record.Records,
    rewards: NDArray[np.float64],
    places: ArrayLike | None = None,
    episode_over: bool = True,
) -> NDArray[np.float64]:
    """(N, seats) what a reward function pays for hands that have ended.

    records: (N,) TABLE, made read-only. places: (N, seats), by default all 0.

    Raises ValueError if the function returns another shape, or a number that is not finite.
    """
    records.flags.writeable = False
    where = np.zeros(rewards.shape, np.int64) if places is None else np.asarray(places, np.int64)
    hands = EndedHands(rules, records, rewards, where, np.full(len(records), episode_over))
    paid = np.asarray(function(hands), np.float64)
    if paid.shape != rewards.shape:
        raise ValueError(
            f"reward_function: it returned shape {paid.shape}, not (hands, seats) = {rewards.shape}; every seat is paid"
        )
    if not np.isfinite(paid).all():
        hand, seat = np.argwhere(~np.isfinite(paid))[0]
        raise ValueError(
            f"reward_function: it returned {paid[hand, seat]} for seat {seat} in hand {hand} of {len(paid)}"
        )
    return paid


def checked_reward_function(function: RewardFunction | None) -> RewardFunction | None:
    """The function. Raises ValueError for what cannot be called."""
    if function is not None and not callable(function):
        raise ValueError(f"reward_function: {function!r} is not a function of EndedHands")
    return function

"""The rollout buffer: decisions wait here until their hands are over, and each gets what its own seat won."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem_env.compiled.compiler import kernel

NONE = -1
ROOM = 16
"""Decisions for each table that may wait for the ends of their hands before the buffer grows."""


@kernel
def chain(rows, seats, first, last, following):  # type: ignore[no-untyped-def]
    """Number new decisions from `first`, and let the decision before in the same hand and seat know its follower."""
    for k in range(rows.size):
        before = last[rows[k], seats[k]]
        if before != NONE:
            following[before] = first + k
        last[rows[k], seats[k]] = first + k
        following[first + k] = NONE


@kernel
def pay(rows, worth, scale, last, reward, is_over):  # type: ignore[no-untyped-def]
    """Give the last decision of each seat in the hands that ended at tables `rows` what it won, and forget them."""
    for k in range(rows.size):
        for seat in range(last.shape[1]):
            decision = last[rows[k], seat]
            if decision != NONE:
                reward[decision] = worth[k, seat] * scale
                is_over[decision] = True
                last[rows[k], seat] = NONE


@kernel
def estimate(count, following, reward, value, gamma, gae_lambda, is_over, advantage):  # type: ignore[no-untyped-def]
    """Generalized advantage estimation (Schulman et al. 2016) along each seat's own decisions, from the last to the
    first. Where the hand is not over yet, `is_over` stays False."""
    for k in range(count - 1, -1, -1):
        after = following[k]
        if after == NONE:
            advantage[k] = reward[k] - value[k]
        else:
            is_over[k] = is_over[after]
            advantage[k] = gamma * value[after] - value[k] + gamma * gae_lambda * advantage[after]


class RolloutBuffer:
    """Decisions of the learner, in the order in which they were made; preallocated, and larger only if hands are long.

    tables, seats: of the game. steps: decisions a table in a rollout. inputs, actions: of the network.

    count: how many decisions there are. Their columns: observation (C, inputs) float32, choices (C, actions) int64,
    action, log_prob, value, following (the same seat's next decision in the hand, or -1), reward, is_over (whether the
    hand is), advantage. After `finish`, `whole` has the numbers of the decisions to learn from.
    """

    COLUMNS: tuple[str, ...] = (
        "observation",
        "choices",
        "action",
        "log_prob",
        "value",
        "following",
        "reward",
        "is_over",
        "advantage",
    )

    def __init__(self, tables: int, seats: int, steps: int, inputs: int, actions: int) -> None:
        self.count = 0
        self.last: NDArray[np.int64] = np.full((tables, seats), NONE)
        room = tables * (steps + 1 + ROOM)
        self.observation: NDArray[np.float32] = np.empty((room, inputs), np.float32)
        self.choices: NDArray[np.int64] = np.empty((room, actions), np.int64)
        self.action: NDArray[np.int64] = np.empty(room, np.int64)
        self.log_prob: NDArray[np.float32] = np.empty(room, np.float32)
        self.value: NDArray[np.float32] = np.empty(room, np.float32)
        self.following: NDArray[np.int64] = np.empty(room, np.int64)
        self.reward: NDArray[np.float32] = np.zeros(room, np.float32)
        self.is_over: NDArray[np.bool_] = np.zeros(room, np.bool_)
        self.advantage: NDArray[np.float32] = np.empty(room, np.float32)
        self.whole: NDArray[np.int64] = np.empty(0, np.int64)

    def room_for(self, decisions: int) -> slice:
        """Where the next decisions go; the columns grow if they must."""
        end = self.count + decisions
        if end > len(self.action):
            for name in self.COLUMNS:
                before = getattr(self, name)
                grown = np.zeros((2 * end, *before.shape[1:]), before.dtype)
                grown[: self.count] = before[: self.count]
                setattr(self, name, grown)
        return slice(self.count, end)

    def add(self, rows: NDArray[np.int64], seats: NDArray[np.int64]) -> None:
        """Count the decisions written to `room_for`, made at these tables and seats."""
        end = self.count + len(rows)
        self.reward[self.count : end] = 0
        self.is_over[self.count : end] = False
        chain(rows, seats, self.count, self.last, self.following)
        self.count = end

    def pay(self, rows: NDArray[np.int64], worth: NDArray[np.float64], scale: float) -> None:
        """Credit the decisions of hands that ended at tables `rows` with what their seats won, (M, seats), by scale."""
        pay(rows, worth, scale, self.last, self.reward, self.is_over)

    def finish(self, gamma: float, gae_lambda: float) -> None:
        """Estimate advantages, and find the decisions whose hands are over."""
        estimate(self.count, self.following, self.reward, self.value, gamma, gae_lambda, self.is_over, self.advantage)
        self.whole = np.flatnonzero(self.is_over[: self.count])

    def forget(self) -> None:
        """Drop the decisions that were given out to learn from; the others wait at the front."""
        kept, following, last = self._waiting()
        for name in self.COLUMNS:
            column = getattr(self, name)
            column[: len(kept)] = following if name == "following" else column[kept]
        self.last[:] = last
        self.count = len(kept)
        self.whole = self.whole[:0]

    def _given_out(self) -> NDArray[np.int64]:
        return self.whole

    def _waiting(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """The numbers of the decisions that were not given out; `following` and `last` in numbers of these alone."""
        kept = np.delete(np.arange(self.count), self._given_out())
        new = np.full(self.count + 1, NONE)  # the last one is the new number of NONE
        new[kept] = np.arange(len(kept))
        return kept, new[self.following[kept]], new[self.last]

    def state(self) -> dict[str, NDArray[Any]]:
        """The decisions that wait, as copies."""
        kept, following, last = self._waiting()
        columns = {name: getattr(self, name)[kept] for name in self.COLUMNS}
        return columns | {"following": following, "last": last}

    def load_state(self, state: dict[str, NDArray[Any]]) -> None:
        """Restore decisions that `state` returned."""
        self.count = 0
        self.room_for(len(state["action"]))
        self.count = len(state["action"])
        for name in self.COLUMNS:
            getattr(self, name)[: self.count] = state[name]
        self.last[:] = state["last"]
        self.whole = self.whole[:0]

    # Names that SB3's rollout buffers have: what callbacks read after a rollout.
    @property
    def rewards(self) -> NDArray[np.float32]:
        """(W,) the rewards of the decisions to learn from."""
        return self.reward[self.whole]

    @property
    def returns(self) -> NDArray[np.float32]:
        """(W,) the value's targets."""
        returns: NDArray[np.float32] = self.advantage[self.whole] + self.value[self.whole]
        return returns

    @property
    def log_probs(self) -> NDArray[np.float32]:
        """(W,) the log-probabilities of the chosen actions."""
        return self.log_prob[self.whole]

    @property
    def episode_starts(self) -> NDArray[np.bool_]:
        """(W,) whether each decision was its seat's last in the hand: as many as hands, counted for each seat."""
        ends: NDArray[np.bool_] = self.following[self.whole] == NONE
        return ends

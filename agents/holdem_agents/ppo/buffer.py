"""The rollout buffer: decisions wait here until their hands are over, and each gets what its own seat won."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from holdem_env.compiled.compiler import kernel
from holdem_env.engine.batch import NO_MOVE

from ..networks.tensors import sent

Columns = dict[str, NDArray[Any]]
POINTERS = "following", "last"

NONE = -1
WAITING = 16
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
def credit(rows, results, scale, last, reward, is_over):  # type: ignore[no-untyped-def]
    """Reward the last decision of each seat in the hands that ended at tables `rows`, and clear `last` there."""
    for k in range(rows.size):
        for seat in range(last.shape[1]):
            decision = last[rows[k], seat]
            if decision != NONE:
                reward[decision] = results[k, seat] * scale
                is_over[decision] = True
                last[rows[k], seat] = NONE


@kernel
def estimate_advantages(count, following, reward, value, gamma, gae_lambda, is_over, advantage):  # type: ignore[no-untyped-def]
    """Generalized advantage estimation (Schulman et al. 2016) along each seat's own decisions, from the last to the
    first: A_t = delta_t + gamma lambda A_{t+1} with delta_t = r_t + gamma V(s_{t+1}) - V(s_t).
    Only the last decision of a hand has a reward. Where the hand is not over yet, `is_over` stays False."""
    for k in range(count - 1, -1, -1):
        after = following[k]
        if after == NONE:
            advantage[k] = reward[k] - value[k]
        else:
            is_over[k] = is_over[after]
            advantage[k] = gamma * value[after] - value[k] + gamma * gae_lambda * advantage[after]


def shares_memory(device: torch.device) -> bool:
    """Whether arrays are tensors of this device."""
    return device.type == "cpu"


class RolloutBuffer:
    """Decisions of the learner, in the order in which they were made; preallocated, and larger only if hands are long.

    tables, seats: of the game. steps: decisions a table in a rollout. inputs, actions: of the network. device: where
    the network computes.

    count: how many decisions there are. Their columns: observation (C, inputs) float32, choices (C, actions) int64,
    action, log_prob, value, following (the same seat's next decision in the hand, or -1), reward, is_over (whether the
    hand is), advantage. After `finish`, `complete` has the indices of the decisions to learn from: those of hands that
    are over.
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

    def __init__(
        self,
        tables: int,
        seats: int,
        steps: int,
        inputs: int,
        actions: int,
        device: torch.device = torch.device("cpu"),  # noqa: B008 # it does not change
    ) -> None:
        self.count, self.device = 0, device
        self._on_device: torch.Tensor | None = None
        self.last: NDArray[np.int64] = np.full((tables, seats), NONE)
        room = tables * (steps + 1 + WAITING)
        seen = torch.empty((room, inputs), pin_memory=device.type == "cuda")  # pinned memory travels twice as fast
        self.observation: NDArray[np.float32] = seen.numpy()
        self.choices: NDArray[np.int64] = np.empty((room, actions), np.int64)
        self.action: NDArray[np.int64] = np.empty(room, np.int64)
        self.log_prob: NDArray[np.float32] = np.empty(room, np.float32)
        self.value: NDArray[np.float32] = np.empty(room, np.float32)
        self.following: NDArray[np.int64] = np.empty(room, np.int64)
        self.reward: NDArray[np.float32] = np.zeros(room, np.float32)
        self.is_over: NDArray[np.bool_] = np.zeros(room, np.bool_)
        self.advantage: NDArray[np.float32] = np.empty(room, np.float32)
        self.complete: NDArray[np.int64] = np.empty(0, np.int64)

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

    def credit(self, rows: NDArray[np.int64], results: NDArray[np.float64], scale: float) -> None:
        """Reward decisions of hands that ended at tables `rows` with their seats' results, (M, seats), times scale."""
        credit(rows, results, scale, self.last, self.reward, self.is_over)

    def finish(self, gamma: float, gae_lambda: float) -> None:
        """Estimate advantages, and find the decisions whose hands are over."""
        self._on_device = None
        columns = self.following, self.reward, self.value
        estimate_advantages(self.count, *columns, gamma, gae_lambda, self.is_over, self.advantage)
        self.complete = np.flatnonzero(self.is_over[: self.count])

    def observations_of(self, rows: NDArray[np.int64]) -> torch.Tensor:
        """(B, inputs) the observations of these decisions on the device, which gets those of a rollout at once."""
        if shares_memory(self.device):
            return torch.from_numpy(self.observation[rows])
        if self._on_device is None:
            self._on_device = sent(self.observation[: self.count], self.device)
        return self._on_device[sent(rows, self.device)]

    def discard(self) -> None:
        """Discard the decisions that were learnt from; the others wait at the front."""
        kept, following, last = self._waiting()
        for name in self.COLUMNS:
            column = getattr(self, name)
            column[: len(kept)] = following if name == "following" else column[kept]
        self.last[:] = last
        self.count = len(kept)
        self.complete = self.complete[:0]

    def _to_discard(self) -> NDArray[np.int64]:
        return self.complete

    def _waiting(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """The indices of the decisions that wait; `following` and `last` as indices into these alone."""
        kept = np.delete(np.arange(self.count), self._to_discard())
        new = np.full(self.count + 1, NONE)  # the last one is the new number of NONE
        new[kept] = np.arange(len(kept))
        return kept, new[self.following[kept]], new[self.last]

    def state(self) -> dict[str, NDArray[Any]]:
        """The decisions that wait, as copies."""
        kept, following, last = self._waiting()
        columns = {name: getattr(self, name)[kept] for name in self.COLUMNS}
        return columns | {"following": following, "last": last}

    def load_state(self, state: dict[str, NDArray[Any]]) -> None:
        self.count = 0
        self.room_for(len(state["action"]))
        self.count = len(state["action"])
        for name in self.COLUMNS:
            getattr(self, name)[: self.count] = state[name]
        self.last[:] = state["last"]
        self.complete = self.complete[:0]

    # Names that SB3's rollout buffers have: what hooks read after a step.
    @property
    def observations(self) -> NDArray[np.float32]:
        """(W, inputs) the decisions to learn from as they were seen, as a copy."""
        return self.observation[self.complete]

    @property
    def rewards(self) -> NDArray[np.float32]:
        """(W,) the rewards of the decisions to learn from."""
        return self.reward[self.complete]

    @property
    def returns(self) -> NDArray[np.float32]:
        """(W,) the value's targets."""
        returns: NDArray[np.float32] = self.advantage[self.complete] + self.value[self.complete]
        return returns

    @property
    def log_probs(self) -> NDArray[np.float32]:
        """(W,) the log-probabilities of the chosen actions."""
        return self.log_prob[self.complete]


def joined(waiting: Sequence[Columns]) -> Columns:
    """The decisions that wait at all tables, of `RolloutBuffer.state` at each rank's."""
    before = np.cumsum([0, *(len(each["action"]) for each in waiting)])
    moved = [
        each | {name: np.where(each[name] == NONE, NONE, each[name] + first) for name in POINTERS}
        for each, first in zip(waiting, before, strict=False)
    ]
    return {name: np.concatenate([each[name] for each in moved]) for name in moved[0]}


def share_of(waiting: Columns, tables: slice) -> Columns:
    """The decisions that wait at these tables, of those at all tables."""
    count, following, last = len(waiting["action"]), waiting["following"], waiting["last"]
    at = np.full(count, NONE)
    for table, decisions in enumerate(last):
        at[decisions[decisions != NONE]] = table
    for decision in range(count - 1, -1, -1):
        if following[decision] != NONE:
            at[decision] = at[following[decision]]
    kept = np.flatnonzero((at >= tables.start) & (at < tables.stop))
    new = np.full(count + 1, NONE)  # the last one is the new number of NONE
    new[kept] = np.arange(len(kept))
    columns = {name: column[kept] for name, column in waiting.items() if name not in POINTERS}
    return columns | {"following": new[following[kept]], "last": new[last[tables]]}


@kernel
def sample(logits, choices, uniform, action, log_prob, moves):  # type: ignore[no-untyped-def]
    """Draw an offered action from the softmax of each row of logits.

    logits: (B, A) float32. choices: (B, A) int64 moves, NO_MOVE where not offered. uniform: (B,) in [0, 1).
    Writes action, its log_prob and its move.
    """
    for k in range(logits.shape[0]):
        top, total = -np.inf, 0.0
        for a in range(logits.shape[1]):
            if choices[k, a] != NO_MOVE and logits[k, a] > top:
                top = logits[k, a]
        for a in range(logits.shape[1]):
            if choices[k, a] != NO_MOVE:
                total += np.exp(logits[k, a] - top)
        left, chosen = uniform[k] * total, -1
        for a in range(logits.shape[1]):
            if choices[k, a] != NO_MOVE:
                chosen = a
                left -= np.exp(logits[k, a] - top)
                if left < 0:
                    break
        action[k] = chosen
        log_prob[k] = logits[k, chosen] - top - np.log(total)
        moves[k] = choices[k, chosen]

"""The rollout buffer of a learner that remembers: decisions and the ends of hands, in the order in which each seat of
the learner met them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem_env.engine.batch import NO_MOVE

from ..networks.policy_network import HAND_END
from .buffer import NONE, RolloutBuffer

Rows = NDArray[np.int64]


class Sequences(NamedTuple):
    """Sequences of steps of different lengths, packed as PyTorch packs them: all first steps, then all second steps.

    rows: (S,) the buffer's rows. sizes: (T,) the number of sequences that have a t-th step. first: the rows of the
    first steps, the longest sequence first.
    """

    rows: Rows
    sizes: Rows
    first: Rows


class MemoryBuffer(RolloutBuffer):
    """A RolloutBuffer whose rows are steps: decisions, and the ends of the hands of each seat that learns.

    width: numbers in a hidden state. Further columns: hidden (C, width) float32, the state before the step; hand_end
    (C, 2) float32, as in `hand_ends`; stream, the table and seat as one number; is_first, whether the step begins
    with a state of zeros; is_end, whether it is the end of a hand, from which nothing is learnt directly.
    """

    COLUMNS = (*RolloutBuffer.COLUMNS, "hidden", "hand_end", "stream", "is_first", "is_end")

    def __init__(self, *args: Any, width: int) -> None:
        super().__init__(*args)
        room = len(self.action)
        self.hidden: NDArray[np.float32] = np.zeros((room, width), np.float32)
        self.hand_end: NDArray[np.float32] = np.zeros((room, HAND_END), np.float32)
        self.stream: Rows = np.zeros(room, np.int64)
        self.is_first: NDArray[np.bool_] = np.zeros(room, np.bool_)
        self.is_end: NDArray[np.bool_] = np.zeros(room, np.bool_)

    def note(
        self,
        where: slice,
        streams: Rows,
        is_first: NDArray[np.bool_],
        hidden: NDArray[np.float32],
        hand_end: NDArray[np.float32] | None,
    ) -> None:
        """Write the further columns of new steps. hand_end: of the ends of hands; None for decisions."""
        self.stream[where], self.is_first[where], self.hidden[where] = streams, is_first, hidden
        self.hand_end[where] = 0 if hand_end is None else hand_end
        self.is_end[where] = hand_end is not None

    def add_ends(self, count: int) -> None:
        where = slice(self.count, self.count + count)
        self.choices[where], self.action[where], self.following[where] = NO_MOVE, 0, NONE
        self.log_prob[where] = self.value[where] = self.reward[where] = 0
        self.is_over[where] = True
        self.count = where.stop

    def _to_discard(self) -> Rows:
        """The ends of hands go with the decisions before them: every step that is left has its state beside it."""
        ends = np.flatnonzero(self.is_end[: self.count])
        return np.concatenate([self.complete, ends]) if len(self.complete) else self.complete

    def finish(self, gamma: float, gae_lambda: float) -> None:
        """Estimate advantages, find the decisions whose hands are over, and put the steps into sequences."""
        super().finish(gamma, gae_lambda)
        self.complete = self.complete[~self.is_end[self.complete]]
        streams = self.stream[: self.count]
        self._steps: Rows = np.argsort(streams, kind="stable")
        begins = self.is_first[self._steps]
        begins[:1] = True
        begins[1:] |= np.diff(streams[self._steps]) != 0
        self._begins: Rows = np.flatnonzero(begins)
        self._lengths: Rows = np.diff(self._begins, append=self.count)
        self.sequence: Rows = np.empty(self.count, np.int64)
        self.sequence[self._steps] = np.cumsum(begins) - 1

    def packed(self, sequences: Rows) -> Sequences:
        """The steps of these sequences, numbered as in `sequence`."""
        sequences = sequences[np.argsort(-self._lengths[sequences], kind="stable")]
        begins, lengths = self._begins[sequences], self._lengths[sequences]
        late = np.arange(lengths[0])
        sizes = (lengths[:, None] > late).sum(axis=0)
        which = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return Sequences(self._steps[begins[which] + np.repeat(late, sizes)], sizes, self._steps[begins])

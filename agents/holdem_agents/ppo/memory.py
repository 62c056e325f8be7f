"""PPO with memory: a recurrent layer whose state goes on through the hands of a sitting, for opponents that change.

The state of each seat that learns goes on from decision to decision and takes in how hands end; at the end of a sitting
it is zeros again. An update recomputes the states, from the state before the first step that the buffer has, and its
gradient runs back through all of them (truncated backpropagation through time): so the network learns what to remember.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.utils.rnn import PackedSequence

from holdem_env.engine.record import NOBODY
from holdem_env.envs.self_play import SelfPlayTables

from ..networks.suit_order import sort_suits
from ..networks.table_memory import hand_ends
from ..networks.tensors import as_tensors, sent
from .algorithm import PPO
from .memory_buffer import MemoryBuffer
from .network import ActorCritic

Rows = NDArray[np.int64]


class MemoryPPO(PPO):
    """PPO for a network with memory, at tables with sittings. Parameters are those of PPO.

    hidden: (N, seats, W) float32, what each seat that learns remembers now. is_first: (N, seats) bool, whether its next
    step is the first of a sitting. Raises ValueError for a network without memory, or one whose number of hands is
    not that of the tables' sittings.
    """

    policy: ActorCritic
    rollout_buffer: MemoryBuffer

    def __init__(self, policy: ActorCritic, tables: SelfPlayTables, **settings: Any) -> None:
        memory = policy.architecture.memory
        if memory is None:
            raise ValueError("policy: this network has no memory; PPO trains it")
        if memory.hands != tables.sitting:
            raise ValueError(f"tables: sittings have {tables.sitting} hands; the network remembers {memory.hands}")
        self.width = memory.outputs
        shape = tables.num_tables, tables.rules.seats
        self.hidden: NDArray[np.float32] = np.zeros((*shape, self.width), np.float32)
        self.is_first: NDArray[np.bool_] = np.ones(shape, np.bool_)
        super().__init__(policy, tables, **settings)

    def new_buffer(self) -> MemoryBuffer:
        tables = self.tables
        sizes = tables.num_tables, tables.rules.seats, self.n_steps, tables.observation_size, tables.num_actions
        return MemoryBuffer(*sizes, self.device, width=self.width)

    def evaluate_new(self, where: slice, rows: Rows) -> tuple[torch.Tensor, torch.Tensor]:
        return self.policy.heads(self._step(where, rows, self.tables.seats_to_act, None))

    def _step(self, where: slice, rows: Rows, seats: Rows, hand_end: NDArray[np.float32] | None) -> torch.Tensor:
        """Update the hidden states of these seats with the buffer's observations there, and note the steps. Returns the
        inputs of the heads."""
        buffer, hidden = self.rollout_buffer, self.hidden[rows, seats]
        streams = rows * self.tables.rules.seats + seats
        buffer.note(where, streams, self.is_first[rows, seats], hidden, hand_end)
        features = self.policy.features(self.shaped(sent(buffer.observation[where], self.device)))
        ends = sent(buffer.hand_end[where], self.device)
        inputs, after = self.policy.recall(features, ends, sent(hidden, self.device))
        self.hidden[rows, seats], self.is_first[rows, seats] = after.cpu().numpy(), False
        return inputs

    def play(self, moves: Rows) -> None:
        super().play(moves)
        self._end_hands()

    @torch.inference_mode()
    def _end_hands(self) -> None:
        """Update the hidden states of the learner's seats with how hands ended; clear them at the ends of sittings."""
        tables, buffer = self.tables, self.rollout_buffer
        is_over = tables.sitting_over
        ends, seats = np.nonzero((tables.played_by[: len(tables.ended)] == NOBODY) & ~is_over[:, None])
        if len(ends):
            where = buffer.room_for(len(ends))
            seen = buffer.observation[where]
            tables.observation_encoder.observe(tables.finished, tables.rules.record, ends, seats, seen)
            sort_suits(seen, self.card_places)
            self._step(where, tables.ended[ends], seats, hand_ends(tables.finished, tables.rules, ends, seats))
            buffer.add_ends(len(ends))
        over = tables.ended[is_over]
        self.hidden[over], self.is_first[over] = 0, True

    def _minibatches(self, count: int) -> list[Rows]:
        """Complete sequences, so that the states in them are computed once in each pass."""
        buffer = self.rollout_buffer
        sequence = buffer.sequence[buffer.complete]
        shuffled = np.unique(sequence)[torch.randperm(len(np.unique(sequence))).numpy()]
        minibatch = np.empty(len(buffer.sequence), np.int64)
        for number, sequences in enumerate(np.array_split(shuffled, count)):
            minibatch[sequences] = number
        return [np.flatnonzero(minibatch[sequence] == number) for number in range(count)]

    def evaluate(self, policy: ActorCritic, rows: Rows) -> tuple[torch.Tensor, torch.Tensor]:
        """As PPO's, from the state before the first step of each sequence that has one of these rows."""
        buffer, memory = self.rollout_buffer, policy.memory
        assert memory is not None
        steps = buffer.packed(np.unique(buffer.sequence[rows]))
        features = policy.features(self.shaped(buffer.observations_of(steps.rows)))
        inputs = torch.cat([features, sent(buffer.hand_end[steps.rows], self.device)], dim=1)
        before = sent(buffer.hidden[steps.first], self.device)
        states = memory(PackedSequence(inputs, torch.from_numpy(steps.sizes)), before[None])[0].data
        place = np.empty(buffer.count, np.int64)
        place[steps.rows] = np.arange(len(steps.rows))
        at = sent(place[rows], self.device)
        return policy.heads(torch.cat([features[at], states[at]], dim=1))

    def state(self) -> dict[str, Any]:
        return super().state() | {
            "memory": as_tensors({"hidden": self.hidden.copy(), "is_first": self.is_first.copy()})
        }

    def load_state(self, state: Mapping[str, Any]) -> None:
        super().load_state(state)
        self.hidden[:], self.is_first[:] = (state["memory"][name].numpy() for name in ("hidden", "is_first"))

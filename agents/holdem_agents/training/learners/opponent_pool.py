"""Self-play against past selves: the opponent pool, its snapshots of the learner, and the agents that play them."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from holdem_env.agents.protocol import Agent
from holdem_env.compiled.records import Records
from holdem_env.game.rules import Rules

from ...agent_files.network_agent import NetworkAgent
from ..config import PastSelves
from .counts import Counts
from .hooks import Hook, Stats
from .run_hooks import BudgetClock

Weights = dict[str, torch.Tensor]
SELF = "self"
# The weight of old results that each new draw keeps: the learner changes, so results become outdated.
RESULT_DECAY = 0.9
# The weight, in hands, of the prior belief that a snapshot is as strong as the learner.
PRIOR_HANDS = 500.0
# The weight, in hands, of what a new exploiter has won: it plays often until the learner's own results replace this.
EXPLOITER_HANDS = 2000.0


@dataclass
class Snapshot:
    """The frozen weights of a policy, and the learner's recent results against them.

    decisions: the learner's age when the snapshot was taken. kind: which learner it is a snapshot of, in a league.
    won: units of the reward that the learner has won from it lately. hands: in this many hands. is_exploiter: whether
    it is no past self, but an exploiter that trained against the learner at that age.
    """

    weights: Weights
    decisions: int = 0
    kind: str = SELF
    won: float = 0.0
    hands: float = 0.0
    is_exploiter: bool = False

    def loss(self) -> float:
        """What the learner loses to it in 100 hands, shrunk toward 0 if there are few hands."""
        return -100 * self.won / (self.hands + PRIOR_HANDS)


class SnapshotPlayer(Agent):
    """An agent that plays as any snapshot: it has a policy for each kind of learner, and loads weights into it."""

    def __init__(self, kinds: Mapping[str, NetworkAgent], name: str) -> None:
        self.name = name
        self._agents = {kind: agent.playing(deepcopy(agent.policy), name) for kind, agent in kinds.items()}
        self.current = next(iter(self._agents.values()))

    def play_as(self, snapshot: Snapshot) -> NetworkAgent:
        """Play as this snapshot from now on. Returns the agent that holds its weights."""
        self.current = self._agents[snapshot.kind]
        self.current.policy.load_state_dict(snapshot.weights)
        return self.current

    def act(self, tables: Records, rules: Rules, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        return self.current.act(tables, rules, rows)

    def hand_over(self, tables: Records, rules: Rules, rows: NDArray[np.int64]) -> None:
        self.current.hand_over(tables, rules, rows)

    @property
    def wants_hand_over(self) -> bool:
        return self.current.wants_hand_over


@dataclass
class OpponentPool:
    """Snapshots that a learner plays against. A few of them play at a time, as `players`.

    `draw` chooses which snapshots play, and `record` keeps the learner's results against them. seated: for each player
    the index of its snapshot.
    """

    settings: PastSelves
    players: list[SnapshotPlayer]
    random: Random
    snapshots: list[Snapshot] = field(default_factory=list)
    seated: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, kinds: Mapping[str, NetworkAgent], settings: PastSelves, seed: int) -> OpponentPool:
        """An empty pool for snapshots of these learners."""
        players = [SnapshotPlayer(kinds, f"past self {k + 1}") for k in range(settings.playing)]
        return cls(settings, players, Random(seed))

    def __len__(self) -> int:
        return len(self.snapshots)

    def add(self, weights: Weights, decisions: int = 0, kind: str = SELF) -> None:
        """Add a snapshot; `copy_weights` returns such weights."""
        self.snapshots.append(Snapshot(weights, decisions, kind))

    def add_exploiter(self, weights: Weights, decisions: int, rate: float) -> None:
        """Add the frozen weights of an exploiter. rate: units of the reward that it has won in 100 hands.

        Exploiters are not counted among the `copies` of the learner, and they stay.
        """
        won = -rate / 100 * EXPLOITER_HANDS
        self.snapshots.append(Snapshot(weights, decisions, won=won, hands=EXPLOITER_HANDS, is_exploiter=True))

    @property
    def past_selves(self) -> list[Snapshot]:
        """The snapshots of learners, without exploiters."""
        return [snapshot for snapshot in self.snapshots if not snapshot.is_exploiter]

    def remove(self, index: int) -> None:
        """Remove a snapshot. Its player continues with its weights until the next draw, unrecorded."""
        del self.snapshots[index]
        self.seated = []

    def record(self, player: int, big_blinds: float, hands: float) -> None:
        """Add the learner's results against a player to those of its snapshot."""
        if self.seated:
            snapshot = self.snapshots[self.seated[player]]
            snapshot.won = RESULT_DECAY * snapshot.won + big_blinds
            snapshot.hands = RESULT_DECAY * snapshot.hands + hands

    def probabilities(self) -> NDArray[np.float64]:
        losses = np.array([snapshot.loss() for snapshot in self.snapshots])
        if self.settings.choice == "uniform":
            losses[:] = 0
        weights = np.exp((losses - losses.max()) / self.settings.temperature)
        probabilities: NDArray[np.float64] = weights / weights.sum()
        return probabilities

    def draw(self) -> None:
        """Give each player a random snapshot. While the pool is empty, players keep their initial weights."""
        if not self.snapshots:
            return
        indices = range(len(self.snapshots))
        self.seated = self.random.choices(indices, list(self.probabilities()), k=len(self.players))
        self._seat_players()

    def _seat_players(self) -> None:
        for player, index in zip(self.players, self.seated, strict=False):
            player.play_as(self.snapshots[index])

    def state(self) -> dict[str, Any]:
        snapshots = [vars(snapshot) for snapshot in self.snapshots]
        return {"copies": snapshots, "seated": list(self.seated), "random": self.random.getstate()}

    def load_state(self, state: dict[str, Any]) -> None:
        self.snapshots = [Snapshot(**snapshot) for snapshot in state["copies"]]
        self.seated = state["seated"]
        version, numbers, gauss = state["random"]
        self.random.setstate((version, tuple(numbers), gauss))
        self._seat_players()


def copy_weights(policy: torch.nn.Module) -> Weights:
    """A copy of a policy's current weights."""
    return {name: weights.detach().clone() for name, weights in policy.state_dict().items()}


class OpponentPoolHook(Hook):
    """Draws new players from the pool for every rollout, and records the learner's results against them.

    clock: if given, the callback adds `copies` snapshots of the learner, evenly spaced over the budget. A league adds
    snapshots itself and gives None.
    """

    def __init__(self, pool: OpponentPool, env: Counts, clock: BudgetClock | None) -> None:
        self._pool, self._env, self._clock = pool, env, clock

    def before_step(self, stats: Stats) -> None:
        pool = self._pool
        if self._clock and len(pool.past_selves) <= self._clock.spent(self.model.decisions) * pool.settings.copies:
            pool.add(copy_weights(self.model.policy), self.model.decisions)
        pool.draw()

    def after_step(self, stats: Stats) -> None:
        agents = list(map(id, self._env.tables.agents))
        for player, agent in enumerate(self._pool.players):
            if id(agent) in agents:
                place = agents.index(id(agent))
                self._pool.record(player, float(self._env.won[place]), float(self._env.hands[place]))

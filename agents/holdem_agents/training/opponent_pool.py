"""Self-play: the learner's opponents are itself as it is, frozen copies of itself, and any other agents."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback

from holdem_env.agents.protocol import Agent
from holdem_env.compiled.records import Records
from holdem_env.game.rules import Rules

from ..sb3_agent import SB3Agent
from .budget_clock import Clock
from .config import PastSelves
from .training_env import TrainingEnv

Weights = dict[str, torch.Tensor]
SELF = "self"
# Of what is known about a copy, so much is remembered from one draw to the next: the learner is changing.
MEMORY = 0.9
# So many hands against a copy weigh as much as the guess that it is as good as the learner.
GUESS_HANDS = 500.0


@dataclass
class Copy:
    """A frozen policy, after how many decisions it was made, whose it is where several learn, and how the learner has
    done against it lately: big blinds won, in how many hands.
    """

    weights: Weights
    decisions: int = 0
    kind: str = SELF
    won: float = 0.0
    hands: float = 0.0

    def loss(self) -> float:
        """What the learner loses to it, bb/100, drawn toward 0 where few hands tell of it."""
        return -100 * self.won / (self.hands + GUESS_HANDS)


class StandIn(Agent):
    """Plays as whichever copy it was told to be last; it has a policy of each kind to put the weights in."""

    def __init__(self, kinds: Mapping[str, SB3Agent], name: str) -> None:
        self.name = name
        self._agents = {
            kind: SB3Agent(deepcopy(agent.policy), agent.observation_encoder, agent.action_encoder, name=name)
            for kind, agent in kinds.items()
        }
        self._now = next(iter(self._agents.values()))

    def be(self, copy: Copy) -> SB3Agent:
        """Play as this copy from now on. Returns the agent that does."""
        self._now = self._agents[copy.kind]
        self._now.policy.load_state_dict(copy.weights)
        return self._now

    def act(self, tables: Records, rules: Rules, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        return self._now.act(tables, rules, rows)


@dataclass
class Pool:
    """Frozen copies that a learner meets. A few of them play at a time, as `players`; `draw` chooses which, `note`
    remembers how the learner did against them.
    """

    settings: PastSelves
    players: list[StandIn]
    random: Random
    copies: list[Copy] = field(default_factory=list)
    seated: list[int] = field(default_factory=list)  # which copy each player is

    @classmethod
    def of(cls, kinds: Mapping[str, SB3Agent], settings: PastSelves, seed: int) -> Pool:
        """An empty pool for copies of these learners."""
        players = [StandIn(kinds, f"past self {k + 1}") for k in range(settings.playing)]
        return cls(settings, players, Random(seed))

    def __len__(self) -> int:
        return len(self.copies)

    def add(self, weights: Weights, decisions: int = 0, kind: str = SELF) -> None:
        """Put in a policy that was `frozen` after so many decisions."""
        self.copies.append(Copy(weights, decisions, kind))

    def remove(self, place: int) -> None:
        """Take out a copy. Who plays as it goes on until the next draw, and what is noted of it is forgotten."""
        del self.copies[place]
        self.seated = []

    def note(self, player: int, big_blinds: float, hands: float) -> None:
        """Remember what the learner won from the copy that this player is."""
        if self.seated:
            copy = self.copies[self.seated[player]]
            copy.won, copy.hands = MEMORY * copy.won + big_blinds, MEMORY * copy.hands + hands

    def chances(self) -> NDArray[np.float64]:
        """How likely each copy is drawn."""
        losses = np.array([copy.loss() for copy in self.copies])
        if self.settings.choice == "uniform":
            losses[:] = 0
        weights = np.exp((losses - losses.max()) / self.settings.temperature)
        chances: NDArray[np.float64] = weights / weights.sum()
        return chances

    def draw(self) -> None:
        """Let each player be a copy drawn at random; as long as there are none they play as they were made."""
        if not self.copies:
            return
        self.seated = self.random.choices(range(len(self.copies)), list(self.chances()), k=len(self.players))
        self._seat()

    def _seat(self) -> None:
        for player, copy in zip(self.players, self.seated, strict=False):
            player.be(self.copies[copy])

    def state(self) -> dict[str, Any]:
        """Everything, for a checkpoint."""
        copies = [vars(copy) for copy in self.copies]
        return {"copies": copies, "seated": list(self.seated), "random": self.random.getstate()}

    def load_state(self, state: dict[str, Any]) -> None:
        """Go on where `state` was taken."""
        self.copies = [Copy(**copy) for copy in state["copies"]]
        self.seated = state["seated"]
        version, numbers, gauss = state["random"]
        self.random.setstate((version, tuple(numbers), gauss))
        self._seat()


def frozen(policy: MaskableActorCriticPolicy) -> Weights:
    """The weights of a policy as they are now."""
    return {name: weights.detach().clone() for name, weights in policy.state_dict().items()}


class GrowPool(BaseCallback):
    """Adds `copies` past selves to the pool, evenly spaced over the budget, and draws new players for every rollout.

    clock: None if somebody else adds them.
    """

    def __init__(self, pool: Pool, env: TrainingEnv, clock: Clock | None) -> None:
        super().__init__()
        self._pool, self._env, self._clock = pool, env, clock

    def _on_rollout_start(self) -> None:
        pool = self._pool
        if self._clock and len(pool) <= self._clock.spent(self.num_timesteps) * pool.settings.copies:
            pool.add(frozen(self.model.policy), self.num_timesteps)  # type: ignore[arg-type]
        pool.draw()

    def _on_rollout_end(self) -> None:
        agents = list(map(id, self._env.tables.agents))
        for player, agent in enumerate(self._pool.players):
            if id(agent) in agents:
                place = agents.index(id(agent))
                self._pool.note(player, float(self._env.won[place]), float(self._env.hands[place]))

    def _on_step(self) -> bool:
        return True

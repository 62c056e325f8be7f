"""Self-play: the learner's opponents are itself as it is, frozen copies of itself, and any other agents."""

from __future__ import annotations

from copy import deepcopy
from random import Random

import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback

from holdem_env.envs.sb3 import HoldemVecEnv
from holdem_env.envs.seats import Opponent

from .clock import Clock
from .config import LATEST_SELF, PAST_SELVES, Training
from .sb3_agent import SB3Agent


class Pool:
    """Frozen copies of a policy. A few of them play at a time, as `players`; `draw` chooses which."""

    def __init__(self, policy: MaskableActorCriticPolicy, env: HoldemVecEnv, playing: int, seed: int) -> None:
        self._policy = policy
        self._copies: list[dict[str, torch.Tensor]] = []
        self._random = Random(seed)
        encoders = env.observation_encoder, env.action_encoder
        self.players = [SB3Agent(deepcopy(policy), *encoders, name=f"past self {k + 1}") for k in range(playing)]

    def __len__(self) -> int:
        return len(self._copies)

    def add(self) -> None:
        """Freeze the policy as it is now."""
        self._copies.append({name: weights.detach().clone() for name, weights in self._policy.state_dict().items()})

    def draw(self) -> None:
        """Let each player be a copy drawn at random."""
        for player in self.players:
            player.policy.load_state_dict(self._random.choice(self._copies))


def opponents(config: Training, latest: SB3Agent, pool: Pool) -> list[Opponent]:
    """The weighted opponents that a configuration names."""
    weighted: list[Opponent] = []
    for name, weight in config.opponents.items():
        if name == LATEST_SELF:
            weighted.append((latest, weight))
        elif name == PAST_SELVES:
            weighted += [(player, weight / len(pool.players)) for player in pool.players]
        else:
            weighted.append((name, weight))
    return weighted


class GrowPool(BaseCallback):
    """Adds `copies` past selves to the pool, evenly spaced over the budget, and draws new players for every rollout."""

    def __init__(self, pool: Pool, clock: Clock, copies: int) -> None:
        super().__init__()
        self._pool, self._clock, self._copies = pool, clock, copies

    def _on_rollout_start(self) -> None:
        if len(self._pool) <= self._clock.spent(self.num_timesteps) * self._copies:
            self._pool.add()
        self._pool.draw()

    def _on_step(self) -> bool:
        return True

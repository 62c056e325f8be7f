"""An AEC environment without a game: what PettingZoo's interface alone costs. It has what holdem_v0 has heads-up, dict
observations with a mask, rewards, infos and dead steps, and hands of as many decisions as random play makes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from pettingzoo import AECEnv

DECISIONS, NUMBERS, ACTIONS = 4, 181, 7  # in a hand; in an observation; to choose from


class EmptyAEC(AECEnv[str, dict[str, Any], int]):
    """Two agents in turn; every action is legal, and after DECISIONS of them the first agent has won 1."""

    metadata = {"name": "empty_v0", "is_parallelizable": False}

    def __init__(self) -> None:
        super().__init__()
        self.possible_agents = ["player_0", "player_1"]
        self.agents: list[str] = []
        self._seen, self._mask = np.zeros(NUMBERS, np.float32), np.ones(ACTIONS, np.int8)
        self._empty_mask = np.zeros(ACTIONS, np.int8)
        parts = {"observation": Box(0, 1, (NUMBERS,), np.float32), "action_mask": Box(0, 1, (ACTIONS,), np.int8)}
        self.observation_spaces: dict[str, Space[Any]] = {agent: Dict(parts) for agent in self.possible_agents}
        self.action_spaces: dict[str, Space[Any]] = {agent: Discrete(ACTIONS) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._decisions = 0
        self._skip_agent_selection = None
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, Any]:
        acts = agent == self.agent_selection
        return {"observation": self._seen.copy(), "action_mask": (self._mask if acts else self._empty_mask).copy()}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not self._mask[action]:
            raise ValueError(f"step: action {action!r} is not offered")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._decisions += 1
        self.agent_selection = self.possible_agents[self._decisions % 2]
        if self._decisions == DECISIONS:
            self.rewards = {"player_0": 1.0, "player_1": -1.0}
            self._accumulate_rewards()
            self.terminations = dict.fromkeys(self.agents, True)
            self._deads_step_first()

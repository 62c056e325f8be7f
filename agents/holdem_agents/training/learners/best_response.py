"""Training against the exact best response to the learner, in games that are small enough for it.

Exploitability descent (Lockhart et al. 2019) follows the gradient of what a policy has against its best response, and
needs no average to converge; here PPO does so, with sampled hands.
"""

from __future__ import annotations

from copy import deepcopy
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem_env.agents.protocol import Agent
from holdem_env.arena import best_response, exploitability
from holdem_env.compiled.records import Records
from holdem_env.game.rules import Rules

from ...agent_files.network_agent import NetworkAgent
from ...runs.config import ConfigError
from ..config import BEST_RESPONSE, Training
from .hooks import Hook, Stats
from .torch_settings import matrix_products


def check_exact(config: Training) -> None:
    """Raise ConfigError if the configuration needs exact values of a game that turns out to be too large."""
    wanted = {f"opponents: {BEST_RESPONSE}": BEST_RESPONSE in config.opponents}
    wanted["evaluation.exploitability"] = config.evaluation.exploitability
    for what in (what for what, is_wanted in wanted.items() if is_wanted):
        try:
            exploitability("random", config.rules)
        except ValueError as error:
            raise ConfigError(f"{what}: {error}") from None


class BestResponsePlayer(Agent):
    """Plays the best response to an agent as the agent was at the last `update`.

    decisions: the learner's age at that time. exploitability: of the agent at that time, in chips per hand.
    """

    name = "best response"

    def __init__(self, to: NetworkAgent, rules: Rules) -> None:
        self._to, self._rules = to, rules
        self._answered = to.playing(deepcopy(to.policy), to.name)
        self.update(0)

    def update(self, decisions: int) -> None:
        """Answer the agent's weights as they are now."""
        self._answered.policy.load_state_dict(self._to.policy.state_dict())
        self._answer(decisions)

    def _answer(self, decisions: int) -> None:
        self.decisions = decisions
        with matrix_products(None):  # rounded factors would give different answers to the same question
            self._best = best_response(self._answered, self._rules)
        self.exploitability = self._best.exploitability

    def act(self, tables: Records, rules: Rules, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        return self._best.act(tables, rules, rows)

    def state(self) -> dict[str, Any]:
        return {"decisions": self.decisions, "answered": self._answered.policy.state_dict()}

    def load_state(self, state: dict[str, Any]) -> None:
        self._answered.policy.load_state_dict(state["answered"])
        self._answer(state["decisions"])


class BestResponseHook(Hook):
    """Updates a best response before the first rollout and whenever `every` decisions have passed; logs the
    exploitability that it finds and its seconds of processor time, which the budget counts."""

    def __init__(self, player: BestResponsePlayer, every: int) -> None:
        self._player, self._every = player, every

    def before_step(self, stats: Stats) -> None:
        if 0 < self.model.decisions < self._player.decisions + self._every:
            return
        begun = process_time()
        self._player.update(self.model.decisions)
        stats[f"{BEST_RESPONSE}/exploitability"] = self._player.exploitability
        stats[f"{BEST_RESPONSE}/cpu_seconds"] = process_time() - begun

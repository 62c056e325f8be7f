"""PettingZoo's own test of an environment, with moves that are the same each time."""

from __future__ import annotations

from pettingzoo import AECEnv
from pettingzoo.test import api_test as pettingzoo_api_test


def api_test(env: AECEnv, num_cycles: int) -> None:
    """As PettingZoo's, which draws moves without a seed."""
    for agent in env.possible_agents:
        env.action_space(agent).seed(num_cycles)
    pettingzoo_api_test(env, num_cycles)

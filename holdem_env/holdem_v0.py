"""The PettingZoo environment under its versioned name: `from holdem_env import holdem_v0; holdem_v0.env()`. It needs no
wrappers: `step` checks the order of agents, bounds and legality."""

from .envs.aec import HoldemEnv

env = raw_env = HoldemEnv

__all__ = ["env", "raw_env"]

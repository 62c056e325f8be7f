"""The PettingZoo environment under its versioned name: `from holdem_env import holdem_v0; holdem_v0.env()`."""

from .envs.aec import HoldemEnv as raw_env  # noqa: N813 - PettingZoo's name for it
from .envs.aec import make_env as env

__all__ = ["env", "raw_env"]

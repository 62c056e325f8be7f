"""`KnownStrategy`, under the path by which the documentation imports it; it lives in `holdem_env.agents`."""

from .agents.known_strategy import KnownStrategy

__all__ = ["KnownStrategy"]

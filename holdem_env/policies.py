"""`PolicyAgent`, under the path by which the documentation imports it; it lives in `holdem_env.agents`."""

from .agents.policy_agent import Policy, PolicyAgent

__all__ = ["Policy", "PolicyAgent"]

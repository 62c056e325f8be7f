"""The agent protocol and the registry of names, under the path by which the documentation imports them; they live in
`holdem_env.agents`.
"""

from .agents.asking import asked_moves, play_agent
from .agents.names import AGENTS, LOADERS, agent_names, register_agent
from .agents.protocol import Agent, OneTable, StrategyUnknown
from .agents.registry import make_agent
from .agents.table_agent import DecisionError, TableAgent

__all__ = [
    "AGENTS",
    "LOADERS",
    "Agent",
    "DecisionError",
    "OneTable",
    "StrategyUnknown",
    "TableAgent",
    "agent_names",
    "asked_moves",
    "make_agent",
    "play_agent",
    "register_agent",
]

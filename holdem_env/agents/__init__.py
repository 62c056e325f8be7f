"""Agents: the protocol, the registry of names, agents with a known strategy, policy functions, config files."""

from ..table.one_table import OneTable
from .config_files import save_agent
from .facts import AgentFacts
from .known_strategy import KnownStrategy
from .names import agent_names, register_agent
from .policy_agent import PolicyAgent
from .protocol import Agent, StrategyUnknown
from .queries import asked_moves, asked_probabilities, play_agent, require_probabilities
from .registry import make_agent, without_search
from .table_agent import DecisionError, TableAgent

__all__ = [
    "Agent",
    "AgentFacts",
    "DecisionError",
    "KnownStrategy",
    "OneTable",
    "PolicyAgent",
    "StrategyUnknown",
    "TableAgent",
    "agent_names",
    "asked_moves",
    "asked_probabilities",
    "make_agent",
    "play_agent",
    "register_agent",
    "require_probabilities",
    "save_agent",
    "without_search",
]

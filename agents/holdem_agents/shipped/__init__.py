"""The trained agents in the box, which make_agent("ppo_100bb") and its like play, and their model cards.

Importing this module imports no learner: PyTorch is imported when an agent is made.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from holdem_env.agents.registry import MODEL_SUFFIX

from ..agent_files.network_agent import NetworkAgent

FOLDER = Path(__file__).parent
NAMES = ("ppo_100bb", "ppo_20bb", "ppo_limit", "ppo_sixmax")
"""The trained agents in the box: heads-up no-limit with 100 and with 20 big blinds, heads-up fixed limit, six-max."""


def ppo_100bb(deterministic: bool = False, seed: int = 0) -> NetworkAgent:
    """Plays a network that PPO trained for heads-up no-limit with 100 big blinds. Parameters: see NetworkAgent."""
    return _shipped("ppo_100bb", deterministic, seed)


def ppo_20bb(deterministic: bool = False, seed: int = 0) -> NetworkAgent:
    """Plays a network that PPO trained for heads-up no-limit with 20 big blinds. Parameters: see NetworkAgent."""
    return _shipped("ppo_20bb", deterministic, seed)


def ppo_limit(deterministic: bool = False, seed: int = 0) -> NetworkAgent:
    """Plays a network that PPO trained for heads-up fixed limit. Parameters: see NetworkAgent."""
    return _shipped("ppo_limit", deterministic, seed)


def ppo_sixmax(deterministic: bool = False, seed: int = 0) -> NetworkAgent:
    """Plays a network that PPO trained for six-max no-limit with 100 big blinds. Parameters: see NetworkAgent."""
    return _shipped("ppo_sixmax", deterministic, seed)


def shipped_path(name: str) -> Path:
    """Where the model file of a trained agent in the box lies."""
    return FOLDER / f"{name}{MODEL_SUFFIX}"


def card_path(name: str) -> Path:
    """Where the model card of a trained agent in the box lies, Markdown."""
    return FOLDER / f"{name}.md"


def _shipped(name: str, deterministic: bool, seed: int) -> NetworkAgent:
    """The agent of a file in the box, called by its name there.

    Raises FileNotFoundError if this version has no such file; ModuleNotFoundError without the packages that play it.
    """
    path = shipped_path(name)
    if not path.is_file():
        raise FileNotFoundError(
            f"agent {name!r}: this installation has no file {path.name} in {path.parent}; install the package again"
        )
    from ..agent_files.model_files import load

    agent = load(path, deterministic=deterministic, seed=seed)
    agent.name, agent.facts = name, replace(agent.facts, files=(path,))
    return agent

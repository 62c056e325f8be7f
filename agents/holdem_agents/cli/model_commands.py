"""Agents on the command line: names and files, their games, trust in files that may run code, models as data."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from holdem_env.agents.hub import SCHEME
from holdem_env.agents.protocol import Agent
from holdem_env.agents.registry import MODEL_SUFFIX, PICKLED, make_agent
from holdem_env.agents.registry import needs_trust as needs_trust
from holdem_env.arena.isolation.making import Isolation, make_isolated
from holdem_env.game.rules import Rules
from holdem_env.game.rules_input import as_rules

from .console import flag, option

DEFAULT_GAME = "heads-up-no-limit"
MODELS = (MODEL_SUFFIX, PICKLED)

RulesName = Annotated[
    str | None,
    option(
        "GAME",
        "A preset, or a YAML file with the fields of Rules. Default: the game an agent was trained for.",
        "--rules",
    ),
]
Trust = Annotated[
    bool,
    flag(
        "Load models that run their authors' code (.zip files of Stable-Baselines3, runs with custom code). Use "
        "it only for files of people you trust.",
        "--trust",
    ),
]

SaveDialogues = Annotated[
    Path | None,
    option(
        "FOLDER",
        "Append each call of a language model as a JSON line to a file for each process in this folder. Agents in "
        "jails write none.",
        "--save-dialogues",
    ),
]


def agent_of(name: str, greedy: bool = False, trust: bool = False, isolation: Isolation = "none") -> Agent:
    """The agent of this name or file. greedy: models play their most likely action. trust: models may be pickles.
    isolation: whether it gets a process of its own, if it belongs there."""
    parameters: dict[str, bool] = {}
    if greedy and is_model(name):
        parameters["deterministic"] = True
    if trust and needs_trust(name):
        parameters["trust"] = True
    if isolation == "process":
        return make_isolated({"agent": name, **parameters})
    return make_agent(name, **parameters)


def game_of(given: str | None, agents: Sequence[Agent]) -> Rules:
    """The given rules, else of the first agent that was trained for a game, else of the default game."""
    if given is not None:
        return as_rules(given)
    trained: list[Rules] = [rules for agent in agents if (rules := agent.facts.trained_on)]
    return trained[0] if trained else as_rules(DEFAULT_GAME)


def is_model(name: str) -> bool:
    """Whether this is a trained network, in a file or on the Hub."""
    return Path(name).suffix in MODELS or name.startswith(f"{SCHEME}:")


def convert(model: Path, target: Path, trust: bool, **known: str | None) -> None:
    """Write the model of a .zip to a model file. known: rules, observation and actions, where the .zip does not say
    them.

    Raises ValueError if the model may not be loaded or does not fit into a model file, FileExistsError if there is a
    file of that name.
    """
    from ..agent_files.sb3_agent import load

    if model.suffix != PICKLED or target.suffix != MODEL_SUFFIX:
        raise ValueError(f"convert: give a .zip and a new .safetensors file, not {model} and {target}")
    if not model.is_file():
        raise FileNotFoundError(f"{model}: there is no such file")
    if target.exists():
        raise FileExistsError(f"{target} exists already; name a new file")
    given: dict[str, Any] = {name: value for name, value in known.items() if value is not None}
    agent = load(model, trust=trust, **given)
    if agent.trained_on is None:
        raise ValueError(f"{model} does not say for which game it was trained: give --rules, such as heads-up-no-limit")
    agent.save(target)

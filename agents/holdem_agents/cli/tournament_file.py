"""The file of a tournament: `load_tournament` reads it, with changes and further agents."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from holdem_env.agents.named_files import named_from
from holdem_env.agents.names import agent_names
from holdem_env.agents.registry import needs_trust
from holdem_env.arena.isolation.limits import FILES, PROGRAMS
from holdem_env.arena.tournaments.tournament import Tournament
from holdem_env.utils import yaml_files
from holdem_env.utils.suggestions import did_you_mean

from ..runs.config import ConfigError, config_errors, read_yaml, shipped_configs
from ..training.config import GameRules

OF_TRAINING = {"learner", "learners", "opponents", "budget", "observation"}  # fields that no tournament has


class TournamentConfig(Tournament):
    """A tournament as its file describes it: rules may be the name of a preset, or `preset:` with changes."""

    rules: GameRules


def load_tournament(path: str | Path, enter: Sequence[dict[str, str]] = (), **changes: Any) -> Tournament:
    """Read and check a configuration. Its relative paths begin at its file, or else at the working directory. enter:
    agents that are not in it, too. changes: values that replace those of the file, if not None.

    Raises ConfigError, or FileNotFoundError.
    """
    try:
        path, content = read_yaml(path)
    except FileNotFoundError:
        raise FileNotFoundError(f"{path}: there is no such file; {_tournaments(str(path))}") from None
    if "agents" not in content and OF_TRAINING & set(content):
        raise ConfigError(
            f"{path}: this is a configuration of `holdem train`, not of a tournament, which has `agents`; "
            f"{_tournaments(str(path))}"
        )
    changes = {key: value for key, value in changes.items() if value is not None}
    if path.parent != Path():
        for field in {"rules", "results"} & content.keys():
            content[field] = named_from(path.parent, content[field])
        if isinstance(agents := content.get("agents"), list):
            content["agents"] = [_agent_from(path.parent, each) for each in agents]
    if isinstance(agents := content.get("agents"), list):
        content["agents"] = [*agents, *enter]
    with config_errors(path):
        tournament = TournamentConfig(**{**content, **changes})
    wrong, right = ("hands", "sessions") if tournament.format == "freezeout" else ("sessions", "hands")
    if wrong in changes:
        raise ConfigError(f"{path}: {wrong} has no meaning with format: {tournament.format}; give {right}")
    return tournament


def _agent_from(folder: Path, given: Any) -> Any:
    """An entry of `agents` with its files named from a folder. It keeps the name that it has in the file."""
    given = {"agent": given} if isinstance(given, str) else given
    if not isinstance(given, dict) or not isinstance(given.get("agent"), str):
        return given
    found = {**named_from(folder, given), "name": given.get("name", given["agent"])}
    if (folder / given["agent"]).is_dir() and given["agent"] not in agent_names():
        found["agent"] = str(folder / given["agent"])
    for key in {FILES, PROGRAMS} & found.keys():
        declared = given[key] if isinstance(given[key], list) else [given[key]]
        found[key] = [str(folder / str(each)) if (folder / str(each)).exists() else each for each in declared]
    return found


def trusting(tournament: Tournament) -> Tournament:
    """The tournament with trust in all models that may run code when they are loaded."""
    agents = tuple(
        each.model_copy(update={"parameters": {"trust": True, **each.parameters}}) if needs_trust(each.agent) else each
        for each in tournament.agents
    )
    return tournament.model_copy(update={"agents": agents})


def _tournaments(given: str) -> str:
    """The tournaments that come with holdem, in words; or the one whose name is nearest."""
    known = sorted(name for name, path in shipped_configs().items() if "agents" in yaml_files.load(path))
    return did_you_mean(Path(given).stem, known) or f"holdem comes with {', '.join(map(repr, known))}"

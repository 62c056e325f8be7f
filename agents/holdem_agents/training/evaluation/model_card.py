"""The model card of a run: game, encoders, training, strength and weaknesses, from the files in its folder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from holdem_env.agents.protocol import Agent
from holdem_env.agents.registry import make_agent
from holdem_env.arena import why_not_exact
from holdem_env.envs.seated_tables import Levels
from holdem_env.game.differences import difference_text, nearest_preset
from holdem_env.game.rules import Rules
from holdem_env.game.title import game_title
from holdem_env.game.units import unit_in, unit_of_rows
from holdem_env.utils.atomic import write_atomically
from holdem_env.utils.counting import duration
from holdem_env.utils.shown_names import in_markdown

from ...agent_files.model_files import FileAgent
from ...custom_code import all_parts_in, parts_in, parts_of_agent
from ...runs import files
from ...runs.candidates import choice_lines
from ...runs.config import load_config
from ...runs.exploiter_results import exploiter_sentences
from ..config import AVERAGE_SELF, BEST_RESPONSE, League, Training

MISTAKES_TITLE = "What its decisions lose"
TRAINED_ON: dict[Levels, str] = {
    "first": "It plays other stacks, but was not trained on them",
    "all": "It was trained on hands of all blind levels, with the starting stacks",
    "sessions": "It was trained on whole sessions, with the uneven stacks and the rising blinds that come of them",
}


def write_card(folder: Path) -> None:
    """Write model_card.md from the other files of a run folder. Exploiter training writes it again."""
    config: Training | League = load_config(folder / files.CONFIG)
    levels: Levels = config.levels if isinstance(config, Training) else "first"
    facts = json.loads((folder / files.FACTS).read_text(encoding="utf-8"))
    versions = json.loads((folder / files.VERSIONS).read_text(encoding="utf-8"))
    agent = make_agent(folder / files.FINAL)
    assert isinstance(agent, FileAgent)
    assert agent.trained_on is not None
    results, exploiters = files.rows_of(folder / files.CROSSTABLE), files.rows_of(folder / files.EXPLOITERS)
    observation, lost = agent.observation_encoder, folder / files.MISTAKES
    parts = [
        f"# {in_markdown(folder.name)}",
        f"{agent.algorithm} in self-play. `final.safetensors` holds the policy; load it with "
        '`make_agent(".../final.safetensors")`, play against it with `holdem play`.',
        *_own_code(config),
        *game_lines(agent.trained_on, levels),
        "## How it sees and acts",
        f"- observation: `{observation.name}` ({observation.size(agent.trained_on)} numbers)",
        f"- actions: {', '.join(agent.action_encoder.meanings(agent.trained_on))}",
        *_training(config, facts, versions),
        "## Strength",
        f"Duplicate matches: {unit_of_rows(results).name} with the 95 % interval. The agent has one seat, the opponent "
        "all the others. Sampling actions and playing the most likely one (greedy) are two strategies.",
        _strength(results),
        *_exploitability(folder, agent, agent.trained_on),
        *choice_lines(folder),
        *([f"## {MISTAKES_TITLE}", lost.read_text(encoding="utf-8").strip()] if lost.exists() else []),
        "## Known weaknesses",
        *_weaknesses(
            results, exploiters, agent.algorithm, _is_plain(config) and files.exploitability_text(folder) is None
        ),
    ]
    write_atomically(folder / files.CARD, "\n\n".join(parts).replace("\n\n- ", "\n- ") + "\n")


def game_lines(rules: Rules, levels: Levels = "first") -> list[str]:
    """The card's part about the game. levels: which blind levels the training played."""
    stacks = ", ".join(str(stack) for stack in sorted(set(rules.starting_stacks)))
    game = game_title(rules) + (" hold'em" if rules.is_texas_holdem else "")
    fresh = " (fresh every hand)" if rules.session is None else " at the start of a session"
    preset, fields = nearest_preset(rules)
    others = difference_text(rules, Rules.preset(preset), fields)
    return [
        "## Game",
        f"- {game}, {rules.seats} seats, stacks {stacks}{fresh}",
        f"- the preset `{preset}`" + (f" with other rules (in parentheses the preset's): {others}" if others else ""),
        f"- {TRAINED_ON[levels]}; it refuses other structures and numbers of seats.",
    ]


def _own_code(config: Training | League) -> list[str]:
    """The author's code: of its encoders and its network, which its file needs, and of what only its training ran."""
    settings = config.model_dump(mode="json")
    of_file = parts_of_agent(settings)
    of_training = [part for part in all_parts_in(settings) if part not in of_file]
    lines = []
    if of_file:
        lines.append(
            f"It needs its author's code, in the folder `code` of the run: {_listed(of_file)}. `--trust` runs it."
        )
    if of_training:
        lines.append(f"Its training ran its author's code: {_listed(of_training)}. The file plays without it.")
    return lines


def _listed(parts: Sequence[str]) -> str:
    return ", ".join(f"`{each}`" for each in dict.fromkeys(parts))


def _training(config: Training | League, facts: dict[str, Any], versions: dict[str, str]) -> list[str]:
    weights = ", ".join(f"{in_markdown(name)} {weight:g}" for name, weight in config.opponents.items())
    temperature = config.sampling_temperature if isinstance(config, Training) else 1.0
    sharpened = [
        f"- sampling_temperature {temperature:g}: the agent's logits were divided by it after training; exploiters on "
        "the way met the agent as it was in training"
    ]
    return [
        "## Training",
        f"- {facts['decisions']:,} decisions in {duration(facts['seconds'])}, seed {facts['seed']}{_device(config)}",
        f"- opponents, by weight: {weights}",
        *(sharpened if temperature != 1 else []),
        "- config.yaml has the rest; versions: " + ", ".join(f"{name} {what}" for name, what in versions.items()),
    ]


def _device(config: Training | League) -> str:
    device = config.learner.device if isinstance(config, Training) else "auto"
    return "" if device == "auto" else f", on {device}"


def _strength(results: Sequence[dict[str, str]]) -> str:
    lines = ["| against | sampling | greedy |", "|---|---:|---:|"]
    by = {(row["plays"], row["opponent"]): files.interval_text(row) for row in results}
    for opponent in dict.fromkeys(row["opponent"] for row in results):
        rates = (by.get((plays, opponent), "") for plays in (files.SAMPLING, files.GREEDY))
        lines.append(f"| {in_markdown(opponent)} | {' | '.join(rates)} |")
    return "\n".join(lines)


def _is_plain(config: Training | League) -> bool:
    """Whether a run learns by plain self-play: without an own learner, averages or best responses."""
    is_own = isinstance(config, Training) and bool(parts_in(config.learner.kind) or config.learner.average)
    return not is_own and not {AVERAGE_SELF, BEST_RESPONSE} & {*config.opponents}


def _exploitability(folder: Path, agent: Agent, rules: Rules) -> list[str]:
    """What best responses win, in games that are small enough, or that it was not measured."""
    if exact := files.exploitability_text(folder):
        return [f"Sampling, its {exact}; that of an equilibrium is 0."]
    if why_not_exact(rules) is not None:
        return []
    why = (
        "the game is small, but may have too many moves" if agent.gives_probabilities else "it states no probabilities"
    )
    return [f"Its exact exploitability was not measured: {why}."]


def _weaknesses(
    results: Sequence[dict[str, str]], exploiters: Sequence[dict[str, str]], algorithm: str, is_plain: bool
) -> list[str]:
    """is_plain: whether nothing but self-play made it, and its exploitability is not known."""
    lines = []
    for row in results:
        unit = unit_in(row)
        mean, half = float(row[unit.key]), float(row[files.HALF_WIDTH])
        if mean - half <= 0:
            verb = "loses to" if mean + half < 0 else "was not seen to beat"
            lines.append(
                f"- {row['plays']}, it {verb} {in_markdown(row['opponent'])}: {files.interval_text(row)} {unit.name}"
            )
    lines += exploiter_sentences(exploiters)
    if not exploiters:
        lines.append("- What an exploiter would take from it is not measured; `holdem exploit` measures it.")
    if is_plain:
        lines.append(f"- Self-play with {algorithm} learns to beat weak players; it does not approach an equilibrium.")
    lines.append(
        "- The agent does not adapt to its opponent, and it bets only the sizes above, whatever the others bet."
    )
    return lines

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
from holdem_env.utils.atomic import write_atomically
from holdem_env.utils.shown_names import in_markdown

from ...model_files import FileAgent
from ...own_parts import all_parts_in
from ...runs.candidates import choice_lines
from ...runs.exploiter_results import exploiter_sentences
from ...runs.files import (
    CARD,
    CONFIG,
    CROSSTABLE,
    EXPLOITERS,
    FACTS,
    FINAL,
    GREEDY,
    SAMPLING,
    VERSIONS,
    exploitability_text,
    interval_text,
    mistakes_text,
    rows_of,
)
from ..config import League, Training, load_config

MISTAKES_TITLE = "What its decisions lose"
TRAINED_ON: dict[Levels, str] = {
    "first": "It plays other stacks, but was not trained on them",
    "all": "It was trained on hands of all blind levels, with the starting stacks",
    "sessions": "It was trained on whole sessions, with the uneven stacks and the rising blinds that come of them",
}


def write_card(folder: Path) -> None:
    """Write model_card.md from the other files of a run folder. Exploiter training writes it again."""
    config: Training | League = load_config(folder / CONFIG)
    levels: Levels = config.levels if isinstance(config, Training) else "first"
    facts = json.loads((folder / FACTS).read_text(encoding="utf-8"))
    versions = json.loads((folder / VERSIONS).read_text(encoding="utf-8"))
    agent = make_agent(folder / FINAL)
    assert isinstance(agent, FileAgent)
    assert agent.trained_on is not None
    results, exploiters = rows_of(folder / CROSSTABLE), rows_of(folder / EXPLOITERS)
    observation = agent.observation_encoder
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
        "Duplicate matches: big blinds per 100 hands with the 95 % interval. The agent has one seat, the opponent all "
        "the others. Sampling actions and playing the most likely one (greedy) are two strategies.",
        _strength(results),
        *_exploitability(folder, agent, agent.trained_on),
        *choice_lines(folder),
        *([f"## {MISTAKES_TITLE}", lost.strip()] if (lost := mistakes_text(folder)) else []),
        "## Known weaknesses",
        *_weaknesses(results, exploiters, agent.algorithm),
    ]
    write_atomically(folder / CARD, "\n\n".join(parts).replace("\n\n- ", "\n- ") + "\n")


def game_lines(rules: Rules, levels: Levels = "first") -> list[str]:
    """The card's part about the game. levels: which blind levels the training played."""
    stacks = ", ".join(str(stack) for stack in sorted(set(rules.starting_stacks)))
    structure = rules.structure.replace("_", " ") + (" hold'em" if rules.is_texas_holdem else "")
    blinds = f"blinds {rules.small_blind}/{rules.big_blind}"
    fresh = " (fresh every hand)" if rules.session is None else " at the start of a session"
    preset, fields = nearest_preset(rules)
    others = difference_text(rules, Rules.preset(preset), fields)
    return [
        "## Game",
        f"- {structure}, {rules.seats} seats, {blinds}, stacks {stacks}{fresh}",
        f"- the preset `{preset}`" + (f" with other rules (in parentheses the preset's): {others}" if others else ""),
        f"- {TRAINED_ON[levels]}; it refuses other structures and numbers of seats.",
    ]


def _own_code(config: Training | League) -> list[str]:
    parts = all_parts_in(config.model_dump(mode="json"))
    if not parts:
        return []
    named = ", ".join(f"`{each}`" for each in parts)
    return [f"It needs code of its author's, in the folder `code` of the run: {named}. `--trust` runs it."]


def _training(config: Training | League, facts: dict[str, Any], versions: dict[str, str]) -> list[str]:
    weights = ", ".join(f"{in_markdown(name)} {weight:g}" for name, weight in config.opponents.items())
    temperature = config.sampling_temperature if isinstance(config, Training) else 1.0
    sharpened = [
        f"- sampling_temperature {temperature:g}: the agent's logits were divided by it after training; exploiters on "
        "the way met the agent as it was in training"
    ]
    return [
        "## Training",
        f"- {facts['decisions']:,} decisions in {facts['seconds'] / 3600:.2f} hours, seed {facts['seed']}, on a CPU",
        f"- opponents, by weight: {weights}",
        *(sharpened if temperature != 1 else []),
        "- config.yaml has the rest; versions: " + ", ".join(f"{name} {what}" for name, what in versions.items()),
    ]


def _strength(results: Sequence[dict[str, str]]) -> str:
    lines = ["| against | sampling | greedy |", "|---|---:|---:|"]
    by = {(row["plays"], row["opponent"]): interval_text(row) for row in results}
    for opponent in dict.fromkeys(row["opponent"] for row in results):
        lines.append(
            f"| {in_markdown(opponent)} | {by.get((SAMPLING, opponent), '')} | {by.get((GREEDY, opponent), '')} |"
        )
    return "\n".join(lines)


def _exploitability(folder: Path, agent: Agent, rules: Rules) -> list[str]:
    """What best responses win, in games that are small enough, or that it was not measured."""
    if exact := exploitability_text(folder):
        return [f"Sampling, its {exact}; that of an equilibrium is 0."]
    if why_not_exact(rules) is not None:
        return []
    why = (
        "the game is small, but may have too many moves" if agent.gives_probabilities else "it states no probabilities"
    )
    return [f"Its exact exploitability was not measured: {why}."]


def _weaknesses(results: Sequence[dict[str, str]], exploiters: Sequence[dict[str, str]], algorithm: str) -> list[str]:
    lines = []
    for row in results:
        mean, half = float(row["bb_per_100"]), float(row["half_width_95"])
        if mean - half <= 0:
            verb = "loses to" if mean + half < 0 else "was not seen to beat"
            lines.append(f"- {row['plays']}, it {verb} {in_markdown(row['opponent'])}: {interval_text(row)} bb/100")
    lines += exploiter_sentences(exploiters)
    if not exploiters:
        lines.append("- What an exploiter would take from it is not measured; `holdem exploit` measures it.")
    lines.append(
        f"- Self-play with {algorithm} learns to beat weak players; it does not approach an equilibrium. The agent "
        "does not adapt to its opponent, and it bets only the sizes above, whatever the others bet."
    )
    return lines

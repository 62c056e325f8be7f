"""The model card: what a run folder says about its agent, written from the files in it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from holdem_env.agents.registry import make_agent
from holdem_env.game.rules import Rules
from holdem_env.utils import yaml_files
from holdem_env.utils.atomic import write_whole

from ..sb3_agent import SB3Agent
from .run_folder import (
    CARD,
    CONFIG,
    CROSSTABLE,
    EXPLOITERS,
    FACTS,
    FINAL,
    GREEDY,
    SAMPLING,
    VERSIONS,
    interval_text,
    rows_of,
)


def write_card(folder: Path) -> None:
    """model_card.md from what lies in the folder; written anew when an exploiter has been trained."""
    config = yaml_files.load(folder / CONFIG)
    facts = json.loads((folder / FACTS).read_text(encoding="utf-8"))
    versions = json.loads((folder / VERSIONS).read_text(encoding="utf-8"))
    agent = make_agent(folder / FINAL)
    assert isinstance(agent, SB3Agent)
    assert agent.trained_on is not None
    results, exploiters = rows_of(folder / CROSSTABLE), rows_of(folder / EXPLOITERS)
    watch = agent.observation_encoder
    parts = [
        f"# {folder.name}",
        "MaskablePPO in self-play. `final.zip` holds the policy; load it with "
        '`make_agent(".../final.zip")`, play against it with `holdem play`.',
        *_game(agent.trained_on),
        "## How it sees and acts",
        f"- observation: `{watch.name}` ({watch.size(agent.trained_on)} numbers)",
        f"- actions: {', '.join(agent.action_encoder.meanings(agent.trained_on))}",
        *_training(config, facts, versions),
        "## Strength",
        "Duplicate matches; big blinds per 100 hands with the 95 % interval, the agent in one seat, the opponent in "
        "all others. Drawing its actions (sampling) and playing the likeliest one (greedy) are two strategies.",
        _strength(results),
        "## Known weaknesses",
        *_weaknesses(results, exploiters),
    ]
    write_whole(folder / CARD, "\n\n".join(parts).replace("\n\n- ", "\n- ") + "\n")


def _game(rules: Rules) -> list[str]:
    stacks = ", ".join(str(stack) for stack in sorted(set(rules.starting_stacks)))
    structure = rules.structure.replace("_", " ")
    blinds = f"blinds {rules.small_blind}/{rules.big_blind}"
    return [
        "## Game",
        f"- {structure} hold'em, {rules.seats} seats, {blinds}, stacks {stacks} (fresh every hand)",
        "- Other stacks are played, but were not trained on; other structures and numbers of seats are refused.",
    ]


def _training(config: dict[str, Any], facts: dict[str, Any], versions: dict[str, str]) -> list[str]:
    opponents = ", ".join(f"{name} {weight:g}" for name, weight in config.get("opponents", {}).items())
    return [
        "## Training",
        f"- {facts['decisions']:,} decisions in {facts['seconds'] / 3600:.2f} hours, seed {facts['seed']}, on a CPU",
        f"- opponents, by weight: {opponents or 'latest_self'}",
        "- config.yaml has the rest; versions: " + ", ".join(f"{name} {what}" for name, what in versions.items()),
    ]


def _strength(results: Sequence[dict[str, str]]) -> str:
    lines = ["| against | sampling | greedy |", "|---|---:|---:|"]
    by = {(row["plays"], row["opponent"]): interval_text(row) for row in results}
    for opponent in dict.fromkeys(row["opponent"] for row in results):
        lines.append(f"| {opponent} | {by.get((SAMPLING, opponent), '')} | {by.get((GREEDY, opponent), '')} |")
    return "\n".join(lines)


def _weaknesses(results: Sequence[dict[str, str]], exploiters: Sequence[dict[str, str]]) -> list[str]:
    told = []
    for row in results:
        mean, half = float(row["bb_per_100"]), float(row["half_width_95"])
        if mean - half <= 0:
            verb = "loses to" if mean + half < 0 else "was not seen to beat"
            told.append(f"- {row['plays']}, it {verb} {row['opponent']}: {mean:+.0f} ± {half:.0f} bb/100")
    for row in exploiters:
        told.append(
            f"- A fresh learner that trained against nothing but it for {float(row['seconds']):.0f} s "
            f"({int(row['decisions']):,} decisions) takes {float(row['bb_per_100']):+.0f} ± "
            f"{float(row['half_width_95']):.0f} bb/100 from it ({row['plays']})."
        )
    if not exploiters:
        told.append("- What an opponent trained against it would take is not measured; `holdem exploit` does that.")
    told.append(
        "- Self-play with PPO learns to beat weak players; it is not a method that comes near an equilibrium. The "
        "agent does not adapt to its opponent, and bets only the sizes above, whatever the others bet."
    )
    return told

"""The model card of a blueprint: what it is, how it was made, how strong it is, and what it cannot do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from holdem_env.game.rules import Rules
from holdem_env.game.street_names import STREETS
from holdem_env.game.units import unit_of_rows
from holdem_env.solvers.blueprints.strategy_file import StrategyHeader, read_header
from holdem_env.solvers.trees.bet_sizes import BetSizes
from holdem_env.utils.atomic import write_atomically
from holdem_env.utils.shown_names import in_markdown

from ...runs.files import interval_text
from ..evaluation.model_card import game_lines

Row = Mapping[str, str]
KNOWN = {"name", "command", "minutes", "deals", "threads", "seed", "date", "machine", "version", "nodes_visited"}
"""Facts of the training that have words of their own."""


def write_blueprint_card(
    strategy: Path, card: Path, results: Sequence[Row] = (), measures: Sequence[tuple[str, str]] = ()
) -> None:
    """Write the card of a strategy file as Markdown.

    results: rows of a curve.csv that are about this strategy as it is: opponent, win rate, half_width_95, hands.
    measures: others, each its title and its result in words.
    Raises FileNotFoundError and ValueError as `read_header` does.
    """
    header = read_header(strategy)
    name = str(header.training.get("name") or strategy.stem)
    parts = [
        f"# {in_markdown(name)}",
        f"A strategy for a whole heads-up game, by Monte Carlo counterfactual regret minimization. `{strategy.name}` "
        f'holds it as data alone: `make_agent("{strategy.name}")` is an agent that plays it, and '
        f"`holdem play {strategy.name}` plays against you.",
        *game_lines(Rules(**header.rules)),
        *_bets_and_cards(header),
        *_making(header),
        *_strength(results, measures),
        *_limits(),
    ]
    write_atomically(card, "\n\n".join(parts).replace("\n\n- ", "\n- ") + "\n")


def _bets_and_cards(header: StrategyHeader) -> list[str]:
    kind = header.cards.get("kind", "")
    buckets = ", ".join(f"{street} {count}" for street, count in zip(STREETS, header.buckets, strict=False))
    tree = f"{header.nodes:,} nodes, {header.decisions:,} decisions, {header.entries:,} probabilities in 15 steps"
    return [
        "## How it sees and bets",
        *(f"- {line}" for line in _menus(header.sizes)),
        f"- hands that it tells apart, by `{kind}`: {buckets}",
        f"- the betting tree: {tree}",
    ]


def _menus(sizes: Any) -> list[str]:
    """The bet sizes, a line for each street, or player, that has its own."""
    config = BetSizes.parse(sizes).config()
    by_name = config if isinstance(config, Mapping) else {"bets": config}
    return [f"{name.replace('_', ' ')}: {_plain(menu)}" for name, menu in by_name.items()]


def _plain(menu: str | int | dict[str, Any]) -> str:
    """A menu, a number of wagers, or the menus of a player.

    >>> _plain({"flop": "50%", "most_wagers": 3})
    'flop 50%; most wagers 3'
    """
    if isinstance(menu, dict):
        return "; ".join(f"{name.replace('_', ' ')} {each}" for name, each in menu.items())
    return str(menu)


def _making(header: StrategyHeader) -> list[str]:
    facts = header.training
    lines = ["## How it was made"]
    if command := facts.get("command"):
        lines.append(f"- command: `{command}`")
    spent = [
        f"{facts[key]:,}{unit}" if isinstance(facts[key], int) else f"{facts[key]:g}{unit}"
        for key, unit in (("deals", " deals"), ("minutes", " minutes of training"), ("threads", " threads"))
        if key in facts
    ]
    seed = f", seed {facts['seed']}" if "seed" in facts else ""
    lines.append(f"- {', '.join(spent) or 'its file does not say'}{seed}")
    where = [str(facts[key]) for key in ("date", "machine") if facts.get(key)]
    lines.append(f"- {', '.join([*where, f'holdem_env {header.written_by}'])}")
    lines += [f"- {key.replace('_', ' ')}: {value}" for key, value in facts.items() if key not in KNOWN]
    return lines


def _strength(results: Sequence[Row], measures: Sequence[tuple[str, str]]) -> list[str]:
    if not results and not measures:
        return ["## Strength", "Not measured here; `holdem match` and `holdem lbr` measure it."]
    unit = unit_of_rows(results)
    table = [f"| against | {unit.name} | hands |", "|---|---:|---:|"]
    table += [f"| {in_markdown(r['opponent'])} | {interval_text(r)} | {int(r['hands']):,} |" for r in results]
    others = ["| measure | result |", "|---|---:|", *(f"| {title} | {result} |" for title, result in measures)]
    return [
        "## Strength",
        f"Duplicate matches: {unit.name} with the 95 % interval, without search.",
        "\n".join(table),
        "An equilibrium does not try to win as much as it can from a weak player: what it wins says less about it than "
        "what others can win from it (`holdem lbr`, `holdem exploit`).",
        *(["What best responses win from it, with 95 % intervals:", "\n".join(others)] if measures else []),
    ]


def _limits() -> list[str]:
    return [
        "## Known weaknesses",
        "- It knows only the bets above. Others are translated, which costs more the further they are from its own.",
        "- Without search, hands of a bucket play alike. That costs most on the river, where buckets do not tell the "
        "best bluffs; by default the agent re-solves each river (`search`).",
        "- It does not adapt to its opponent, and it plays other stacks worse the more they differ from its own.",
    ]

"""Rewrite the tables in docs/games/*.md: `python docs/make_games.py`. A test says when they are out of date.

A page of games has all its tables between `<!-- game: PRESET ... -->` and `<!-- end -->`; index.md has the table of all
presets between `<!-- presets: all -->` and `<!-- end -->`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from holdem_env import Cards, Rules
from holdem_env.encoders import (
    ActionEncoder,
    ObservationEncoder,
    action_names,
    describe,
    get_actions,
    get_observation,
    observation_names,
)
from holdem_env.game.presets import PRESETS
from holdem_env.game.title import game_title

GAMES = Path(__file__).resolve().parent / "games"
MARKED = re.compile(r"(<!-- (\w+): ([^>]+?) -->\n).*?(<!-- end -->)", re.DOTALL)
ALWAYS = ("structure", "seats", "blinds", "stacks")
ALIKE_IN_EVERY_GAME = ("limit", "fcpa", "pot_fractions", "continuous", "continuous_pair")  # games/index.md says so
STREETS = {1: ["the only one"], 2: ["first", "second"], 4: ["before the flop", "flop", "turn", "river"]}


def rules_table(presets: list[str]) -> str:
    """The titles of the presets, the fields that differ from those of `Rules()`, and those that every game is known
    by."""
    games = [Rules.preset(name) for name in presets]
    usual = Rules()
    fields = [
        name
        for name in Rules.model_fields
        if name in ALWAYS or any(getattr(game, name) != getattr(usual, name) for game in games)
    ]
    rows = [["title", *map(game_title, games)]]
    rows += [[f"`{name}`", *(f"`{_value(name, getattr(game, name))}`" for game in games)] for name in fields]
    return _table(["field", *(f"`{name}`" for name in presets)], rows)


def _value(name: str, value: Any) -> str:
    if name != "deck":
        return repr(value)
    if len(value) == 52:
        return "all 52 cards"
    return str(Cards(value)) if len(value) < 10 else f"{len(value)} cards, {Cards(value[:1])} to {Cards(value[-1:])}"


def streets_table(presets: list[str]) -> str:
    """The streets of the first preset: what is dealt, who begins, and how much may be bet."""
    rules = Rules.preset(presets[0])
    record = rules.record[0]
    fixed = rules.structure == "fixed_limit"
    rows = []
    for street, name in enumerate(STREETS[rules.streets]):
        cards = int(record["board_cards"][street])
        burnt = " after a burn" if record["burn_cards"][street] else ""
        dealt = f"{rules.hole_cards} to each player" if street == 0 else f"{cards} on the board{burnt}"
        begins = _first_to_act(rules, street)
        wagers = str(rules.max_raises[street]) if fixed and rules.max_raises else "any number"
        rows.append([name, dealt, begins, str(rules.street_bets[street]), wagers])
    bet = "bet" if fixed else "least bet"
    return _table(["street", "cards", "first to act", f"{bet}, in chips", "raises by players"], rows)


def _first_to_act(rules: Rules, street: int) -> str:
    if street > 0 if rules.first_to_act is None else rules.first_to_act[street] == "left_of_button":
        return "left of the button"
    return "left of the big blind" if rules.seats > 2 else "the button"


def encodings_table(presets: list[str]) -> str:
    """The shapes of the observations and the spaces of the actions."""
    rows = [
        [f"observation `{name}`", *(_size(get_observation(name), preset) for preset in presets)]
        for name in observation_names()
        if name not in ("classic_limit", "classic_no_limit")
    ]
    for name in action_names():
        if name in ALIKE_IN_EVERY_GAME:
            continue
        rows.append([f"actions `{name}`", *(_size(get_actions(name, Rules.preset(each)), each) for each in presets)])
    return _table(["encoder", *(f"`{name}`" for name in presets)], rows)


def actions_table(presets: list[str]) -> str:
    """The default actions of the first preset, in words."""
    rules = Rules.preset(presets[0])
    usual = get_actions(None, rules)
    return f"`{usual.name}`, the default actions in `{presets[0]}`: {describe(usual, rules)}"


def _size(encoder: ObservationEncoder | ActionEncoder, preset: str) -> str:
    rules = Rules.preset(preset)
    try:
        return f"`{encoder.shape(rules) if isinstance(encoder, ObservationEncoder) else encoder.space(rules)}`"
    except ValueError:
        return "not for this game"


def rewards_table(presets: list[str]) -> str:
    """What one unit of reward is."""
    rows = []
    for name in presets:
        rules = Rules.preset(name)
        unit = "a big blind" if rules.reward_unit == "big_blind" else "a chip"
        rows.append([f"`{name}`", unit, str(rules.unit), f"{max(rules.starting_stacks) / rules.unit:g}"])
    return _table(["preset", "unit of reward", "in chips", "a starting stack, in units"], rows)


def index_table(_: list[str]) -> str:
    """All presets, with links to their pages."""
    pages = {name: path for path in sorted(GAMES.glob("*.md")) for name in presets_on(path.read_text())}
    rows = [
        [
            f"`{name}`" if name not in pages else f"[`{name}`]({pages[name].name})",
            game_title(Rules.preset(name)),
            preset.description,
            f"{Rules.preset(name).seats}, at most {Rules.preset(name).max_seats}",
        ]
        for name, preset in PRESETS.items()
    ]
    return _table(["preset", "title", "game", "players"], rows)


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [f"| {' | '.join(cells)} |" for cells in (head, *rows)]
    return "\n".join([lines[0], "|---" * len(head) + "|", *lines[1:]])


def game_tables(presets: list[str]) -> str:
    """All tables of a page: the streets once for each betting structure, the rest for all presets."""
    by_structure = {Rules.preset(name).structure: name for name in reversed(presets)}
    firsts = [name for name in presets if name in by_structure.values()]
    streets = [f"The streets of `{name}`:\n\n{streets_table([name])}" for name in firsts]
    parts = [
        rules_table(presets),
        *streets,
        "## Observations and actions",
        encodings_table(presets),
        *(actions_table([name]) for name in firsts),
        "## Rewards",
        rewards_table(presets),
    ]
    return "\n\n".join(parts)


TABLES: dict[str, Callable[[list[str]], str]] = {"game": game_tables, "presets": index_table}


def presets_on(page: str) -> list[str]:
    """The presets whose tables a page has."""
    return [name for names in re.findall(r"<!-- game: (.*?) -->", page) for name in names.split()]


def renewed(page: str) -> str:
    """A page with its tables rewritten."""
    return MARKED.sub(lambda mark: f"{mark[1]}\n{TABLES[mark[2]](mark[3].split())}\n\n{mark[4]}", page)


if __name__ == "__main__":
    for path in sorted(GAMES.glob("*.md")):
        path.write_text(renewed(path.read_text()))

"""Write the tables in docs/games/*.md anew: `python docs/make_games.py`. A test says when they are out of date.

A page has `<!-- KIND: PRESET ... -->` before each table and `<!-- end -->` after it. Kinds are those in `TABLES`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import groupby
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
from holdem_env.game.title import game_title

GAMES = Path(__file__).resolve().parent / "games"
MARKED = re.compile(r"(<!-- (\w+): ([^>]+?) -->\n).*?(<!-- end -->)", re.DOTALL)
ALWAYS = ("structure", "seats", "blinds", "stacks")
STREETS = {1: ["the only one"], 2: ["first", "second"], 4: ["before the flop", "flop", "turn", "river"]}
OPPONENT = re.compile(r"\| [\d–]+ \| opponent (\d+)'s ")


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


def observations_table(presets: list[str]) -> str:
    """The default observation in words, and the shapes of all of them."""
    rules = Rules.preset(presets[0])
    told = _shortened(describe(get_observation("flat"), rules))
    names = [name for name in observation_names() if name not in ("classic_limit", "classic_no_limit")]
    rows = [[f"`{name}`", *(_size(get_observation(name), preset) for preset in presets)] for name in names]
    shapes = _table(["observation", *(f"shape in `{name}`" for name in presets)], rows)
    return f"`flat`, the default, in `{presets[0]}`. {told}\n\nAll of them:\n\n{shapes}"


def actions_table(presets: list[str]) -> str:
    """The default actions in words, and the spaces of all of them."""
    rules = Rules.preset(presets[0])
    usual = get_actions(None, rules)
    rows = [[f"`{name}`", *(_size(get_actions(name, rules), preset) for preset in presets)] for name in action_names()]
    spaces = _table(["actions", *(f"space in `{name}`" for name in presets)], rows)
    return f"`{usual.name}`, the default, in `{presets[0]}`: {describe(usual, rules)}\n\nAll of them:\n\n{spaces}"


def _size(encoder: ObservationEncoder | ActionEncoder, preset: str) -> str:
    rules = Rules.preset(preset)
    try:
        return f"`{encoder.shape(rules) if isinstance(encoder, ObservationEncoder) else encoder.space(rules)}`"
    except ValueError:
        return "not for this game"


def _shortened(table: str) -> str:
    """A table in which the rows of each opponent but the first are one row: they repeat those of opponent 1."""
    out: list[str] = []
    for number, lines in groupby(table.split("\n"), lambda line: (OPPONENT.match(line) or ["", "1"])[1]):
        rows = list(lines)
        if number == "1":
            out += rows
        else:
            first, last = (re.findall(r"\d+", row.split("|")[1]) for row in (rows[0], rows[-1]))
            out.append(f"| {first[0]}–{last[-1]} | opponent {number}: the same {len(rows)} numbers as opponent 1 |")
    return "\n".join(out)


def rewards_table(presets: list[str]) -> str:
    """What one unit of reward is."""
    rows = []
    for name in presets:
        rules = Rules.preset(name)
        unit = "a big blind" if rules.reward_unit == "big_blind" else "a chip"
        rows.append([f"`{name}`", unit, str(rules.unit), f"{max(rules.starting_stacks) / rules.unit:g}"])
    return _table(["preset", "unit of reward", "in chips", "a starting stack, in units"], rows)


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [f"| {' | '.join(cells)} |" for cells in (head, *rows)]
    return "\n".join([lines[0], "|---" * len(head) + "|", *lines[1:]])


TABLES: dict[str, Callable[[list[str]], str]] = {
    "rules": rules_table,
    "streets": streets_table,
    "observations": observations_table,
    "actions": actions_table,
    "rewards": rewards_table,
}


def renewed(page: str) -> str:
    """A page with its tables written anew."""
    return MARKED.sub(lambda mark: f"{mark[1]}\n{TABLES[mark[2]](mark[3].split())}\n\n{mark[4]}", page)


if __name__ == "__main__":
    for path in sorted(GAMES.glob("*.md")):
        path.write_text(renewed(path.read_text()))

"""Markdown tables of what each number of an observation, and each action, means."""

from __future__ import annotations

import re
from itertools import groupby

from ..game.rules import Rules
from ..game.title import game_title
from .base import ActionEncoder, BoxActionEncoder, Layout, ObservationEncoder

STREET = re.compile(r"\b(on|of) street (\d)")
PLAYER = re.compile(r"\bof (the observer|opponent \d+)\b")
OWN, OPPONENT = "own ", re.compile(r"opponent \d+'s ")
MAX_ACTIONS = 20  # if there are more, only the first ones and the last are shown


def one_line(
    owner: object, how_many: str, rules: Rules, observation: ObservationEncoder, actions: ActionEncoder, state: str = ""
) -> str:
    """The `repr` of something that plays a game through encoders: what it is, how many tables, the game, the encoders
    and its state."""
    parts = [how_many, f"{rules.seats} seats", game_title(rules)]
    parts += [f"observation {observation.name!r}", f"actions {actions.name!r}", state]
    return f"<{type(owner).__name__}: {', '.join(filter(None, parts))}>"


def described(encoder: ObservationEncoder | ActionEncoder, rules: Rules) -> str:
    """See `describe`."""
    if isinstance(encoder, ObservationEncoder):
        return _describe_observation(encoder, rules)
    if isinstance(encoder, BoxActionEncoder):
        return f"{encoder.space(rules)}\n\nThe mask in `Tables`: {_listed(encoder.meanings(rules))}"
    rows = [(str(action), meaning) for action, meaning in enumerate(encoder.meanings(rules))]
    if len(rows) > MAX_ACTIONS:
        rows = [*rows[:5], ("...", "..."), rows[-1]]
    return f"{encoder.space(rules)}\n\n{_table('action', rows)}"


def _describe_observation(encoder: ObservationEncoder, rules: Rules) -> str:
    shape = encoder.shape(rules)
    heading = "index" if len(shape) == 1 else "layer" if encoder.layout_axis == 0 else "column"
    joined = _opponents_joined(_streets_joined(_players_joined(encoder.layout(rules))))
    rows = [(_range(first, last), meaning) for meaning, first, last in joined]
    parts = [f"Shape {shape}", _table(heading, rows)]
    for title, meanings in encoder.legend(rules).items():
        parts.append(f"{title}: {_listed(meanings)}")
    return "\n\n".join(parts)


def _players_joined(layout: Layout) -> Layout:
    """A layout in which entries that differ in the player alone, one after the other, are one."""
    joined: Layout = []
    for what, entries in groupby(layout, lambda entry: PLAYER.sub("of players", entry[0])):
        found = list(entries)
        if (others := len(found) - 1) > 0 and all(PLAYER.search(meaning) for meaning, _, _ in found):
            names = "opponent 1" if others == 1 else f"opponents 1 to {others}"
            found = [(what.replace("of players", f"of the observer and {names}", 1), found[0][1], found[-1][2])]
        joined += found
    return joined


def _streets_joined(layout: Layout) -> Layout:
    """A layout in which entries that differ in the street alone, one after the other, are one: "on streets 0 to 3"."""
    joined: Layout = []
    for what, entries in groupby(layout, lambda entry: STREET.sub(r"\1 streets", entry[0])):
        found = list(entries)
        streets = [number[2] for meaning, _, _ in found if (number := STREET.search(meaning))]
        if len(streets) > 1:
            meaning = what.replace(" streets", f" streets {streets[0]} to {streets[-1]}", 1)
            found = [(meaning, found[0][1], found[-1][2])]
        joined += found
    return joined


def _opponents_joined(layout: Layout) -> Layout:
    """A layout in which the entries of opponents, in the order of the observer's just before them, are one."""
    of_opponents = [index for index, (meaning, _, _) in enumerate(layout) if OPPONENT.match(meaning)]
    opponents = {found[0] for meaning, _, _ in layout if (found := OPPONENT.match(meaning))}
    if not opponents:
        return layout
    first, last = of_opponents[0], of_opponents[-1]
    each = len(of_opponents) // len(opponents)
    own, others = layout[first - each : first], layout[first : last + 1]
    expected = [meaning.removeprefix(OWN) for meaning, _, _ in own] * len(opponents)
    if [OPPONENT.sub("", meaning) for meaning, _, _ in others] != expected:
        return layout
    whose = "opponent 1" if len(opponents) == 1 else f"opponents 1 to {len(opponents)}, one after the other"
    joined = f"the same as {_range(own[0][1], own[-1][2])}, of {whose}"
    return [*layout[:first], (joined, others[0][1], others[-1][2]), *layout[last + 1 :]]


def _listed(meanings: list[str]) -> str:
    if len(meanings) > 2 and all(re.fullmatch(r"\w+", meaning) for meaning in meanings):
        return f"`0` to `{len(meanings) - 1}`: {', '.join(meanings)}."
    return "; ".join(f"`{index}` {meaning}" for index, meaning in enumerate(meanings)) + "."


def _range(first: int, last: int) -> str:
    return str(first) if last == first + 1 else f"{first}–{last - 1}"


def _table(heading: str, rows: list[tuple[str, str]]) -> str:
    return "\n".join([f"| {heading} | meaning |", "|---|---|", *(f"| {where} | {what} |" for where, what in rows)])

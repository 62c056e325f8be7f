"""What there is to say of a game that a page may choose."""

from __future__ import annotations

from typing import Any

from holdem_env.game.presets import FAMILIES, PRESETS
from holdem_env.game.rules import Rules
from holdem_env.game.title import game_title

OWN = "Your games"
FAMILY_OF = {name: family for family, names in FAMILIES.items() for name in names}


def in_families(games: dict[str, Rules]) -> dict[str, Rules]:
    """The games that are not presets, then the families in order."""
    order = {name: place for place, name in enumerate(FAMILY_OF)}
    return dict(sorted(games.items(), key=lambda each: order.get(each[0], -1)))


def described(name: str, rules: Rules) -> dict[str, Any]:
    """id, title, family, stakes ("No limit 1/2"), seats, and stack_bb, the largest stack in big blinds or antes."""
    stakes = game_title(rules)
    title = (PRESETS[name].name if name in PRESETS else "") or (stakes if name in stakes else f"{stakes} ({name})")
    stack = max(rules.starting_stacks) / rules.unit
    family = FAMILY_OF.get(name, OWN)
    return {"id": name, "title": title, "family": family, "stakes": stakes, "seats": rules.seats, "stack_bb": stack}

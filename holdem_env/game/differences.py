"""In what two games differ, and which preset a game is or is nearest to: as names of fields and in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pydantic import BaseModel

from .presets import PRESETS

Rules = Any  # the class imports this module

# What a field comes to where its value alone does not say it: a default may stand for the same value.
MEANINGS: dict[str, Callable[[Rules], Any]] = {
    "stacks": lambda rules: rules.starting_stacks,
    "small_bet": lambda rules: rules.street_bets,
    "big_bet": lambda rules: rules.street_bets,
    "min_bet": lambda rules: rules.street_bets,
    "reopen_fraction": lambda rules: rules.reopen_fraction or (0.5 if rules.structure == "fixed_limit" else 1.0),
    "deck": lambda rules: frozenset(rules.deck),  # the order of a deck changes no hand
    "burn_cards": lambda rules: rules.street_burns,
    "reward_unit": lambda rules: rules.unit,
}


def meaning(rules: Rules, name: str) -> Any:
    """What a field of a game comes to: equal for a default and for the value that it stands for."""
    return MEANINGS[name](rules) if name in MEANINGS else getattr(rules, name)


def differing_fields(one: Rules, other: Rules, fields: Iterable[str]) -> list[str]:
    """Which of these fields mean something else in one game than in the other.

    A default and the value that it stands for are the same; stacks and bets are compared seat by seat and street by
    street.
    """
    return [name for name in fields if _differ(name, one, other)]


def nearest_preset(rules: Rules) -> tuple[str, list[str]]:
    """The preset that a game differs least from, and the fields in which it differs: none if it is that preset."""
    found: list[tuple[int, bool, int, str, list[str]]] = []
    for place, name in enumerate(PRESETS):
        preset = type(rules).preset(name)
        fields = preset.differences(rules)
        found.append((len(fields), "blinds" in fields, -place, name, fields))
    *_, name, fields = min(found)
    return name, fields


def difference_text(rules: Rules, other: Rules, fields: Iterable[str]) -> str:
    """The values of these fields of a game, each with the other game's in parentheses.

    >>> from holdem_env import Rules
    >>> rules, preset = Rules.preset("heads-up-no-limit", stacks=40, rake=5), Rules.preset("heads-up-no-limit")
    >>> difference_text(rules, preset, rules.differences(preset))
    'rake: percent 5 (none), stacks: 40 (200)'
    """
    return ", ".join(
        f"{name.replace('_', ' ')}: {value_text(rules, name)} ({value_text(other, name)})" for name in fields
    )


def value_text(rules: Rules, name: str) -> str:
    """The value of a field of Rules as a few words."""
    value = rules.starting_stacks if name == "stacks" else getattr(rules, name)
    return f"{len(value)} cards" if name == "deck" else _text(value)


def _differ(name: str, one: Rules, other: Rules) -> bool:
    if name != "stacks" and getattr(one, name) == getattr(other, name):
        return False
    return bool(meaning(one, name) != meaning(other, name))


def _text(value: Any) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case float():
            return f"{value:g}"
        case str():
            return value.replace("_", " ")
        case BaseModel():
            changed = [name for name in type(value).model_fields if name in value.model_dump(exclude_defaults=True)]
            return " and ".join(_field_text(value, name) for name in changed) or "by default"
        case tuple() if len(set(value)) == 1 and len(value) > 1:
            return _text(value[0])
        case _:
            return "/".join(map(_text, value)) or "none"


def _field_text(model: BaseModel, name: str) -> str:
    """A field of a rake, a session or dealer errors; of phases and levels only how many there are."""
    value, label = getattr(model, name), name.replace("_", " ")
    if isinstance(value, tuple) and value and isinstance(value[0], BaseModel):
        return f"{len(value)} {label if len(value) > 1 else label.removesuffix('s')}"
    return f"{label} {_text(value)}"

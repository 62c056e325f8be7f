"""The Rules of a PHH record, and the user-defined field for rules that PHH itself cannot express."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from ..game.presets import PRESETS
from ..game.rake import Rake
from ..game.rules import AS_PLAYED, HAND_FIELDS, Rules
from ..utils.plain_data import json_of
from .phh_money import RULES_FIELD, Forced

# R18: the default cap. PHH does not state the cap of a fixed-limit game.
MAX_RAISES: tuple[int, ...] | None = (3, 4, 4, 4)
# TOML has no null.
_NONE = "none"
_CARRIED = (
    "structure", "max_raises", "uncapped_heads_up", "reopen", "reopen_fraction", "smallest_chip", "rake", "muck",
    "face_up_all_in", "showing", "min_bet",
)  # fmt: skip
VARIANTS = {
    "NT": "no_limit",
    "FT": "fixed_limit",
    "NS": "no_limit",
    "PO": "pot_limit",
    "FO/8": "fixed_limit",
}
# The fields of the bets of each variant.
BETS = {
    variant: ("small_bet", "big_bet") if structure == "fixed_limit" else ("min_bet",)
    for variant, structure in VARIANTS.items()
}
# The presets of the variants that are not Texas hold'em.
_GAMES = {"NS": "short-deck", "PO": "omaha", "FO/8": "omaha-hi-lo"}
_SHAPE = (*HAND_FIELDS, "burn_cards", "first_to_act")


def shape_of(variant: str) -> dict[str, Any]:
    """The fields of Rules that describe a variant's cards; none for Texas hold'em."""
    if variant not in _GAMES:
        return {}
    return {field: value for field, value in PRESETS[_GAMES[variant]].fields.items() if field in _SHAPE}


def variant_of(rules: Rules) -> str:
    """PHH's code for a game. A game without a code gets a code of hold'em; `carried` then finds that its cards differ
    and raises the error."""
    fixed = rules.structure == "fixed_limit"
    for variant in _GAMES:
        shape = {"split": "high", **shape_of(variant)}
        same = all(getattr(rules, field) == value for field, value in shape.items())
        if same and fixed == (VARIANTS[variant] == "fixed_limit"):
            return variant
    return "FT" if fixed else "NT"


def read_rules(
    variant: str,
    stacks: tuple[int, ...],
    forced: Forced,
    bets: tuple[int, ...],
    max_raises: tuple[int, ...] | None,
    extras: object = None,
) -> Rules:
    """The game of a record. `bets`: (min_bet,) or (small_bet, big_bet). Raises ValueError for an invalid game."""
    extra_text = json.dumps(extras, default=str, sort_keys=True) if isinstance(extras, dict) else ""
    return _rules(variant, stacks, forced, bets, max_raises, extra_text)


@lru_cache(maxsize=4096)
def _rules(
    variant: str,
    stacks: tuple[int, ...],
    forced: Forced,
    bets: tuple[int, ...],
    max_raises: tuple[int, ...] | None,
    extra_text: str,
) -> Rules:
    structure = VARIANTS[variant]
    fields: dict[str, Any] = {
        **shape_of(variant),
        "structure": structure,
        "seats": len(stacks),
        "stacks": stacks,
        "blinds": (forced.small_blind, forced.big_blind),
        "ante": forced.ante,
        "big_blind_ante": forced.big_blind_ante,
        "straddle": forced.straddle,
    }
    if structure == "fixed_limit":
        fields |= {"small_bet": bets[0], "big_bet": bets[1], "max_raises": max_raises}
    elif bets[0] != forced.big_blind:
        fields["min_bet"] = bets[0]
    if extra_text:
        extras = json_of(extra_text)
        unknown = [name for name in extras if name not in _CARRIED]
        if unknown:
            raise ValueError(f"{RULES_FIELD}: {unknown[0]!r} is not one of {', '.join(_CARRIED)}")
        fields |= {name: None if value == _NONE else value for name, value in extras.items()}
    return Rules.model_validate(fields, context=AS_PLAYED)


def amounts_of(extras: object) -> list[Any]:
    """The amounts of money in our field."""
    found: list[Any] = []
    if isinstance(extras, Mapping):
        with_amounts(extras, lambda amount: found.append(amount))
    return found


def with_amounts(extras: Mapping[str, Any], convert: Callable[[Any], Any]) -> dict[str, Any]:
    """Our field with its amounts converted: chips to the file's money, or back. What is no amount stays as it is."""
    changed = dict(extras)
    if "smallest_chip" in changed:
        changed["smallest_chip"] = convert(changed["smallest_chip"])
    rake, least = changed.get("rake"), changed.get("min_bet")
    if isinstance(rake, Mapping) and "cap" in rake:
        changed["rake"] = rake = {**rake, "cap": convert(rake["cap"])}
    if isinstance(rake, Mapping) and isinstance(rake.get("by_pot"), list | tuple):
        changed["rake"] = {**rake, "by_pot": [convert(part) for part in rake["by_pot"]]}
    if isinstance(least, list | tuple):
        changed["min_bet"] = [convert(bet) for bet in least]
    elif least not in (None, _NONE):
        changed["min_bet"] = convert(least)
    return changed


def carried(rules: Rules, plain: Rules) -> dict[str, Any]:
    """The fields of `rules` that PHH's standard fields do not carry. plain: the rules that a reader of the standard
    fields gets.

    Raises ValueError for a game that no PHH code means.
    """
    for name in _SHAPE:
        if getattr(rules, name) != getattr(plain, name):
            raise ValueError(f"PHH has no code for hold'em with {name} = {getattr(rules, name)!r}")
    found = {}
    for name in _CARRIED:
        value = getattr(rules, name)
        if name == "min_bet":
            differs = rules.street_bets != plain.street_bets
            value = rules.street_bets
        elif name == "max_raises":
            differs = rules.structure == "fixed_limit" and value != plain.max_raises
        else:
            differs = value != getattr(plain, name)
        if differs:
            found[name] = _NONE if value is None else _rake_fields(value) if name == "rake" else value
    return found


def _rake_fields(rake: Rake) -> dict[str, Any]:
    return {name: value for name, value in rake.model_dump(exclude_none=True).items() if value != ()}

"""A game's title, as people call it: "Fixed limit 2/4 Omaha hi-lo", "No limit 5/10, ante 1, straddle 20"."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from .presets import PRESETS, VARIANTS
from .rules import Rules

STRUCTURES = {"fixed_limit": "Fixed limit", "pot_limit": "Pot limit", "no_limit": "No limit"}


def game_title(rules: Rules, amount: Callable[[int], str] = str) -> str:
    """The structure, the stakes, what is not Texas hold'em's, then antes and straddle.

    Fixed limit is named by its bets, the other structures by their blinds (R18), and games without blinds by the least
    bet. amount: how chips are written, by default as their number.

    >>> from holdem_env import Rules
    >>> game_title(Rules(structure="fixed_limit", blinds=(10, 15)))
    'Fixed limit 15/30'
    >>> game_title(Rules.preset("omaha", ante=1, straddle=4))
    'Pot limit 1/2 Omaha, ante 1, straddle 4'
    """
    variant = _variant(rules)
    words = [STRUCTURES[rules.structure], _stakes(rules, amount), variant or ""]
    parts = [" ".join(filter(None, words)), *([] if variant is not None else _differences(rules))]
    forced = {"ante": rules.ante, "big-blind ante": rules.big_blind_ante, "straddle": rules.straddle}
    parts += [f"{name} {amount(chips)}" for name, chips in forced.items() if chips]
    if not rules.big_blind and rules.structure != "fixed_limit":
        parts.append(f"least bet {amount(rules.street_bets[0])}")
    return ", ".join(parts)


def _stakes(rules: Rules, amount: Callable[[int], str]) -> str:
    if rules.structure == "fixed_limit":
        bets = rules.street_bets
        return "/".join(map(amount, (bets[0], bets[-1]) if len(bets) > 1 else bets))
    return "/".join(map(amount, rules.blinds)) if rules.big_blind else ""


def _variant(rules: Rules) -> str | None:
    """What the cards and hands are called: "" for Texas hold'em, None if they have no name."""
    if rules.is_texas_holdem:
        return ""
    return next((PRESETS[name].variant for name in VARIANTS if not rules.hand_differences(_preset(name))), None)


@cache
def _preset(name: str) -> Rules:
    return Rules.preset(name)


def _differences(rules: Rules) -> list[str]:
    """What is not Texas hold'em's, in words."""
    words = {
        "deck": f"{len(rules.deck)}-card deck",
        "hole_cards": f"{rules.hole_cards} hole card{'s' if rules.hole_cards > 1 else ''}",
        "hole_cards_used": f"{rules.hole_cards_used} of them used",
        "board_cards": f"board of {'/'.join(map(str, rules.board_cards))}",
        "ranking": f"{rules.ranking.replace('_', '-')} ranking",
        "split": "hi-lo",
    }
    return [words[name] for name in rules.hand_differences()]

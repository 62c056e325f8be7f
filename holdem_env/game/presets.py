"""The named games, as data for Rules: presets of hold'em, and of games with other decks and hands."""

from __future__ import annotations

from typing import Any

from ..cards.text import parse_cards
from ..utils.validation import suggestion

SHORT_DECK = tuple(parse_cards("".join(rank + suit for rank in "6789TJQKA" for suit in "cdhs")))
ROYAL_DECK = tuple(parse_cards("".join(rank + suit for rank in "TJQKA" for suit in "cdhs")))

OMAHA: dict[str, Any] = {"seats": 6, "blinds": (1, 2), "stacks": 200, "hole_cards": 4, "hole_cards_used": 2}

HOLDEM_PRESETS: dict[str, dict[str, Any]] = {
    "acpc-limit-2p": {
        "structure": "fixed_limit",
        "seats": 2,
        "blinds": (5, 10),
        "small_bet": 10,
        "big_bet": 20,
        "stacks": 10_000,
    },
    "acpc-limit-3p": {
        "structure": "fixed_limit",
        "seats": 3,
        "blinds": (5, 10),
        "small_bet": 10,
        "big_bet": 20,
        "stacks": 10_000,
    },
    "acpc-nolimit-2p": {"structure": "no_limit", "seats": 2, "blinds": (50, 100), "stacks": 20_000},
    "acpc-nolimit-3p": {"structure": "no_limit", "seats": 3, "blinds": (50, 100), "stacks": 20_000},
    "pluribus-6max": {"structure": "no_limit", "seats": 6, "blinds": (50, 100), "stacks": 10_000},
    "leaflet": {"structure": "no_limit", "seats": 10, "blinds": (5, 10), "chips": {5: 20, 10: 15, 25: 15}},
    "heads-up-limit": {"structure": "fixed_limit", "seats": 2, "blinds": (1, 2), "stacks": 200},
    "heads-up-pot-limit": {"structure": "pot_limit", "seats": 2, "blinds": (1, 2), "stacks": 200},
    "heads-up-no-limit": {"structure": "no_limit", "seats": 2, "blinds": (1, 2), "stacks": 200},
    "six-max-no-limit": {"structure": "no_limit", "seats": 6, "blinds": (1, 2), "stacks": 200},
}

OTHER_PRESETS: dict[str, dict[str, Any]] = {
    "holdem-hi-lo": {
        "structure": "fixed_limit",
        "seats": 6,
        "blinds": (1, 2),
        "stacks": 200,
        "split": "high_low",
    },
    "omaha": {"structure": "pot_limit", **OMAHA},
    "omaha-hi-lo": {"structure": "fixed_limit", **OMAHA, "split": "high_low"},
    # Antes and blinds. A-6-7-8-9 is a straight, a flush beats a full house, and a straight beats three of a kind.
    "short-deck": {
        "structure": "no_limit",
        "seats": 6,
        "blinds": (1, 2),
        "ante": 1,
        "stacks": 200,
        "deck": SHORT_DECK,
        "ranking": "short_deck",
    },
    # Omaha's hands, short deck's cards and ranking. At most 7 seats: hands, board and burns are then the whole deck.
    "omaha-36": {"structure": "pot_limit", **OMAHA, "deck": SHORT_DECK, "ranking": "short_deck"},
    "royal-holdem": {"structure": "no_limit", "seats": 6, "blinds": (1, 2), "stacks": 200, "deck": ROYAL_DECK},
    # Hold'em that ends with the flop, as used in research on solving games.
    "flop-holdem": {
        "structure": "fixed_limit",
        "seats": 2,
        "blinds": (50, 100),
        "small_bet": 100,
        "big_bet": 100,
        "max_raises": (3, 4),
        "stacks": 10_000,
        "board_cards": (0, 3),
    },
    "leduc": {
        "structure": "fixed_limit",
        "seats": 2,
        "blinds": (0, 0),
        "ante": 1,
        "small_bet": 2,
        "big_bet": 4,
        "max_raises": (2, 2),
        "stacks": 100,
        "deck": tuple(parse_cards("JhJsQhQsKhKs")),
        "hole_cards": 1,
        "board_cards": (0, 1),
        "burn_cards": (0, 0),
        "first_to_act": ("left_of_button", "left_of_button"),
        "ranking": "pair",
        "reward_unit": "chips",
    },
    "kuhn": {
        "structure": "fixed_limit",
        "seats": 2,
        "blinds": (0, 0),
        "ante": 1,
        "small_bet": 1,
        "max_raises": (1,),
        "stacks": 100,
        "deck": tuple(parse_cards("JsQsKs")),
        "hole_cards": 1,
        "board_cards": (0,),
        "first_to_act": ("left_of_button",),
        "ranking": "pair",
        "reward_unit": "chips",
    },
}

PRESETS = HOLDEM_PRESETS | OTHER_PRESETS


def preset_fields(name: object) -> dict[str, Any]:
    """The fields of Rules that a preset sets. Raises ValueError for an unknown name, and suggests the nearest one."""
    if not isinstance(name, str) or name not in PRESETS:
        raise ValueError(f"there is no preset {name!r}: {suggestion(name, list(PRESETS))}")
    return dict(PRESETS[name])


def use_preset(given: object) -> str:
    """What to write for the preset that somebody asks Rules for."""
    name = given if isinstance(given, str) and given in PRESETS else "heads-up-no-limit"
    near = "" if name == given or not isinstance(given, str) else f" ({given!r}: {suggestion(given, list(PRESETS))})"
    return f"for a named game, use Rules.preset({name!r}){near}"

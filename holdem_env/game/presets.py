"""The named games: each one a `Preset`, which is all that the library, its documentation and its tests know of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..cards.text import parse_cards
from ..utils.validation import suggestion

SHORT_DECK = tuple(parse_cards("".join(rank + suit for rank in "6789TJQKA" for suit in "cdhs")))
ROYAL_DECK = tuple(parse_cards("".join(rank + suit for rank in "TJQKA" for suit in "cdhs")))


@dataclass(frozen=True)
class Preset:
    """A named game.

    description: one line for lists of games.
    fields: of `Rules`; the others have their defaults.
    variant: what titles call cards and hands that are not Texas hold'em's ("Omaha"), whatever the betting.
    name: what people call the game; "" for its title.
    """

    description: str
    fields: dict[str, Any]
    variant: str = ""
    name: str = ""


def _fixed_limit(seats: int) -> dict[str, Any]:
    """Fixed limit 10/20 as the ACPC plays it: so deep that nobody is ever all-in."""
    bets = {"blinds": (5, 10), "small_bet": 10, "big_bet": 20, "stacks": 10_000}
    return {"structure": "fixed_limit", "seats": seats, **bets}


_SMALL: dict[str, Any] = {"blinds": (1, 2), "stacks": 200}
_HEADS_UP: dict[str, Any] = {"seats": 2, **_SMALL}
_SIX_MAX: dict[str, Any] = {"seats": 6, **_SMALL}
_OMAHA: dict[str, Any] = {**_SIX_MAX, "hole_cards": 4, "hole_cards_used": 2}
_ONE_CARD: dict[str, Any] = {
    "structure": "fixed_limit",
    "seats": 2,
    "blinds": (0, 0),
    "ante": 1,
    "stacks": 100,
    "hole_cards": 1,
    "ranking": "pair",
    "reward_unit": "chips",
}

PRESETS: dict[str, Preset] = {
    "acpc-limit-2p": Preset(
        "the ACPC's heads-up limit game", _fixed_limit(seats=2), name="Limit of the ACPC, heads-up"
    ),
    "acpc-limit-3p": Preset(
        "the ACPC's limit game for three", _fixed_limit(seats=3), name="Limit of the ACPC, three players"
    ),
    "acpc-nolimit-2p": Preset(
        "the ACPC's heads-up no-limit game, also DeepStack's and Slumbot's: 200 big blinds",
        {"structure": "no_limit", "seats": 2, "blinds": (50, 100), "stacks": 20_000},
        name="No-limit of the ACPC and Slumbot, heads-up",
    ),
    "acpc-nolimit-3p": Preset(
        "the ACPC's no-limit game for three",
        {"structure": "no_limit", "seats": 3, "blinds": (50, 100), "stacks": 20_000},
        name="No-limit of the ACPC, three players",
    ),
    "pluribus-6max": Preset(
        "the game of the published hands of Pluribus: 100 big blinds",
        {"structure": "no_limit", "seats": 6, "blinds": (50, 100), "stacks": 10_000},
        name="No-limit of Pluribus, six-max",
    ),
    "leaflet": Preset(
        "the leaflet's game: ten players, 625 each, chips of 5, 10 and 25",
        {
            "structure": "no_limit",
            "seats": 10,
            "blinds": (5, 10),
            "chips": {5: 20, 10: 15, 25: 15},
            "session": {"first_button": "high_card", "button": "moving"},
        },
        name="The leaflet's game, ten players",
    ),
    "heads-up-limit": Preset(
        "heads-up fixed limit: 100 big blinds",
        {"structure": "fixed_limit", **_HEADS_UP},
        name="Limit hold'em, heads-up",
    ),
    "heads-up-pot-limit": Preset(
        "heads-up pot limit: 100 big blinds",
        {"structure": "pot_limit", **_HEADS_UP},
        name="Pot-limit hold'em, heads-up",
    ),
    "heads-up-no-limit": Preset(
        "heads-up no limit: 100 big blinds, the game of `make demo`",
        {"structure": "no_limit", **_HEADS_UP},
        name="No-limit hold'em, heads-up",
    ),
    "six-max-no-limit": Preset(
        "no limit for six: 100 big blinds", {"structure": "no_limit", **_SIX_MAX}, name="No-limit hold'em, six-max"
    ),
    "holdem-hi-lo": Preset(
        "the best high and the best low hand share the pot",
        {"structure": "fixed_limit", **_SIX_MAX, "split": "high_low"},
        variant="hi-lo",
        name="Limit hold'em hi-lo, six-max",
    ),
    "omaha": Preset(
        "four hole cards, exactly two count",
        {"structure": "pot_limit", **_OMAHA},
        variant="Omaha",
        name="Pot-limit Omaha, six-max",
    ),
    "omaha-hi-lo": Preset(
        "Omaha in which high and low share the pot",
        {"structure": "fixed_limit", **_OMAHA, "split": "high_low"},
        variant="Omaha hi-lo",
        name="Limit Omaha hi-lo, six-max",
    ),
    "short-deck": Preset(
        "36 cards, from the six up; a flush beats a full house",
        {"structure": "no_limit", **_SIX_MAX, "ante": 1, "deck": SHORT_DECK, "ranking": "short_deck"},
        variant="short deck",
        name="Short deck, six-max",
    ),
    "omaha-36": Preset(
        "Omaha with the cards and the ranking of short deck",
        {"structure": "pot_limit", **_OMAHA, "deck": SHORT_DECK, "ranking": "short_deck"},
        variant="short-deck Omaha",
        name="Short-deck Omaha, six-max",
    ),
    "royal-holdem": Preset(
        "20 cards, from the ten up",
        {"structure": "no_limit", **_SIX_MAX, "deck": ROYAL_DECK},
        variant="royal",
        name="Royal hold'em, six-max",
    ),
    "flop-holdem": Preset(
        "hold'em that ends with the flop, as in research on solving games",
        {
            "structure": "fixed_limit",
            "seats": 2,
            "blinds": (50, 100),
            "small_bet": 100,
            "big_bet": 100,
            "max_raises": (3, 4),
            "stacks": 10_000,
            "board_cards": (0, 3),
        },
        variant="flop hold'em",
        name="Flop hold'em, heads-up",
    ),
    "leduc": Preset(
        "research's small game: six cards, one hole card, one on the board",
        {
            **_ONE_CARD,
            "small_bet": 2,
            "big_bet": 4,
            "max_raises": (2, 2),
            "deck": tuple(parse_cards("JhJsQhQsKhKs")),
            "board_cards": (0, 1),
            "burn_cards": (0, 0),
            "first_to_act": ("left_of_button", "left_of_button"),
        },
        variant="Leduc",
        name="Leduc poker",
    ),
    "leduc-nolimit": Preset(
        "Leduc with six ranks and no limit: 14,880 decisions of one hand",
        {
            **_ONE_CARD,
            "structure": "no_limit",
            "min_bet": 3,
            "stacks": 12,
            "deck": tuple(parse_cards("9h9sThTsJhJsQhQsKhKsAhAs")),
            "board_cards": (0, 1),
            "burn_cards": (0, 0),
            "first_to_act": ("left_of_button", "left_of_button"),
        },
        variant="six-rank Leduc",
        name="No-limit Leduc poker, six ranks",
    ),
    "kuhn": Preset(
        "the smallest game with bluffs: three cards, one bet",
        {
            **_ONE_CARD,
            "small_bet": 1,
            "max_raises": (1,),
            "deck": tuple(parse_cards("JsQsKs")),
            "board_cards": (0,),
            "first_to_act": ("left_of_button",),
        },
        variant="Kuhn",
        name="Kuhn poker",
    ),
}
FAMILIES: dict[str, tuple[str, ...]] = {
    "Hold'em": (
        "heads-up-no-limit",
        "six-max-no-limit",
        "heads-up-limit",
        "heads-up-pot-limit",
        "holdem-hi-lo",
        "leaflet",
    ),
    "Omaha": ("omaha", "omaha-hi-lo", "omaha-36"),
    "Short decks": ("short-deck", "royal-holdem"),
    "Competitions": ("acpc-nolimit-2p", "acpc-nolimit-3p", "acpc-limit-2p", "acpc-limit-3p", "pluribus-6max"),
    "Small games of research": ("flop-holdem", "leduc-nolimit", "leduc", "kuhn"),
}
"""The presets as lists for people show them: what is played most comes first."""
VARIANTS = [name for name, preset in PRESETS.items() if preset.variant]
"""The presets whose cards or hands are not Texas hold'em's."""


def preset_fields(name: object) -> dict[str, Any]:
    """The fields of Rules that a preset sets. Raises ValueError for an unknown name, and suggests the nearest one."""
    if not isinstance(name, str) or name not in PRESETS:
        raise ValueError(f"there is no preset {name!r}: {suggestion(name, list(PRESETS))}")
    return dict(PRESETS[name].fields)


def use_preset(given: object) -> str:
    """What to write for the preset that somebody asks Rules for."""
    name = given if isinstance(given, str) and given in PRESETS else "heads-up-no-limit"
    near = "" if name == given or not isinstance(given, str) else f" ({given!r}: {suggestion(given, list(PRESETS))})"
    return f"for a named game, use Rules.preset({name!r}){near}"

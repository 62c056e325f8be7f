"""Games as data for Rules: the presets of hold'em, and of other decks and hands; and which can be ranked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .cards import RANKS, parse_cards

if TYPE_CHECKING:
    from .rules import Rules

HAND = 5
MOST_CARDS = 7
LOW_CARDS = "A2345678"
SHORT_DECK = tuple(parse_cards("".join(rank + suit for rank in "6789TJQKA" for suit in "cdhs")))
ROYAL_DECK = tuple(parse_cards("".join(rank + suit for rank in "TJQKA" for suit in "cdhs")))


def check_ranking(rules: Rules) -> None:
    """Raises ValueError for cards that the game's ranking cannot rank, and for a split that can never be."""
    if rules.ranking == "pair":
        _check_pair(rules)
    else:
        _check_five(rules)
    if rules.ranking == "short_deck" and (low := _ranks(rules) & set("2345")):
        raise ValueError(f"ranking: short_deck is for decks from the six up; this one holds {_in_words(low)}")
    if rules.split == "high_low":
        _check_low(rules)


def _check_pair(rules: Rules) -> None:
    cards = rules.hole_cards + sum(rules.board_cards)
    if cards > 2 or rules.hole_cards_used is not None:
        raise ValueError(
            f"ranking: pair ranks all of 1 or 2 cards; here are {rules.hole_cards} hole cards, "
            f"{sum(rules.board_cards)} board cards and hole_cards_used={rules.hole_cards_used}"
        )


def _check_five(rules: Rules) -> None:
    hole, board, used = rules.hole_cards, sum(rules.board_cards), rules.hole_cards_used
    if used is None:
        if not HAND <= hole + board <= MOST_CARDS:
            raise ValueError(
                f"the {rules.ranking} ranking takes the best five of 5 to 7 cards, any number of them from the hand; "
                f"here are {hole + board} cards and hole_cards_used=None (Omaha has 4 hole cards and "
                "hole_cards_used=2; games of one or two cards have ranking='pair')"
            )
    elif not 1 <= used <= hole or HAND - used > board:
        raise ValueError(
            f"hole_cards_used: {used} of {hole} hole cards and {HAND - used} of {board} board cards make no five; "
            f"give None for any number of them, or {max(1, HAND - board)} to {min(hole, HAND)}"
        )


def _check_low(rules: Rules) -> None:
    if rules.ranking != "standard":
        raise ValueError(f"split: high_low needs the standard ranking, not {rules.ranking!r}")
    low = _ranks(rules) & set(LOW_CARDS)
    if len(low) < HAND:
        raise ValueError(
            f"split: high_low needs five different ranks of eight or lower (R32); the deck holds {_in_words(low)}"
        )


def _ranks(rules: Rules) -> set[str]:
    return {RANKS[card // 4] for card in rules.deck}


def _in_words(ranks: set[str]) -> str:
    return ", ".join(sorted(ranks, key=RANKS.index)) or "none"


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

PRESETS: dict[str, dict[str, Any]] = {
    "holdem-hi-lo": {
        "structure": "fixed_limit",
        "seats": 6,
        "blinds": (1, 2),
        "stacks": 200,
        "split": "high_low",
    },
    "omaha": {"structure": "pot_limit", **OMAHA},
    "omaha-hi-lo": {"structure": "fixed_limit", **OMAHA, "split": "high_low"},
    # Antes and blinds; A-6-7-8-9 is a straight, a flush beats a full house, a straight three of a kind.
    "short-deck": {
        "structure": "no_limit",
        "seats": 6,
        "blinds": (1, 2),
        "ante": 1,
        "stacks": 200,
        "deck": SHORT_DECK,
        "ranking": "short_deck",
    },
    "royal-holdem": {"structure": "no_limit", "seats": 6, "blinds": (1, 2), "stacks": 200, "deck": ROYAL_DECK},
    # Hold'em that ends with the flop, as in research on solving games.
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

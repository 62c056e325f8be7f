"""Small games of many kinds, for tests of what walks them whole."""

from __future__ import annotations

from holdem_env import Rules

NO_LIMIT = {"structure": "no_limit", "seats": 2, "blinds": (1, 2)}
EIGHT = "AsAhKsKhQsQhJsJh"

GAMES = {
    "kuhn": Rules.preset("kuhn"),
    "leduc": Rules.preset("leduc"),
    "kuhn, no limit": Rules.preset("kuhn", structure="no_limit", small_bet=None, stacks=4),
    "leduc, pot limit, all-in early": Rules.preset(
        "leduc", structure="pot_limit", small_bet=None, big_bet=None, stacks=5
    ),
    "leduc, raked": Rules.preset("leduc", ante=10, rake={"percent": 10, "no_flop_no_drop": False}, stacks=500),
    "two cards and a flop": Rules(**NO_LIMIT, stacks=3, deck=EIGHT, board_cards=(0, 3), burn_cards=(0, 0)),
    "two cards used": Rules(**NO_LIMIT, stacks=3, deck=EIGHT, board_cards=(0, 3), burn_cards=(0, 0), hole_cards_used=2),
    "open flop": Rules(**NO_LIMIT, stacks=4, deck=EIGHT, board_cards=(3, 0), burn_cards=(0, 0)),
    "high and low": Rules(
        **NO_LIMIT, stacks=3, deck="Ac2c3c4d5d6h7h8h", board_cards=(0, 3), burn_cards=(0, 0), split="high_low"
    ),
    "three cards": Rules(**NO_LIMIT, stacks=3, deck=EIGHT, hole_cards=3, board_cards=(0, 2), burn_cards=(0, 0)),
    "one card, two streets of board": Rules(
        structure="fixed_limit",
        seats=2,
        blinds=(1, 2),
        stacks=100,
        deck="AsAhKsKhQsQh",
        hole_cards=1,
        board_cards=(0, 3, 1),
        burn_cards=(0, 0, 0),
        max_raises=(1, 1, 1),
    ),
    "kuhn, five cards": Rules.preset("kuhn", deck="9sTsJsQsKs"),
    "leduc, three suits": Rules.preset("leduc", deck="JsJhJdQsQhQdKsKhKd"),
}
WALKED = [name for name in GAMES if name != "one card, two streets of board"]
"""Games that are small enough for the oracle, which walks every deal."""

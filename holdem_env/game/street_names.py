"""What streets are called."""

from __future__ import annotations

from .rules import Rules

STREETS = ("preflop", "flop", "turn", "river")


def street_name(rules: Rules, street: int) -> str:
    """What a street is called: "flop" in a game with hold'em's streets, otherwise "street 1"."""
    return STREETS[street] if rules.has_holdem_streets else f"street {street}"

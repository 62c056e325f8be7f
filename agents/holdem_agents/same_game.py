"""The check that a trained agent knows a game: which rules must be those of its training."""

from __future__ import annotations

from holdem_env.game.rules import Rules


def check_same_game(name: str, trained_on: Rules, rules: Rules) -> None:
    """Raise ValueError if the rules are another game than the agent was trained for.

    Structure, number of seats, deck and the way hands are made must be the same. Stacks, blinds and antes may differ.
    """
    if (trained_on.structure, trained_on.seats) != (rules.structure, rules.seats):
        raise ValueError(f"agent {name!r} was trained for {_game(trained_on)}; this game is {_game(rules)}")
    for field in trained_on.hand_differences(rules):
        known, given = getattr(trained_on, field), getattr(rules, field)
        words = (f"of {len(known)} cards", f"of {len(given)} cards") if field == "deck" else (known, given)
        raise ValueError(f"agent {name!r} was trained for a game with {field} {words[0]}; this game has {words[1]}")


def _game(rules: Rules) -> str:
    return f"{rules.structure} with {rules.seats} seats"

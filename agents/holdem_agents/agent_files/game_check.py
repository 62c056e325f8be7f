"""The check that a trained agent knows a game: which rules must be those of its training."""

from __future__ import annotations

from holdem_env.game.rules import Rules


def check_same_game(name: str, trained_on: Rules, rules: Rules) -> None:
    """Raise ValueError if the agent was trained for another game.

    Structure, number of seats, deck and the way hands are made must be the same. Stacks, blinds and antes may differ.
    """
    structures = trained_on.phase_values("structure"), rules.phase_values("structure")
    if structures[0] != structures[1] or trained_on.seats != rules.seats:
        raise ValueError(f"agent {name!r} was trained for {_game(trained_on)}; this game is {_game(rules)}")
    for field in trained_on.hand_differences(rules):
        known, given = _values(trained_on, field), _values(rules, field)
        raise ValueError(f"agent {name!r} was trained for a game with {field} {known}; this game has {given}")


def _game(rules: Rules) -> str:
    return f"{_values(rules, 'structure')} with {rules.seats} seats"


def _values(rules: Rules, field: str) -> str:
    """A field's value in words; in mixed hold'em those of the phases in turn (R19)."""
    values = rules.phase_values(field)
    return ", then ".join(f"of {len(value)} cards" if field == "deck" else str(value) for value in values)

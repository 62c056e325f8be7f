"""Whether tables are as the engine leaves them between two moves."""

from __future__ import annotations

from ..engine.invariants import first_broken
from ..engine.record import Records
from ..game.rules import Rules


def broken_invariant(tables: Records, rules: Rules) -> str | None:
    """Return what is wrong with the first table that breaks an invariant between two moves, or None if all are well.

    The invariants: chips are conserved (R40), each card is there once, every field is in its range, and the betting is
    consistent.

    Args:
        tables: (N,) TABLE records, such as `Table.records` or `Tables.records`.
        rules: The game that they play.
    """
    found = first_broken(tables, rules.record)
    return None if found is None else f"table {found[0]} has {found[1]}"

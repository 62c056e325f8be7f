"""Whether tables are as the engine leaves them between two moves."""

from __future__ import annotations

from ..engine.invariants import first_broken
from ..engine.record import Records
from ..game.rules import Rules


def broken_invariant(tables: Records, rules: Rules) -> str | None:
    """What is wrong with the first of the tables that is not as every table is between two moves: chips conserved
    (R40), each card once, every field in its range, the betting consistent. None if all are well.

    tables: (N,) TABLE records, such as `Table.records` or `Tables.records`. rules: the game that they play.
    """
    found = first_broken(tables, rules.record)
    return None if found is None else f"table {found[0]} has {found[1]}"

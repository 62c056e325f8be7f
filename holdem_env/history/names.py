"""Names of players that a file can tell apart."""

from __future__ import annotations

from collections.abc import Iterable


def distinct_names(names: Iterable[str]) -> list[str]:
    """The names on one line each; equal ones are numbered.

    >>> distinct_names(["nit", "nit", "", "maniac"])
    ['nit', 'nit (2)', 'player 3', 'maniac']
    """
    found: list[str] = []
    for number, given in enumerate(names, 1):
        name = plain = " ".join(str(given).split()) or f"player {number}"
        again = 2
        while name in found:
            name, again = f"{plain} ({again})", again + 1
        found.append(name)
    return found

"""Numbers of things in words."""

from __future__ import annotations


def counted(number: int, thing: str) -> str:
    """A number of things.

    >>> counted(1, "hand"), counted(1200, "hand")
    ('1 hand', '1,200 hands')
    """
    return f"{number:,} {thing}{'' if number == 1 else 's'}"

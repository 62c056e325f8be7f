"""Numbers of things in words."""

from __future__ import annotations


def counted(number: int, thing: str) -> str:
    """A number of things.

    >>> counted(1, "hand"), counted(1200, "hand")
    ('1 hand', '1,200 hands')
    """
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def ordinal(place: int) -> str:
    """A place among others.

    >>> ordinal(1), ordinal(12), ordinal(23)
    ('1st', '12th', '23rd')
    """
    ending = "th" if place // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"


def duration(seconds: float) -> str:
    """Seconds as text.

    >>> duration(8.31), duration(128), duration(7265)
    ('8.3 s', '2 min 8 s', '2 h 1 min')
    """
    if seconds < 10:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if minutes else f"{rest} s"
    return f"{minutes // 60} h {minutes % 60} min"

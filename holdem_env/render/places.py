"""Where the seats are in the picture of a table: clockwise, with one seat at the bottom."""

from __future__ import annotations

from typing import NamedTuple

WIDTH, HEIGHT = 720.0, 792.0
SEAT_WIDTH = 176.0


class Place(NamedTuple):
    """Where one seat is drawn."""

    x: float
    """The middle of the seat."""
    y: float
    """The upper edge of its cards."""
    bet: tuple[float, float]
    """Where its bet lies: the chip, from which the amount is written towards the middle of the table."""
    inward: int
    """Which way the middle of the table is: 1 to the right, -1 to the left."""


_LEFT, _RIGHT, _MIDDLE = 92.0, WIDTH - 92.0, WIDTH / 2
_NEAR, _FAR = 132.0, WIDTH - 132.0
_TOP, _UPPER, _CENTRE, _LOWER, _BOTTOM = 54.0, 212.0, 306.0, 400.0, 562.0

_PLACES = {
    "bottom": Place(_MIDDLE, _BOTTOM, (_MIDDLE - 30, 540), 1),
    "bottom left": Place(_NEAR, _BOTTOM, (190, 540), 1),
    "lower left": Place(_LEFT, _LOWER, (198, 498), 1),
    "left": Place(_LEFT, _CENTRE, (198, 285), 1),
    "upper left": Place(_LEFT, _UPPER, (198, 258), 1),
    "top left": Place(_NEAR, _TOP, (190, 219), 1),
    "top": Place(_MIDDLE, _TOP, (_MIDDLE - 55, 219), 1),
    "top right": Place(_FAR, _TOP, (530, 219), -1),
    "upper right": Place(_RIGHT, _UPPER, (522, 258), -1),
    "right": Place(_RIGHT, _CENTRE, (522, 285), -1),
    "lower right": Place(_RIGHT, _LOWER, (522, 498), -1),
    "bottom right": Place(_FAR, _BOTTOM, (530, 540), -1),
}
_FULL = [name for name in _PLACES if name not in ("left", "right")]
_TAKEN = {
    2: ["bottom", "top"],
    3: ["bottom", "upper left", "upper right"],
    4: ["bottom", "left", "top", "right"],
    5: ["bottom", "lower left", "top left", "top right", "lower right"],
    6: ["bottom", "lower left", "upper left", "top", "upper right", "lower right"],
    7: ["bottom", "lower left", "upper left", "top left", "top right", "upper right", "lower right"],
    8: ["bottom", "bottom left", "left", "top left", "top", "top right", "right", "bottom right"],
    9: [name for name in _FULL if name != "top"],
    10: _FULL,
}


def places(seats: int, first: int = 0) -> list[Place]:
    """The place of each seat, 2 to 10 of them, with seat `first` at the bottom and the others clockwise from it."""
    names = _TAKEN[seats]
    return [_PLACES[names[(seat - first) % seats]] for seat in range(seats)]

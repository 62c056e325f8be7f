"""Where everything is in the picture of a table, and how large: the seats clockwise, with one at the bottom."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

WIDTH, HEIGHT = 720.0, 792.0
SEAT_WIDTH = 176.0
LAYOUTS = ("tall", "narrow", "wide")
"""The ways to draw a table: for a page of text; for a phone held upright; for a screen. The last two say neither whose
turn it is nor what is legal, as the page around them does, and have each amount in big blinds, too, which is hidden."""


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
    cards: float = 54.0
    """How wide a card is where there is room."""
    within: float = SEAT_WIDTH
    """How wide all its cards may be together."""


class Layout(NamedTuple):
    """One way to draw a table: where everything is. A picture is `width` by `height`."""

    places: Mapping[str, Place]
    width: float = WIDTH
    height: float = HEIGHT
    felt: tuple[float, float, float, float] = (58, 104, WIDTH - 116, 566)
    """Its left and upper edge, its width and its height."""
    round: float = 210
    """The radius of the felt's corners."""
    board: float = 62.0
    """How wide a board card is."""
    board_middle: float = 374.0
    panel: float = SEAT_WIDTH
    """How wide a seat's panel is, before it is scaled."""
    scale: float = 1.0
    """How large a seat's panel and all words are."""
    bet_width: float = 100.0
    """How wide the amount of a bet may be."""
    is_roomy: bool = False
    """A seat's position stands beside its stack, so that its name has the whole line."""
    is_alone: bool = True
    """The picture says whose turn it is, too: nothing around it does."""


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


def places(seats: int, first: int = 0, layout: str = "tall") -> list[Place]:
    """The place of each seat, 2 to 10 of them, with seat `first` at the bottom and the others clockwise from it."""
    names, found = _TAKEN[seats], layout_for(seats, layout).places
    return [found[names[(seat - first) % seats]] for seat in range(seats)]


def layout_for(seats: int, layout: str = "tall") -> Layout:
    """A layout by its name, one of LAYOUTS, for 2 to 10 seats. Raises ValueError for an unknown name."""
    if layout not in _MADE:
        raise ValueError(f"layout: {layout!r} is not one of {', '.join(map(repr, LAYOUTS))}")
    return _MADE[layout](seats)


def _tall(seats: int) -> Layout:
    return Layout(_PLACES)


def _mirrored(left: Mapping[str, Place], width: float) -> dict[str, Place]:
    """These places, and those opposite of the left ones."""
    right = {
        name.replace("left", "right"): place._replace(
            x=width - place.x, bet=(width - place.bet[0], place.bet[1]), inward=-place.inward
        )
        for name, place in left.items()
        if "left" in name
    }
    return {**left, **right}


def _wide(seats: int) -> Layout:
    middle = 500.0
    found = {
        "bottom": Place(middle, 408, (middle - 30, 389), 1, cards=70, within=230),
        "bottom left": Place(284, 429, (256, 410), 1),
        "lower left": Place(112, 330, (186, 378), 1),
        "left": Place(112, 240, (235, 345), 1),
        "upper left": Place(112, 150, (235, 255), 1),
        "top left": Place(284, 14, (256, 166), 1),
        "top": Place(middle, 14, (middle - 30, 166), 1),
    }
    return Layout(
        _mirrored(found, 2 * middle), width=2 * middle, height=580, felt=(70, 62, 860, 470), round=235, is_roomy=True,
        panel=212, board=70, board_middle=288, bet_width=62, is_alone=False,
    )  # fmt: skip


def _narrow(seats: int) -> Layout:
    """As few rows as the seats need: the fewer they are, the larger everything is on a phone. The board has the whole
    width, so nobody sits beside it."""
    width, middle, scale, cards, own = 400.0, 200.0, 0.7, 38.0, 64.0
    taken, seat_height = _TAKEN[seats], 4 / 3 * cards + 60 * scale
    top = 30.0
    below_top = top + seat_height + 30
    upper = below_top if "top left" in taken else top + 60 if "top" in taken else top
    pot = upper + seat_height if {"left", "upper left"} & {*taken} else below_top
    board, half = 54.0, 39.0
    board_middle = pot + 36 + half
    lower = board_middle + half + 22
    bottom = lower + (82 if "bottom left" in taken else 56 if "lower left" in taken else 30)
    panel = bottom + 4 / 3 * own
    between = 136 if {"lower left", "bottom left"} & {*taken} else 190  # beside neighbours' cards
    found = {
        "bottom": Place(middle, bottom, (middle - 24, bottom - 15), 1, cards=own, within=between),
        "bottom left": Place(68, panel - 4 / 3 * cards, (144, lower + 39), 1),
        "lower left": Place(68, lower, (144, lower + 14), 1),
        "left": Place(68, upper, (146, upper + 72), 1),
        "upper left": Place(68, upper, (146, upper + 72), 1),
        "top left": Place(68, top, (44, top + seat_height + 14), 1),
        "top": Place(middle, top, (middle - 24, top + seat_height + 14), 1),
    }
    sized = {
        name: place if name == "bottom" else place._replace(cards=cards, within=120) for name, place in found.items()
    }
    height = panel + 60 * scale + 16
    return Layout(
        _mirrored(sized, width), width=width, height=height, round=84, scale=scale, bet_width=52, is_alone=False,
        felt=(6, top + 24, width - 12, height - top - 46), board=board, board_middle=board_middle,
    )  # fmt: skip


_MADE: Mapping[str, Callable[[int], Layout]] = {"tall": _tall, "narrow": _narrow, "wide": _wide}
assert tuple(_MADE) == LAYOUTS

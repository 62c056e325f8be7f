"""Position names: BTN, SB, BB, UTG and so on (R11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Position(NamedTuple):
    """A seat's position in a hand."""

    name: str
    """ "SB", "BB", "UTG" (left of the big blind, with four or more players), "EP2", "MP1", "HJ", "CO", "BTN" ..."""
    group: str
    """ "blinds", "early", "middle" or "late"."""


SMALL_BLIND, BIG_BLIND = Position("SB", "blinds"), Position("BB", "blinds")
HEADS_UP = [Position("BTN", "blinds"), BIG_BLIND]
HIJACK = Position("HJ", "middle")
LATE = [Position("CO", "late"), Position("BTN", "late")]
MAX_MIDDLE = 3


def position_names(players: int) -> list[Position]:
    """The positions of 2 to 10 players, clockwise from the small blind.

    As players leave, the early positions disappear first, then the middle ones. Heads-up, the button posts the small
    blind.

    >>> [position.name for position in position_names(6)]
    ['SB', 'BB', 'UTG', 'HJ', 'CO', 'BTN']
    """
    if not 2 <= players <= 10:
        raise ValueError(f"players: {players}; positions have names with 2 to 10 players")
    if players == 2:
        return HEADS_UP.copy()
    others = players - 2
    late = LATE[-min(others, len(LATE)) :]
    middle = min(others - len(late), MAX_MIDDLE)
    early = others - len(late) - middle
    groups = ["early"] * early + ["middle"] * middle
    numbered = [f"EP{k + 1}" for k in range(early)] + [f"MP{k + (early > 0)}" for k in range(middle)]
    after_blinds = [*map(Position, numbered, groups), *late]
    if middle > 1:
        after_blinds[-len(late) - 1] = HIJACK
    if players >= 4:
        after_blinds[0] = Position("UTG", after_blinds[0].group)
    return [SMALL_BLIND, BIG_BLIND, *after_blinds]


def seat_positions(dealt: Sequence[int], button: int, small_blind: int | None, big_blind: int) -> dict[int, Position]:
    """The position of each seat that was dealt in. `dealt` may be in any order.

    With a dead small blind or a button at an empty seat, nobody gets that position; the other seats are named as if
    somebody had it.
    """
    if len(dealt) == 2:
        return {button: HEADS_UP[0], big_blind: BIG_BLIND}
    seats = max(*dealt, button, big_blind) + 1
    order = sorted(dealt, key=lambda seat: (seat - big_blind - 1) % seats)  # from UTG clockwise to the big blind
    missing = [SMALL_BLIND] * (small_blind is None) + [LATE[-1]] * (button not in dealt)
    names = position_names(min(len(dealt) + len(missing), 10))
    names = [name for name in [*names[2:], *names[:2]] if name not in missing]
    return dict(zip(order, names, strict=True))

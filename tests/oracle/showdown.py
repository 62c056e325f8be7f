"""Pots, rake, splitting and the order of showing of the oracle (R26-R31), as functions of plain values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import NamedTuple


class Pot(NamedTuple):
    amount: int
    contestants: list[int]


def clockwise(start: int, seats: int) -> list[int]:
    """All the seats in order, beginning with this one."""
    return [(start + i) % seats for i in range(seats)]


def uncalled(contributed: list[int]) -> tuple[int, int] | None:
    """R26: the seat that put in more than anybody else, and how much more; None when its whole bet was matched.

    Chips of players who folded count: they called as far as they went.
    """
    most = max(contributed)
    if contributed.count(most) > 1:
        return None
    seat = contributed.index(most)
    return seat, most - max(chips for other, chips in enumerate(contributed) if other != seat)


def build_pots(contributed: list[int], folded: list[bool], dead: int) -> list[Pot]:
    """R27: main pot first. One pot for each distinct level that somebody who did not fold has reached."""
    live = [seat for seat in range(len(contributed)) if not folded[seat]]
    pots, below = [], 0
    for level in sorted({contributed[seat] for seat in live}):
        amount = sum(min(chips, level) - min(chips, below) for chips in contributed)
        pots.append(Pot(amount, [seat for seat in live if contributed[seat] >= level]))
        below = level
    # R8: dead money lies wholly in the main pot. R27: where somebody has put in nothing else, the first level is 0, and
    # the dead money is a pot of its own.
    pots[0] = Pot(pots[0].amount + dead, pots[0].contestants)
    return pots


def take_rake(
    pots: list[Pot], percent, cap: int | None, smallest_chip: int, dead_alone: bool = False
) -> tuple[int, list[Pot]]:
    """R31: once on the whole called total, rounded down, capped; taken from the main pot first, and from a pot of dead
    money alone, which is below it, last."""
    rake = sum(pot.amount for pot in pots) * Fraction(str(percent)) // 100
    if cap is not None:
        rake = min(rake, cap)
    rake -= rake % smallest_chip
    due, raked = rake, list(pots)
    order = list(range(len(pots)))
    if dead_alone:
        order = [*order[1:], 0]
    for k in order:
        part = min(due, pots[k].amount)
        due -= part
        raked[k] = Pot(pots[k].amount - part, pots[k].contestants)
    return rake, raked


def split(amount: int, winners: list[int], button: int, seats: int, smallest_chip: int) -> dict[int, int]:
    """R28: equal parts in whole chips; the odd chips go one by one to the winners from the button's left."""
    units = amount // smallest_chip
    shares = {seat: units // len(winners) * smallest_chip for seat in winners}
    in_order = [seat for seat in clockwise(button + 1, seats) if seat in winners]
    for seat in in_order[: units % len(winners)]:
        shares[seat] += smallest_chip
    return shares


def showing_order(pots: list[Pot], last_river_bettor: int | None, button: int, seats: int) -> list[int]:
    """R29: contestants of the last side pot first, then those of the next, the all-in players of the main pot last."""
    order: list[int] = []
    for pot in reversed(pots):
        group = [seat for seat in pot.contestants if seat not in order]
        start = last_river_bettor if last_river_bettor in group else button + 1
        order += [seat for seat in clockwise(start, seats) if seat in group]
    return order


def who_mucks(order: list[int], pots: list[Pot], value: Callable[[int], tuple], must_show: Iterable[int]) -> set[int]:
    """R29: who is beaten, in every pot it contests, by hands already shown when its turn comes, and may muck.

    The first to show has no shown hand before it; a tie is no beating.
    """
    shown: list[int] = []
    mucked: set[int] = set()
    for seat in order:
        if beaten_everywhere(seat, shown, pots, value) and seat not in must_show:
            mucked.add(seat)
        else:
            shown.append(seat)
    return mucked


def beaten_everywhere(seat: int, shown: list[int], pots: list[Pot], value: Callable[[int], tuple]) -> bool:
    """R29: whether these shown hands beat a player in every pot that it contests."""
    return all(
        any(other in pot.contestants and value(other) > value(seat) for other in shown)
        for pot in pots
        if seat in pot.contestants
    )


def by_choice(
    order: list[int], must_show: Iterable[int], choices: dict[int, bool]
) -> tuple[list[int], set[int], int | None]:
    """R29, manual showing: who has shown or mucked so far, in order; who of them mucked; whose turn to choose it is.

    The first must show, and who is all-in; everybody else chooses. choices: whether a player showed.
    """
    done: list[int] = []
    mucked: set[int] = set()
    for seat in order:
        if done and seat not in must_show:
            if seat not in choices:
                return done, mucked, seat
            if not choices[seat]:
                mucked.add(seat)
        done.append(seat)
    return done, mucked, None

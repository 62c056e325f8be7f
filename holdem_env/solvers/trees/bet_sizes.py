"""BetSizes: which bets and raises a betting tree has, by street and by the number of wagers made on the street."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...encoders import PotFractions
from ...engine.bet_sizes import ALL_IN, TIMES_BET
from ...game.rules import Rules
from ...game.street_names import STREETS
from ...utils.validation import suggestion

ALL_STREETS, MOST_WAGERS = "all", "most_wagers"
NO_SIZES = "none"
MOST_SIZES = 100
DEFAULT = "50%, 100%, all-in"
FIXED_LIMIT_MENU = "min"
BEYOND_MOST_WAGERS = "all-in"

Menus: TypeAlias = tuple[str, ...]
"""The sizes for the first, second, ... wager of a street; the last holds for all further ones."""


class MenuArrays(NamedTuple):
    """Bet sizes as kernels read them.

    sizes: (streets, wagers, 3, widest menu) int64, each as `PotFractions.parameters`, padded with sizes that are never
    offered. flags: (streets, wagers, 2) bool: whether the menu has the all-in, and whether its sizes ascend.
    """

    sizes: NDArray[np.int64]
    flags: NDArray[np.bool_]


class BetSizes:
    """The bets and raises that a betting tree has, besides fold and check or call.

    A menu is a list of sizes as action encoders take them: "min", "75%" or "pot" (of the pot after calling), "2.5x"
    (times the bet to match), "all-in"; "none" is a menu without any. A vertical bar separates the menus for the first,
    the second, ... wager of a street, where blinds are no wagers; the last menu holds for all further ones:
    "50%, 100%, all-in | 100%, all-in | all-in".

    menus: such a text, or a list with a text for each wager, for all streets; or a dict of them by street, "preflop",
        "flop", "turn" and "river" or 0 to 3, in which "all" stands for the streets that it does not name and
        "most_wagers" for the argument of this name.
    most_wagers: beyond this many wagers on a street only the all-in is left (by default there is no such limit).

    In fixed limit there is one raise, whatever the sizes say. Two BetSizes are equal if their menus are the same.

    Raises ValueError for an unknown size or street, and TypeError for another type.
    """

    def __init__(self, menus: Any = DEFAULT, most_wagers: int | None = None) -> None:
        given = dict(menus) if isinstance(menus, Mapping) else {ALL_STREETS: menus}
        limit = given.pop(MOST_WAGERS, most_wagers)
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 0):
            raise ValueError(f"most_wagers: {limit!r} is not a number of wagers, 0 or more")
        self.most_wagers: int | None = limit
        self._menus: dict[str, Menus] = {}
        for street, sizes in given.items():
            name = _street_name(street)
            if name in self._menus:
                raise ValueError(f"bet sizes: {name} is given twice")
            self._menus[name] = _parse_menus(sizes, name)
        if not self._menus:
            raise ValueError('bet sizes: there are none; give a text such as "50%, 100%, all-in"')

    @classmethod
    def parse(cls, sizes: BetSizesLike) -> BetSizes:
        """Bet sizes from whatever may be given for them; BetSizes are returned as they are, None is the default.

        Raises as the class itself does.
        """
        if isinstance(sizes, BetSizes):
            return sizes
        return cls() if sizes is None else cls(sizes)

    def menus(self, street: int) -> Menus:
        """The menus of a street, for its first, second, ... wager. Raises ValueError if the sizes have none for it."""
        menus = self._menus.get(STREETS[street], self._menus.get(ALL_STREETS))
        if menus is None:
            raise ValueError(f'bet sizes: there are none for the {STREETS[street]}; name it, or give sizes for "all"')
        if self.most_wagers is None:
            return menus
        repeated = menus + menus[-1:] * (self.most_wagers - len(menus))
        return (*repeated[: self.most_wagers], BEYOND_MOST_WAGERS)

    def arrays(self, rules: Rules, first_street: int = 0) -> MenuArrays:
        """The sizes as kernels read them, for the streets of a game from `first_street` on."""
        fixed = rules.structure == "fixed_limit"
        by_street = [
            (FIXED_LIMIT_MENU,) if fixed else self.menus(street) if street >= first_street else (NO_SIZES,)
            for street in range(rules.streets)
        ]
        return _packed([[_parameters(menu) for menu in menus] for menus in by_street])

    def config(self) -> str | dict[str, Any]:
        """The sizes as plain data, from which `parse` makes equal ones: a text, or a dict by street."""
        texts: dict[str, Any] = {name: " | ".join(self._menus[name]) for name in _ORDER if name in self._menus}
        if self.most_wagers is not None:
            texts[MOST_WAGERS] = self.most_wagers
        return texts[ALL_STREETS] if set(texts) == {ALL_STREETS} else texts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BetSizes) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"BetSizes({self.config()!r})"

    def _key(self) -> tuple[Any, ...]:
        return tuple(sorted(self._menus.items())), self.most_wagers


BetSizesLike: TypeAlias = BetSizes | str | Sequence[str] | Mapping[Any, Any] | None
"""What every argument `sizes` takes."""
_ORDER = (ALL_STREETS, *STREETS)


def _street_name(street: object) -> str:
    if isinstance(street, int) and not isinstance(street, bool) and 0 <= street < len(STREETS):
        return STREETS[street]
    if isinstance(street, str):
        word = street.strip().lower()
        if word in _ORDER:
            return word
        if word.isdigit() and int(word) < len(STREETS):
            return STREETS[int(word)]
        raise ValueError(f"bet sizes: there is no street {street!r}: {suggestion(word, [*_ORDER, MOST_WAGERS])}")
    raise ValueError(f"bet sizes: there is no street {street!r}; streets are {', '.join(STREETS)}, or 0 to 3")


def _parse_menus(sizes: object, street: str) -> Menus:
    """Checked menus, each in the same words whatever the spaces and capitals."""
    if isinstance(sizes, str):
        texts = sizes.split("|")
    elif isinstance(sizes, Sequence) and sizes and all(isinstance(text, str) for text in sizes):
        texts = list(sizes)
    else:
        raise TypeError(f'bet sizes of {street}: give a text such as "50%, 100%, all-in", not {sizes!r}')
    return tuple(_parse_menu(text) for text in texts)


def _parse_menu(text: str) -> str:
    words = [word.strip().lower() for word in text.split(",")]
    if words == [NO_SIZES]:
        return NO_SIZES
    if len(words) > MOST_SIZES:
        raise ValueError(f"bet sizes: {len(words)} at once; give at most {MOST_SIZES}")
    PotFractions(", ".join(words))  # which checks the sizes
    return ", ".join(words)


def _parameters(menu: str) -> NDArray[np.int64]:
    return np.zeros((3, 0), np.int64) if menu == NO_SIZES else PotFractions(menu).parameters


def _packed(menus: list[list[NDArray[np.int64]]]) -> MenuArrays:
    wagers = max(len(street) for street in menus)
    width = max(1, *(menu.shape[1] for street in menus for menu in street))
    sizes = np.zeros((len(menus), wagers, 3, width), np.int64)
    sizes[:, :, 0] = TIMES_BET  # nothing times the bet: below every raise
    flags = np.zeros((len(menus), wagers, 2), np.bool_)
    for k, street in enumerate(menus):
        for w in range(wagers):
            menu = street[min(w, len(street) - 1)]
            sizes[k, w, :, : menu.shape[1]] = menu
            flags[k, w] = (menu[0] == ALL_IN).any(), menu.shape[1] > 0 and menu[2, 0]
    return MenuArrays(sizes, flags)

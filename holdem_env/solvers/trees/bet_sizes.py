"""BetSizes: which bets and raises a betting tree has, by player, street, and number of wagers made on the street."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...encoders import PotFractions
from ...engine.bet_sizes import ALL_IN, TIMES_BET
from ...game.rules import Rules
from ...game.street_names import STREETS
from ...table.abstract_moves import EVERY as EVERY
from ...table.abstract_moves import NO_SIZES as NO_SIZES
from ...utils.validation import suggestion

ALL_STREETS, MAX_WAGERS = "all", "most_wagers"
IN_POSITION, OUT_OF_POSITION = "ip", "oop"
POSITIONS = (IN_POSITION, OUT_OF_POSITION)  # players 0 and 1 of a betting tree: the button acts last after the flop
MAX_SIZES = 100
MAX_RAISES = 5_000  # legal raises at a decision
DEFAULT = "50%, 100%, all-in"
FIXED_LIMIT_MENU = "min"
PASSIVE = 2  # choices before the sizes: fold, check or call
BEYOND_MOST_WAGERS = "all-in"

Menus: TypeAlias = tuple[str, ...]  # sizes for the first, second, ... wager of a street; the last for all further ones


class MenuArrays(NamedTuple):
    """Bet sizes as kernels read them.

    sizes: (2, streets, wagers, 3, widest menu) int64, by player, each as `PotFractions.parameters`, padded with sizes
    that are never offered. flags: (2, streets, wagers, 3) bool: whether the menu has the all-in, whether its sizes
    ascend, and whether every legal raise is in it. most: moves at a decision.
    """

    sizes: NDArray[np.int64]
    flags: NDArray[np.bool_]
    most: int


class PlayerSizes(NamedTuple):
    """The menus of a player by street, in the order of `_ORDER`, and its `most_wagers`."""

    by_street: tuple[tuple[str, Menus], ...]
    most_wagers: int | None

    @classmethod
    def read(cls, given: Any, most_wagers: int | None, whose: str = "") -> PlayerSizes:
        """Checked sizes from what `BetSizes` takes for both players. whose: words for errors, such as " of ip"."""
        by_street = dict(given) if isinstance(given, Mapping) else {ALL_STREETS: given}
        limit = by_street.pop(MAX_WAGERS, most_wagers)
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 0):
            raise ValueError(f"most_wagers{whose}: {limit!r} is not a number of wagers, 0 or more")
        menus: dict[str, Menus] = {}
        for street, sizes in by_street.items():
            name = _street_name(street, whose)
            if name in menus:
                raise ValueError(f"bet sizes{whose}: {name} is given twice")
            menus[name] = _parse_menus(sizes, f"{whose} of {name}")
        if not menus:
            raise ValueError(f'bet sizes{whose}: there are none; give a text such as "50%, 100%, all-in"')
        return cls(tuple((name, menus[name]) for name in _ORDER if name in menus), limit)

    def menus(self, street: int) -> Menus:
        by_street = dict(self.by_street)
        menus = by_street.get(STREETS[street], by_street.get(ALL_STREETS))
        if menus is None:
            raise ValueError(f'bet sizes: there are none for the {STREETS[street]}; name it, or give sizes for "all"')
        if self.most_wagers is None:
            return menus
        repeated = menus + menus[-1:] * (self.most_wagers - len(menus))
        return (*repeated[: self.most_wagers], BEYOND_MOST_WAGERS)

    def config(self) -> str | dict[str, Any]:
        """A text, or a dict by street."""
        texts: dict[str, Any] = {name: " | ".join(menus) for name, menus in self.by_street}
        if self.most_wagers is not None:
            texts[MAX_WAGERS] = self.most_wagers
        return texts[ALL_STREETS] if set(texts) == {ALL_STREETS} else texts


class BetSizes:
    """The bets and raises of a betting tree, in addition to fold and check or call.

    A menu is a list of sizes as action encoders take them: "min", "75%" or "pot" (of the pot after calling), "2.5x"
    (times the bet to match), "all-in". "none" is an empty menu, "every" one of every legal raise. A vertical bar
    separates the menus for the first, the second, ... wager of a street; blinds are not wagers. The last menu holds for
    all further wagers: `"50%, 100%, all-in | 100%, all-in | all-in"`.

    In fixed limit there is one raise, whatever the sizes say. Two BetSizes are equal if their menus are the same.

    Args:
        menus: A text of menus, or a list with a text for each wager, for all streets. Or a dict of them by street:
            "preflop", "flop", "turn" and "river", or 0 to 3. In it, "all" stands for the streets without a key, and
            "most_wagers" for the argument of this name. For sizes by player, a dict of any of these: "ip" for the
            button, in position after the flop, and "oop" for the other player.
        most_wagers: Beyond this many wagers on a street only the all-in is left. By default there is no limit.

    Raises:
        ValueError: If a size, street or player is unknown.
        TypeError: If `menus` has another type.
    """

    def __init__(self, menus: Any = DEFAULT, most_wagers: int | None = None) -> None:
        if isinstance(menus, Mapping) and not menus.keys().isdisjoint(POSITIONS):
            _check_players(menus)
            limit = menus.get(MAX_WAGERS, most_wagers)
            self._players = [PlayerSizes.read(menus[name], limit, f" of {name}") for name in POSITIONS]
        else:
            self._players = [PlayerSizes.read(menus, most_wagers)] * len(POSITIONS)

    @classmethod
    def parse(cls, sizes: BetSizesLike) -> BetSizes:
        """Return bet sizes from any form of them; None is the default, and BetSizes are returned as they are.

        Raises:
            ValueError: If a size, street or player is unknown.
            TypeError: If `sizes` has another type.
        """
        if isinstance(sizes, BetSizes):
            return sizes
        return cls() if sizes is None else cls(sizes)

    def menus(self, street: int, player: int) -> Menus:
        """Return the menus of a street for a player's first, second, ... wager; player 0 has the button.

        Raises:
            ValueError: If the sizes have none for the street.
        """
        return self._players[player].menus(street)

    def arrays(self, rules: Rules, first_street: int = 0) -> MenuArrays:
        """Return the sizes as kernels read them, for the streets of a game from `first_street` on.

        Raises:
            ValueError: If the stacks allow too many sizes for every legal raise.
        """
        fixed = rules.structure == "fixed_limit"
        by_player = [
            [
                (FIXED_LIMIT_MENU,) if fixed else each.menus(street) if street >= first_street else (NO_SIZES,)
                for street in range(rules.streets)
            ]
            for each in self._players
        ]
        raises = 0
        if any(menu == EVERY for streets in by_player for menus in streets for menu in menus):
            raises = max(rules.starting_stacks) // rules.smallest_chip
            if raises > MAX_RAISES:
                raise ValueError(f'bet sizes: "every" has {raises:,} raises, at most {MAX_RAISES:,} are allowed')
        return _packed(by_player, raises)

    def config(self) -> str | dict[str, Any]:
        """The sizes as plain data, from which `parse` makes equal ones: a text, a dict by street, or a dict of these
        by player if they differ."""
        by_player = [each.config() for each in self._players]
        return by_player[0] if self._players[0] == self._players[1] else dict(zip(POSITIONS, by_player, strict=True))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BetSizes) and self._players == other._players

    def __hash__(self) -> int:
        return hash(tuple(self._players))

    def __repr__(self) -> str:
        return f"BetSizes({self.config()!r})"


BetSizesLike: TypeAlias = BetSizes | str | Sequence[str] | Mapping[Any, Any] | None  # what every argument `sizes` takes
_ORDER = (ALL_STREETS, *STREETS)
NUMBERED = [str(number) for number in range(len(STREETS))]


def _check_players(menus: Mapping[Any, Any]) -> None:
    for name in POSITIONS:
        if name not in menus:
            raise ValueError(f"bet sizes: {name} must be given, too; both players need sizes")
    for name in menus:
        if name not in (*POSITIONS, MAX_WAGERS):
            raise ValueError(f"bet sizes: beside ip and oop there is no {name!r}; give streets inside of each player")


def _street_name(street: object, whose: str) -> str:
    if isinstance(street, int) and not isinstance(street, bool) and 0 <= street < len(STREETS):
        return STREETS[street]
    if isinstance(street, str):
        word = street.strip().lower()
        if word in _ORDER:
            return word
        if word in NUMBERED:
            return STREETS[NUMBERED.index(word)]
        names = [*_ORDER, MAX_WAGERS, *([] if whose else POSITIONS)]
        raise ValueError(f"bet sizes{whose}: there is no street {street!r}: {suggestion(word, names)}")
    raise ValueError(f"bet sizes{whose}: there is no street {street!r}; streets are {', '.join(STREETS)}, or 0 to 3")


def _parse_menus(sizes: object, whose: str) -> Menus:
    """Checked menus, each in the same words whatever the spaces and capitals. whose: words for errors."""
    if isinstance(sizes, str):
        texts = sizes.split("|")
    elif isinstance(sizes, Sequence) and sizes and all(isinstance(text, str) for text in sizes):
        texts = list(sizes)
    else:
        raise TypeError(f'bet sizes{whose}: give a text such as "50%, 100%, all-in", not {sizes!r}')
    return tuple(_parse_menu(text) for text in texts)


def _parse_menu(text: str) -> str:
    words = [word.strip().lower() for word in text.split(",")]
    if words in ([NO_SIZES], [EVERY]):
        return words[0]
    if len(words) > MAX_SIZES:
        raise ValueError(f"bet sizes: {len(words)} at once; give at most {MAX_SIZES}")
    PotFractions(", ".join(words))  # which checks the sizes
    return ", ".join(words)


@lru_cache(maxsize=256)
def _parameters(menu: str) -> NDArray[np.int64]:
    return np.zeros((3, 0), np.int64) if menu in (NO_SIZES, EVERY) else PotFractions(menu).parameters


def _packed(menus: list[list[Menus]], raises: int) -> MenuArrays:
    """menus: by player and street. raises: the most of a menu of every raise."""
    streets = [street for player in menus for street in player]
    wagers = max(len(street) for street in streets)
    width = max(1, *(_parameters(menu).shape[1] for street in streets for menu in street))
    sizes = np.zeros((len(streets), wagers, 3, width), np.int64)
    sizes[:, :, 0] = TIMES_BET  # nothing times the bet: below every raise
    flags = np.zeros((len(streets), wagers, 3), np.bool_)
    for k, street in enumerate(streets):
        for w in range(wagers):
            text = street[min(w, len(street) - 1)]
            menu = _parameters(text)
            sizes[k, w, :, : menu.shape[1]] = menu
            flags[k, w] = (menu[0] == ALL_IN).any(), menu.shape[1] > 0 and menu[2, 0], text == EVERY
    by_player = len(menus), len(menus[0])
    most = PASSIVE + max(width, raises) + 2  # and what was played, and all-in
    return MenuArrays(sizes.reshape(*by_player, *sizes.shape[1:]), flags.reshape(*by_player, *flags.shape[1:]), most)

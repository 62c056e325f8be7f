"""HandIndex: the summaries of many hands in flat arrays, some 150 bytes a hand, and the search in them."""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..game.big_blinds import IN_BIG_BLINDS
from ..game.street_names import STREETS
from .summary import HandSummary


class HandIndex:
    """Summaries by number, from 0, and the hands that a search finds."""

    def __init__(self) -> None:
        self._hands: list[str] = []  # names that are no numbers
        self._names: dict[str, int] = {}
        self._name_of: list[str] = []
        self._hand, self._hand_is_text = array("q"), array("b")
        self._pot, self._big_blind = array("d"), array("d")
        self._street, self._showdown = array("b"), array("b")
        self._players, self._payoffs = array("i"), array("d")  # of all hands, one after the other
        self._first = array("q", [0])  # where the players of each hand begin

    def __len__(self) -> int:
        return len(self._pot)

    @property
    def players(self) -> list[str]:
        """All players' names, in the order in which they appear."""
        return list(self._name_of)

    def add(self, summary: HandSummary) -> None:
        is_number = isinstance(summary.hand, int) and abs(summary.hand) < 2**63
        self._hand.append(int(summary.hand) if is_number else len(self._hands))
        self._hand_is_text.append(not is_number)
        if not is_number:
            self._hands.append(str(summary.hand))
        self._pot.append(summary.pot)
        self._big_blind.append(summary.big_blind)
        self._street.append(summary.street)
        self._showdown.append(summary.showdown)
        self._players.extend(map(self._number_of, summary.players))
        self._payoffs.extend(summary.payoffs or [np.nan] * len(summary.players))
        self._first.append(len(self._players))

    def _number_of(self, name: str) -> int:
        number = self._names.setdefault(name, len(self._name_of))
        if number == len(self._name_of):
            self._name_of.append(name)
        return number

    def __getitem__(self, number: int) -> HandSummary:
        first, end = self._first[number], self._first[number + 1]
        payoffs = tuple(self._payoffs[first:end])
        hand = self._hand[number]
        return HandSummary(
            hand=self._hands[hand] if self._hand_is_text[number] else hand,
            players=tuple(self._name_of[player] for player in self._players[first:end]),
            pot=self._pot[number],
            big_blind=self._big_blind[number],
            street=self._street[number],
            showdown=bool(self._showdown[number]),
            payoffs=None if np.isnan(payoffs).any() else payoffs,
        )

    def search(
        self,
        street: int | str | None = None,
        min_pot: float | str | None = None,
        agent: str | None = None,
        showdown: bool | None = None,
    ) -> list[int]:
        found = np.ones(len(self), np.bool_)
        if street is not None:
            found &= _column(self._street, np.int8) >= _street_number(street)
        if min_pot is not None:
            amount, in_big_blinds = _amount(min_pot)
            unit = _column(self._big_blind, np.float64) if in_big_blinds else 1.0
            found &= _column(self._pot, np.float64) >= amount * unit
        if showdown is not None:
            found &= _column(self._showdown, np.int8) == showdown
        if agent is not None:
            found &= self._with_player(agent)
        return np.flatnonzero(found).tolist()

    def _with_player(self, name: str) -> NDArray[np.bool_]:
        """The hands at which somebody of this name sat; without one, of a name that this is a part of."""
        wanted = name.casefold()
        numbers = [number for number, other in enumerate(self._name_of) if other.casefold() == wanted]
        numbers = numbers or [number for number, other in enumerate(self._name_of) if wanted in other.casefold()]
        places = np.flatnonzero(np.isin(_column(self._players, np.intc), numbers))
        hands = np.searchsorted(_column(self._first, np.int64), places, side="right") - 1
        found = np.zeros(len(self), np.bool_)
        found[hands] = True
        return found


def _column(values: array[Any], dtype: Any) -> NDArray[Any]:
    return np.array(values, dtype)


def _street_number(street: int | str) -> int:
    if isinstance(street, str) and street in STREETS:
        return STREETS.index(street)
    if street in range(len(STREETS)):
        return int(street)
    raise ValueError(f"street: {street!r} is no street; give one of {', '.join(STREETS)}, or 0 to {len(STREETS) - 1}")


def _amount(given: float | str) -> tuple[float, bool]:
    """An amount, and whether it counts big blinds."""
    if isinstance(given, str) and (match := IN_BIG_BLINDS.fullmatch(given)):
        return float(match[1]), True
    try:
        amount = float(given)
    except ValueError:
        amount = np.nan
    if not np.isfinite(amount):
        raise ValueError(f"min_pot: {given!r} is no amount; give one in the file's money, or big blinds such as '50bb'")
    return amount, False

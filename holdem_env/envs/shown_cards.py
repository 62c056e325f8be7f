"""The cards that were tabled at the end of a hand, as environments tell them in their infos. Cards that were mucked are
not among them (R29).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..engine.record import NO_CARD, Records
from ..game.rules import Rules

ShownCards = dict[int, list[int]]
"""The hole cards of each seat that showed, as ints (4 * rank + suit), by seat."""


def shown_arrays(tables: Records, rules: Rules) -> NDArray[np.int8]:
    """The cards that were tabled at tables whose hands are over: (N, seats, hole cards) int8, -1 where nothing was
    shown; a new array."""
    most = max(stage.hole_cards for stage in rules.stages)
    now = tables["shown_age"] == 0
    cards: NDArray[np.int8] = np.where(now[:, None, None], tables["last_shown"][:, : rules.seats, :most] - 1, NO_CARD)
    return cards.astype(np.int8, copy=False)


def shown_where(tables: Records, rules: Rules, done: NDArray[np.bool_]) -> NDArray[np.int8]:
    """The same at the tables where a hand is `done`, (N,) bool; -1 at the others."""
    shown = shown_arrays(tables, rules)
    shown[~done] = NO_CARD
    return shown


def shown_by_seat(tables: Records, rules: Rules) -> list[ShownCards]:
    """The same for each table as a dict: seat -> cards. A seat that showed nothing is not in it."""
    ages, hands = tables["shown_age"].tolist(), tables["last_shown"][:, : rules.seats].tolist()
    return [_by_seat(cards) if age == 0 else {} for age, cards in zip(ages, hands, strict=True)]


def _by_seat(hands: list[list[int]]) -> ShownCards:
    """The cards of a record's `last_shown`."""
    return {seat: [card - 1 for card in cards if card] for seat, cards in enumerate(hands) if cards[0]}


def tell_shown_cards(infos: Iterable[dict[str, Any]], tables: Records, rules: Rules) -> None:
    """Write the cards that were tabled at the first table, whose hand is over, to `info["shown_cards"]` of every
    agent."""
    (shown,) = shown_by_seat(tables[:1], rules)
    for info in infos:
        info["shown_cards"] = shown

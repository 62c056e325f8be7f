"""The cards that were tabled at the end of a hand, for the infos of the environments. Cards that were mucked are not
among them (R29).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..engine.record import Records
from ..game.rules import Rules
from .arguments import agent_at

ShownCards = dict[str, list[int]]
"""The hole cards of each seat that showed, as ints (4 * rank + suit), by the agent that has the seat: "player_0" ...
Libraries stack infos (Tianshou), whose keys must be text for that."""


def shown_where(tables: Records, rules: Rules, done: NDArray[np.bool_]) -> NDArray[np.int8]:
    """The cards that were tabled at the tables where a hand is over: (N, seats, hole cards) int8, -1 where nothing was
    shown; a new array. done: (N,) bool, where a hand is over; all others are -1, too."""
    most = max(stage.hole_cards for stage in rules.stages)
    shows = done & (tables["shown_age"] == 0)
    shown: NDArray[np.int8] = tables["last_shown"][:, : rules.seats, :most] * shows[:, None, None].astype(np.int8) - 1
    return shown


def shown_by_player(tables: Records, rules: Rules) -> list[ShownCards]:
    """The cards that were tabled at each of these tables, whose hands are over."""
    ages, hands = tables["shown_age"].tolist(), tables["last_shown"][:, : rules.seats].tolist()
    return [by_player(cards) if age == 0 else {} for age, cards in zip(ages, hands, strict=True)]


def by_player(hands: list[list[int]]) -> ShownCards:
    """The cards of a record's `last_shown`."""
    shown = ([card - 1 for card in cards if card] for cards in hands)
    return {agent_at(seat): cards for seat, cards in enumerate(shown) if cards}

"""The `classic` observations: the same numbers as PettingZoo's texas_holdem (72, fixed limit) and
texas_holdem_no_limit (54), so that a model trained there can be used here.

They show little: no opponents, no pot, not even whose turn it is. Cards are in PettingZoo's order: A 2 3 ... K of
spades, then hearts, diamonds, clubs. Chips are those put in during the hand, although PettingZoo's documentation calls
them the player's chips; they are counted in half big blinds, because the blinds there are 1 and 2. There is no place
for cards that a dealer's error exposed (R33-R38), so games whose dealer errs are refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..compiled.compiler import inline, kernel
from ..compiled.records import Records
from ..compiled.scalars import Floats, Ints, int64
from ..engine.record import DECK, FIXED_LIMIT, MAX_STREETS, RulesRecord, TableRecord
from ..engine.replay import chips_not_bet
from ..game.rules import Rules
from .base import SEE_EXPOSED, Layout, ObservationEncoder, Rows, big_blind, ranges

if TYPE_CHECKING:  # spaces are imported when asked for
    from gymnasium.spaces import Box

RANKS = 13
RAISES = 5  # one-hot: 0 to 4 raises
CARDS = "own or board card, by 13 * (spades, hearts, diamonds, clubs) + (ace, 2 ... king)"


def check_holdem(name: str, rules: Rules) -> None:
    """Raises ValueError for games other than the hold'em that PettingZoo has, and for a dealer who errs."""
    if rules.dealer_errors is not None:
        raise ValueError(
            f"observation {name!r} cannot show the cards that a dealer's error exposes (dealer_errors, R33-R38); these "
            f"can: {', '.join(map(repr, SEE_EXPOSED))}"
        )
    if others := rules.hand_differences():
        field = others[0]
        other = next(value for value in rules.phase_values(field) if value != Rules.model_fields[field].default)
        what = f"{len(other)} cards in the deck" if field == "deck" else f"{field}={other!r}"
        raise ValueError(f"observation {name!r} is for Texas hold'em; this game has {what}; use 'flat'")


@inline
def classic_card(card: int) -> int:
    """A card's index in PettingZoo's order."""
    number = int64(card)
    rank = (number >> 2) + 1
    return (3 - (number & 3)) * RANKS + (0 if rank == RANKS else rank)


@inline
def write_classic_cards(t: TableRecord, r: RulesRecord, seat: int, out: Floats) -> None:
    """Write own cards and board cards together, as 52 zeros and ones."""
    out[:] = 0.0
    if t.was_dealt[seat]:
        for k in range(r.hole_cards):
            out[classic_card(t.hole[seat, k])] = 1.0
    for k in range(t.board_count):
        out[classic_card(t.board[k])] = 1.0


@kernel
def observe_classic_limit(tables: Records, rules: Records, rows: Ints, seats: Ints, out: Floats) -> None:
    """Write the observations of a batch in fixed limit."""
    for k in range(rows.size):
        t = tables[rows[k]]
        r = rules[t.stage]
        write_classic_cards(t, r, seats[k], out[k])
        for street in range(MAX_STREETS):
            raises = 0
            for seat in range(r.seats):
                raises += t.street_raises[seat, street]
            out[k, DECK + RAISES * street + min(raises, RAISES - 1)] = 1.0


@inline
def chips_put_in(t: TableRecord, r: RulesRecord, seat: int) -> int:
    """The chips that a seat has put in during the hand, called or not."""
    chips = chips_not_bet(t, r, seat)
    for street in range(r.streets):
        chips += t.street_bets[seat, street]
    return chips


@kernel
def observe_classic_no_limit(tables: Records, rules: Records, rows: Ints, seats: Ints, out: Floats) -> None:
    """Write the observations of a batch in no limit."""
    most = 0
    for seat in range(rules[0].seats):
        most += rules[0].stacks[seat]
    for k in range(rows.size):
        t = tables[rows[k]]
        r = rules[t.stage]
        unit = 0.5 * big_blind(r)
        write_classic_cards(t, r, seats[k], out[k])
        largest = 0
        for seat in range(r.seats):
            largest = max(largest, chips_put_in(t, r, seat))
        out[k, DECK] = min(chips_put_in(t, r, seats[k]), most) / unit
        out[k, DECK + 1] = min(largest, most) / unit


class ClassicLimit(ObservationEncoder):
    """The 72 numbers of PettingZoo's texas_holdem. More than four raises on a street count as four."""

    name = "classic_limit"
    kernel = staticmethod(observe_classic_limit)

    def layout(self, rules: Rules) -> Layout:
        check_holdem(self.name, rules)
        streets = [f"raises on street {street}: 0, 1, 2, 3, 4" for street in range(MAX_STREETS)]
        return ranges([(CARDS, DECK), *((street, RAISES) for street in streets)])


class ClassicNoLimit(ObservationEncoder):
    """The 54 numbers of PettingZoo's texas_holdem_no_limit. Chips are capped at the sum of the starting stacks."""

    name = "classic_no_limit"
    kernel = staticmethod(observe_classic_no_limit)

    def layout(self, rules: Rules) -> Layout:
        check_holdem(self.name, rules)
        chips = ["chips the observer has put in, in half big blinds", "the most that a player has put in, likewise"]
        return ranges([(CARDS, DECK), *((meaning, 1) for meaning in chips)])

    def space(self, rules: Rules) -> Box:
        from gymnasium.spaces import Box

        high = np.ones(self.shape(rules), np.float32)
        unit = min(stage.big_blind or stage.street_bets[0] for stage in rules.stages)
        high[DECK:] = sum(rules.starting_stacks) / (0.5 * unit)
        return Box(np.zeros_like(high), high, dtype=np.float32)


class Classic(ObservationEncoder):
    """`classic_limit` in fixed limit, `classic_no_limit` otherwise; in mixed hold'em the first phase decides."""

    name = "classic"

    def layout(self, rules: Rules) -> Layout:
        return self._one(rules.stages[0].structure == "fixed_limit").layout(rules)

    def space(self, rules: Rules) -> Box:
        return self._one(rules.stages[0].structure == "fixed_limit").space(rules)

    def observe(self, tables: Records, rules: Records, rows: Rows, seats: Rows, out: NDArray[np.float32]) -> None:
        self._one(bool(rules["structure"][0] == FIXED_LIMIT)).observe(tables, rules, rows, seats, out)

    def _one(self, limit: bool) -> ObservationEncoder:
        return ClassicLimit() if limit else ClassicNoLimit()

"""The `classic` observations: the same numbers as PettingZoo's texas_holdem (72, fixed limit),
texas_holdem_no_limit (54) and leduc_holdem (36), so that a model trained there can be used here. `ClassicActions` are
the actions of the three.

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
from ..engine.batch import NO_MOVE
from ..engine.record import CHECK_CALL, DECK, FIXED_LIMIT, FOLD, MAX_STREETS, NOBODY, RulesRecord, TableRecord
from ..engine.replay import chips_not_bet
from ..game.rules import HOLDEM, Rules
from .actions import PotFractions
from .base import SEE_EXPOSED, ActionEncoder, Layout, ObservationEncoder, Rows, big_blind, ranges
from .bet_sizes import offer_sizes

if TYPE_CHECKING:  # spaces are imported when asked for
    from gymnasium.spaces import Box

RANKS = 13
RAISES = 5  # one-hot: 0 to 4 raises
CARDS = "own or board card, by 13 * (spades, hearts, diamonds, clubs) + (ace, 2 ... king)"


LEDUC = Rules.preset("leduc")
LEDUC_RANKS = 3
JACK = 9  # the lowest rank there
LEDUC_CHIPS = 15  # one-hot: 0 to 14 half big blinds
CALL, RAISE, LIMIT_FOLD, CHECK = range(4)  # the actions of fixed limit


def check_game(name: str, rules: Rules, game: Rules = HOLDEM, called: str = "Texas hold'em") -> None:
    """Raises ValueError for hands other than those of PettingZoo's game, and for a dealer who errs."""
    if rules.dealer_errors is not None:
        raise ValueError(
            f"observation {name!r} cannot show the cards that a dealer's error exposes (dealer_errors, R33-R38); these "
            f"can: {', '.join(map(repr, SEE_EXPOSED))}"
        )
    if others := rules.hand_differences(game):
        field = others[0]
        other = next(value for value in rules.phase_values(field) if value != getattr(game, field))
        what = f"{len(other)} cards in the deck" if field == "deck" else f"{field}={other!r}"
        raise ValueError(f"observation {name!r} is for {called}; this game has {what}; use 'flat'")


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


@inline
def most_put_in(r: RulesRecord) -> int:
    """The most chips that a player can put in during a hand: a starting stack, in a session of many hands all chips."""
    most, total = 0, 0
    for seat in range(r.seats):
        most = max(most, r.stacks[seat])
        total += r.stacks[seat]
    return most if r.is_session == 0 or r.num_hands == 1 else total


@kernel
def observe_classic_no_limit(tables: Records, rules: Records, rows: Ints, seats: Ints, out: Floats) -> None:
    """Write the observations of a batch in no limit."""
    most = most_put_in(rules[0])
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


@kernel
def observe_classic_leduc(tables: Records, rules: Records, rows: Ints, seats: Ints, out: Floats) -> None:
    """Write the observations of a batch in Leduc hold'em."""
    for k in range(rows.size):
        t = tables[rows[k]]
        r = rules[t.stage]
        out[k, :] = 0.0
        if t.was_dealt[seats[k]]:
            out[k, (int64(t.hole[seats[k], 0]) >> 2) - JACK] = 1.0
        if t.board_count > 0:
            out[k, LEDUC_RANKS + (int64(t.board[0]) >> 2) - JACK] = 1.0
        for seat in range(r.seats):
            at = 2 * LEDUC_RANKS + (0 if seat == seats[k] else LEDUC_CHIPS)
            out[k, at + min(2 * chips_put_in(t, r, seat) // big_blind(r), LEDUC_CHIPS - 1)] = 1.0


@kernel
def choose_classic(tables: Records, rules: Records, rows: Ints, sizes: Ints, choices: Ints) -> None:
    """PettingZoo's actions, in its order; `sizes` as in `choose_sizes`. A fold is offered even if a check is free."""
    for i in range(rows.size):
        t = tables[rows[i]]
        r = rules[t.stage]
        choices[i, :] = NO_MOVE
        if t.actor == NOBODY:
            continue
        if r.structure == FIXED_LIMIT:
            is_free = t.bet_to_match <= t.bet[t.actor]
            choices[i, CHECK if is_free else CALL] = CHECK_CALL
            choices[i, RAISE] = t.raise_min if t.raise_max > 0 else NO_MOVE
            choices[i, LIMIT_FOLD] = FOLD
        else:
            choices[i, 0], choices[i, 1] = FOLD, CHECK_CALL
            offer_sizes(t, r, sizes, True, 0, choices[i])


class ClassicLimit(ObservationEncoder):
    """The 72 numbers of PettingZoo's texas_holdem. More than four raises on a street count as four."""

    name = "classic_limit"
    kernel = staticmethod(observe_classic_limit)

    def layout(self, rules: Rules) -> Layout:
        check_game(self.name, rules)
        streets = [f"raises on street {street}: 0, 1, 2, 3, 4" for street in range(MAX_STREETS)]
        return ranges([(CARDS, DECK), *((street, RAISES) for street in streets)])


class ClassicNoLimit(ObservationEncoder):
    """The 54 numbers of PettingZoo's texas_holdem_no_limit. Chips are capped at the largest starting stack, and if one
    hand follows another, at the sum of the starting stacks."""

    name = "classic_no_limit"
    kernel = staticmethod(observe_classic_no_limit)

    def layout(self, rules: Rules) -> Layout:
        check_game(self.name, rules)
        chips = ["chips the observer has put in, in half big blinds", "the most that a player has put in, likewise"]
        return ranges([(CARDS, DECK), *((meaning, 1) for meaning in chips)])

    def space(self, rules: Rules) -> Box:
        from gymnasium.spaces import Box

        high = np.ones(self.shape(rules), np.float32)
        unit = min(stage.big_blind or stage.street_bets[0] for stage in rules.stages)
        single = rules.session is None or rules.session.num_hands == 1
        most = max(rules.starting_stacks) if single else sum(rules.starting_stacks)
        high[DECK:] = most / (0.5 * unit)
        return Box(np.zeros_like(high), high, dtype=np.float32)


class ClassicLeduc(ObservationEncoder):
    """The 36 numbers of PettingZoo's leduc_holdem: ranks and chips. More than 14 half big blinds count as 14."""

    name = "classic_leduc"
    kernel = staticmethod(observe_classic_leduc)

    def layout(self, rules: Rules) -> Layout:
        check_game(self.name, rules, LEDUC, "Leduc hold'em")
        if rules.seats != 2:
            raise ValueError(
                f"observation {self.name!r} is for two players; this game has {rules.seats} seats; use 'flat'"
            )
        cards = [(f"{card}: J, Q, K", LEDUC_RANKS) for card in ("own card", "board card")]
        chips = [
            (f"half big blinds that the {who} has put in: 0 to 14", LEDUC_CHIPS) for who in ("observer", "opponent")
        ]
        return ranges([*cards, *chips])


class Classic(ObservationEncoder):
    """The numbers of PettingZoo's classic poker: `classic_limit` in fixed limit, `classic_no_limit` otherwise, and 36
    others in Leduc; in mixed hold'em the first phase decides."""

    name = "classic"

    def layout(self, rules: Rules) -> Layout:
        return self._of(rules).layout(rules)

    def space(self, rules: Rules) -> Box:
        return self._of(rules).space(rules)

    def observe(self, tables: Records, rules: Records, rows: Rows, seats: Rows, out: NDArray[np.float32]) -> None:
        first = rules[0]
        encoder = self._one(first["hole_cards"] == 1, first["structure"] == FIXED_LIMIT)
        encoder.observe(tables, rules, rows, seats, out)

    def _of(self, rules: Rules) -> ObservationEncoder:
        return self._one(not rules.hand_differences(LEDUC), rules.stages[0].structure == "fixed_limit")

    def _one(self, leduc: bool, limit: bool) -> ObservationEncoder:
        if leduc:
            return ClassicLeduc()
        return ClassicLimit() if limit else ClassicNoLimit()


class ClassicActions(ActionEncoder):
    """The actions of PettingZoo's poker: in fixed limit 0 call, 1 raise, 2 fold, 3 check; otherwise 0 fold, 1 check or
    call, 2 raise half the pot, 3 raise the pot, 4 all-in. A fold is always offered."""

    name = "classic_actions"
    kernel = staticmethod(choose_classic)
    parameters = PotFractions("50%, pot, all-in").parameters

    def meanings(self, rules: Rules) -> list[str]:
        structures = {stage.structure for stage in rules.stages}
        if structures == {"fixed_limit"}:
            return ["call", "raise", "fold", "check"]
        if "fixed_limit" in structures:
            raise ValueError(
                f"actions {self.name!r} are others in fixed limit; this game has phases with and without it"
            )
        return ["fold", "check or call", "raise half the pot", "raise the pot", "all-in"]

"""How agents play: what they do on which street and in which position, and the usual figures made of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...compiled.compiler import compiled, kernel
from ...compiled.records import Records
from ...engine.posting import bet_posted, level_posted
from ...engine.record import FOLD, MAX_MOVES, MAX_SEATS, MAX_STREETS
from ...game.rules import Rules

ACTIONS = ("fold", "check", "call", "bet", "raise")
DID_FOLD, DID_CHECK, DID_CALL, DID_BET, DID_RAISE = range(len(ACTIONS))
FIGURES = ("hands", "vpip", "pfr", "saw_flop", "showdowns", "showdowns_won")
HANDS, VPIP, PFR, SAW_FLOP, SHOWDOWNS, WON = range(len(FIGURES))


@compiled
def blinds_posted(t, r, bet):
    """What lies before each seat when the first one acts; returns the level to match."""
    for seat in range(r.seats):
        bet[seat] = bet_posted(t, r, seat)
    return level_posted(t, r)


@compiled
def dealt_after(t, seats, seat):
    """How many of the seats after the button, up to this one, were dealt in; 0 for the button."""
    count = 0
    for k in range(1, (seat - t.button) % seats + 1):
        count += t.was_dealt[(t.button + k) % seats]
    return count


@compiled
def place_of(t, seats, seat):
    """A seat's position by its distance from the button, empty seats not counted. Where nobody stands between button
    and big blind (two players are left of more, or the small blind is dead), the small blind's place is nobody's."""
    place = dealt_after(t, seats, seat)
    if seats > 2 and seat != t.button and dealt_after(t, seats, t.big_blind_seat) == 1:
        place += 1
    return min(place, seats - 1)


@compiled
def count_hand(t, r, seats, bet, folded, who, actions, figures):
    """Count one hand that is over, from the moves in its record. who: which agent sits where."""
    level = blinds_posted(t, r, bet)
    street = 0
    folded[:] = -1
    entered, raised = np.zeros(MAX_SEATS, np.bool_), np.zeros(MAX_SEATS, np.bool_)
    for k in range(t.moves):
        seat, move = t.move_seat[k], t.move[k]
        if t.move_street[k] != street:
            street = t.move_street[k]
            level = 0
            bet[:] = 0
        if move == FOLD:
            did = DID_FOLD
            folded[seat] = street
        elif move > 0:
            did = DID_BET if level == 0 else DID_RAISE
            level = bet[seat] = move
        else:
            did = DID_CHECK if bet[seat] >= level else DID_CALL
            bet[seat] = max(bet[seat], level)
        actions[who[seat], place_of(t, seats, seat), street, did] += 1
        if street == 0:
            entered[seat] |= did >= DID_CALL
            raised[seat] |= did >= DID_BET
    flop = r.streets > 1 and t.board_count >= r.board_cards[0] + r.board_cards[1] and t.board_count > 0
    for seat in range(seats):
        if not t.was_dealt[seat]:
            continue
        figures[who[seat], HANDS] += 1
        figures[who[seat], VPIP] += entered[seat]
        figures[who[seat], PFR] += raised[seat]
        figures[who[seat], SAW_FLOP] += flop and folded[seat] != 0
        if t.live > 1 and t.in_hand[seat]:
            figures[who[seat], SHOWDOWNS] += 1
            figures[who[seat], WON] += t.stack[seat] + t.total[seat] > t.start_stack[seat]


@kernel
def count_hands(tables, rules, seating, actions, figures):
    """`count_hand` for tables whose hands are over; those with more moves than a record holds are left out."""
    bet, folded = np.zeros(MAX_SEATS, np.int64), np.zeros(MAX_SEATS, np.int64)
    for i in range(tables.size):
        t = tables[i]
        if t.moves <= MAX_MOVES:
            count_hand(t, rules[t.stage], rules[0].seats, bet, folded, seating[i], actions, figures)


@dataclass
class PlayerStats:
    """Counts of how each of several agents plays.

    actions: (agents, seats, streets, 5) int64, by agent, players after the button (0 is the button; see `place_of`),
        street, and action in the order of ACTIONS. figures: (agents, 6) int64, in the order of FIGURES.
    """

    actions: NDArray[np.int64]
    figures: NDArray[np.int64]

    @classmethod
    def of(cls, agents: int, seats: int) -> PlayerStats:
        actions = np.zeros((agents, seats, MAX_STREETS, len(ACTIONS)), np.int64)
        return cls(actions, np.zeros((agents, len(FIGURES)), np.int64))

    def count(self, tables: Records, rules: Rules, seating: NDArray[np.int64]) -> None:
        """Add hands that are over. seating: (N, seats), which agent sits where."""
        count_hands(tables, rules.record, np.ascontiguousarray(seating), self.actions, self.figures)  # compiled once

    def ratios(self, agent: int) -> dict[str, float]:
        """The usual figures of one agent, 0 to 1 but for aggression; nan where there was no occasion.

        vpip: hands in which it put chips in of its own will before the flop. pfr: in which it raised there.
        aggression: bets and raises for each call, after the flop. went_to_showdown: of the hands in which it saw the
        flop. won_at_showdown: of the showdowns.
        """
        hands, vpip, pfr, flop, showdowns, won = self.figures[agent].tolist()
        later = self.actions[agent, :, 1:].sum(axis=(0, 1))
        return {
            "vpip": _ratio(vpip, hands),
            "pfr": _ratio(pfr, hands),
            "aggression": _ratio(int(later[DID_BET] + later[DID_RAISE]), int(later[DID_CALL])),
            "went_to_showdown": _ratio(showdowns, flop),
            "won_at_showdown": _ratio(won, showdowns),
        }


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")

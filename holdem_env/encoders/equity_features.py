"""The `equity` observation: how good the observer's cards are against random hands (hold'em).

Where the dealer can err, the observation also shows the cards that it exposed (R33-R38); the shares count them like any
other unseen card.
"""

from __future__ import annotations

from ..compiled.compiler import inline, kernel
from ..compiled.records import Records
from ..compiled.scalars import Floats, Ints
from ..engine.record import RulesRecord, TableRecord
from ..equities.strength import has_strengths, made_strength, strength_and_spread
from ..game.rules import Rules
from .base import Layout, ObservationEncoder, exposed_lengths, ranges, write_exposed

MEANINGS = [
    "share of the pot at the showdown, against one random hand",
    "the same to the power of the number of live opponents",
    "share if no more cards came",
    "what the cards to come add to that share, or take from it; 0.5 nothing",
    "twice the standard deviation of the share over the cards to come",
]
SHARES = len(MEANINGS)


@inline
def write_equity(t: TableRecord, r: RulesRecord, seat: int, out: Floats) -> None:
    """The numbers of one seat; zeros if it was not dealt in."""
    out[:] = 0.0
    if t.was_dealt[seat]:
        share, spread = strength_and_spread(t.hole[seat], r.hole_cards, t.board, t.board_count)
        made = made_strength(t.hole[seat], r.hole_cards, t.board, t.board_count)
        opponents = t.live - 1 if t.in_hand[seat] else t.live
        out[0] = share
        out[1] = share ** max(opponents, 1)
        out[2] = made
        out[3] = 0.5 + 0.5 * (share - made)
        out[4] = 2.0 * spread
    if r.dealer_errors != 0:
        write_exposed(t, out, SHARES)


@kernel
def observe_equity(tables: Records, rules: Records, rows: Ints, seats: Ints, out: Floats) -> None:
    """The observations of a batch."""
    for k in range(rows.size):
        t = tables[rows[k]]
        write_equity(t, rules[t.stage], seats[k], out[k])


def check_strengths(game: Rules, which: str) -> None:
    """Raises ValueError for a game whose hands the strength tables do not know. which: the game, for the error."""
    if not (has_strengths(game) and game.has_holdem_showdowns and game.split == "high"):
        raise ValueError(
            "observation 'equity' is for games with two hole cards, a full deck and boards of 0, 3, 4 and at last "
            f"5 cards, that the best five of all cards win; {which} has {game.hole_cards} hole cards, a deck of "
            f"{len(game.deck)}, boards of {[*game.board_sizes]}, ranking={game.ranking!r}, "
            f"split={game.split!r} and hole_cards_used={game.hole_cards_used}"
        )


class Equity(ObservationEncoder):
    """Strength and potential of the observer's cards, opponents' hands uniform; exact but for an estimate on the flop.

    Made to stand beside another observation: "flat+equity". For two hole cards of a full deck, and boards of 0, 3, 4
    and 5 cards, that the best five win; raises ValueError for other games, and where a phase is one (R19).
    """

    name = "equity"
    kernel = staticmethod(observe_equity)

    def layout(self, rules: Rules) -> Layout:
        for phase, stage in enumerate(rules.stages):
            check_strengths(stage, f"its phase {phase}" if rules.changes_hands else "this one")
        return ranges([(meaning, 1) for meaning in MEANINGS] + exposed_lengths(rules))

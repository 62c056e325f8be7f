"""RULES: a game as the compiled engine reads it, with its limits and codes.

RULES is a NumPy structured dtype, made from the fields of RulesRecord. Compiled functions read them as `r.small_blind`.
Amounts are integer chips.
"""

from __future__ import annotations

from typing import Annotated, Protocol

import numpy as np

from ..compiled.records import Float64, Int8, Int64, dtype_of
from ..compiled.scalars import Ints

MAX_SEATS = 10
MAX_STREETS = 4
MAX_BOARD = 5
MAX_HOLE = 4
DECK = 52
# The largest stack, and the largest amount in the rules. All chips at a table, multiplied by a rake in millionths,
# still fit into 63 bits.
MAX_STACK = 10**11
MAX_CHIPS = MAX_SEATS * MAX_STACK

FIXED_LIMIT, POT_LIMIT, NO_LIMIT = 0, 1, 2
NEVER, AT_START, WHEN_TWO_LEFT = 0, 1, 2  # uncapped_heads_up, R18
AFTER_BLINDS, LEFT_OF_BUTTON = 0, 1  # first_to_act
BY_SEED, BY_HIGH_CARD = -1, -2  # first_button, R5
STANDARD_RANKING, SHORT_DECK_RANKING, PAIR_RANKING = 0, 1, 2
HIGH, HIGH_LOW = 0, 1  # split, R32
NO_CAP = -1
# The dealer errors (R33-R38): their names, and their bits in `errors`. The premature ones are in street order.
DEALER_ERRORS = (
    "exposed_hole_card",
    "extra_card",
    "premature_flop",
    "premature_turn",
    "premature_river",
    "flop_too_many",
)
EXPOSED_HOLE_CARD, EXTRA_CARD, PREMATURE_FLOP, PREMATURE_TURN, PREMATURE_RIVER, FLOP_TOO_MANY = (
    1 << k for k in range(len(DEALER_ERRORS))
)
EXTRA_CARDS = 1 << len(DEALER_ERRORS)  # more than one extra card


class RulesRecord(Protocol):
    """`r` in compiled functions."""

    structure: Int64
    seats: Int64
    small_blind: Int64
    big_blind: Int64
    ante: Int64
    big_blind_ante: Int64
    straddle: Int64
    smallest_chip: Int64
    cumulative: Int64  # R23: short all-ins add up to a raise for the player facing them
    reopen_fraction: Float64  # R24: an all-in of at least this fraction of a full bet counts as one
    uncapped_heads_up: Int64
    rake_ppm: Int64  # millionths of the called total
    rake_cap: Int64
    no_flop_no_drop: Int64
    rake_of_pot: Annotated[Ints, np.int64, MAX_SEATS]  # of each pot; the rest comes out of the main pot
    muck: Int64
    face_up_all_in: Int64
    streets: Int64
    board_cards: Annotated[Ints, np.int64, MAX_STREETS]
    burn_cards: Annotated[Ints, np.int64, MAX_STREETS]
    first_to_act: Annotated[Ints, np.int64, MAX_STREETS]
    min_bet: Annotated[Ints, np.int64, MAX_STREETS]  # in fixed limit: the bet
    max_raises: Annotated[Ints, np.int64, MAX_STREETS]
    deck_size: Int64
    deck: Annotated[Ints, np.int8, DECK]
    holdem_showdowns: Int8  # Rules.has_holdem_showdowns: faster ways to count are open
    manual_showing: Int8  # R29, R30: whether players choose to show or to muck
    padding: Annotated[Ints, np.int8, 2]
    hole_cards: Int64
    hole_cards_used: Int64  # exactly this many must be used; -1: any number
    ranking: Int64
    split: Int64
    cards_needed: Int64  # cards that a full table and the whole board take from the deck
    stacks: Annotated[Ints, np.int64, MAX_SEATS]
    # The session that the hands belong to (R10, R19, R39). Equal in all stages, except phase_* and level_*.
    is_session: Int64
    cash: Int64
    moving_button: Int64
    first_button: Int64  # a seat, BY_SEED or BY_HIGH_CARD
    num_hands: Int64  # 0: until one player has all the chips
    rebuy: Int64  # chips for a broke player between hands; 0: the player is out
    phases: Int64
    levels: Int64
    phase_hands: Int64  # how long this stage's phase lasts: hands, or orbits
    phase_orbits: Int64
    blind_level_hands: Int64  # how many hands this blind level lasts; 0: for ever
    blind_level_players: Int64  # or: it begins when this many players are left
    reward_unit: Float64  # chips in one unit of reward
    dealer_errors: Int64  # whether the dealer can err (R33-R38)
    error_chance: Annotated[Ints, np.int64, len(DEALER_ERRORS)]  # of each error, in units of 2**-32
    error_mid_round: Int64  # the probability that premature cards come after some moves of the round; likewise


RULES = dtype_of(RulesRecord)

"""RULES: a game as the compiled engine reads it, with its limits and codes.

RULES is a NumPy structured dtype. Compiled functions read its fields as `r.small_blind`. Amounts are integer chips.
"""

from __future__ import annotations

import numpy as np

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

RULES = np.dtype(
    [
        ("structure", np.int64),
        ("seats", np.int64),
        ("small_blind", np.int64),
        ("big_blind", np.int64),
        ("ante", np.int64),
        ("big_blind_ante", np.int64),
        ("straddle", np.int64),
        ("smallest_chip", np.int64),
        ("cumulative", np.int64),  # R23: short all-ins add up to a raise for the player facing them
        ("reopen_fraction", np.float64),  # R24: an all-in of at least this fraction of a full bet counts as one
        ("uncapped_heads_up", np.int64),
        ("rake_ppm", np.int64),  # millionths of the called total
        ("rake_cap", np.int64),
        ("no_flop_no_drop", np.int64),
        ("rake_of_pot", np.int64, MAX_SEATS),  # what comes out of each pot before the rest comes out of the main pot
        ("muck", np.int64),
        ("face_up_all_in", np.int64),
        ("streets", np.int64),
        ("board_cards", np.int64, MAX_STREETS),
        ("burn_cards", np.int64, MAX_STREETS),
        ("first_to_act", np.int64, MAX_STREETS),
        ("min_bet", np.int64, MAX_STREETS),  # in fixed limit: the bet
        ("max_raises", np.int64, MAX_STREETS),
        ("deck_size", np.int64),
        ("deck", np.int8, DECK),
        ("holdem_showdowns", np.int8),  # Rules.has_holdem_showdowns: faster ways to count are open
        ("manual_showing", np.int8),  # R29, R30: whether players choose to show or to muck
        ("padding", np.int8, 2),
        ("hole_cards", np.int64),
        ("hole_cards_used", np.int64),  # exactly this many must be used; -1: any number
        ("ranking", np.int64),
        ("split", np.int64),
        ("cards_needed", np.int64),  # cards that a full table and the whole board take from the deck
        ("stacks", np.int64, MAX_SEATS),
        # The session that the hands belong to (R10, R19, R39). Equal in all stages, except phase_* and level_*.
        ("is_session", np.int64),
        ("cash", np.int64),
        ("moving_button", np.int64),
        ("first_button", np.int64),  # a seat, BY_SEED or BY_HIGH_CARD
        ("num_hands", np.int64),  # 0: until one player has all the chips
        ("rebuy", np.int64),  # chips for a broke player between hands; 0: the player is out
        ("phases", np.int64),
        ("levels", np.int64),
        ("phase_hands", np.int64),  # how long this stage's phase lasts: hands, or orbits
        ("phase_orbits", np.int64),
        ("blind_level_hands", np.int64),  # how many hands this blind level lasts; 0: for ever
        ("blind_level_players", np.int64),  # or: it begins when this many players are left
        ("reward_unit", np.float64),  # chips in one unit of reward
        ("dealer_errors", np.int64),  # whether the dealer can err (R33-R38)
        ("error_chance", np.int64, len(DEALER_ERRORS)),  # of each error, in units of 2**-32
        (
            "error_mid_round",
            np.int64,
        ),  # the probability that premature cards come after some moves of the round; likewise
    ],
    align=True,
)

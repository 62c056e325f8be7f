"""The records of record.py as annotations: what `t`, `r` and `log` are in compiled functions.

A field is an attribute; an array of numbers is indexed by seat, street or place, as record.py says. A test holds these
lists to the dtypes.
"""

from __future__ import annotations

from typing import Protocol

from ..compiled.scalars import Ints


class TableRecord(Protocol):
    """TABLE: one hand as it is played."""

    bet_to_match: int
    last_full_bet: int
    raise_size: int
    raise_min: int
    raise_max: int
    pot: int
    wagers: int
    moves: int
    actor: int
    street: int
    live: int
    with_chips: int
    aggressor: int
    capped: int
    uncapped: int
    over: int
    button: int
    small_blind_seat: int
    big_blind_seat: int
    straddle_seat: int
    dealt: int
    cursor: int
    board_count: int
    pots: int
    stage: int
    follow_ups: int
    in_hand: Ints
    was_dealt: Ints
    shown: Ints
    board: Ints
    shown_age: int
    hole: Ints
    seed: int
    table_id: int
    hand: int
    street_raises: Ints
    dead: int
    rake: int
    errors_injected: int
    orders_injected: int
    errors: int
    blinds_placed: int
    deck: Ints
    held_out: Ints
    presence: Ints
    posted: Ints
    low_value: Ints
    start_stack: Ints
    pot_level: Ints
    pot_chips: Ints
    value: Ints
    blind_level: int
    phase: int
    phase_hands: int
    phase_orbits: int
    phase_seat: int
    blind_level_hands: int
    session_hands: int
    session_over: int
    small_blind_due: int
    players_left: int
    owes: Ints
    posts: Ints
    comes_back: Ints
    place: Ints
    exposed: Ints
    premature_cards: int
    reshuffles: int
    premature_turn: int
    reshuffle_order: Ints
    showing: int
    last_shown: Ints
    has_words: int
    premature_after: Ints
    round_began: int
    exposed_deal: int
    stack: Ints
    bet: Ints
    total: Ints
    street_bets: Ints
    bet_acted_on: Ints
    move: Ints
    move_seat: Ints
    move_street: Ints


class RulesRecord(Protocol):
    """RULES: one game."""

    structure: int
    seats: int
    small_blind: int
    big_blind: int
    ante: int
    big_blind_ante: int
    straddle: int
    smallest_chip: int
    cumulative: int
    reopen_fraction: float
    uncapped_heads_up: int
    rake_ppm: int
    rake_cap: int
    no_flop_no_drop: int
    rake_of_pot: Ints
    muck: int
    face_up_all_in: int
    streets: int
    board_cards: Ints
    burn_cards: Ints
    first_to_act: Ints
    min_bet: Ints
    max_raises: Ints
    deck_size: int
    deck: Ints
    holdem_showdowns: int
    manual_showing: int
    hole_cards: int
    hole_cards_used: int
    ranking: int
    split: int
    cards_needed: int
    stacks: Ints
    is_session: int
    cash: int
    moving_button: int
    first_button: int
    num_hands: int
    rebuy: int
    phases: int
    levels: int
    phase_hands: int
    phase_orbits: int
    blind_level_hands: int
    blind_level_players: int
    reward_unit: float
    dealer_errors: int
    error_chance: Ints
    error_mid_round: int


class LogRecord(Protocol):
    """LOG: the operations of one call."""

    count: int
    kind: Ints
    seat: Ints
    pot: Ints
    amount: Ints
    cards: Ints

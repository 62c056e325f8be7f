"""All-in expected value: what a seat wins on average when betting is over and part of the board is still to come.

The cards that happen to come then are luck that nobody's decisions have to do with. Taking their mean instead leaves
the expectation of every result as it is and makes it vary less, so that a learner needs fewer hands.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..cards.evaluator import card_code, card_mask, start_code, value_of
from ..compiled.compiler import compiled, inline, kernel
from ..compiled.records import Records
from ..engine.random_numbers import GOLDEN, hand_stream, mix, random_below
from ..engine.record import MAX_MOVES, MAX_SEATS
from ..game.rules import Rules

HOLE, BOARD, DECK = 2, 5, 52
MOST_LISTED = 2  # with so many cards to come every board is looked at; with more, SAMPLES of them
SAMPLES = 100
SALT = 0x414C4C494E

ROOM = np.dtype(
    [
        ("left", np.int64, DECK),  # cards that may come
        ("count", np.int64),
        ("code", np.int64, MAX_SEATS),  # sums over each live seat's hole cards and the board as it was
        ("mask", np.int64, MAX_SEATS),
        ("value", np.int64, MAX_SEATS),
    ],
    align=True,
)


@inline
def board_when_betting_ended(t, r):
    """How many board cards lay there when the last move was made."""
    cards = 0
    for street in range(t.move_street[(t.moves - 1) % MAX_MOVES] + 1):
        cards += r.board_cards[street]
    return cards


@inline
def take_position(t, r, board, room):
    """Add up what is known, and list the cards that may come: those of folded hands cannot."""
    gone = np.int64(0)
    for k in range(board):
        gone |= card_mask(t.board[k])
    for seat in range(r.seats):
        if t.was_dealt[seat]:
            gone |= card_mask(t.hole[seat, 0]) | card_mask(t.hole[seat, 1])
        if t.in_hand[seat]:
            room.code[seat] = start_code(HOLE + BOARD) + card_code(t.hole[seat, 0]) + card_code(t.hole[seat, 1])
            room.mask[seat] = card_mask(t.hole[seat, 0]) + card_mask(t.hole[seat, 1])
            for k in range(board):
                room.code[seat] += card_code(t.board[k])
                room.mask[seat] += card_mask(t.board[k])
    room.count = 0
    for card in range(DECK):
        if gone & card_mask(card) == 0:
            room.left[room.count] = card
            room.count += 1


@inline
def won_by(t, r, hero, pot, room):
    """The hero's part of a pot by the values in `room`, before odd chips are given out."""
    if t.total[hero] < t.pot_level[pot]:
        return 0.0
    winners = 0
    for seat in range(r.seats):
        if t.in_hand[seat] and t.total[seat] >= t.pot_level[pot]:
            if room.value[seat] > room.value[hero]:
                return 0.0
            winners += room.value[seat] == room.value[hero]
    return t.pot_chips[pot] / winners


@inline
def won_with(t, r, hero, code, mask, room):
    """What the hero takes from all pots if the cards still to come add up to `code` and `mask`."""
    for seat in range(r.seats):
        if t.in_hand[seat]:
            room.value[seat] = value_of(room.code[seat] + code, room.mask[seat] + mask)
    total = 0.0
    for pot in range(t.pots):
        total += won_by(t, r, hero, pot, room)
    return total


@compiled
def won_as_dealt(t, r, hero, board, room):
    """What the hero takes with the board that came."""
    code = mask = np.int64(0)
    for k in range(board, BOARD):
        code += card_code(t.board[k])
        mask += card_mask(t.board[k])
    return won_with(t, r, hero, code, mask, room)


@compiled
def won_on_average(t, r, hero, missing, room):
    """The mean over all boards, one or two cards missing."""
    total = 0.0
    boards = 0
    for i in range(room.count):
        code, mask = card_code(room.left[i]), card_mask(room.left[i])
        if missing == 1:
            total += won_with(t, r, hero, code, mask, room)
            boards += 1
            continue
        for j in range(i):
            two_code, two_mask = code + card_code(room.left[j]), mask + card_mask(room.left[j])
            total += won_with(t, r, hero, two_code, two_mask, room)
            boards += 1
    return total / boards


@compiled
def won_by_sampling(t, r, hero, missing, room):
    """The mean over random boards; the same ones whenever this hand is asked about."""
    stream = hand_stream(t.seed ^ SALT, t.table_id, t.hand)
    total = 0.0
    for _ in range(SAMPLES):
        code = mask = np.int64(0)
        for i in range(missing):  # a partial shuffle: whatever order an earlier sample left is as good as any
            stream = stream + GOLDEN
            j = i + random_below(mix(stream), room.count - i)
            card = room.left[j]
            room.left[j] = room.left[i]
            room.left[i] = card
            code += card_code(card)
            mask += card_mask(card)
        total += won_with(t, r, hero, code, mask, room)
    return total / SAMPLES


@inline
def expected_result(t, r, hero, room):
    """A finished hand's result for a seat, in chips, the cards that came after the betting replaced by their mean.

    What the board as it came gives is taken away and the mean is added: odd chips and rake stay as they were.
    """
    result = np.float64(t.stack[hero] - t.start_stack[hero])
    if t.live < 2 or not t.in_hand[hero] or t.moves == 0:
        return result
    board = board_when_betting_ended(t, r)
    missing = BOARD - board
    if missing == 0:
        return result
    take_position(t, r, board, room)
    result -= won_as_dealt(t, r, hero, board, room)
    if missing <= MOST_LISTED:
        return result + won_on_average(t, r, hero, missing, room)
    return result + won_by_sampling(t, r, hero, missing, room)


@kernel
def expected_results(tables, rules, rows, seats, room, out):
    """`expected_result` of tables[rows] for seats[rows], into out[rows]."""
    for k in range(rows.size):
        t = tables[rows[k]]
        out[rows[k]] = expected_result(t, rules[t.stage], seats[rows[k]], room[0])


def check_all_in_value(rules: Rules) -> None:
    """Raise ValueError for games whose boards `expected_results` cannot count."""
    hold_em = (
        rules.ranking == "standard"
        and rules.split == "high"
        and rules.hole_cards == HOLE
        and rules.hole_cards_used is None
        and len(rules.deck) == DECK
        and sum(rules.board_cards) == BOARD
    )
    if not hold_em or rules.dealer_errors is not None:
        raise ValueError(
            "reward 'all_in_value' is for hold'em with two hole cards, a full deck, five board cards and a dealer who "
            "does not err; take 'result' for this game"
        )


def all_in_values(
    finished: Records, rules: Rules, rows: NDArray[np.int64], seats: NDArray[np.int64], out: NDArray[np.float64]
) -> None:
    """Write what seats[rows] won in the finished hands at finished[rows] to out[rows], in chips: its mean over the
    cards that came after the last decision of anybody; (N,) float64.

    Exact with one or two cards to come, the mean of 100 random boards with more: unbiased either way.
    """
    expected_results(finished, rules.record, rows, seats, np.zeros(1, ROOM), out)

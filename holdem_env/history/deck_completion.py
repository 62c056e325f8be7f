"""Filling in the cards that a history does not record. The engine needs a whole deck, so every unknown card becomes one
of the unused cards.

If all players but one folded, any card will do. At a showdown the filled-in cards must not decide the pots: an unknown
hand gets two cards with which it loses to every shown hand, drawn at random by seed, or the weakest two if all pairs
win. All pairs are tried (at most 1,326), so the first unknown hand gets a losing pair if there is one; further unknown
hands choose from the remaining cards. An unknown hand that won alone, by the result in the file or because everybody
else mucked, gets the strongest two cards, and the other unknown hands lose to it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ..cards.evaluation import evaluate
from ..cards.text import CARDS, UNKNOWN
from .known_cards import BOARD_SIZE, HOLE_SIZE


class Showdown(NamedTuple):
    """The seats at the showdown: those that showed, those with unknown cards, and the single winner if it is known."""

    shown: tuple[int, ...] = ()
    unknown: tuple[int, ...] = ()
    winner: int | None = None


def full_deck(
    holes: Sequence[Sequence[int]],
    board: Sequence[int],
    button: int,
    showdown: Showdown,
    seed: int,
    pack: Sequence[int] = range(CARDS),
) -> list[int]:
    """The cards of a hand in dealing order (R4), with unknown cards and burn cards filled in: 2N hole cards, then 8
    more.

    holes: two cards for each seat (four in Omaha); -1 is an unknown card.
    board: up to five cards.
    showdown: who showed. A showdown with unknown hands needs two hole cards and the standard ranking.
    pack: all cards of the game.
    """
    known = {card for hand in (*holes, board) for card in hand}
    rest = [card for card in pack if card not in known]
    full_board = [*board, *[UNKNOWN] * (BOARD_SIZE - len(board))]
    if UNKNOWN in full_board or UNKNOWN in known:
        random.Random(seed).shuffle(rest)
    table = [rest.pop() if card == UNKNOWN else card for card in full_board]
    hands = _fill_holes(holes, table, rest, showdown)
    return _dealing_order(hands, table, button, rest)


def _dealing_order(hands: Sequence[Sequence[int]], board: Sequence[int], button: int, rest: list[int]) -> list[int]:
    seats = [(button + 1 + i) % len(hands) for i in range(len(hands))]
    deck = [hands[seat][i] for i in range(len(hands[0])) for seat in seats]
    return [*deck, rest[0], *board[:3], rest[1], board[3], rest[2], board[4]]


def _fill_holes(
    holes: Sequence[Sequence[int]], board: list[int], rest: list[int], showdown: Showdown
) -> list[list[int]]:
    known = [[card for card in hand if card != UNKNOWN] for hand in holes]
    hands = [list(hand) for hand in known]
    compared = [seat for seat in showdown.unknown if len(hands[seat]) < HOLE_SIZE]
    if compared:
        bar = [_rank(hands[seat], board) for seat in showdown.shown]
        if showdown.winner in compared:
            _give(hands, showdown.winner, board, rest, None)
            bar = [_rank(hands[showdown.winner], board)]
            compared.remove(showdown.winner)
        for seat in compared if bar else ():
            _give(hands, seat, board, rest, min(bar))
    for seat, hand in enumerate(hands):
        fillers = hand[len(known[seat]) :]
        while len(known[seat]) + len(fillers) < len(holes[seat]):
            fillers.append(rest.pop())
        # A card that was dealt unknown and shown later keeps its index in the hand.
        hands[seat] = [fillers.pop(0) if card == UNKNOWN else card for card in holes[seat]]
    return hands


def _give(hands: list[list[int]], seat: int, board: list[int], rest: list[int], below: int | None) -> None:
    """Complete a hand to a random one that ranks below `below`, or to the strongest one if `below` is None. `rest` must
    be shuffled."""
    fillings = list(combinations(rest, HOLE_SIZE - len(hands[seat])))
    ranks = evaluate(np.array([[*board, *hands[seat], *filling] for filling in fillings]))
    if below is None:
        chosen = int(np.argmax(ranks))
    else:
        losing = np.flatnonzero(ranks < below)
        chosen = int(losing[0]) if losing.size else int(np.argmin(ranks))
    hands[seat] += fillings[chosen]
    for card in fillings[chosen]:
        rest.remove(card)


def _rank(hand: list[int], board: list[int]) -> int:
    return int(evaluate(np.array([[*board, *hand]]))[0])

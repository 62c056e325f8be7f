"""Hands played by script, for the oracle's own tests."""

from __future__ import annotations

from .ranking import cards
from .reference import ReferenceHand

F, C = -1, 0  # fold; check or call


def stacked_deck(seats, button, holes=None, board=""):
    """A deck in dealing order (R4) with these hole cards ({seat: text}) and this board; the rest is arbitrary."""
    deck = [None] * 52
    for seat, text in (holes or {}).items():
        place = (seat - button - 1) % seats
        deck[place], deck[seats + place] = cards(text)
    for at, card in zip((1, 2, 3, 5, 7), cards(board), strict=False):
        deck[2 * seats + at] = card
    rest = iter([card for card in range(52) if card not in deck])
    return [next(rest) if card is None else card for card in deck]


def start(stacks, button=0, holes=None, board="", **rules):
    deck = stacked_deck(len(stacks), button, holes, board)
    return ReferenceHand(stacks=stacks, button=button, deck=deck, **rules)


def play(hand, *moves):
    for move in moves:
        hand.act(move)
    return hand


def check_down(hand):
    while hand.actor is not None:
        hand.act(C)
    return hand


def flop(stacks, **rules):
    """A hand that was called and checked to the flop; with the button on the last seat, seat 0 acts first."""
    hand = start(stacks, button=len(stacks) - 1, **rules)
    while hand.street == 0:
        hand.act(C)
    return hand

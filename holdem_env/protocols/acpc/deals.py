"""The cards that the ACPC's dealer deals for a seed, and how players rotate around its table."""

from __future__ import annotations

from collections.abc import Iterator
from secrets import token_bytes
from typing import NamedTuple

import numpy as np

from ...cards.text import CARDS, Cards
from ...history.acpc_game import Game
from ...history.acpc_text import BOARD_SIZES
from ...history.known_cards import HOLE_SIZE
from ...table.hand_setup import position_deck
from ...table.table import Table

SUITS = 4
WHOLE = 2**32
# Its deck in the beginning: one suit after the other, clubs first. Here cards of one rank stand together.
PACK = [card for suit in range(SUITS) for card in range(suit, CARDS, SUITS)]


class Deal(NamedTuple):
    """The cards of one hand: hole cards by position, and the whole board."""

    holes: tuple[Cards, ...]
    board: Cards


def deals(seed: int | None, players: int) -> Iterator[Deal]:
    """One deal after the other, the same that the ACPC's dealer deals with this seed; None: the operating system draws.

    It draws numbers of 32 bits from the Mersenne Twister, and for each card one of the rest of the deck: two cards to
    each position, then the board.
    """
    random = None if seed is None else np.random.RandomState(seed)
    count = HOLE_SIZE * players
    while True:
        drawn = _draw(random, count + sum(BOARD_SIZES))
        holes = tuple(Cards(drawn[at : at + HOLE_SIZE]) for at in range(0, count, HOLE_SIZE))
        yield Deal(holes, Cards(drawn[count:]))


def _draw(random: np.random.RandomState | None, count: int) -> list[int]:
    deck, drawn = PACK.copy(), []
    numbers = random.randint(0, WHOLE, count, np.uint32) if random else np.frombuffer(token_bytes(4 * count), np.uint32)
    for number in numbers.tolist():
        at = number % len(deck)
        drawn.append(deck[at])
        deck[at] = deck[-1]
        deck.pop()
    return drawn


def table_of(game: Game, deal: Deal, seed: int, hand: int) -> Table:
    """A hand with these cards. seed, hand: agents that draw random numbers take them from these."""
    rules = game.rules
    deck = position_deck(rules, list(rules.starting_stacks), game.button, deal.board, dict(enumerate(deal.holes)))
    return Table(rules, button=game.button, deck=deck, seed=seed, hand=hand)


def position_of(player: int, hand: int, players: int) -> int:
    """The position of a player in a hand: everybody moves by one place from hand to hand."""
    return (player - hand) % players

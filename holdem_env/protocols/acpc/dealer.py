"""The dealer: it plays a match as the ACPC's dealer program does, with the cards that this deals for a seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from secrets import randbits, token_bytes
from time import monotonic
from typing import NamedTuple

import numpy as np

from ...cards.text import CARDS, Cards
from ...history.acpc_game import Game
from ...history.acpc_text import BOARD_SIZES
from ...history.known_cards import HOLE_SIZE
from ...table.hand_setup import position_deck
from ...table.seat_view import Move
from ...table.table import Table
from .answers import Hand
from .match_log import MatchLog
from .players import Player

SEED_BITS = 63
SUITS = 4
WHOLE = 2**32
# Its deck in the beginning: one suit after the other, clubs first. Here cards of one rank stand together.
PACK = [card for suit in range(SUITS) for card in range(suit, CARDS, SUITS)]


class Dealer:
    """A match between players.

    Args:
        game: The game; seat i is position i.
        players: One for each seat.
        hands: Number of hands.
        seed: Seed of the cards, which are those of the ACPC's dealer. With None, the operating system draws them.
        fixed_seats: Players keep their positions. Otherwise each moves by one position from hand to hand.
    """

    def __init__(
        self, game: Game, players: Sequence[Player], hands: int, seed: int | None, *, fixed_seats: bool = False
    ) -> None:
        if len(players) != game.rules.seats:
            raise ValueError(f"the game has {game.rules.seats} players, not {len(players)}")
        self.game, self.players, self.hands, self.seed = game, players, hands, seed
        self._words = randbits(SEED_BITS) if seed is None else seed  # for agents that draw random numbers
        self.fixed_seats = fixed_seats
        self.totals = [0] * len(players)

    def open(self, seconds: float | None = None) -> None:
        """Wait until all players have connected.

        Args:
            seconds: Limit for all of them; None waits for ever.

        Raises:
            PlayerFailed: If a player does not connect.
        """
        deadline = None if seconds is None else monotonic() + seconds
        for player in self.players:
            player.open(deadline)

    def play(self, log: MatchLog | None = None, progress: Callable[[int], None] | None = None) -> list[int]:
        """Play all hands, and return each player's winnings.

        After every hand, `totals` holds the winnings so far.

        Args:
            log: Where to write the hands.
            progress: Called with each finished hand's number.

        Raises:
            PlayerFailed: If a player cannot continue; the earlier hands are in the log.
        """
        for hand, deal in enumerate(islice(deals(self.seed, len(self.players)), self.hands)):
            table = table_of(self.game, deal, self._words, hand)
            seated = self._seated(hand)
            moves = self._play_hand(table, hand, seated)
            for seat, player in enumerate(seated):
                self.totals[self.players.index(player)] += table.payoffs[seat]
            if log is not None:
                log.hand(table, hand, [player.name for player in seated])
            self._send_states(table, hand, seated, moves)
            if progress is not None:
                progress(hand)
        if log is not None:
            log.score(self.totals, [player.name for player in self.players])
        return self.totals

    def close(self) -> None:
        for player in self.players:
            player.close()

    def _seated(self, hand: int) -> list[Player]:
        count = len(self.players)
        turns = 0 if self.fixed_seats else hand
        return sorted(self.players, key=lambda player: position_of(self.players.index(player), turns, count))

    def _play_hand(self, table: Table, number: int, seated: Sequence[Player]) -> list[Move]:
        moves: list[Move] = []
        for player in seated:
            player.new_hand()
        while table.actor is not None:
            actor = table.actor
            self._send_states(table, number, seated, moves, but=actor)
            move = seated[actor].move(Hand(table, actor, number, 0, moves), table)
            moves.append(Move(actor, table.street, move))
            table.play(move)
        return moves

    def _send_states(
        self, table: Table, number: int, seated: Sequence[Player], moves: list[Move], but: int | None = None
    ) -> None:
        for seat, player in enumerate(seated):
            if seat != but:
                player.send_state(Hand(table, seat, number, 0, moves))


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

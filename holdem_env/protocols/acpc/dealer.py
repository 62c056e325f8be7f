"""The dealer: it plays a match hand by hand, as the ACPC's dealer program does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from secrets import randbits
from time import monotonic

from ...history.acpc_game import Game
from ...table.seat_view import Move
from ...table.table import Table
from .deals import deals, position_of, table_of
from .match_log import MatchLog
from .players import Player
from .states import Hand

SEED_BITS = 63


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

"""Table: one hand of hold'em, played move by move, for notebooks, servers, hand histories and tests."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from typing import Any, Self, SupportsIndex

import numpy as np

from ..cards.text import Cards, parse_cards
from ..engine import batch, record
from ..engine.legality import MOVE, IllegalMove, Legal, check_choice, check_move
from ..game.rule_checks import check_total
from ..game.rules import Rules
from ..game.rules_input import RulesLike, as_rules
from ..utils.validation import whole_number
from .abstract_moves import AbstractSizes, abstract_moves
from .hand_setup import (
    Stacks,
    checked_button,
    checked_seed,
    checked_stacks,
    position_deck,
    position_stacks,
    street_of,
    write_deck,
)
from .injected_errors import InjectedErrors, Order
from .parts import Operation, Posting, Pot
from .seat_view import SeatView, view_of
from .state import TableState

__all__ = ["IllegalMove", "Legal", "Operation", "Posting", "Pot", "Table"]

ONE_ROW = np.zeros(1, np.int64)


class Table(TableState):
    """One hand. The blinds are posted and the cards dealt when it is made; then it is played move by move.

    An error leaves the table unchanged. A move that the rules do not allow raises IllegalMove, a ValueError.

    Args:
        rules: The game: Rules, a preset's name, a dict of fields, or the path of a YAML file.
        stacks: Chips per seat, each above zero, or one amount for all; by default the rules' starting stacks. "50bb" is
            fifty big blinds.
        button: The seat with the button (heads-up it posts the small blind, R7).
        deck: Cards in dealing order, burn cards included (R4): ints, or text such as "AsKd??7h". The seed fills in
            missing and unknown ("??", -1) cards.
        seed, hand, table_id: Choose the deck: hand `hand` of table `table_id` under `seed` has the same deck in Table,
            Tables and the environments. Without a seed the deck is random.
        dealer_errors: The dealer errors of this hand (R33-R38), instead of those that the rules' probabilities would
            draw. The table's rules then have dealer_errors. A dict with some of these; {} means no errors:

            - exposed_hole_card: k or [k, ...], positions in the deck (R4)
            - extra_card: how many
            - flop_too_many: True
            - premature_flop, premature_turn, premature_river: True turns the cards when the betting round begins; k
              turns them after k moves of it, unless its betting is complete by then
        reshuffles: The orders of the hand's reshuffles, first to last. Each is given like a deck; the reshuffled cards
            come in this order, and other cards in it are skipped. Without them the seed decides. A hand with a given
            deck needs as many orders as its errors may use.

    Raises:
        ValueError: If the stacks, button, deck, errors or reshuffles are invalid.

    >>> from holdem_env import Rules, Table
    >>> table = Table(Rules.preset("heads-up-no-limit"), deck="AsKdAhKc")
    >>> table.raise_to(6); table.check_call()
    >>> table.bets, table.pots
    ([0, 0], [Pot(amount=12, seats=(0, 1))])
    >>> print(table.hole_cards(1), table.legal)
    AsAh fold, check, bet 2..194
    """

    def __init__(
        self,
        rules: RulesLike,
        stacks: Stacks | None = None,
        button: int = 0,
        deck: str | Iterable[SupportsIndex] | None = None,
        seed: int | None = None,
        hand: int = 0,
        table_id: int = 0,
        dealer_errors: Mapping[str, Any] | None = None,
        reshuffles: Iterable[Order] | None = None,
    ) -> None:
        rules = as_rules(rules)
        injected = None
        if dealer_errors is not None or reshuffles is not None or rules.dealer_errors is not None:
            injected = InjectedErrors(rules, dealer_errors, reshuffles)
            rules = injected.rules
        self._prepare(rules, checked_stacks(rules, stacks), button, deck, seed, hand, table_id)
        if injected is not None:
            injected.write_to(self._records, deck_given=deck is not None)
        self._start(street=0, dead=0)

    @classmethod
    def from_position(
        cls,
        rules: RulesLike,
        stacks: Stacks,
        board: str | Iterable[SupportsIndex] = "",
        pot: int = 0,
        button: int = 0,
        hole_cards: Mapping[int, str | Iterable[SupportsIndex]] | None = None,
        seed: int | None = None,
    ) -> Self:
        """Return a hand that begins on a later street with a given pot, for subgames and drills.

        On street 0, antes and blinds are posted as always.

        Args:
            rules, button, seed: As in `Table`.
            stacks: As in `Table`; a seat with 0 is not in the hand.
            board: The board cards; their number decides which street begins.
            pot: Chips already in the middle. They belong to the main pot, so payoffs add up to the pot minus the rake.
            hole_cards: A dict from seat to cards, for the seats whose cards are known. The seed fills in all other
                cards.

        Raises:
            ValueError: If an argument is invalid.
        """
        rules = as_rules(rules)
        table = object.__new__(cls)
        known = Cards(parse_cards(board) if isinstance(board, str) else [operator.index(card) for card in board])
        chips = position_stacks(rules, stacks)
        if pot < 0 or pot % rules.smallest_chip:
            raise ValueError(f"pot: {pot} is not a multiple of the smallest chip ({rules.smallest_chip}), 0 or more")
        check_total([*chips, pot])
        game = rules.stages[0]
        table._prepare(rules, chips, button, position_deck(game, chips, button, known, hole_cards or {}), seed)
        table._start(street_of(game, known), pot)
        return table

    def _prepare(
        self,
        rules: Rules,
        stacks: list[int],
        button: int,
        deck: str | Iterable[SupportsIndex] | None,
        seed: int | None,
        hand: int = 0,
        table_id: int = 0,
    ) -> None:
        """Set stacks, button and deck, before anything is posted or dealt."""
        self.rules = rules
        self._records = record.new_records(record.TABLE, 1)
        self._records["seats"]["stack"][0, : rules.seats] = stacks
        batch.number_tables(self._records, checked_seed(seed), table_id, checked_button(rules, button))
        self._records["hand"] = hand
        batch.shuffle_decks(self._records, rules.record, len(self.game.deck))
        if deck is not None:
            write_deck(rules, self._records, deck)

    @classmethod
    def of_session(cls, rules: Rules, arranged: record.Records, log: record.Records) -> Self:
        """A hand of a `Session`, started from a record that has its stacks, positions, stage and deck. The operations
        in `log`, which arranged the hand, come first in the table's log."""
        table = object.__new__(cls)
        table.rules = rules
        table._records = arranged.copy()
        table._start(street=0, dead=0, drawn=log)
        return table

    def _start(self, street: int, dead: int, drawn: record.Records | None = None) -> None:
        self.log: list[Operation] = []
        self._past: list[tuple[record.Records, int]] = []
        if drawn is not None:
            self._append_log(drawn)
        log = record.new_log(listening=True)
        batch.start_position(self._records, self.rules.record, log, street, dead)
        self._append_log(log)

    # Who sees what

    def view(self, seat: SupportsIndex | None = None) -> SeatView:
        """Return the table as a seat may see it: a read-only copy without the cards hidden from the seat.

        Args:
            seat: By default the seat to act.

        Raises:
            ValueError: If the seat does not exist, or nobody is to act and no seat is given.
            TypeError: If `seat` is not an integer.
        """
        return view_of(self, seat)

    @property
    def seed(self) -> int:
        return int(self._records["seed"][0])

    @property
    def deck(self) -> Cards:
        """The whole deck in dealing order (R4), undealt cards included. Only a dealer's error (R33-R38) changes it
        during a hand."""
        return Cards(self._records["deck"][0, : len(self.game.deck)].tolist())

    # Moves

    def fold(self) -> None:
        """Fold. This is legal even if checking is free (R14)."""
        self.play(record.FOLD)

    def check_call(self) -> None:
        """Check if there is nothing to call, otherwise call. A stack shorter than the call goes all-in."""
        self.play(record.CHECK_CALL)

    def raise_to(self, total: SupportsIndex) -> None:
        """Bet or raise to this street total, in chips."""
        amount = whole_number("raise_to", total, "the street total in chips")
        if amount <= 0:
            raise IllegalMove(f"raise to {amount}: name the street total in chips, above zero. Legal: {self.legal}.")
        self.play(amount)

    def no_action(self) -> None:
        """Play for a player who does not act: check if it is free, otherwise fold (R14). Who does not choose shows,
        unless the hand is beaten or the player is the last one left (R29, R30)."""
        if self.is_showing and self.actor is not None:
            self._choose(shows=not batch.would_muck(self._records, self.rules.record, self.actor))
        else:
            self.play(record.CHECK_CALL if self.legal.call == 0 else record.FOLD)

    def show(self, seat: SupportsIndex) -> None:
        """Show the cards of the player who has the choice at the end (R29, R30), only with showing="manual".

        Args:
            seat: The player's seat, in `actor`.

        Raises:
            IllegalMove: If it is not the seat's turn to choose.
        """
        check_choice(self._records[0], "show", self._checked_seat(seat))
        self._choose(shows=True)

    def muck(self, seat: SupportsIndex) -> None:
        """Give the cards of such a player back face down, and give up every pot that it contests, unless it is the last
        one left; otherwise as `show`."""
        check_choice(self._records[0], "muck", self._checked_seat(seat))
        self._choose(shows=False)

    def _choose(self, shows: bool) -> None:
        log = self._begin_move()
        batch.choose_showing(self._records, self.rules.record, log, shows)
        self._append_log(log)

    def _begin_move(self) -> record.Records:
        """Keep what `undo` goes back to. Returns an empty log for the engine."""
        self._past.append((self._records, len(self.log)))
        self._records = self._records.copy()  # copies of this table may share the old record
        return record.new_log(listening=True)

    def play(self, move: SupportsIndex) -> None:
        """Play an engine move: -1 folds, 0 checks or calls, a positive number is the street total to raise to."""
        move = whole_number("play", move, MOVE)
        check_move(self._records, self.rules.record, 0, move)
        log = self._begin_move()
        batch.play_moves(self._records, self.rules.record, log, ONE_ROW, np.array([move]))
        self._append_log(log)

    def abstract_moves(self, sizes: AbstractSizes = None) -> list[int]:
        """Return the engine moves that bet sizes mean here, in ascending order.

        Args:
            sizes: Bet sizes such as "50%, 100%, all-in", an action encoder or its name, or
                `holdem_env.solvers.BetSizes`. Text separates the sizes for the first, second, ... wager of a street
                with `|`, and sizes above the stack are all-in. By default an environment's.

        Returns:
            -1 folds (not offered where checking is free), 0 checks or calls, a positive number is the street total to
            raise to. The list is empty once the betting is over.

        Raises:
            ValueError: If a size is unknown, or the encoder has continuous actions.

        >>> Table("heads-up-no-limit").abstract_moves("50%, 100%, all-in")
        [-1, 0, 4, 6, 200]
        """
        return abstract_moves(self._records, self.rules, sizes)

    def undo(self) -> None:
        """Take back the last move and everything that followed from it.

        Raises:
            IllegalMove: If there was none.
        """
        if not self._past:
            raise IllegalMove("undo: no move has been made in this hand.")
        self._records, length = self._past.pop()
        del self.log[length:]

    def states(self) -> list[Self]:
        """Copies of the table at its beginning and after each move, the last as it is now."""
        found = [self.copy()]
        while found[-1]._past:
            found.append(found[-1].copy())
            found[-1].undo()
        return found[::-1]

    def copy(self) -> Self:
        """An independent table in the same state. Copying is cheap enough for search."""
        twin = object.__new__(type(self))
        twin.rules = self.rules
        twin._records = self._records  # shared safely: `play` copies the record before it writes
        twin.log = self.log.copy()
        twin._past = self._past.copy()
        return twin

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def _append_log(self, log: record.Records) -> None:
        """Append the engine's log to `self.log`."""
        count = int(log["count"][0])
        columns = (log[name][0, :count].tolist() for name in ("kind", "seat", "amount", "cards", "pot"))
        for kind, seat, amount, cards, pot in zip(*columns, strict=True):
            known = Cards([card for card in cards if card != record.NO_CARD])
            self.log.append(
                Operation(record.OPERATIONS[kind], None if seat < 0 else seat, amount, known, None if pot < 0 else pot)
            )

"""Table: one hand of hold'em that you can talk to, in notebooks, servers, histories and tests."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Self, SupportsIndex

import numpy as np

from ..cards.text import Cards, parse_cards
from ..engine import batch, record
from ..engine.legality import IllegalMove, Legal, legal_moves, why_illegal
from ..game.rule_checks import check_total
from ..game.rules import Rules
from .injected_errors import Order, ToldErrors, with_dealer_errors
from .starting import (
    checked_button,
    checked_seed,
    checked_stacks,
    complete_deck,
    position_deck,
    position_stacks,
    street_of,
)

__all__ = ["IllegalMove", "Legal", "Operation", "Pot", "Table"]

ONE_ROW = np.zeros(1, np.int64)


class Pot(NamedTuple):
    """Chips in the middle and who plays for them (R27)."""

    amount: int
    """Chips."""
    seats: tuple[int, ...]
    """The contestants: live seats that put in that level."""


class Operation(NamedTuple):
    """One thing that happened at the table; `Table.log` is a list of them."""

    kind: str
    """One of `holdem_env.engine.record.OPERATIONS`."""
    seat: int | None
    """Whose it was; None for the dealer's own: burning, dealing the board, taking the rake."""
    amount: int
    """Chips; of a bet or raise, the street total that it went to."""
    cards: Cards
    """The cards dealt, burned or shown."""
    pot: int | None
    """Of push_pot: which pot, the main pot being 0. In hi-lo a pot's high half is pushed first, then its low half."""

    def __str__(self) -> str:
        who = "" if self.seat is None else f"seat {self.seat} "
        parts = [str(self.amount)] if self.amount else []
        parts += [str(self.cards)] if self.cards else []
        parts += [f"of pot {self.pot}"] if self.pot is not None else []
        return f"{who}{self.kind.replace('_', ' ')} {' '.join(parts)}".rstrip()


class Table:
    """One hand: posted and dealt when made, then played move by move.

    rules: the game.
    stacks: chips per seat, each above zero; by default those of the rules.
    button: the seat with the button (heads-up it has the small blind, R7).
    deck: cards in dealing order, burns included (R4): ints, or text such as "AsKd??7h". Missing or unknown ("??", -1)
        cards are filled in by the seed.
    seed, hand, table_id: which deck: hand `hand` of table `table_id` under `seed`, the same in Table, Tables and
        environments. Without a seed it is drawn at random.
    dealer_errors: what the dealer does wrong in this hand (R33-R38), instead of what the rules' chances draw: some of
        exposed_hole_card=k or [k, ...] (places in the deck, R4), extra_card=how many, and premature_flop,
        premature_turn, premature_river, flop_too_many=True. {}: nothing. The table's rules then have dealer_errors.
    reshuffles: the orders of the hand's reshuffles, first to last, each given like a deck: the cards that are
        reshuffled come as they stand there, the others are passed over. Without them the seed decides; a hand with a
        deck of its own must have as many as its errors may need.

    >>> from holdem_env import Rules, Table
    >>> table = Table(Rules.preset("heads-up-no-limit"), deck="AsKdAhKc")
    >>> table.raise_to(6); table.check_call()
    >>> table.bets, table.pots
    ([0, 0], [Pot(amount=12, seats=(0, 1))])
    >>> print(table.hole_cards(1), table.legal)
    AsAh fold, check, raise to 2..194

    Errors: ValueError for stacks, button, deck, errors or reshuffles that cannot be; IllegalMove (a ValueError) for a
    move that the rules do not allow. After an error the table is as it was before.
    """

    def __init__(
        self,
        rules: Rules,
        stacks: Iterable[SupportsIndex] | None = None,
        button: int = 0,
        deck: str | Iterable[SupportsIndex] | None = None,
        seed: int | None = None,
        hand: int = 0,
        table_id: int = 0,
        dealer_errors: Mapping[str, Any] | None = None,
        reshuffles: Iterable[Order] | None = None,
    ) -> None:
        if dealer_errors is not None:
            rules = with_dealer_errors(rules)
        self._prepare(rules, checked_stacks(rules, stacks), button, deck, seed, hand, table_id)
        if rules.dealer_errors is not None or reshuffles is not None:
            ToldErrors(rules, dealer_errors, reshuffles).tell(self._records, deck_given=deck is not None)
        self._start(street=0, dead=0)

    @classmethod
    def from_position(
        cls,
        rules: Rules,
        stacks: Iterable[SupportsIndex],
        board: str | Iterable[SupportsIndex] = "",
        pot: int = 0,
        button: int = 0,
        hole_cards: Mapping[int, str | Iterable[SupportsIndex]] | None = None,
        seed: int | None = None,
    ) -> Self:
        """A hand that begins in the middle: on the street of this board, with this pot, for subgames and drills.

        stacks: chips per seat; a seat with 0 is not in the hand. board: the cards on the table; how many there are
        says which street begins. pot: chips that lie in the middle, for whoever wins the main pot, so payoffs add up
        to the pot minus the rake. hole_cards: of the seats whose cards are known. What is unknown is filled in by the
        seed. On street 0 antes and blinds are posted as always.

        Raises ValueError for what cannot be, as the table itself does.
        """
        table = object.__new__(cls)
        known = Cards(parse_cards(board) if isinstance(board, str) else [operator.index(card) for card in board])
        chips = position_stacks(rules, stacks)
        if pot < 0 or pot % rules.smallest_chip:
            raise ValueError(f"pot: {pot} is not a multiple of the smallest chip ({rules.smallest_chip}), 0 or more")
        check_total([*chips, pot])
        table._prepare(rules, chips, button, position_deck(rules, chips, button, known, hole_cards or {}), seed)
        table._start(street_of(rules, known), pot)
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
        """Chips, button and deck, before anything happens."""
        self.rules = rules
        self._records = record.new_records(record.TABLE, 1)
        self._records["seats"]["stack"][0, : rules.seats] = stacks
        batch.number_tables(self._records, checked_seed(seed), table_id, checked_button(rules, button))
        self._records["hand"] = hand
        batch.shuffle_decks(self._records, rules.record, len(rules.deck))
        if deck is not None:
            cards = self._records["deck"][0, : len(rules.deck)]
            cards[:] = complete_deck(rules, cards.tolist(), deck)

    @classmethod
    def of_session(cls, rules: Rules, arranged: record.Records) -> Self:
        """A session's hand, begun from a record in which stacks, positions, stage and deck are arranged: for
        `Session`."""
        table = object.__new__(cls)
        table.rules = rules
        table._records = arranged.copy()
        table._start(street=0, dead=0)
        return table

    def _start(self, street: int, dead: int) -> None:
        self.log: list[Operation] = []
        self._past: list[tuple[record.Records, int]] = []
        log = record.new_log(listening=True)
        batch.start_position(self._records, self.rules.record, log, street, dead)
        self._take_down(log)

    # What the table is

    @property
    def game(self) -> Rules:
        """The rules that are in force: of a session's hand those of its stage (R19, R39), else `rules`."""
        return self.rules.stages[int(self._records["stage"][0])]

    @property
    def actor(self) -> int | None:
        """The seat to act; None when the hand is over."""
        actor = int(self._records["actor"][0])
        return None if actor == record.NOBODY else actor

    @property
    def legal(self) -> Legal:
        """What the seat to act may do."""
        return legal_moves(self._records[0])

    @property
    def is_over(self) -> bool:
        """Whether the hand has ended and all chips are back in the stacks."""
        return bool(self._records["over"][0])

    @property
    def street(self) -> int:
        """The betting round: 0 before the flop, 1 flop, 2 turn, 3 river."""
        return int(self._records["street"][0])

    @property
    def button(self) -> int:
        """The seat with the button."""
        return int(self._records["button"][0])

    @property
    def seed(self) -> int:
        """The seed of the deck."""
        return int(self._records["seed"][0])

    @property
    def starting_stacks(self) -> list[int]:
        """Chips per seat before anything was posted."""
        return self._seats("start_stack")

    @property
    def stacks(self) -> list[int]:
        """Chips per seat behind the line: not yet bet, or won."""
        return self._seats("stack")

    @property
    def bets(self) -> list[int]:
        """Chips per seat bet on this street and not yet collected."""
        return self._seats("bet")

    @property
    def pots(self) -> list[Pot]:
        """The pots of the streets before this one, main pot first (R27): stacks + bets + pots + rake never change
        (R40)."""
        if self.is_over:
            return []
        collected = self._records.copy()
        collected["seats"]["total"] -= collected["seats"]["bet"]
        batch.lay_out(collected, self.rules.record)
        t = collected[0]
        return [
            Pot(
                int(chips),
                tuple(
                    seat
                    for seat in range(self.rules.seats)
                    if t["in_hand"][seat] and t["seats"]["total"][seat] >= level
                ),
            )
            for level, chips in zip(t["pot_level"][: t["pots"]], t["pot_chips"][: t["pots"]], strict=True)
            if chips
        ]

    @property
    def rake(self) -> int:
        """Chips that the house took (R31)."""
        return int(self._records["rake"][0])

    @property
    def payoffs(self) -> list[int]:
        """Net chips per seat: the stack as it is now minus the starting stack. They sum to minus the rake when the
        hand is over."""
        won = self._records["seats"]["stack"] - self._records["start_stack"]
        return won[0, : self.rules.seats].tolist()  # type: ignore[no-any-return]

    @property
    def board(self) -> Cards:
        """The board cards dealt so far."""
        return Cards(self._records["board"][0, : self._records["board_count"][0]].tolist())

    def hole_cards(self, seat: int) -> Cards:
        """A seat's own cards, whoever may see them."""
        return Cards(self._records["hole"][0, self._checked_seat(seat), : self.rules.hole_cards].tolist())

    def is_folded(self, seat: int) -> bool:
        """Whether the seat has folded."""
        return not self._records["in_hand"][0, self._checked_seat(seat)]

    def is_shown(self, seat: int) -> bool:
        """Whether the seat's cards lie face up for everybody (R25, R29)."""
        return bool(self._records["shown"][0, self._checked_seat(seat)] == record.SHOWN)

    @property
    def deck(self) -> Cards:
        """The whole deck in dealing order (R4), undealt cards included, as it lies now: only a dealer's error (R33-R38)
        changes it."""
        return Cards(self._records["deck"][0, : len(self.rules.deck)].tolist())

    @property
    def exposed(self) -> Cards:
        """The cards that a dealer's error has shown to everybody, lowest first, wherever they lie now; a misdeal takes
        its own away (R33-R38)."""
        return Cards(np.flatnonzero(self._records["exposed"][0]).tolist())

    @property
    def records(self) -> record.Records:
        """The TABLE record behind this table, in an array of length one: what encoders and agents read. Not to be
        written to."""
        return self._records

    # What one can do

    def fold(self) -> None:
        """Fold; legal also when checking is free (R14)."""
        self.play(record.FOLD)

    def check_call(self) -> None:
        """Check if there is nothing to call; else call, with the whole stack if it is short."""
        self.play(record.CHECK_CALL)

    def raise_to(self, total: SupportsIndex) -> None:
        """Bet or raise to this street total, in chips."""
        amount = operator.index(total)
        if amount <= 0:
            raise IllegalMove(f"raise to {amount}: name the street total in chips, above zero. Legal: {self.legal}.")
        self.play(amount)

    def no_action(self) -> None:
        """What happens to a player who says nothing: a check if it is free, else a fold (R14)."""
        self.play(record.CHECK_CALL if self.legal.call == 0 else record.FOLD)

    def play(self, move: SupportsIndex) -> None:
        """Play an engine move: -1 folds, 0 checks or calls, a positive number is the street total to raise to."""
        given = operator.index(move)
        moves = np.array([max(record.FOLD - 1, min(given, 2 * record.MAX_STACK))])  # numbers that fit are as wrong
        if batch.first_illegal(self._records, self.rules.record, ONE_ROW, moves) >= 0:
            raise IllegalMove(why_illegal(self._records[0], self.rules.record[self._records["stage"][0]], given))
        self._past.append((self._records, len(self.log)))
        self._records = self._records.copy()  # what copies share is never written to
        log = record.new_log(listening=True)
        batch.play_moves(self._records, self.rules.record, log, ONE_ROW, moves)
        self._take_down(log)

    def undo(self) -> None:
        """Take the last move back, with everything that followed from it. Raises IllegalMove if there was none."""
        if not self._past:
            raise IllegalMove("undo: no move has been made in this hand.")
        self._records, length = self._past.pop()
        del self.log[length:]

    def copy(self) -> Self:
        """An independent table in the same state; cheap enough for search."""
        twin = object.__new__(type(self))
        twin.rules = self.rules
        twin._records = self._records  # nobody writes to it: a move begins with a copy
        twin.log = self.log.copy()
        twin._past = self._past.copy()
        return twin

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def __str__(self) -> str:
        from ..render.text import table_text

        return table_text(self._records[0], self.game)

    def __repr__(self) -> str:
        state = "over" if self.is_over else f"seat {self.actor} to act"
        return f"<Table: {self.rules.seats} seats, {self.game.structure}, street {self.street}, {state}>"

    def _seats(self, field: str) -> list[int]:
        return record.column(self._records, field)[0, : self.rules.seats].tolist()  # type: ignore[no-any-return]

    def _checked_seat(self, seat: int) -> int:
        if not 0 <= seat < self.rules.seats:
            raise ValueError(f"seat: there is no seat {seat}, seats are 0..{self.rules.seats - 1}")
        return seat

    def _take_down(self, log: record.Records) -> None:
        """Append what the engine noted to the log."""
        count = int(log["count"][0])
        columns = (log[name][0, :count].tolist() for name in ("kind", "seat", "amount", "cards", "pot"))
        for kind, seat, amount, cards, pot in zip(*columns, strict=True):
            known = Cards([card for card in cards if card != record.NO_CARD])
            self.log.append(
                Operation(record.OPERATIONS[kind], None if seat < 0 else seat, amount, known, None if pot < 0 else pot)
            )

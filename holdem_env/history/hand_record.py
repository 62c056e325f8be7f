"""What the formats share: one recorded hand (`HandRecord`), its moves, and how they are played on a Table."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from ..cards.text import UNKNOWN, Cards
from ..game.rules import Rules
from ..table.table import IllegalMove, Table
from .deck_completion import Showdown, full_deck
from .errors import HistoryError

Amount: TypeAlias = int | Fraction
# What a Move can be. The raises name their amount in three ways: as the player's total on this street (PHH), over the
# whole hand (no-limit ACPC), or not at all (limit ACPC).
FOLD, CALL, RAISE, RAISE_HAND_TOTAL, RAISE_FIXED = "fold", "call", "raise", "raise hand total", "raise fixed"
BOARD, SHOW, MUCK = "board", "show", "muck"
_STREETS = {3: "flop", 4: "turn", 5: "river"}


class Move(NamedTuple):
    """One action of a record.

    kind: one of this module's words. seat: who acts, or None where the format leaves that to the rules. amount: chips
    raised to, or the number of cards put on the board. place: the action's place in `HandRecord.actions`.
    """

    kind: str
    seat: int | None
    amount: int
    place: int


@dataclass(frozen=True, kw_only=True)
class HandRecord:
    """One hand as a file states it. Amounts are integer chips; one chip is worth `unit` of the file's money.

    Attributes:
        file, hand, line: where it stands: the file as given to `read`, the hand's name there, the line it begins on.
        rules: the game, its `stacks` those of this hand. Seat i is PHH's player i + 1, or position i of the ACPC game.
        button: the seat with the button.
        holes: two cards per seat, in Omaha four, -1 (`??`) where the file does not tell them, not even at the showdown.
        board: the community cards that the file deals, as far as it goes.
        actions: the actions as the file writes them.
        players: names by seat, or None.
        unit: what one chip is worth: `Decimal("0.01")` in a game with cents, otherwise 1.
        stated: the result that the file names, in chips and by seat: {"payoffs": ...} or {"winnings": ...} or nothing.
        metadata: everything else in the file, user-defined `_fields` included.
    """

    file: str
    hand: int | str
    line: int
    rules: Rules
    button: int
    holes: tuple[Cards, ...]
    board: Cards
    actions: tuple[str, ...]
    moves: tuple[Move, ...] = field(repr=False)
    players: tuple[str, ...] | None = None
    unit: Decimal = Decimal(1)
    stated: dict[str, list[Amount]] = field(default_factory=dict, repr=False)
    metadata: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def starting_stacks(self) -> tuple[int, ...]:
        """Chips per seat before the antes and blinds."""
        return self.rules.starting_stacks

    @cached_property
    def known_cards(self) -> frozenset[int]:
        """The cards that the file tells, in hands and on the board; all others in a replayed table are fillers."""
        return frozenset(card for hand in (*self.holes, self.board) for card in hand if card != UNKNOWN)

    @cached_property
    def payoffs(self) -> list[Amount] | None:
        """Net chips per seat as the file states them, or None if it states no result.

        Whole chips are ints; what a source split into parts of a chip is a Fraction. A PHH that states only `winnings`
        (chips collected, after rake) is replayed for what each player put in, which may raise HistoryError.
        """
        if "payoffs" in self.stated:
            return list(self.stated["payoffs"])
        if "winnings" not in self.stated:
            return None
        table = self.replay()
        collected = [0] * self.rules.seats
        for operation in table.log:
            if operation.kind == "push_pot" and operation.seat is not None:
                collected[operation.seat] += operation.amount
        results = zip(self.stated["winnings"], table.payoffs, collected, strict=True)
        return [won + net - own for won, net, own in results]

    def replay(self, seed: int = 0) -> Table:
        """Play the hand, every move checked by the engine: a finished Table, or one as far as the record goes.

        Unknown cards, burn cards included, are filled in from the rest of the deck, drawn by `seed`; hands that nobody
        showed are filled so that they do not decide the pots where the deck allows it (see `filling`). `known_cards`
        tells the cards of the file from fillers. Where a record ends with everybody all-in, the engine deals the rest
        of the board.

        Raises:
            HistoryError: naming file, hand, action and reason, for a move that the rules forbid, a move out of turn,
                cards dealt or shown at the wrong time, and a mucked hand that would have won.
        """
        table, mucked = self._played(Showdown(), seed)
        if any(UNKNOWN in hand for hand in self.holes) and table.is_over:
            live = [player for player in range(self.rules.seats) if not table.is_folded(player)]
            if len(live) > 1 and any(UNKNOWN in self.holes[player] for player in live):
                table, mucked = self._played(self._showdown(live, mucked), seed)
        _check_mucked(self, table, mucked)
        return table

    def error(self, reason: str, index: int | None = None) -> HistoryError:
        """A HistoryError about this hand, and about `actions[index]` if given."""
        action = None if index is None else self.actions[index]
        return HistoryError(self.file, self.hand, reason, self.line, index, action)

    def _played(self, showdown: Showdown, seed: int) -> tuple[Table, dict[int, int]]:
        """The table after all moves, and the actions by which seats mucked."""
        deck = full_deck(self.holes, self.board, self.button, showdown, seed, self.rules.deck)
        try:
            table = Table(self.rules, button=self.button, deck=deck, seed=seed)
        except ValueError as problem:
            raise self.error(str(problem)) from problem
        return table, _play(self, table)

    def _showdown(self, live: list[int], mucked: Collection[int]) -> Showdown:
        """Who compared hands, and who won if the file tells: by its result, or because all others mucked."""
        if not self.rules.is_texas_holdem:
            raise self.error("a showdown with unknown cards can be replayed in hold'em only")
        unknown = tuple(seat for seat in live if UNKNOWN in self.holes[seat])
        shown = tuple(seat for seat in live if seat not in unknown and seat not in mucked)
        result = next(iter(self.stated.values()), [0] * self.rules.seats)
        winners = [seat for seat in live if result[seat] > 0]
        if not winners and not shown:
            winners = [seat for seat in unknown if seat not in mucked]
        return Showdown(shown, unknown, winners[0] if len(winners) == 1 else None)


def _play(hand: HandRecord, table: Table) -> dict[int, int]:
    on_board = 0
    folded: set[int] = set()
    mucked: dict[int, int] = {}
    for move in hand.moves:
        kind, seat, amount, place = move
        if kind == BOARD:
            on_board += amount
            if on_board > len(table.board):
                raise hand.error(_too_early(on_board, table), place)
        elif kind in (SHOW, MUCK):
            _check_showing(hand, table, move, folded)
            if kind == MUCK and seat is not None:
                mucked[seat] = place
        else:
            if on_board < len(table.board) and table.actor is not None:
                raise hand.error(f"the {_STREETS[len(table.board)]} has not been dealt before it", place)
            actor = table.actor
            _act(hand, table, move)
            if kind == FOLD and actor is not None:
                folded.add(actor)
    return mucked


def _act(hand: HandRecord, table: Table, move: Move) -> None:
    kind, seat, amount, place = move
    actor = table.actor
    if actor is None:
        raise hand.error("nobody is to act any more: the betting is over", place)
    if seat is not None and seat != actor:
        raise hand.error(f"out of turn: player {actor + 1} is to act, not player {seat + 1}", place)
    try:
        if kind == FOLD:
            table.fold()
        elif kind == CALL:
            table.check_call()
        else:
            table.raise_to(_raise_total(hand, table, kind, amount, actor))
    except IllegalMove as problem:
        raise hand.error(str(problem), place) from problem


def _raise_total(hand: HandRecord, table: Table, kind: str, amount: int, actor: int) -> int:
    """The street total that a raise goes to."""
    if kind == RAISE_HAND_TOTAL:
        earlier_streets = hand.starting_stacks[actor] - table.stacks[actor] - table.bets[actor]
        return amount - earlier_streets
    if kind == RAISE_FIXED:
        return table.legal.raise_min or max(table.bets) + hand.rules.street_bets[0]
    return amount


def _too_early(on_board: int, table: Table) -> str:
    if table.actor is not None:
        return f"the betting is not over: player {table.actor + 1} is still to act"
    return f"{on_board} board cards, but the hand ended with {len(table.board)}"


def _check_showing(hand: HandRecord, table: Table, move: Move, folded: set[int]) -> None:
    """The order of showing is left to the players, who it is and when is not."""
    if move.seat in folded:
        raise hand.error("the player has folded and is not in the showdown", move.place)
    if table.actor is not None:
        raise hand.error(f"no showdown yet: player {table.actor + 1} is still to act", move.place)


def _check_mucked(hand: HandRecord, table: Table, mucked: dict[int, int]) -> None:
    """The engine pays the best hand; a player who threw it away at the showdown cannot be played."""
    if sum(not table.is_folded(seat) for seat in range(hand.rules.seats)) < 2:
        return
    for seat, place in mucked.items():
        won = any(operation.kind == "push_pot" and operation.seat == seat for operation in table.log)
        if won and UNKNOWN not in hand.holes[seat]:
            raise hand.error("the mucked hand wins, and the engine pays the best hand (R3, R29)", place)

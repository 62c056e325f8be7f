"""HandRecord, one recorded hand in any format: its moves, and how they are replayed on a Table."""

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
from .blind_positions import BlindPositions, table_with_blinds, usual_positions
from .deck_completion import Showdown, full_deck
from .errors import HistoryError
from .money import money_text

Amount: TypeAlias = int | Fraction
# The kinds of Move. Formats give the amount of a raise in three ways: as the player's total on this street (PHH), as
# the total over the whole hand (no-limit ACPC), or not at all (limit ACPC).
FOLD, CALL, RAISE, RAISE_HAND_TOTAL, RAISE_FIXED = "fold", "call", "raise", "raise hand total", "raise fixed"
CHECK = "check"  # where a format tells checks from calls; elsewhere a check is a CALL
BOARD, SHOW, MUCK = "board", "show", "muck"
DEAD = ("post_dead", "post_big_blind_ante")
CUT_SHORT = "the hand is cut short"
_STREETS = {3: "flop", 4: "turn", 5: "river"}


OMAHA = (Rules.preset("omaha"), Rules.preset("omaha-hi-lo"))


class Move(NamedTuple):
    """One action of a record.

    Attributes:
        kind: One of this module's constants.
        seat: The seat that acts, or None if the format leaves that to the rules.
        amount: The total in chips that a raise goes to, what a call adds (0 if the format does not say), or the number
            of cards dealt to the board.
        action_index: The action's index in `HandRecord.actions`.
    """

    kind: str
    seat: int | None
    amount: int
    action_index: int


@dataclass(frozen=True, kw_only=True)
class HandRecord:
    """One hand as a file states it. Amounts are integer chips; one chip is worth `unit` of the file's money.

    Attributes:
        file, hand, line: the path passed to `read`, the hand's name in the file, and the line on which it begins.
        rules: the game, with the starting stacks of this hand. Seat i is PHH's player i + 1, or position i of the ACPC
            game.
        button: the seat with the button.
        holes: two cards per seat (four in Omaha), -1 (`??`) for cards that the file never shows.
        board: the board cards that the file deals.
        actions: the actions as the file writes them.
        players: names by seat, or None.
        unit: the value of one chip: `Decimal("0.01")` in a game with cents, otherwise 1.
        stated: the result in the file, in chips by seat: {"payoffs": ...}, {"winnings": ...} or empty.
        metadata: everything else in the file, user-defined `_fields` included.
        blinds: the seats of the blinds and the missed blinds posted, where they do not follow from the button (R10);
            then `rules` has a session.
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
    blinds: BlindPositions | None = None

    @property
    def starting_stacks(self) -> tuple[int, ...]:
        """Chips per seat before the antes and blinds."""
        return self.rules.starting_stacks

    @cached_property
    def known_cards(self) -> frozenset[int]:
        """The cards in the file, in hands and on the board. All other cards of a replayed table are filled in."""
        return frozenset(card for hand in (*self.holes, self.board) for card in hand if card != UNKNOWN)

    @cached_property
    def payoffs(self) -> list[Amount] | None:
        """Net chips per seat as the file states them, or None if it states no result.

        Whole chips are ints; amounts with parts of a chip are Fractions. If a PHH file states only `winnings` (chips
        collected, after rake), the hand is replayed to find what each player put in, which may raise HistoryError.
        """
        return self.payoffs_of(self.replay(unfinished=True) if "winnings" in self.stated else None)

    def payoffs_of(self, table: Table | None) -> list[Amount] | None:
        """As `payoffs`, where the hand has been replayed already; only `winnings` need the table."""
        if "winnings" not in self.stated or table is None:
            return list(self.stated["payoffs"]) if "payoffs" in self.stated else None
        collected = [0] * self.rules.seats
        for operation in table.log:
            if operation.kind == "push_pot" and operation.seat is not None:
                collected[operation.seat] += operation.amount
        results = zip(self.stated["winnings"], table.payoffs, collected, strict=True)
        return [won + net - own for won, net, own in results]

    @property
    def sign(self) -> str:
        """The sign of the file's currency, such as "$"; "" for chips and play money."""
        return str(self.metadata.get("currency_symbol", ""))

    def money(self, chips: int) -> str:
        """Chips in the file's money, with its sign."""
        return money_text(chips, self.unit, self.sign)

    def replay(self, seed: int = 0, unfinished: bool = False) -> Table:
        """Play the hand; the engine checks every move.

        Returns a Table. It is not over if the record stops early, which a record with a result may do only if
        `unfinished` is given.

        `seed` draws the unknown cards, burn cards included, from the rest of the deck. Hands that were not shown are
        filled in so that they do not decide the pots, if the deck allows it (see `deck_completion`). `known_cards` are
        the cards from the file. If a record ends with everybody all-in, the engine deals the rest of the board.

        Raises:
            HistoryError: naming file, hand, action and reason, for a move that the rules forbid, a move out of turn,
                cards dealt or shown at the wrong time, a mucked hand that would have won, and moves that end before
                the hand does.
        """
        table, mucked = self._played(Showdown(), seed)
        if any(UNKNOWN in hand for hand in self.holes) and table.is_over:
            live = [player for player in range(self.rules.seats) if not table.is_folded(player)]
            if len(live) > 1 and any(UNKNOWN in self.holes[player] for player in live):
                table, mucked = self._played(self._showdown(live, mucked), seed)
        _check_mucked(self, table, mucked)
        if self.stated and table.actor is not None and not unfinished:
            name = self.players[table.actor] if self.players else f"player {table.actor + 1}"
            raise self.error(f"{CUT_SHORT}: {name} is to {'show or muck' if table.is_showing else 'act'}")
        return table

    def error(self, reason: str, index: int | None = None) -> HistoryError:
        """A HistoryError about this hand, and about `actions[index]` if given."""
        action = None if index is None else self.actions[index]
        return HistoryError(self.file, self.hand, reason, self.line, index, action)

    def _played(self, showdown: Showdown, seed: int) -> tuple[Table, dict[int, int]]:
        """The table after all moves, and for each seat that mucked the index of that action."""
        game, absent = self.rules, frozenset[int]()
        used, has_low = game.hole_cards_used, game.split == "high_low"
        deck = full_deck(self.holes, self.board, self.button, showdown, seed, game.deck, used, has_low)
        while True:
            table = self._dealt(deck, seed, absent)
            try:
                return table, _play(self, table, absent)
            except _FoldsUnasked as found:
                absent |= {found.seat}

    def _dealt(self, deck: list[int], seed: int, absent: frozenset[int]) -> Table:
        """The table before the first move. absent: the seats whose players sit out a tournament (R10)."""
        blinds, rules = self.blinds, self.rules
        try:
            if absent:
                blinds = blinds or usual_positions(rules.seats, self.button)
                rules = rules.replace(session={"kind": "tournament"})
            if blinds is None:
                return Table(rules, button=self.button, deck=deck, seed=seed)
            return table_with_blinds(rules, self.button, deck, seed, blinds, absent)
        except ValueError as problem:
            raise self.error(str(problem)) from problem

    def _showdown(self, live: list[int], mucked: Collection[int]) -> Showdown:
        """The seats at the showdown, and the winner if it is known: by the stated result, or because all others
        mucked."""
        if not self.rules.is_texas_holdem and all(self.rules.hand_differences(omaha) for omaha in OMAHA):
            raise self.error("a showdown with unknown cards can be replayed in hold'em and Omaha only")
        unknown = tuple(seat for seat in live if UNKNOWN in self.holes[seat])
        shown = tuple(seat for seat in live if seat not in unknown and seat not in mucked)
        result = next(iter(self.stated.values()), [0] * self.rules.seats)
        winners = [seat for seat in live if result[seat] > 0]
        if not winners and not shown:
            winners = [seat for seat in unknown if seat not in mucked]
        return Showdown(shown, unknown, winners[0] if len(winners) == 1 else None)


class _FoldsUnasked(Exception):
    """A seat folds that has nothing to decide: its player is absent (R10), which no format says."""

    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.seat = seat


def _play(hand: HandRecord, table: Table, absent: frozenset[int]) -> dict[int, int]:
    on_board = 0
    folded: set[int] = set()
    mucked: dict[int, int] = {}
    last = max((place for place, move in enumerate(hand.moves) if move.kind not in (BOARD, SHOW, MUCK)), default=-1)
    for place, move in enumerate(hand.moves):
        kind, seat, amount, index = move
        if place > last and hand.stated and table.actor is not None and not table.is_showing:
            break  # the hand is cut short
        if kind == BOARD:
            on_board += amount
            if on_board > len(table.board):
                raise hand.error(_too_early(on_board, table), index)
        elif kind in (SHOW, MUCK):
            _check_showing(hand, table, move, folded)
            _choose(hand, table, move)
            if kind == MUCK and seat is not None:
                mucked[seat] = index
        elif table.actor is None and _is_bet_on_nothing(table, move, on_board):
            continue
        elif kind != FOLD or seat not in absent:
            if kind == FOLD and seat is not None and _cannot_act(table, seat):
                raise _FoldsUnasked(seat)
            if on_board < len(table.board) and table.actor is not None:
                raise hand.error(f"the {_STREETS[len(table.board)]} has not been dealt before it", index)
            actor = table.actor
            _act(hand, table, move)
            if kind == FOLD and actor is not None:
                folded.add(actor)
    if table.is_showing and hand.stated and len(folded) == hand.rules.seats - 1:
        table.no_action()  # who won alone and is not said to show has mucked (R30)
    return mucked


def _cannot_act(table: Table, seat: int) -> bool:
    """Whether a seat that has not folded has nothing to decide any more."""
    return not table.is_folded(seat) and (table.actor is None or not table.stacks[seat])


def _choose(hand: HandRecord, table: Table, move: Move) -> None:
    """In manual showing (R29, R30): show or muck. A seat that must show has shown by itself."""
    if not table.is_showing or move.seat is None or table.is_shown(move.seat):
        return
    try:
        (table.show if move.kind == SHOW else table.muck)(move.seat)
    except IllegalMove as problem:
        raise hand.error(str(problem), move.action_index) from problem


def _act(hand: HandRecord, table: Table, move: Move) -> None:
    kind, seat, amount, index = move
    actor = table.actor
    if actor is None:
        raise hand.error("nobody is to act any more: the betting is over", index)
    if seat is not None and seat != actor:
        raise hand.error(f"out of turn: player {actor + 1} is to act, not player {seat + 1}", index)
    try:
        if kind == FOLD:
            table.fold()
        elif kind in (CALL, CHECK):
            _check_price(hand, table, move, actor)
            table.check_call()
        elif _is_call(table, total := _raise_total(hand, table, kind, amount, actor)):
            table.check_call()
        else:
            table.raise_to(total)
    except IllegalMove as problem:
        raise hand.error(str(problem), index) from problem


def _is_call(table: Table, total: int) -> bool:
    """Whether betting to another street total than the price is a call, as sites write it: no opponent can match what
    is between the two, and it comes back (R20, R26)."""
    actor = table.actor
    if actor is None or table.legal.raise_min is not None:
        return False
    bets, stacks = table.bets, table.stacks
    least, most = sorted((bets[actor] + (table.legal.call or 0), total))
    others = [bets[seat] + stacks[seat] for seat in _opponents(table, actor)]
    return max(others) <= least < most <= bets[actor] + stacks[actor]


def _is_bet_on_nothing(table: Table, move: Move, on_board: int) -> bool:
    """Whether a bet after the end of the betting is one that only comes back (R26): all others are all-in."""
    kind, seat, amount, _ = move
    if kind != RAISE or seat is None or table.is_folded(seat) or not _others_are_all_in(table, seat):
        return False
    earlier = _put_in(table, seat) if on_board else 0
    return 0 < amount <= table.starting_stacks[seat] - earlier


def _others_are_all_in(table: Table, seat: int) -> bool:
    """Whether all other players who have not folded are all-in, also where the hand is over; at least one is there."""
    others = _opponents(table, seat)
    return bool(others) and all(_put_in(table, other) == table.starting_stacks[other] for other in others)


def _opponents(table: Table, seat: int) -> list[int]:
    """The other players who have not folded."""
    return [other for other in range(table.rules.seats) if other != seat and not table.is_folded(other)]


def _put_in(table: Table, seat: int) -> int:
    """What a seat has put into the pots, dead money included."""
    dead = sum(deed.amount for deed in table.log if deed.seat == seat and deed.kind in DEAD)
    return int(table.records["seats"]["total"][0, seat]) + dead


def _check_price(hand: HandRecord, table: Table, move: Move, actor: int) -> None:
    """A check where a call is due, and a call of another amount, are no moves of this hand."""
    price, amount = table.legal.call or 0, move.amount
    if move.kind == CHECK and price:
        raise hand.error(f"the player cannot check: {price} is to call", move.action_index)
    if move.kind == CALL and amount not in (0, price):
        if amount < price and _is_call(table, table.bets[actor] + amount):
            return
        raise hand.error(f"a call of {amount}, but {price} is to call", move.action_index)


def _raise_total(hand: HandRecord, table: Table, kind: str, amount: int, actor: int) -> int:
    """The street total of a raise."""
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
    """Only players who have not folded may show, and only after the betting. They may show in any order."""
    if move.seat in folded:
        raise hand.error("the player has folded and is not in the showdown", move.action_index)
    if table.actor is not None and not table.is_showing:
        raise hand.error(f"no showdown yet: player {table.actor + 1} is still to act", move.action_index)


def _check_mucked(hand: HandRecord, table: Table, mucked: dict[int, int]) -> None:
    """The engine pays the best hand, so a history in which its owner mucked it cannot be replayed."""
    if sum(not table.is_folded(seat) for seat in range(hand.rules.seats)) < 2:
        return
    for seat, index in mucked.items():
        won = any(operation.kind == "push_pot" and operation.seat == seat for operation in table.log)
        if won and UNKNOWN not in hand.holes[seat]:
            raise hand.error("the mucked hand wins, and the engine pays the best hand (R3, R29)", index)

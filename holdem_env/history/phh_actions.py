"""Reading PHH's actions, one string per action, into moves and cards."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ..cards.text import UNKNOWN, Cards
from .hand_record import BOARD, CALL, FOLD, MUCK, RAISE, SHOW, Move
from .known_cards import BOARD_SIZE, HOLE_SIZE, Seen, read_cards
from .phh_money import Money

_AMOUNT = re.compile(r"\d+(\.\d+)?", re.ASCII)
_NUMBERS = {2: "two", 4: "four"}
GRAMMAR = "d dh pN CARDS, d db CARDS, pN f, pN cc, pN cbr AMOUNT, pN sm, pN sm CARDS, pN sm -"


class ActionError(ValueError):
    """An action that cannot be read. index: its index in the record's actions."""

    def __init__(self, reason: str, index: int) -> None:
        super().__init__(reason)
        self.index = index


class _Raw(NamedTuple):
    """A Move whose amount may still be text."""

    kind: str
    seat: int | None
    amount: str | int
    action_index: int


@dataclass
class Actions:
    """The cards and moves in the actions of one record. `scaled` converts the moves once the money unit is known."""

    hands: list[list[int]]
    hole_size: int = HOLE_SIZE
    cards_on_board: list[int] = field(default_factory=list)
    raw: list[_Raw] = field(default_factory=list)
    amounts: list[str] = field(default_factory=list)
    seen: Seen = field(default_factory=Seen)
    showed: set[int] = field(default_factory=set)

    @property
    def holes(self) -> tuple[Cards, ...]:
        """The hole cards of each seat, -1 for cards that are never shown."""
        return tuple(Cards([*hand, *[UNKNOWN] * (self.hole_size - len(hand))]) for hand in self.hands)

    @property
    def board(self) -> Cards:
        return Cards(self.cards_on_board)

    def scaled(self, money: Money) -> Iterator[Move]:
        """The moves, with amounts in chips."""
        for kind, seat, amount, index in self.raw:
            yield Move(kind, seat, amount if isinstance(amount, int) else money.chips_of_text(amount), index)


def read_actions(texts: Sequence[str], players: int, hole_size: int = HOLE_SIZE) -> Actions:
    """Read a record's actions. Raises ActionError for one that breaks the grammar or deals a card twice."""
    actions = Actions([[] for _ in range(players)], hole_size)
    for index, text in enumerate(texts):
        try:
            _read(actions, text.partition("#")[0].split(), index)
        except ValueError as problem:
            raise ActionError(str(problem), index) from None
    return actions


def _read(actions: Actions, words: list[str], index: int) -> None:
    match words:
        case []:
            pass  # a comment, or nothing
        case [player, "f"]:
            actions.raw.append(_Raw(FOLD, _seat(actions, player), 0, index))
        case [player, "cc"]:
            actions.raw.append(_Raw(CALL, _seat(actions, player), 0, index))
        case [player, "cbr", amount]:
            if not _AMOUNT.fullmatch(amount):
                raise ValueError(f"{amount!r} is not an amount")
            actions.amounts.append(amount)
            actions.raw.append(_Raw(RAISE, _seat(actions, player), amount, index))
        case ["d", "dh", player, cards]:
            _deal_hole(actions, _seat(actions, player), cards)
        case ["d", "db", cards]:
            actions.raw.append(_Raw(BOARD, None, _deal_board(actions, cards), index))
        case [player, "sm"]:
            _show(actions, _seat(actions, player), None, index)
        case [player, "sm", cards]:
            _show(actions, _seat(actions, player), cards, index)
        case _:
            raise ValueError(f"not an action of hold'em; these are: {GRAMMAR}")


def _seat(actions: Actions, player: str) -> int:
    number = player[1:]
    if not player.startswith("p") or not number.isdecimal() or not 1 <= int(number) <= len(actions.hands):
        raise ValueError(f"{player!r} is not a player; these are p1 to p{len(actions.hands)}")
    return int(number) - 1


def _deal_hole(actions: Actions, seat: int, text: str) -> None:
    cards = read_cards(text)
    if len(actions.hands[seat]) + len(cards) > actions.hole_size:
        raise ValueError(f"player {seat + 1} gets more than {_NUMBERS[actions.hole_size]} hole cards")
    actions.seen.take(cards, f"dealt to player {seat + 1}")
    actions.hands[seat] += cards


def _deal_board(actions: Actions, text: str) -> int:
    cards = read_cards(text)
    if len(actions.cards_on_board) + len(cards) > BOARD_SIZE:
        raise ValueError("more than five board cards; a board run twice cannot be played")
    actions.seen.take(cards, "on the board")
    actions.cards_on_board += cards
    return len(cards)


def _show(actions: Actions, seat: int, text: str | None, index: int) -> None:
    """Read `sm`: alone it mucks; with cards, or `-` for the cards already dealt, it shows a hand."""
    if seat in actions.showed:
        raise ValueError(f"player {seat + 1} has shown or mucked before")
    actions.showed.add(seat)
    if text is not None and text != "-":
        _reveal(actions, seat, read_cards(text))
    actions.raw.append(_Raw(MUCK if text is None else SHOW, seat, 0, index))


def _reveal(actions: Actions, seat: int, shown: list[int]) -> None:
    """Replace unknown cards with shown ones. Raises ValueError if the shown cards contradict the known ones."""
    hand = actions.hands[seat]
    hand += [UNKNOWN] * (actions.hole_size - len(hand))
    if len(shown) > actions.hole_size:
        raise ValueError(f"more than {_NUMBERS[actions.hole_size]} cards are shown")
    new = [card for card in shown if card != UNKNOWN and card not in hand]
    if len(new) > hand.count(UNKNOWN):
        raise ValueError(f"player {seat + 1} shows other cards than were dealt")
    actions.seen.take(new, f"shown by player {seat + 1}")
    for card in new:
        hand[hand.index(UNKNOWN)] = card

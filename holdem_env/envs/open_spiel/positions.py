"""Position: where a hand is, between two nodes of OpenSpiel's tree. It knows no OpenSpiel; a table plays the moves."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...cards.text import Cards
from ...engine.batch import NO_MOVE
from ...table.hand_setup import position_deck
from ...table.table import Table
from .settings import Parameters, Settings, settings_of

MAX_KEPT = 20_000
"""The most positions of a game with explicit chance that are kept, 7 KB each: algorithms that walk its tree again and
again need not play it again each time."""
ONE_ROW = np.zeros(1, np.int64)


class Made(NamedTuple):
    """A move that was made."""

    seat: int
    """Who made it."""
    street: int
    """In which betting round."""
    action: int
    """Its number among the action encoder's actions."""
    move: int
    """The engine move: -1 folded, 0 checked or called, a positive number is the street total raised to."""


class Position:
    """A hand as far as it was dealt and played. Nothing changes it: `after` and `deal_deck` return what follows.

    cards: with explicit chance, the cards that were dealt, one seat's hand after the other, then the board. Those of a
        hand, and those of a street, come in ascending order, so that each set of cards is dealt in one way only.
    made: the moves.
    table: the table that plays the hand; None before all hands are dealt. While chance is to deal board cards, it is
        the table before the move that brought them.
    due: how many cards are to be dealt before somebody acts again.
    room: numbers, one for each position of the game that may still be kept.
    seen: tensors that an observer has written, by its kind and the player.
    """

    def __init__(
        self,
        settings: Settings,
        cards: tuple[int, ...],
        made: tuple[Made, ...],
        table: Table | None,
        due: int,
        room: Iterator[int],
    ) -> None:
        self.settings, self.cards, self.made, self.table, self.due = settings, cards, made, table, due
        self._room = room
        self._kept: dict[int, Position] = {}
        self.seen: dict[tuple[Any, ...], NDArray[np.float32]] = {}

    @classmethod
    def first(cls, settings: Settings) -> Position:
        rules = settings.rules
        due = rules.seats * rules.hole_cards if settings.explicit else 1
        return cls(settings, (), (), None, due, iter(range(MAX_KEPT if settings.explicit else 0)))

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        deck = None if self.settings.explicit or self.table is None else _deck_of(self.table)
        return _restored, (self.settings.parameters, self.cards, tuple(made.action for made in self.made), deck)

    @cached_property
    def is_over(self) -> bool:
        """Whether the hand has ended."""
        return not self.due and self.table is not None and self.table.is_over

    @cached_property
    def actor(self) -> int | None:
        """The seat to act; None while cards are to be dealt, and when the hand is over."""
        return None if self.due or self.table is None else self.table.actor

    # Chance

    def outcomes(self) -> list[tuple[int, float]]:
        """What can be dealt next, and how likely each is. A card is its place in the rules' deck. With sampled chance
        there is one outcome."""
        if not self.settings.explicit:
            return [(0, 1.0)]
        deck, group = self.settings.rules.deck, self._group()
        left = [place for place, card in enumerate(deck) if card not in self.cards]
        missing = self.settings.dealt_by[group] - len(self.cards)
        begun = self.cards[self.settings.dealt_by[group - 1] if group else 0 :]
        if begun:
            left = [place for place in left if place > deck.index(begun[-1])]
        ways = comb(len(left), missing)
        found = [(place, comb(len(left) - 1 - k, missing - 1) / ways) for k, place in enumerate(left)]
        return [outcome for outcome in found if outcome[1]]

    def _group(self) -> int:
        """Which hand or street the next card belongs to."""
        return bisect_right(self.settings.dealt_by, len(self.cards))

    def after(self, action: int) -> Position:
        """The hand after an action of the seat to act, or of explicit chance (a card's place in the rules' deck).

        Raises ValueError for an action that is not offered.
        """
        position = self._kept.get(action)
        if position is None:
            position = self._deal(action) if self.due else self._play(action)
            if next(self._room, None) is not None:
                self._kept[action] = position
        return position

    def _deal(self, place: int) -> Position:
        if place not in dict(self.outcomes()):
            raise ValueError(f"chance cannot deal {place} here; it can deal {[place for place, _ in self.outcomes()]}")
        cards = (*self.cards, self.settings.rules.deck[place])
        if self.due > 1:
            return Position(self.settings, cards, self.made, self.table, self.due - 1, self._room)
        return self._known(cards)

    def _known(self, cards: tuple[int, ...]) -> Position:
        """The hand with these cards, and with the moves so far."""
        rules, held = self.settings.rules, self.settings.rules.hole_cards
        hands = {seat: cards[seat * held : (seat + 1) * held] for seat in range(rules.seats)}
        board = Cards(cards[rules.seats * held :])
        deck = position_deck(rules, list(rules.starting_stacks), self.settings.button, board, hands)
        table = Table(rules, button=self.settings.button, deck=deck, seed=0)
        for made in self.made:
            table.play(made.move)
        return self._unless_due(cards, self.made, table)

    def _unless_due(self, cards: tuple[int, ...], made: tuple[Made, ...], table: Table) -> Position:
        """The hand at this table, unless it has dealt board cards that chance has not chosen yet."""
        due = len(table.board) + self.settings.dealt_by[self.settings.rules.seats - 1] - len(cards)
        return Position(self.settings, cards, made, self.table if due else table, due, self._room)

    def deal_deck(self, seed: int, hand: int) -> Position:
        """The hand with the whole deck of hand number `hand` under `seed` (sampled chance)."""
        table = Table(self.settings.rules, button=self.settings.button, seed=seed, hand=hand)
        return Position(self.settings, (), (), table, 0, self._room)

    # Moves

    @cached_property
    def choices(self) -> dict[int, int]:
        """The actions that are offered, in ascending order, and the engine move of each."""
        if self.actor is None or self.table is None:
            return {}
        rules = self.settings.rules
        choices = np.full((1, len(self.settings.meanings)), NO_MOVE, np.int64)
        self.settings.actions.choose(self.table.records, rules.record, ONE_ROW, choices)
        return {action: move for action, move in enumerate(choices[0].tolist()) if move != NO_MOVE}

    def _play(self, action: int) -> Position:
        if action not in self.choices or self.table is None or self.actor is None:
            offered = ", ".join(map(str, self.choices)) or "none"
            raise ValueError(f"action {action} is not offered here; offered are: {offered}")
        move = self.choices[action]
        made = (*self.made, Made(self.actor, self.table.street, action, move))
        table = self.table.copy()
        table.play(move)
        if not self.settings.explicit:
            return Position(self.settings, (), made, table, 0, self._room)
        return self._unless_due(self.cards, made, table)

    # What is seen

    def hand(self, seat: int) -> list[int]:
        """A seat's cards, lowest first, as far as they are dealt."""
        if self.settings.explicit:
            count = self.settings.rules.hole_cards
            return sorted(self.cards[seat * count : (seat + 1) * count])
        return [] if self.table is None else sorted(self.table.hole_cards(seat))

    def streets(self) -> list[list[int]]:
        """The board cards of each street, lowest first; the last may not be complete."""
        if self.settings.explicit:
            board: Sequence[int] = self.cards[self.settings.dealt_by[self.settings.rules.seats - 1] :]
        else:
            board = [] if self.table is None else list(self.table.board)
        sizes = self.settings.rules.board_sizes
        return [sorted(board[before:size]) for before, size in zip((0, *sizes), sizes, strict=False)]

    @cached_property
    def betting(self) -> str:
        """The board and all moves, street by street: "r6c/2cTd9h:cr12f". f is a fold, c a check or call, and r a bet or
        raise to a street total."""
        streets = []
        for street, cards in enumerate(self.streets()):
            moves = "".join(_move_text(made.move) for made in self.made if made.street == street)
            streets.append(f"{Cards(cards)}:{moves}" if cards else moves)
        return "/".join(streets).rstrip("/") or "-"

    def returns(self) -> list[float]:
        """What each seat has won, in units of return; zeros before the end."""
        if not self.is_over or self.table is None:
            return [0.0] * self.settings.rules.seats
        return [chips / self.settings.chips for chips in self.table.payoffs]


def _move_text(move: int) -> str:
    return "f" if move < 0 else f"r{move}" if move else "c"


def _deck_of(table: Table) -> tuple[int, int]:
    """The seed and the number of a table's hand."""
    return table.seed, int(table.records["hand"][0])


def _restored(
    parameters: Parameters, cards: tuple[int, ...], actions: tuple[int, ...], deck: tuple[int, int] | None
) -> Position:
    """The position that was pickled."""
    settings = settings_of(parameters)
    position = Position.first(settings)
    if deck is not None:
        position = position.deal_deck(*deck)
    left, moves = list(cards), list(actions)
    while left if position.due else moves:
        position = position.after(settings.rules.deck.index(left.pop(0)) if position.due else moves.pop(0))
    return position

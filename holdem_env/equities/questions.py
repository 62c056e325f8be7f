"""What `equity` is asked: players' holdings, board and dead cards, read and checked."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..cards.ranges import Range
from ..cards.text import CARDS, UNKNOWN, card_name, cards_text, parse_cards
from .holdem import BOARD, BOARD_SIZES, COMBOS, HOLE, MAX_PLAYERS, MIN_PLAYERS

CardsLike: TypeAlias = str | Iterable[SupportsIndex]
Holding: TypeAlias = str | Range | Iterable[SupportsIndex]
"""Two cards, as text or ints, or a range, as text or Range."""


@dataclass(frozen=True, eq=False)
class Hand:
    """One player's holding: the hands it can be, those with a card that is known elsewhere left out."""

    cards: NDArray[np.int64]  # (hands, 2)
    weights: NDArray[np.float64]  # (hands,)
    known: bool  # two given cards
    any: bool  # every hand, as likely as any other


@dataclass(frozen=True, eq=False)
class Question:
    """Who meets whom, on which board."""

    hands: tuple[Hand, ...]
    board: tuple[int, ...]
    dead: tuple[int, ...]

    @property
    def missing(self) -> int:
        """How many board cards are to come."""
        return BOARD - len(self.board)

    @property
    def deck(self) -> NDArray[np.int64]:
        """The cards that are neither known nor dead, lowest first."""
        gone = {*self.board, *self.dead}
        for hand in self.hands:
            if hand.known:
                gone.update(hand.cards[0].tolist())
        return np.array([card for card in range(CARDS) if card not in gone], np.int64)


def read_question(hands: Sequence[Holding], board: CardsLike, dead: CardsLike) -> Question:
    """Read and check everything. Raises TypeError or ValueError that names what is wrong and what would be right."""
    if isinstance(hands, str | Range):
        raise TypeError(f"hands is a sequence of players' holdings, such as ['AsKd', '77+'], not just {hands!r}")
    holdings = [_read_holding(f"hands[{player}]", holding) for player, holding in enumerate(hands)]
    check_players(len(holdings))
    known_board, known_dead = read_board(board), read_cards("dead", dead)
    places = {f"hands[{player}]": cards for player, cards in enumerate(holdings) if isinstance(cards, tuple)}
    gone = _all_different({**places, "board": known_board, "dead": known_dead})
    check_enough(len(holdings), len(known_board), len(known_dead))
    read = [_as_hand(f"hands[{player}]", holding, gone) for player, holding in enumerate(holdings)]
    return Question(tuple(read), known_board, known_dead)


def check_players(players: int) -> None:
    """Raise ValueError unless that many can play."""
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise ValueError(f"equity is for {MIN_PLAYERS} to {MAX_PLAYERS} players, not {players}")


def check_enough(players: int, board: int, dead: int) -> None:
    """Raise ValueError if the deck has too few cards for all hands and the whole board."""
    needed, left = HOLE * players + BOARD - board, CARDS - board - dead
    if needed > left:
        raise ValueError(
            f"{left} cards are neither dead nor on the board; {players} hands and the rest of the board need {needed}"
        )


def read_board(board: CardsLike) -> tuple[int, ...]:
    """The board cards: 0, 3, 4 or 5."""
    cards = read_cards("board", board)
    if len(cards) not in BOARD_SIZES:
        raise ValueError(f"the board {cards_text(cards)!r} has {len(cards)} cards: 0, 3, 4 or 5 are right")
    return cards


def read_cards(place: str, cards: CardsLike) -> tuple[int, ...]:
    """Cards as numbers. Raises TypeError or ValueError, naming the place, for what is no card."""
    try:
        numbers = parse_cards(cards) if isinstance(cards, str) else tuple(operator.index(card) for card in cards)
    except TypeError:
        raise TypeError(f"{place} is cards, as text ('AsKd') or as ints 0..{CARDS - 1}, not {cards!r}") from None
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None
    for number in numbers:
        if number == UNKNOWN:
            raise ValueError(
                f"{place} has an unknown card ('??'): give the range 'random' to a player who may hold any"
            )
        if not 0 <= number < CARDS:
            raise ValueError(f"{place} has {number}, which is no card: cards are 0 (2c) to {CARDS - 1} (As)")
    return numbers


def _read_holding(place: str, holding: Holding) -> tuple[int, ...] | Range:
    if isinstance(holding, Range):
        return holding
    if isinstance(holding, str):
        try:
            cards = parse_cards(holding)
        except ValueError:
            cards = ()
        if len(cards) != HOLE:
            return _read_range(place, holding)
    numbers = read_cards(place, holding)
    if len(numbers) != HOLE:
        raise ValueError(f"{place} has {len(numbers)} cards: a hand has {HOLE} (equity is for Texas hold'em)")
    return numbers


def _read_range(place: str, text: str) -> Range:
    try:
        return Range(text)
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None


def _all_different(places: dict[str, tuple[int, ...]]) -> dict[int, str]:
    """All known cards, and where each is. Raises ValueError that names a card and both its places."""
    found: dict[int, str] = {}
    for place, cards in places.items():
        for card in cards:
            if card in found:
                where = f"twice in {place}" if found[card] == place else f"in {found[card]} and in {place}"
                raise ValueError(f"{card_name(card)} is {where}: there is one of each card")
            found[card] = place
    return found


def _as_hand(place: str, holding: tuple[int, ...] | Range, gone: dict[int, str]) -> Hand:
    """A holding without the hands that known cards rule out."""
    if isinstance(holding, tuple):
        return Hand(np.array([sorted(holding, reverse=True)], np.int64), np.ones(1), known=True, any=False)
    possible = ~np.isin(holding.cards, np.array([*gone], np.int64)).any(axis=1)
    if not possible.any():
        rule = ", ".join(f"{card_name(card)} ({where})" for card, where in gone.items())
        raise ValueError(f"{place}: no hand of the range {holding.text!r} is possible; these cards are gone: {rule}")
    any_hand = len(holding) == COMBOS and bool((holding.weights == holding.weights[0]).all())
    return Hand(holding.cards[possible], holding.weights[possible], known=False, any=any_hand)

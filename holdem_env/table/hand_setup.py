"""Checks of what a hand starts with: stacks, button, seed, deck."""

from __future__ import annotations

import operator
import secrets
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import SupportsIndex, TypeAlias

from ..cards.text import Cards, card_name, parse_cards
from ..engine import record
from ..game.big_blinds import in_chips
from ..game.rules import Rules
from ..utils.validation import whole_number

Stacks: TypeAlias = Iterable[SupportsIndex | str] | SupportsIndex | str
"""What `stacks` may be: an amount for each seat, or one for all; in chips, or in big blinds such as "50bb"."""


def chips_of(rules: Rules, stacks: Stacks) -> list[int]:
    """Stacks in chips, one for each seat that is named; one amount alone is every seat's. Raises ValueError or
    TypeError for an invalid amount."""
    if isinstance(stacks, str) or not isinstance(stacks, Iterable):
        return [in_chips("stacks", stacks, rules.blinds)] * rules.seats
    return [in_chips("stacks", stack, rules.blinds) for stack in stacks]


def checked_stacks(rules: Rules, stacks: Stacks | None) -> list[int]:
    """Playable stacks, by default the rules' starting stacks. Raises ValueError that names the wrong seat,
    TypeError if a stack is not an amount."""
    if stacks is None:
        return list(rules.starting_stacks)
    chips = chips_of(rules, stacks)
    if len(chips) != rules.seats:
        raise ValueError(f"stacks: give one for each of the {rules.seats} seats, not {len(chips)}")
    for seat, stack in enumerate(chips):
        if not 0 < stack <= record.MAX_STACK:
            raise ValueError(f"stacks: seat {seat} has {stack}; a stack is 1 to {record.MAX_STACK} chips")
        if stack % rules.smallest_chip:
            raise ValueError(
                f"stacks: seat {seat} has {stack}, not a multiple of the smallest chip ({rules.smallest_chip})"
            )
    return chips


def checked_seat(rules: Rules, seat: SupportsIndex, name: str = "seat") -> int:
    """A seat, if it exists. name: of the argument. Raises ValueError if there is no such seat, TypeError if it is not
    an integer."""
    number = whole_number(name, seat, f"a seat, 0..{rules.seats - 1}")
    if not 0 <= number < rules.seats:
        raise ValueError(f"{name}: there is no seat {number}, seats are 0..{rules.seats - 1}")
    return number


def checked_button(rules: Rules, button: SupportsIndex) -> int:
    """The button, if the seat exists. Raises ValueError or TypeError if it does not."""
    return checked_seat(rules, button, "button")


def checked_first_button(rules: Rules, button: SupportsIndex) -> int:
    """The first button of a session. Raises as `checked_button` does, and ValueError if the session draws it (R5)."""
    kind = rules.session.first_button if rules.session else 0
    if not isinstance(kind, int):
        raise ValueError(f"button: the session draws the first one ({kind!r}); leave it out")
    return checked_button(rules, button)


def write_deck(rules: Rules, records: record.Records, deck: str | Iterable[SupportsIndex]) -> None:
    """Put a given deck on the first table, whose own deck fills in missing and unknown cards. rules: a session's, too:
    the deck is that of the hand's stage (R19). Raises ValueError for an invalid deck."""
    game = rules.stages[int(records["stage"][0])]
    cards = records["deck"][0, : len(game.deck)]
    cards[:] = complete_deck(game, cards.tolist(), deck)


def checked_seed(seed: SupportsIndex | None) -> int:
    """The seed, or a random one for None. Raises ValueError outside 0..2**63-1, TypeError if it is not an integer."""
    if seed is None:
        return secrets.randbits(63)
    seed = whole_number("seed", seed, "an integer, or None for a random one")
    if not 0 <= seed < 2**63:
        raise ValueError(f"seed: {seed} is not in 0..2**63-1")
    return seed


def complete_deck(rules: Rules, shuffled: Sequence[int], deck: str | Iterable[SupportsIndex]) -> list[int]:
    """The given deck, with missing and unknown cards filled in from a shuffled deck.

    Raises ValueError for a card that is not in the game's deck, a card given twice, or too many cards.
    """
    cards = list(parse_cards(deck)) if isinstance(deck, str) else [operator.index(card) for card in deck]
    if len(cards) > len(rules.deck):
        raise ValueError(f"deck: {len(cards)} cards given, the deck has {len(rules.deck)}")
    positions: dict[int, int] = {}
    for position, card in enumerate(cards):
        if card == record.NO_CARD:
            continue
        if card not in rules.deck:
            raise ValueError(
                f"deck: card {card} at position {position} is not in the deck of this game (cards are 0..51)"
            )
        if card in positions:
            raise ValueError(
                f"deck: {card_name(card)} is at positions {positions[card]} and {position}; give each card once"
            )
        positions[card] = position
    rest = iter([card for card in shuffled if card not in positions])
    cards += [record.NO_CARD] * (len(rules.deck) - len(cards))
    return [next(rest) if card == record.NO_CARD else card for card in cards]


def check_deck_of_session(rules: Rules, hand: int, deck: str | Iterable[SupportsIndex]) -> None:
    """Raises ValueError for a deck that hand number `hand` of a session cannot be dealt from, in any of the phases in
    which the hand may be."""
    phases = rules.session.possible_phases(hand) if rules.session else [0]
    cards = deck if isinstance(deck, str) else list(deck)
    for phase in phases:
        game = rules.stages[phase]
        try:
            complete_deck(game, game.deck, cards)
        except ValueError as error:
            where = f" (hand {hand} of the session, phase {phase})" if len(rules.phase_values("deck")) > 1 else ""
            raise ValueError(f"{error}{where}") from None


def stacks_with_empty_seats(rules: Rules, stacks: Stacks) -> list[int]:
    """Playable stacks, or 0 for an empty seat. Raises as `checked_stacks` does."""
    chips = chips_of(rules, stacks)
    checked_stacks(rules, [stack or rules.smallest_chip for stack in chips])
    return chips


def position_stacks(rules: Rules, stacks: Stacks) -> list[int]:
    """Stacks of which at least two are not empty. Raises ValueError if fewer have chips."""
    chips = stacks_with_empty_seats(rules, stacks)
    if sum(stack > 0 for stack in chips) < 2:
        empty = ", ".join(f"seat {seat}" for seat, stack in enumerate(chips) if not stack)
        raise ValueError(f"stacks: {chips}; a hand needs two seats with chips, and {empty} has 0")
    return chips


def street_of(rules: Rules, board: Sequence[int]) -> int:
    """The street that begins with this board. Raises ValueError if none begins with that number of cards."""
    sizes = list(accumulate(rules.board_cards))
    if len(board) not in sizes:
        raise ValueError(f"board: {Cards(board)} has {len(board)} cards; a street begins with one of {sizes}")
    return sizes.index(len(board))


def position_deck(
    rules: Rules, stacks: list[int], button: int, board: Cards, hole_cards: Mapping[int, str | Iterable[SupportsIndex]]
) -> list[int]:
    """A deck in dealing order (R4) that deals these hole cards and this board; its other cards are unknown."""
    dealt = [seat % rules.seats for seat in range(button + 1, button + 1 + rules.seats) if stacks[seat % rules.seats]]
    deck = [record.NO_CARD] * (len(dealt) * rules.hole_cards)
    for seat, hand in hole_cards.items():
        cards = list(parse_cards(hand)) if isinstance(hand, str) else [operator.index(card) for card in hand]
        if seat not in dealt or len(cards) != rules.hole_cards:
            raise ValueError(
                f"hole_cards: seat {seat} has {Cards(cards)}; "
                f"give {rules.hole_cards} cards to seats with chips, {dealt}"
            )
        for k, card in enumerate(cards):
            deck[k * len(dealt) + dealt.index(seat)] = card
    rest = iter(board)
    for street, count in enumerate(rules.board_cards):
        deck += [record.NO_CARD] * int(rules.record["burn_cards"][0, street])
        deck += [next(rest, record.NO_CARD) for _ in range(count)]
    return deck

"""What a hand starts with, checked: stacks, button, seed, deck."""

from __future__ import annotations

import operator
import secrets
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import SupportsIndex

from ..cards.text import Cards, card_name, parse_cards
from ..engine import record
from ..game.rules import Rules


def checked_stacks(rules: Rules, stacks: Iterable[SupportsIndex] | None) -> list[int]:
    """Stacks that can be played, by default those of the rules. Raises ValueError saying which seat's is wrong."""
    if stacks is None:
        return list(rules.starting_stacks)
    chips = [operator.index(stack) for stack in stacks]
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


def checked_button(rules: Rules, button: int) -> int:
    """A seat that exists."""
    if not 0 <= button < rules.seats:
        raise ValueError(f"button: there is no seat {button}, seats are 0..{rules.seats - 1}")
    return button


def checked_seed(seed: int | None) -> int:
    """A seed in 0..2**63-1; without one, a random one."""
    if seed is None:
        return secrets.randbits(63)
    if not 0 <= seed < 2**63:
        raise ValueError(f"seed: {seed} is not in 0..2**63-1")
    return seed


def complete_deck(rules: Rules, shuffled: Sequence[int], deck: str | Iterable[SupportsIndex]) -> list[int]:
    """The deck that was asked for, its missing and unknown cards filled in from a shuffled one.

    Raises ValueError for a card that is not in the game's deck, a card given twice, or too many cards.
    """
    given = list(parse_cards(deck)) if isinstance(deck, str) else [operator.index(card) for card in deck]
    if len(given) > len(rules.deck):
        raise ValueError(f"deck: {len(given)} cards given, the deck has {len(rules.deck)}")
    places: dict[int, int] = {}
    for place, card in enumerate(given):
        if card == record.NO_CARD:
            continue
        if card not in rules.deck:
            raise ValueError(f"deck: card {card} at place {place} is not in the deck of this game (cards are 0..51)")
        if card in places:
            raise ValueError(
                f"deck: {card_name(card)} stands at places {places[card]} and {place}; a card is there once"
            )
        places[card] = place
    rest = iter([card for card in shuffled if card not in places])
    given += [record.NO_CARD] * (len(rules.deck) - len(given))
    return [next(rest) if card == record.NO_CARD else card for card in given]


def position_stacks(rules: Rules, stacks: Iterable[SupportsIndex]) -> list[int]:
    """Stacks of which some may be empty; two at least are not."""
    chips = [operator.index(stack) for stack in stacks]
    checked_stacks(rules, [stack or rules.smallest_chip for stack in chips])
    if sum(stack > 0 for stack in chips) < 2:
        raise ValueError(f"stacks: {chips}; a hand needs two seats with chips")
    return chips


def street_of(rules: Rules, board: Sequence[int]) -> int:
    """The street that begins with so many board cards."""
    sizes = list(accumulate(rules.board_cards))
    if len(board) not in sizes:
        raise ValueError(f"board: {Cards(board)} has {len(board)} cards; a street begins with one of {sizes}")
    return sizes.index(len(board))


def position_deck(
    rules: Rules, stacks: list[int], button: int, board: Cards, hole_cards: Mapping[int, str | Iterable[SupportsIndex]]
) -> list[int]:
    """The deck, in dealing order (R4), that brings these cards to these places; unknown elsewhere."""
    dealt = [seat % rules.seats for seat in range(button + 1, button + 1 + rules.seats) if stacks[seat % rules.seats]]
    deck = [record.NO_CARD] * (len(dealt) * rules.hole_cards)
    for seat, given in hole_cards.items():
        cards = list(parse_cards(given)) if isinstance(given, str) else [operator.index(card) for card in given]
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

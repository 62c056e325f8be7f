"""The checks of Rules that concern several fields. Each raises ValueError that names the field, what is wrong and what
would be right.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from ..cards.text import card_name
from . import rules_record as rec
from .rankings import check_ranking

Rules = Any  # the class imports this module

HOLDEM_BOARD, HOLDEM_BURNS = (0, 3, 1, 1), (0, 1, 1, 1)


def of_chips(chips: Any) -> dict[str, int]:
    """R13: the stack and the smallest chip of a set of chips, {value: how many}."""
    whole = isinstance(chips, dict) and all(type(number) is int for item in chips.items() for number in item)
    if not whole or not chips or min(chips) < 1 or min(chips.values()) < 0 or not any(chips.values()):
        raise ValueError(f"chips: give how many there are of each value, such as {{5: 20, 10: 15}}, not {chips!r}")
    smallest = min(value for value, count in chips.items() if count)
    if odd := [value for value in chips if value % smallest]:
        raise ValueError(f"chips: {odd[0]} is not a multiple of the smallest chip ({smallest})")
    return {"stacks": sum(value * count for value, count in chips.items()), "smallest_chip": smallest}


def check_automatic_showing(rules: Rules, where: str) -> None:
    """Raises ValueError for manual showing (R29, R30) where nobody can be asked to choose. where: the name of what
    plays the rules."""
    if rules.showing != "automatic":
        raise ValueError(
            f"showing: {rules.showing!r}: {where} asks for bets only, so the rules must decide who shows; give "
            "showing='automatic', or play a Table or a Session"
        )


def check_blinds(rules: Rules) -> None:
    """Blinds, big-blind ante and straddle (R6, R8)."""
    small, big = rules.blinds
    if small > big:
        raise ValueError(f"blinds: the small blind ({small}) is larger than the big blind ({big}); give (small, big)")
    if rules.big_blind_ante and not big:
        raise ValueError("big_blind_ante needs a big blind")
    if rules.straddle and rules.straddle <= big:
        raise ValueError(
            f"straddle: {rules.straddle} is not above the big blind ({big}); {2 * big} is usual, 0 is none"
        )
    if rules.straddle and rules.seats < 3:
        raise ValueError("straddle: needs three or more seats")


def check_bets(rules: Rules) -> None:
    """The bets of the structure (R16, R18)."""
    if rules.structure != "fixed_limit":
        if rules.small_bet or rules.big_bet:
            raise ValueError("small_bet and big_bet belong to fixed_limit; the other structures have min_bet")
    elif rules.min_bet:
        raise ValueError("min_bet belongs to no_limit and pot_limit; fixed_limit has small_bet and big_bet")
    if any(later < earlier for earlier, later in pairwise(rules.street_bets)):
        raise ValueError(f"the bets fall from street to street: {rules.street_bets}; they may only rise")


def check_shape(rules: Rules) -> None:
    """One value for each street, and a ranking that fits the cards."""
    if not 1 <= rules.streets <= rec.MAX_STREETS:
        raise ValueError(f"board_cards: a game has 1 to {rec.MAX_STREETS} streets, not {rules.streets}")
    per_street = ("burn_cards", "first_to_act", "max_raises", "min_bet")
    for name in per_street:
        value = getattr(rules, name)
        if isinstance(value, tuple) and len(value) != rules.streets:
            raise ValueError(f"{name}: give one value for each of the {rules.streets} streets, not {len(value)}")
    if sum(rules.board_cards) > rec.MAX_BOARD:
        raise ValueError(f"board_cards: a board has at most {rec.MAX_BOARD} cards, not {sum(rules.board_cards)}")
    check_ranking(rules)


def check_deck(rules: Rules) -> None:
    """The cards of the deck are different, and there are enough."""
    doubled = (
        {card for card in rules.deck if rules.deck.count(card) > 1} if len(set(rules.deck)) < len(rules.deck) else ()
    )
    if doubled:
        raise ValueError(f"deck: {', '.join(card_name(card) for card in sorted(doubled))} is in it more than once")
    if rules.cards_needed > len(rules.deck):
        raise ValueError(f"deck: {rules.seats} seats need {rules.cards_needed} cards, the deck has {len(rules.deck)}")
    ranks = {card // 4 for card in rules.deck}
    if rules.session and rules.session.first_button == "high_card" and len(ranks) < 2:
        raise ValueError(
            "session: first_button: high_card draws until one card is the highest (R5), which takes a deck of at least "
            "two ranks; give a seat, or seed"
        )


def check_errors(rules: Rules) -> None:
    """Dealer errors are defined for the streets of hold'em only (R33-R38)."""
    if rules.dealer_errors is not None and (rules.board_cards, rules.street_burns) != (HOLDEM_BOARD, HOLDEM_BURNS):
        raise ValueError(
            "dealer_errors: R33-R38 are about a flop of three cards, a turn and a river, each after one burn card; "
            f"this game has board_cards={rules.board_cards}, burn_cards={rules.street_burns}"
        )


def check_stacks(rules: Rules) -> None:
    """Stacks, prizes and the first button fit the number of seats."""
    first = rules.session and rules.session.first_button
    if isinstance(first, int) and first >= rules.seats:
        raise ValueError(f"session: first_button is seat {first}; seats are 0..{rules.seats - 1}")
    if rules.session and len(rules.session.prizes) > rules.seats:
        raise ValueError(f"session: prizes for {len(rules.session.prizes)} places, but there are {rules.seats} seats")
    if isinstance(rules.stacks, tuple) and len(rules.stacks) != rules.seats:
        raise ValueError(f"stacks: give one for each of the {rules.seats} seats, not {len(rules.stacks)}")


def check_total(stacks: Iterable[int]) -> None:
    """Raises ValueError for more chips than a table can hold."""
    if (total := sum(stacks)) > rec.MAX_CHIPS:
        raise ValueError(f"stacks: {total} chips in all; a table holds at most {rec.MAX_CHIPS}")


def check_chip(rules: Rules) -> None:
    """R13: every amount is a multiple of the smallest chip."""
    amounts = {
        "blinds": rules.blinds,
        "ante": (rules.ante,),
        "big_blind_ante": (rules.big_blind_ante,),
        "straddle": (rules.straddle,),
        "bets": rules.street_bets,
        "stacks": rules.starting_stacks,
        "rake cap": (rules.rake.cap or 0, *rules.rake.by_pot) if rules.rake else (),
        "rebuy": (rules.session.rebuy,) if rules.session else (),
    }
    for name, values in amounts.items():
        for value in values:
            if value % rules.smallest_chip:
                raise ValueError(f"{name}: {value} is not a multiple of the smallest chip ({rules.smallest_chip})")


CHECKS = (check_blinds, check_bets, check_shape, check_errors, check_deck, check_stacks, check_chip)
"""In the order in which they run; the first that fails gives the error."""

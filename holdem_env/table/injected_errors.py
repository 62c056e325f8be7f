"""Dealer errors injected into one hand, and the orders of its reshuffles (R33-R38)."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from typing import Any, SupportsIndex

import numpy as np

from ..engine import batch, record
from ..game.dealer_errors import DealerErrors
from ..game.rules import Rules
from ..utils.validation import suggestion
from .hand_setup import complete_deck

Order = str | Iterable[SupportsIndex]
FILLING_SALT = 0x46494C4C
PREMATURE = tuple(name for name in record.DEALER_ERRORS if name.startswith("premature_"))
NEVER = 2**31 - 1  # more moves than a betting round has


def with_dealer_errors(rules: Rules) -> Rules:
    """The same rules with dealer_errors set, so that errors can be injected and encoders show the exposed cards."""
    if rules.dealer_errors is not None:
        return rules
    fields = {name: getattr(rules, name) for name in rules.model_fields_set}
    return type(rules)(**{**fields, "dealer_errors": DealerErrors()})


class InjectedErrors:
    """The dealer errors that a caller injects into one hand, and the orders in which cards are reshuffled.

    rules: the game. `InjectedErrors.rules` are the rules of the hand: the same, with dealer_errors if errors are given.
    errors, reshuffles: as Table takes them; None leaves them to the seed.
    stage: which of the rules' stages the hand is played by.

    Raises ValueError for a game in which these errors are not defined, an unknown kind of error, a card that is not
    dealt, an invalid order, and orders for a hand that cannot have errors.
    """

    def __init__(
        self,
        rules: Rules,
        errors: Mapping[str, Any] | None = None,
        reshuffles: Iterable[Order] | None = None,
        stage: int = 0,
    ) -> None:
        if rules.dealer_errors is None and errors is None and reshuffles is not None:
            raise ValueError(
                "reshuffles: nothing is reshuffled, because the rules have no dealer's errors; give the errors of this "
                "hand (dealer_errors={...}), or rules with random ones (Rules(dealer_errors=DealerErrors(...)))"
            )
        self.rules = rules if errors is None else with_dealer_errors(rules)
        self.game = self.rules.stages[stage]
        self.has_errors = errors is not None
        self.bits, self.exposed = _error_bits(self.game, errors or {})
        self.moments = [_moment(name, (errors or {}).get(name, False)) or 0 for name in PREMATURE]
        self.orders = [_checked_order(self.game, order) for order in reshuffles or ()]
        if len(self.orders) > record.MAX_RESHUFFLES:
            raise ValueError(
                f"reshuffles: {len(self.orders)} given; a hand has at most {record.MAX_RESHUFFLES} reshuffles"
            )

    def write_to(self, records: record.Records, deck_given: bool) -> None:
        """Write the errors and orders into the record of a hand that has its seed and deck but has not begun.

        Raises ValueError, and writes nothing, if the deck is given and the hand may need more orders than there are.
        """
        if self.rules.dealer_errors is None:
            return
        if deck_given:
            self.check_orders(records)
        t = records[0]
        t["errors_injected"] = self.has_errors
        if self.has_errors:
            t["errors"], t["exposed_deal"], t["premature_after"] = self.bits, self.exposed, self.moments
        t["orders_injected"] = len(self.orders)
        for k, order in enumerate(self.orders):
            t["reshuffle_order"][k, : len(self.game.deck)] = self._completed(records, k, order)

    def _completed(self, records: record.Records, k: int, order: Order) -> list[int]:
        """The k-th order of the whole deck; the seed fills in missing and unknown cards."""
        other = records.copy()
        other["seed"] ^= FILLING_SALT + (k << 40)  # must not equal a neighbouring seed
        cards = len(self.game.deck)
        batch.shuffle_decks(other, self.rules.record, cards)
        return complete_deck(self.game, other["deck"][0, :cards].tolist(), order)

    def check_orders(self, records: record.Records) -> None:
        """Raises ValueError if a hand with a given deck may need more orders than there are (R33-R38)."""
        if self.rules.dealer_errors is None:
            return
        bits = self.bits if self.has_errors else int(batch.errors_of(records.copy(), self.rules.record))
        due = []
        if _may_be_misdeal(bits, self.exposed if self.has_errors else None):
            due.append("a misdeal")
        due += ["a premature flop"] if bits & record.PREMATURE_FLOP else []
        due += ["a flop with too many cards"] if bits & record.FLOP_TOO_MANY else []
        due += ["the river"] if bits & (record.PREMATURE_TURN | record.PREMATURE_RIVER) else []
        if len(due) > len(self.orders):
            raise ValueError(
                f"reshuffles: in a hand with a deck of its own give {len(due)} orders of the deck, "
                f"for {', '.join(due)}, not {len(self.orders)}"
            )


def injected_for_episode(rules: Rules, options: Mapping[str, Any], seed: int, decks: int) -> InjectedErrors | None:
    """The errors that reset's options inject into an episode's first hand; None if there are none.

    decks: how many hands, from the first, have given decks. Raises ValueError as InjectedErrors does, and also if a
    hand with a given deck may need an order: only the first hand can be given any.
    """
    given = options.get("dealer_errors"), options.get("reshuffles")
    if given == (None, None) and (rules.dealer_errors is None or decks == 0):
        return None
    injected = InjectedErrors(rules, *given)
    records = record.new_records(record.TABLE, 1)
    batch.number_tables(records, seed, 0, 0)
    for hand in range(decks):
        records["hand"] = hand
        (injected if hand == 0 else InjectedErrors(rules)).check_orders(records)
    return injected if injected.has_errors or injected.orders else None


def _may_be_misdeal(bits: int, exposed: int | None) -> bool:
    """R33-R35. exposed: the bits of the exposed hole cards; None if it may be any one card, when `bits` has one."""
    if exposed is None:
        return bool(bits & record.EXPOSED_HOLE_CARD)
    irregular = exposed.bit_count() + bool(bits & record.EXTRA_CARD)
    return irregular > 1 or bool(exposed & 1 or bits & record.EXTRA_CARDS)


def _error_bits(rules: Rules, errors: Mapping[str, Any]) -> tuple[int, int]:
    """The bits of the errors, and the bits of the exposed hole cards."""
    bits = exposed = 0
    for k, name in enumerate(record.DEALER_ERRORS):
        if name == "exposed_hole_card":
            exposed = _exposed_bits(rules, errors.get(name, ()))
            happens = exposed != 0
        elif name == "extra_card":
            count = _count(name, errors.get(name, 0))
            happens = count == 1
            bits |= record.EXTRA_CARDS if count > 1 else 0
        elif name in PREMATURE:
            happens = _moment(name, errors.get(name, False)) is not None
        else:
            happens = _count(name, errors.get(name, False)) == 1
            if _count(name, errors.get(name, False)) > 1:
                raise ValueError(f"dealer_errors: {name} is True or False, not {errors[name]!r}")
        bits |= happens << k
    for name in errors:
        if name not in record.DEALER_ERRORS:
            known = list(record.DEALER_ERRORS)
            raise ValueError(f"dealer_errors: there is no error {name!r}: {suggestion(name, known)}")
    return bits, exposed


def _count(name: str, value: Any) -> int:
    """How many times an error happens; True is once."""
    try:
        count = operator.index(value)
    except TypeError:
        count = -1
    if count < 0:
        raise ValueError(f"dealer_errors: {name} is True or False (or how many), not {value!r}")
    return count


def _moment(name: str, value: Any) -> int | None:
    """After how many moves of the betting round the cards come too early; None if they do not."""
    if isinstance(value, bool | np.bool_):
        return 0 if value else None
    try:
        moves = operator.index(value)
    except TypeError:
        moves = -1
    if moves < 0:
        raise ValueError(
            f"dealer_errors: {name} is True, False, or after how many moves of the betting round the cards come (0 or "
            f"more), not {value!r}"
        )
    return min(moves, NEVER)


def _exposed_bits(rules: Rules, cards: Any) -> int:
    """The bits of the exposed hole cards, given as one position in the deck or several."""
    dealt = rules.seats * rules.hole_cards
    if isinstance(cards, bool):
        raise ValueError(f"dealer_errors: exposed_hole_card is a position in the deck or a list of them, not {cards}")
    try:
        positions = [operator.index(cards)] if isinstance(cards, SupportsIndex) else list(map(operator.index, cards))
    except TypeError:
        raise ValueError(
            f"dealer_errors: exposed_hole_card is a position in the deck or a list of them, not {cards!r}"
        ) from None
    bits = 0
    for position in positions:
        if not 0 <= position < dealt:
            raise ValueError(
                f"dealer_errors: exposed_hole_card {position!r} is not dealt; in this hand the hole cards are at "
                f"positions 0..{dealt - 1} of the deck"
            )
        bits |= 1 << position
    return bits


def _checked_order(rules: Rules, order: Order) -> Order:
    """An order that can be completed to a deck. Raises ValueError if it cannot."""
    cards = order if isinstance(order, str) else list(order)
    try:
        complete_deck(rules, rules.deck, cards)
    except ValueError as problem:
        raise ValueError(str(problem).replace("deck:", "reshuffles:", 1)) from None
    return cards

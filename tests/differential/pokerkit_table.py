"""PokerKit behind the face of our Table: the same seats, the same deck, and what its parameters can bridge bridged.

PokerKit counts players from the small blind (heads-up from the big blind), so that the last one has the button; here
they are seats again. It gets our rulings as far as it has words for them: see `parameters`.
"""

from __future__ import annotations

import warnings
from collections import deque
from functools import cached_property, lru_cache
from importlib.metadata import version

import pytest

from holdem_env.cards.text import NAMES

pytest.importorskip("pokerkit")

from pokerkit import (
    Automation,
    BettingStructure,
    Card,
    EightOrBetterLowHand,
    HoleCardsShowingOrMucking,
    Mode,
    OmahaEightOrBetterLowHand,
    OmahaHoldemHand,
    Opening,
    ShortDeckHoldemHand,
    StandardHighHand,
    State,
    Street,
)

VERSION = tuple(int(part) for part in version("pokerkit").split(".")[:3])
if VERSION < (0, 7, 6):
    pytest.skip("the differences are written down for PokerKit 0.7.6 and later", allow_module_level=True)

STRUCTURES = {
    "no_limit": BettingStructure.NO_LIMIT,
    "pot_limit": BettingStructure.POT_LIMIT,
    "fixed_limit": BettingStructure.FIXED_LIMIT,
}
CARDS = tuple(next(Card.parse(name)) for name in NAMES)
NUMBERS = {card: number for number, card in enumerate(CARDS)}
BEFORE_THE_DEAL = (Automation.ANTE_POSTING, Automation.BET_COLLECTION, Automation.BLIND_OR_STRADDLE_POSTING)


def evaluated_once(kind):
    """PokerKit's hands, evaluated once: by itself it looks all combinations up again for each player and pot."""

    class Hand(kind):
        entry = cached_property(kind.entry.fget)

        @classmethod
        def from_game(cls, hole_cards, board_cards=()):
            """The best five of the cards. Raises ValueError if there is no such hand."""
            found = best_hand(tuple(hole_cards), tuple(board_cards))
            if found is None:
                raise ValueError("no low")
            return found

    @lru_cache(1024)
    def best_hand(hole_cards, board_cards):
        try:
            return super(Hand, Hand).from_game(hole_cards, board_cards)
        except ValueError:
            return None

    return Hand


HIGH, OMAHA_HIGH, SHORT_DECK_HIGH, LOW, OMAHA_LOW = map(
    evaluated_once,
    (StandardHighHand, OmahaHoldemHand, ShortDeckHoldemHand, EightOrBetterLowHand, OmahaEightOrBetterLowHand),
)


def hand_types(rules):
    """What the pots are played for (R2, R32)."""
    omaha = rules.hole_cards_used is not None
    high = SHORT_DECK_HIGH if rules.ranking == "short_deck" else OMAHA_HIGH if omaha else HIGH
    if rules.split == "high":
        return (high,)
    return (high, OMAHA_LOW if omaha else LOW)


def straddle_is_posted(rules, stacks, button):
    """R8: only with three or more players, and only in full."""
    seats = len(stacks)
    return bool(rules.straddle) and seats > 2 and stacks[(button + 3) % seats] >= rules.ante + rules.straddle


def first_bet(rules, straddled):
    """The least raise before the flop: with a straddle that is the straddle (R8)."""
    return rules.straddle if straddled and rules.structure != "fixed_limit" else rules.street_bets[0]


def street_of(rules, number, least, wagers):
    """One betting round in PokerKit's words."""
    hole = (False,) * rules.hole_cards if number == 0 else ()
    return Street(number > 0, hole, rules.board_cards[number], False, Opening.POSITION, least, wagers)


def streets(rules, straddled):
    """R16, R18: least bets and caps. PokerKit's own fixed limit allows four raises before the flop, too; ours three."""
    least = (first_bet(rules, straddled), *rules.street_bets[1:])
    caps = [None] * rules.streets
    if rules.structure == "fixed_limit" and rules.max_raises is not None:
        caps = list(rules.max_raises)
        caps[0] -= straddled
    return tuple(street_of(rules, number, least[number], caps[number]) for number in range(rules.streets))


def antes_of(rules, stacks, button):
    """Antes by player, and whether they are trimmed: R8's uniform ante is, so that a short one makes a side pot.

    A big-blind ante is dead money, for which PokerKit has no trimming, and is posted after the blind, so that a short
    stack posts less of it. Both antes at once it can play only while nobody's is short.
    """
    seats = len(stacks)
    antes = [rules.ante] * seats
    if not rules.big_blind_ante:
        return antes, True
    assert rules.ante <= min(stacks), "PokerKit cannot play a short ante and a big-blind ante in one hand"
    big = (button + (1 if seats == 2 else 2)) % seats
    # The player after the small blind; heads-up PokerKit swaps the two, as it does the blinds.
    antes[1] += max(0, min(rules.big_blind_ante, stacks[big] - rules.ante - rules.big_blind))
    return antes, False


def chipwise(chip):
    """R13: a part of a pot is a multiple of the smallest chip."""

    def divide(amount, parts):
        part = amount // chip // parts * chip
        return part, amount - part * parts

    return divide


def parameters(rules, stacks, button):
    """The arguments of pokerkit.State that say what our rules say."""
    seats = len(stacks)
    straddled = straddle_is_posted(rules, stacks, button)
    antes, trimmed = antes_of(rules, stacks, button)
    return {
        "deck": tuple(CARDS[card] for card in rules.deck),
        "hand_types": hand_types(rules),
        "streets": streets(rules, straddled),
        "betting_structure": STRUCTURES[rules.structure],
        "ante_trimming_status": trimmed,
        "raw_antes": antes,
        "raw_blinds_or_straddles": (*rules.blinds, rules.straddle if straddled else 0),
        "bring_in": 0,
        "raw_starting_stacks": [stacks[(button + 1 + player) % seats] for player in range(seats)],
        "player_count": seats,
        "divmod": chipwise(rules.smallest_chip),
        # Tournament mode refuses to fold when checking is free (R14).
        "mode": Mode.CASH_GAME,
    }


class PokerKitTable:
    """One hand of PokerKit, to be asked the questions that a Table answers."""

    def __init__(self, rules, stacks, button, deck, **overrides):
        self.seats = len(stacks)
        self.button = button
        self.state = State(BEFORE_THE_DEAL, **(parameters(rules, stacks, button) | overrides))
        self.state.deck_cards = deque(CARDS[number] for number in deck)
        self.state.automations = tuple(Automation)  # it deals, shows and pays by itself from here on
        self.state.deal_hole()

    def seat(self, player):
        """The seat of a player."""
        return (self.button + 1 + player) % self.seats

    def _by_seat(self, values):
        return [values[(seat - self.button - 1) % self.seats] for seat in range(self.seats)]

    @property
    def actor(self):
        player = self.state.actor_index
        return None if player is None else self.seat(player)

    @property
    def call(self):
        return self.state.checking_or_calling_amount

    @property
    def raises(self):
        """The least and the greatest total to raise to; (None, None) if there is no raise."""
        least = self.state.min_completion_betting_or_raising_to_amount
        return least, None if least is None else self.state.max_completion_betting_or_raising_to_amount

    @property
    def stacks(self):
        return self._by_seat(self.state.stacks)

    @property
    def bets(self):
        return self._by_seat(self.state.bets)

    @property
    def payoffs(self):
        return self._by_seat(self.state.payoffs)

    @property
    def pots(self):
        """Amount and contestants of each pot, main pot first."""
        return [(pot.amount, tuple(sorted(self.seat(i) for i in pot.player_indices))) for pot in self.state.pots]

    @property
    def board(self):
        return tuple(NUMBERS[card] for cards in self.state.board_cards for card in cards)

    def hole_cards(self, seat):
        return tuple(NUMBERS[card] for card in self.state.hole_cards[(seat - self.button - 1) % self.seats])

    def is_folded(self, seat):
        return not self.state.statuses[(seat - self.button - 1) % self.seats]

    @property
    def is_over(self):
        return not self.state.status

    @property
    def shown(self):
        """Who showed and who mucked, in order."""
        return [
            (self.seat(operation.player_index), "show" if operation.hole_cards else "muck")
            for operation in self.state.operations
            if isinstance(operation, HoleCardsShowingOrMucking)
        ]

    def play(self, move):
        """-1 folds, 0 checks or calls, a positive number is the total to raise to."""
        if move > 0:
            self.state.complete_bet_or_raise_to(move)
        elif move == 0:
            self.state.check_or_call()
        else:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of a fold when checking is free
                self.state.fold()

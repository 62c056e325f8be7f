"""The engine against OpenSpiel's universal_poker, which plays by the dealer program of the ACPC competitions.

Heads-up and three-player games with the same cards and random moves: who acts, what may be done, chips, and returns.
With equal stacks the only differences are that OpenSpiel offers no fold when checking is free, and splits odd chips;
with uneven ones it knows no short all-ins. docs/rulings.md says more; test_openspiel_rulings.py pins each difference.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from math import factorial
from typing import NamedTuple

import pytest

from differential.hand_notes import Game, Street, live_seats, paid_pots, payoffs_before
from differential.small_games import Pair
from holdem_env import Rules, Table

pyspiel = pytest.importorskip("pyspiel")

FOLD, CALL, RAISE = 0, 1, 2  # OpenSpiel's actions; from 2 on, no-limit has the chips of the whole hand to raise to
NO_RAISE = (None, None)


def parameters(rules, stacks, button):
    """The game in the words of the ACPC. Position 0 is left of the button; heads-up it has the big blind (R7)."""
    seats = len(stacks)
    small, big = rules.blinds
    definition = {
        "bettingAbstraction": "fullgame",
        "betting": "nolimit",
        "numPlayers": seats,
        "numRounds": 4,
        "blind": f"{big} {small}" if seats == 2 else " ".join(map(str, [small, big] + [0] * (seats - 2))),
        "firstPlayer": "2 1 1 1" if seats == 2 else "3 1 1 1",
        "numSuits": 4,
        "numRanks": 13,
        "numHoleCards": 2,
        "numBoardCards": "0 3 1 1",
        "stack": " ".join(str(stacks[(button + 1 + place) % seats]) for place in range(seats)),
    }
    if rules.structure == "fixed_limit":
        definition |= {
            "bettingAbstraction": "fcpa",  # in limit: fold, call, raise
            "betting": "limit",
            "raiseSize": " ".join(map(str, rules.street_bets)),
            "maxRaises": " ".join(map(str, rules.max_raises)),
        }
    return definition


class OpenSpielTable:
    """One hand of OpenSpiel, in seats and street totals."""

    def __init__(self, rules, stacks, button, deck):
        seats = len(stacks)
        self.seats, self.button, self.stacks_at_start = seats, button, stacks
        self.limit = rules.structure == "fixed_limit"
        self.state = pyspiel.load_game("universal_poker", parameters(rules, stacks, button)).new_initial_state()
        hole = [deck[place + turn * seats] for place in range(seats) for turn in range(2)]
        self.cards = iter(hole + [deck[2 * seats + place] for place in (1, 2, 3, 5, 7)])
        self.deal()

    def deal(self):
        """Cards are numbered as ours are; both hole cards of a player come together."""
        while self.state.is_chance_node():
            self.state.apply_action(next(self.cards))

    @property
    def is_over(self):
        return self.state.is_terminal()

    @property
    def actor(self):
        return None if self.is_over else (self.state.current_player() + self.button + 1) % self.seats

    @property
    def spent(self):
        """Chips that each seat has put into the hand."""
        line = next(line for line in str(self.state).splitlines() if line.startswith("Spent:"))
        spent = [int(chips) for chips in re.findall(r"P\d+: (\d+)", line)]
        return [spent[(seat - self.button - 1) % self.seats] for seat in range(self.seats)]

    @property
    def returns(self):
        returns = self.state.returns()
        return [returns[(seat - self.button - 1) % self.seats] for seat in range(self.seats)]

    @property
    def may_fold(self):
        return FOLD in self.state.legal_actions()

    def raises(self, spent_before):
        """The least and the greatest street total, `spent_before` being what the actor put in on earlier streets.

        In limit: whether there is a raise.
        """
        raises = [action for action in self.state.legal_actions() if action >= RAISE]
        if self.limit:
            return bool(raises)
        return (raises[0] - spent_before, raises[-1] - spent_before) if raises else NO_RAISE

    def play(self, move, spent_before):
        """An engine move."""
        if move <= 0:
            self.state.apply_action(FOLD if move < 0 else CALL)
        else:
            self.state.apply_action(RAISE if self.limit else move + spent_before)
        self.deal()


def nobody_can_call(duel, question):
    """R20. OpenSpiel lets a player raise against opponents who could call no more than the bet as it is."""
    table, seat = duel.table, duel.table.actor
    others = [other for other in live_seats(table) if other != seat]
    return (
        question.ours == NO_RAISE
        and all(table.stacks[other] + table.bets[other] <= duel.street.level for other in others)
        and question.theirs == duel.raises_by_openspiel(seat)
    )


def short_all_in(duel, question):
    """R21, R22. To OpenSpiel a short all-in is a raise: it reopens the betting, and the least next raise stays."""
    seat, street = duel.table.actor, duel.street
    closed = seat in street.acted and not street.has_risen_for(seat)
    ours = None if closed else street.least(duel.all_in(seat))
    return (
        any(wager.is_short for wager in street.wagers)
        and question.ours[0] == ours
        and question.theirs == duel.raises_by_openspiel(seat)
    )


DIFFERENCES = (nobody_can_call, short_all_in)


class Question(NamedTuple):
    """What may be raised to, in street totals."""

    ours: tuple[int | None, int | None]
    theirs: tuple[int | None, int | None]

    @property
    def common(self):
        """What is legal in both."""
        if NO_RAISE in self:
            return NO_RAISE
        return max(self.ours[0], self.theirs[0]), min(self.ours[1], self.theirs[1])


class Duel:
    """One hand on both engines."""

    def __init__(self, game, rng):
        self.game, self.rng = game, rng
        self.rules = Rules(**game.rules)
        self.table = Table(self.rules, stacks=game.stacks, button=game.button, deck=game.deck)
        self.openspiel = OpenSpielTable(self.rules, game.stacks, game.button, game.deck)
        self.moves: list[int] = []
        self.differences: set[str] = set()
        self.begin_street(self.rules.big_blind)

    def begin_street(self, level):
        self.number = self.table.street
        self.street = Street(self.openspiel.limit, level, self.rules.street_bets[self.number])
        self.least_by_openspiel = level + self.rules.big_blind

    def agree(self, what, ours, theirs):
        """Fail unless both say the same; what is printed plays the hand again."""
        if ours != theirs:
            pytest.fail(f"{what}: we {ours}, OpenSpiel {theirs}\n{self.game!r}\nmoves = {self.moves!r}", pytrace=False)

    def run(self):
        """Play and compare the whole hand."""
        while self.table.actor is not None:
            self.agree("actor", self.table.actor, self.openspiel.actor)
            self.agree("spent", self.spent, self.openspiel.spent)
            self.play(self.random_move(self.compare_moves()))
        self.ask_in_vain()
        self.agree("over", *(each.is_over for each in (self.table, self.openspiel)))
        self.compare_returns()
        return self

    @property
    def spent(self):
        return [before - now for before, now in zip(self.game.stacks, self.table.stacks, strict=True)]

    @property
    def spent_before(self):
        """What the actor has put in on earlier streets."""
        return self.spent[self.table.actor] - self.table.bets[self.table.actor]

    def raises_by_openspiel(self, seat):
        """What it allows a seat with chips enough: it counts from the largest raise, and knows no right to raise."""
        return min(self.least_by_openspiel, self.all_in(seat)), self.all_in(seat)

    def all_in(self, seat):
        """The street total that takes the seat's whole stack."""
        return self.table.stacks[seat] + self.table.bets[seat]

    def compare_moves(self):
        """What may be done, but for a known difference."""
        legal = self.table.legal
        self.agree("may fold", legal.call > 0, self.openspiel.may_fold)  # R14: we may fold also when checking is free
        question = Question((legal.raise_min, legal.raise_max), self.openspiel.raises(self.spent_before))
        if self.openspiel.limit:
            self.agree("may raise", legal.raise_min is not None, question.theirs)
            return question.ours
        if question.ours != question.theirs:
            known = [difference.__name__ for difference in DIFFERENCES if difference(self, question)]
            if not known:
                self.agree("raises", question.ours, question.theirs)
            self.differences.add(known[0])
        return question.common

    def random_move(self, raises):
        """A move that is legal in both; least and greatest raises are frequent."""
        low, high = raises
        draw = self.rng.random()
        if self.table.legal.call and draw < 0.1:
            return -1
        if low is None or draw < 0.6:
            return 0
        return self.rng.choice([low, low, high, self.rng.randint(low, min(high, 4 * low)), self.rng.randint(low, high)])

    def play(self, move):
        """The same move on both."""
        self.moves.append(move)
        before, level = self.spent_before, self.street.level
        self.street.note(self.table.actor, move)
        self.least_by_openspiel = max(self.least_by_openspiel, 2 * move - level)
        self.table.play(move)
        self.openspiel.play(move, before)
        if self.table.street != self.number:
            self.begin_street(0)

    def ask_in_vain(self):
        """R25: OpenSpiel asks the only live player with chips, who can only check; we do not."""
        if not self.openspiel.is_over:
            self.agree("moves of a player asked in vain", [CALL], self.openspiel.state.legal_actions())
            self.differences.add("asked_in_vain")
            self.openspiel.play(0, 0)

    def compare_returns(self):
        """R28: OpenSpiel divides odd chips."""
        expected = payoffs_in_fractions(self.table)
        if expected != self.table.payoffs:
            self.differences.add("odd_chips")
        self.agree("returns", pytest.approx(expected, abs=1e-9), self.openspiel.returns)


def payoffs_in_fractions(table):
    """What everybody wins if pots are divided to the last fraction of a chip."""
    payoffs = [float(chips) for chips in payoffs_before(table)]
    for pot in paid_pots(table):
        for seat in pot.shares:
            payoffs[seat] += sum(pot.shares.values()) / len(pot.shares)
    return payoffs


def random_game(rng, kind, seats):
    """No-limit with equal or uneven stacks, or limit, where OpenSpiel knows no stacks and ours are deep."""
    small, big = rng.choice([(1, 2), (2, 4), (5, 10), (10, 15), (3, 10)])
    depth = rng.choice([2, 5, 20, 100]) * big
    stacks = [depth + rng.randint(0, big)] * seats
    if kind == "uneven":
        stacks = [rng.randint(big, depth) for _ in range(seats)]
    rules = {"structure": "no_limit", "seats": seats, "blinds": (small, big)}
    if kind == "limit":
        rules |= {"structure": "fixed_limit", "small_bet": big, "max_raises": rng.choice([(3, 4, 4, 4), (2, 1, 3, 4)])}
        stacks = [100 * big] * seats
    return Game(rules, stacks, rng.randrange(seats), rng.sample(range(52), 52))


class Tally(NamedTuple):
    """What came of many hands."""

    hands: int
    whole: int
    moves: int
    differences: Counter[str]


def play_many(kind, seats, seed, hands):
    """Random hands; any difference that is not known fails."""
    rng = random.Random(f"{kind} {seats} {seed}")
    whole = moves = 0
    differences: Counter[str] = Counter()
    for _ in range(hands):
        duel = Duel(random_game(rng, kind, seats), rng).run()
        whole += not duel.differences
        moves += len(duel.moves)
        differences.update(duel.differences)
    return Tally(hands, whole, moves, differences)


KINDS = [(kind, seats) for kind in ("equal", "uneven", "limit") for seats in (2, 3)]


def check_tally(kind, tally):
    """Nearly all hands were the same, and with equal stacks nothing but odd chips was not."""
    assert tally.whole > (0.75 if kind == "uneven" else 0.9) * tally.hands, tally
    assert tally.moves > 3 * tally.hands, tally
    assert kind == "uneven" or not set(tally.differences) - {"odd_chips"}, tally


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(("kind", "seats"), KINDS)
def test_engine_agrees_with_openspiel(kind, seats):
    check_tally(kind, play_many(kind, seats, 0, 300))


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "seats"), KINDS)
def test_engine_agrees_with_openspiel_over_many_hands(kind, seats):
    check_tally(kind, play_many(kind, seats, 1, 4_000))


def test_kuhn_poker_is_openspiels():
    # 6 deals; 4 decisions and 5 ends in each.
    assert Pair(Rules.preset("kuhn"), "kuhn_poker").walk_all() == (24, 30)


def test_leduc_poker_is_openspiels():
    # 120 deals, the board card included: 4 ends by a fold before it comes, 5 ways on to it, 9 ends after each.
    assert Pair(Rules.preset("leduc"), "leduc_poker").walk_all() == (120 * (6 + 5 * 6), 120 * (4 + 5 * 9))


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(("players", "ends"), [(3, 13), (4, 33)])
def test_kuhn_poker_of_more_players_is_openspiels(players, ends):
    deck = "TsJsQsKsAs"[: 2 * players + 2]
    pair = Pair(Rules.preset("kuhn", seats=players, deck=deck), f"kuhn_poker(players={players})")
    assert pair.walk_all()[1] == factorial(players + 1) * ends

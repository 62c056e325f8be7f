"""Ranges that play each other: what an agent wins from sampled flops on, without the luck of the hands.

Moves are drawn from what the player to act does with all of its hands, and both ranges follow by Bayes' rule. That is
AIVAT with imaginary observations (Burch et al. 2018) of both hands: the cards and moves that were drawn are corrected
by what the ranges win from each other if nobody bets any more. Rivers are not drawn: every line of betting counts there
as often as it is played.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem_env.agents.protocol import Agent
from holdem_env.agents.queries import asked_range_probabilities
from holdem_env.agents.sampling import sampled_columns
from holdem_env.arena.best_responses.local import Responder, check_settings
from holdem_env.cards.combos import COMBO_CARDS, COMBOS
from holdem_env.cards.text import CARDS
from holdem_env.compiled.records import Records
from holdem_env.engine import batch, record
from holdem_env.equities.against_hands import shares_against_hands
from holdem_env.game.rules import Rules
from holdem_env.solvers.trees.roots import whole_hand
from holdem_env.solvers.values.pairs import Pairs, pairs_of

FLOP, RIVER = 1, 3
FLOP_CARDS = 3
ALL = 1_176
"""Run-outs of a flop."""
ROW = np.zeros(1, np.int64)
LIKELY = 1e-6
"""What is done less often does not count."""
Floats = NDArray[np.float32]
HELD = np.zeros((COMBOS, CARDS), np.float32)
HELD[np.arange(COMBOS)[:, None], COMBO_CARDS] = 1
BEFORE_FLOP = Pairs(np.arange(COMBOS), np.full((COMBOS, COMBOS), 0.5, np.float32), HELD)
"""There every hand counts as worth half the pot."""


@dataclass(frozen=True)
class Public:
    """What everybody sees of a hand. table: (1,), with any hole cards. ranges: (2, 1326), by seat, up to a factor."""

    table: Records
    ranges: Floats

    @property
    def actor(self) -> int:
        """The seat to act; NOBODY when the hand is over."""
        return int(self.table["actor"][0])

    @property
    def is_over(self) -> bool:
        """Whether nobody is to act any more."""
        return self.actor == record.NOBODY

    @property
    def street(self) -> int:
        """The street: 0 before the flop."""
        return int(self.table["street"][0])

    @property
    def pairs(self) -> Pairs:
        """The hands that the board leaves."""
        board = self.table["board"][0, : self.table["board_count"][0]].tolist()
        return pairs_of((*sorted(board[:FLOP_CARDS]), *board[FLOP_CARDS:]), ALL) if board else BEFORE_FLOP

    def value(self) -> float:
        """The chips that seat 0 wins in the hand if nobody bets any more."""
        pairs = self.pairs
        first, second = self.ranges[:, pairs.combos]
        share = float(first @ pairs.won(second)) / float(first @ pairs.met(second))
        return (2 * share - 1) * _matched(self.table)


Player = Callable[[Public], tuple[NDArray[np.int64], NDArray[np.float64]]]
"""What a player does when it is to act: moves (A,), and the probabilities of each hand, (1326, A)."""


class Strategy(NamedTuple):
    """A player that answers range queries."""

    agent: Agent
    rules: Rules

    def __call__(self, here: Public) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        could = np.zeros((1, COMBOS), np.bool_)
        combos = here.pairs.combos
        could[0, combos] = here.ranges[here.actor, combos] > 0
        moves, probabilities = asked_range_probabilities(self.agent, here.table, self.rules, ROW, hands=could)
        return moves[0], probabilities[0]


class BestResponse:
    """Local best response to an agent, from a street on; before, it checks and calls. It holds one hand."""

    def __init__(self, agent: Agent, rules: Rules, menu: str, street: int) -> None:
        self.street = street
        self.inner = Responder(agent, rules, check_settings(agent, rules, 1, menu, street), street, deals=1, seed=0)

    def __call__(self, here: Public) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        move = record.CHECK_CALL
        if here.street >= self.street:
            seat, inner = here.actor, self.inner  # whose row k is of a hand in which it sits in seat k
            own, board = COMBO_CARDS[here.ranges[seat].argmax()], here.table["board"][0, : here.table["board_count"][0]]
            inner.tables[seat] = here.table[0]
            inner.tables["hole"][seat, seat, :2] = own
            inner.ranges[seat] = here.ranges[1 - seat] * (HELD[:, own] == 0).all(axis=1)
            inner.equity[seat] = shares_against_hands(own, board)
            move = int(inner.respond(np.array([seat]))[0])
        return np.array([move]), np.ones((COMBOS, 1))


class Moves(NamedTuple):
    """What may come of a decision. often: (A,), their probabilities. values: (A,), the chips that seat 0 wins then if
    nobody bets any more. after: what everybody sees then."""

    often: NDArray[np.float64]
    values: NDArray[np.float64]
    after: list[Public]


def moves_of(here: Public, player: Player, rules: Rules) -> Moves:
    """What the player to act does with its hands."""
    seat, pairs = here.actor, here.pairs
    moves, strategy = player(here)
    own, others = here.ranges[[seat, 1 - seat]][:, pairs.combos]
    mass = (own * pairs.met(others)) @ strategy[pairs.combos]
    won = (own * pairs.won(others)) @ strategy[pairs.combos]
    often, values, after = [], [], []
    for column in np.flatnonzero(mass > LIKELY * mass.sum()):
        table = here.table.copy()
        move = np.ascontiguousarray(moves[column : column + 1])
        batch.play_moves(table, rules.record, record.new_log(listening=False), ROW, move)
        ranges = here.ranges.copy()
        ranges[seat] *= strategy[:, column].astype(np.float32)
        ranges[seat] /= ranges[seat].max()
        advantage = (2 * won[column] / mass[column] - 1) * (1 - 2 * seat)
        if table["live"][0] == 1:
            values.append(float((table["seats"]["stack"] - table["start_stack"])[0, 0]))
        else:
            values.append(advantage * _called(here.table, table))
        often.append(mass[column])
        after.append(Public(table, ranges))
    return Moves(np.array(often) / sum(often), np.array(values), after)


def _matched(table: Records) -> int:
    """The chips of each seat that the other has matched."""
    return int(table["seats"]["total"][0, :2].min())


def _called(before: Records, after: Records) -> int:
    """The same after a move that was no fold; where all cards came, from before they did."""
    if after["actor"][0] != record.NOBODY:
        return _matched(after)
    totals = before["seats"]["total"][0, :2]
    return int(min(totals.max(), (totals + before["seats"]["stack"][0, :2]).min()))


def _drawn(weights: NDArray[np.floating], random: np.random.Generator) -> int:
    """A place, as often as it weighs."""
    return int(sampled_columns(weights[None].astype(np.float64), random)[0])


def hands_drawn(here: Public, random: np.random.Generator) -> list[int]:
    """(2,): numbers of hands that both may hold."""
    pairs = here.pairs
    first, second = here.ranges[:, pairs.combos]
    one = _drawn(first * pairs.met(second), random)
    other = _drawn(second * (pairs.held @ pairs.held[one] == 0), random)
    return [int(pairs.combos[one]), int(pairs.combos[other])]


def dealt(here: Public, random: np.random.Generator) -> Public:
    """The same with the street's cards drawn, which are any until then."""
    table, count = here.table.copy(), int(here.table["board_count"][0])
    known = 0 if count == FLOP_CARDS else count - 1
    table["board_count"] = known
    held = COMBO_CARDS[hands_drawn(Public(table, here.ranges), random)]
    out = {*held.ravel().tolist(), *table["board"][0, :known].tolist()}
    cards = random.permutation([card for card in range(CARDS) if card not in out])[: count - known]
    table["board"][0, known:count] = cards
    table["board_count"] = count
    return Public(table, here.ranges * (HELD[:, cards] == 0).all(axis=1))


def sampled_flop(players: Sequence[Player], rules: Rules, random: np.random.Generator) -> tuple[Public, int]:
    """A flop that two players come to with somebody to act, and how many hands it took. players: by seat; seat 0 has
    the button."""
    hands = 0
    while True:
        hands += 1
        here = Public(whole_hand(rules, rules.starting_stacks), np.ones((2, COMBOS), np.float32))
        while not here.is_over and here.street < FLOP:
            moves = moves_of(here, players[here.actor], rules)
            here = moves.after[_drawn(moves.often, random)]
        if not here.is_over:
            return dealt(here, random), hands


def held_by(here: Public, seat: int, random: np.random.Generator) -> Public:
    """The same with one hand drawn for a seat."""
    ranges = here.ranges.copy()
    ranges[seat] = 0
    ranges[seat, hands_drawn(here, random)[seat]] = 1
    return Public(here.table, ranges)


def won(here: Public, players: Sequence[Player], rules: Rules, random: np.random.Generator) -> float:
    """What seat 0 wins in a hand of which this much is known, in chips."""
    corrected = 0.0
    while True:
        moves = moves_of(here, players[here.actor], rules)
        if here.street == RIVER:
            each = [
                value if after.is_over else won(after, players, rules, random)
                for value, after in zip(moves.values, moves.after, strict=True)
            ]
            return corrected + float(moves.often @ each)
        mean = float(moves.often @ moves.values)
        taken = _drawn(moves.often, random)
        street, here = here.street, moves.after[taken]
        if here.is_over:
            return corrected + mean
        corrected += mean - moves.values[taken]
        if here.street > street:
            here = dealt(here, random)
            corrected += moves.values[taken] - here.value()

"""Profiles: players that follow a preflop chart by position, then hand strength, with three numbers for their style.

`tight_aggressive`, `nit`, `loose_passive` and `loose_aggressive` are profiles. No profile remembers earlier hands.

Every decision rests on one estimate: the equity of the pot against the hands that opponents have bet with. The
strength tables give the equity s against one random hand. A player who bets has a better hand than a random one. If it
is the best of 1 + w random hands, then s becomes s ** (1 + w) on the river, apart from cards that both hands would
need; with several opponents the exponents add up. On earlier streets w counts less the wider the run-outs spread,
because draws win by the cards to come. The constants below were found in heads-up matches of variants against each
other and against the other scripted agents: no-limit with 20 and 100 big blinds, and fixed limit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem_env.agents.config_files import parameters_of
from holdem_env.agents.known_strategy import KnownStrategy
from holdem_env.compiled.compiler import inline, kernel
from holdem_env.compiled.records import Records
from holdem_env.engine.batch import NO_MOVE
from holdem_env.engine.betting import call_price
from holdem_env.engine.pots import winnable_chips
from holdem_env.engine.record import CHECK_CALL, FOLD, MAX_SEATS, NOT_ACTED
from holdem_env.equities.strength import PREFLOP, has_strengths
from holdem_env.game.rules import Rules

from .amounts import legal_raise, legal_raise_of_pot
from .strengths import live_opponents, measure_holdem, sampled_equities

# The chart at tightness 0.5: the fraction of all hands that opens the betting, by the number of players still to act.
# 1 is the small blind, 2 the button, 3 the cutoff, and so on; 0 is the big blind when the others have only called.
OPENS = np.array([0.42, 0.42, 0.45, 0.30, 0.22, 0.18, 0.15, 0.13, 0.12, 0.11])
HEADS_UP_OPENS = 0.86  # for the button
CALLS_BEYOND = 1.3  # the range that calls half the level or less, as a multiple of the opening range
OPEN_TO, OPEN_TO_HEADS_UP, RERAISE_TO = 3.0, 2.9, 2.75  # raise sizes in levels; opening raises add one for each caller

# What increases w before the flop: the first raise, heads-up and at larger tables (where fewer hands open); each
# further raise; and the size of the bet to call.
RAISED_HEADS_UP, RAISED, RAISED_AGAIN, RAISE_SIZE = 0.06, 0.7, 0.2, 0.05
# What increases w after the flop: the opponent's raises before the flop; each raise, or a call, on an earlier street
# after the flop; its bets and raises on this street; and the size of the bet to call.
RAISED_PREFLOP, RAISED_BEFORE, CALLED_BEFORE, RAISED_NOW, BET_SIZE = 0.1, 0.7, 0.25, 1.05, 0.85
# What increases w when the profile considers a bet or a raise: hands that continue against it are stronger still. It
# bets or raises only if its equity against them is above AHEAD.
CALLS_BET, CALLS_RAISE, CALLS_RERAISE = 0.85, 1.8, 1.3
AHEAD = 0.5
PREFLOP_MARGIN, CALL_MARGIN, MARGIN_BY_TIGHTNESS = -0.01, -0.01, 0.4  # how far a call's equity must exceed its price
BET = 0.9  # as a fraction of the pot after calling
DRAW_SPREAD, DRAW_EQUITY = 0.32, 0.3  # a hand with more spread and more equity than this is a draw

RANKS = PREFLOP.shape[-1]
ACTIONS = 3  # fold, check or call, one raise
SAMPLES = 100  # in games without strength tables
MAX_LIMPED = 2  # big blinds: the level of an unraised pot with a straddle


def _opening_order() -> NDArray[np.float64]:
    """(13, 13): the fraction of all 1,326 hands that is better than each starting hand.

    [high, low] is suited, [low, high] offsuit, the diagonal holds pairs. Hands are ordered by their equity against a
    random hand, with a small bonus for suited and connected cards.
    """
    rows, columns = np.indices((RANKS, RANKS))
    gaps = np.abs(rows - columns)
    suited = rows > columns
    score = PREFLOP[0] + 0.03 * suited + 0.015 * np.maximum(0, 4 - gaps) * (gaps > 0)
    hands = np.select([suited, rows < columns], [4, 12], 6).ravel()
    best_first = np.argsort(-score.ravel(), kind="stable")
    order = np.empty(RANKS * RANKS)
    order[best_first] = (np.cumsum(hands[best_first]) - hands[best_first]) / hands.sum()
    return order.reshape(RANKS, RANKS)


ORDER = _opening_order()


@inline
def rank_of_hand(hole, order):
    """The fraction of all hands that is better than these two cards, 0..1."""
    high, low = max(hole[0], hole[1]) >> 2, min(hole[0], hole[1]) >> 2
    return order[high, low] if (hole[0] & 3) == (hole[1] & 3) else order[low, high]


@inline
def put(moves, probabilities, fold, raises, target):
    """Write a strategy: fold and raise to `target` with these probabilities, else check or call.

    If no raise is legal, its probability goes to checking or calling.
    """
    raises = raises if target != NO_MOVE else 0.0
    rest = max(1.0 - fold - raises, 0.0)  # 1 - (1 - x) - x may be a little below 0
    moves[0], probabilities[0] = FOLD if fold > 0.0 else NO_MOVE, fold
    moves[1], probabilities[1] = CHECK_CALL if rest > 0.0 else NO_MOVE, rest
    moves[2], probabilities[2] = target if raises > 0.0 else NO_MOVE, raises


@inline
def loosened(part, tightness):
    """The fraction of hands to play instead of `part` at this tightness: all hands at 0, `part` at 0.5, none at 1."""
    return part ** (2.0 * tightness) if tightness < 0.5 else part * 2.0 * (1.0 - tightness)


@inline
def open_betting(t, r, seat, call, order, manner, opens, moves, probabilities):
    """The strategy before the flop when nobody has raised: by the chart."""
    behind = callers = 0
    for other in range(r.seats):
        if other != seat and t.in_hand[other]:
            behind += t.stack[other] > 0 and t.bet_acted_on[other] == NOT_ACTED
            callers += t.bet_acted_on[other] == t.bet_to_match
    part = opens[min(behind, opens.size - 1)] if call > 0 else opens[0]
    heads_up = t.dealt == 2
    if heads_up and call > 0:
        part = HEADS_UP_OPENS
    part = loosened(part, manner[0])
    times = OPEN_TO_HEADS_UP if heads_up else OPEN_TO
    target = legal_raise(t, r, np.int64((times + callers) * t.bet_to_match))
    rank = rank_of_hand(t.hole[seat], order)
    if rank < part:
        put(moves, probabilities, 0.0, manner[1], target)
    else:
        is_cheap = call == 0 or (2 * call <= t.bet_to_match and rank < CALLS_BEYOND * part)
        put(moves, probabilities, 0.0 if is_cheap else 1.0, 0.0, NO_MOVE)


@inline
def answer_raise(t, r, seat, call, equity, manner, moves, probabilities):
    """The strategy before the flop after a raise: by the equity against the raisers' hands, and the price."""
    opponents = 0
    for other in range(r.seats):
        opponents += other != seat and t.in_hand[other] and 2 * t.bet[other] > t.bet_to_match
    w = (
        (RAISED_HEADS_UP if t.dealt == 2 else RAISED)
        + RAISED_AGAIN * (t.wagers - 1)
        + RAISE_SIZE * min(call / max(t.pot - call, 1), 4.0)
    )
    power = max(opponents, 1) + w
    price = call / (winnable_chips(t, seat, call) + call)
    margin = (PREFLOP_MARGIN + MARGIN_BY_TIGHTNESS * (manner[0] - 0.5)) * (1.0 - price)
    if equity ** (power + CALLS_RERAISE) > AHEAD:
        put(moves, probabilities, 0.0, manner[1], legal_raise(t, r, np.int64(RERAISE_TO * t.bet_to_match)))
    else:
        put(moves, probabilities, 0.0 if equity**power >= price + margin else 1.0, 0.0, NO_MOVE)


@inline
def exponent(t, r, seat, call, spread, calls):
    """The exponent of the equity against one random hand. calls: what is added to w for continuing against our bet."""
    total = 0.0
    for other in range(r.seats):
        if other == seat or not t.in_hand[other]:
            continue
        w = calls + RAISED_PREFLOP * t.street_raises[other, 0] + RAISED_NOW * t.street_raises[other, t.street]
        for street in range(1, t.street):
            if t.street_raises[other, street] > 0:
                w += RAISED_BEFORE * t.street_raises[other, street]
            elif t.street_bets[other, street] > 0:
                w += CALLED_BEFORE
        if other == t.aggressor and call > 0:
            w += BET_SIZE * min(call / max(t.pot - call, 1), 2.0)
        total += 1.0 + w * (1.0 - 2.0 * spread)
    return total


@inline
def play_on(t, r, seat, call, equity, spread, manner, moves, probabilities):
    """After the flop: bet and raise what is ahead of the hands that go on, call what is worth its price, bluff with
    draws, and now and then with nothing."""
    target = legal_raise_of_pot(t, r, BET)
    draws = spread > DRAW_SPREAD and equity > DRAW_EQUITY
    calls = CALLS_BET if call == 0 else CALLS_RAISE
    if equity ** exponent(t, r, seat, call, spread, calls) > AHEAD:
        put(moves, probabilities, 0.0, manner[1], target)
    elif call == 0:
        bluff = min(1.0, 2.8 * manner[2]) if draws else manner[2] if t.live == 2 else 0.0
        put(moves, probabilities, 0.0, manner[1] * bluff, target)
    else:
        price = call / (winnable_chips(t, seat, call) + call)
        margin = CALL_MARGIN + MARGIN_BY_TIGHTNESS * (manner[0] - 0.5)
        if equity ** exponent(t, r, seat, call, spread, 0.0) >= price + margin:
            put(moves, probabilities, 0.0, 0.0, NO_MOVE)
        else:
            bluff = 0.5 * manner[1] * manner[2] if draws and target != NO_MOVE else 0.0
            put(moves, probabilities, 1.0 - bluff, bluff, target)


@kernel
def play_profile(tables, rules, rows, equities, spreads, order, opens, has_chart, manner, moves, probabilities):
    """The strategy at each table. has_chart: (K,) bool; manner: tightness, aggression, bluffing."""
    for k in range(rows.size):
        t = tables[rows[k]]
        r = rules[t.stage]
        seat = t.actor
        call = call_price(t, seat)
        if t.board_count > 0 or not has_chart[k]:
            play_on(t, r, seat, call, equities[k], spreads[k], manner, moves[k], probabilities[k])
        elif t.wagers == 0 and t.bet_to_match <= MAX_LIMPED * r.big_blind:
            open_betting(t, r, seat, call, order, manner, opens, moves[k], probabilities[k])
        else:
            answer_raise(t, r, seat, call, equities[k], manner, moves[k], probabilities[k])


def _sampled(tables: Records, rules: Rules, rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """The equity against one random hand, by sampling, for games without a chart."""
    one = np.zeros((len(rows), MAX_SEATS), np.int64)
    one[np.arange(len(rows)), live_opponents(tables, rows).argmax(axis=1)] = 1
    return sampled_equities(tables, rules, rows, one, SAMPLES)


class Profile(KnownStrategy):
    """Plays in a style that three numbers define, each from 0 to 1.

    tightness: 0 plays every hand, 0.5 the hands of the chart, 1 none. A tighter profile also needs a larger equity to
    call. aggression: how often it bets or raises a hand that is worth it, instead of checking or calling. bluffing: how
    often it bets with nothing; with a draw it bluffs more often.
    The chart and the strength tables are for Texas hold'em. In games with other cards the profile has no chart and
    samples its equity: it plays legally there, but not well.
    """

    def __init__(
        self,
        name: str = "profile",
        tightness: float = 0.5,
        aggression: float = 0.95,
        bluffing: float = 0.25,
        seed: int = 0,
    ) -> None:
        super().__init__(seed)
        self.name = name
        for parameter, value in (("tightness", tightness), ("aggression", aggression), ("bluffing", bluffing)):
            if not 0 <= value <= 1:
                raise ValueError(f"{parameter}: {value} is outside of 0 to 1")
        self.tightness, self.aggression, self.bluffing = tightness, aggression, bluffing

    def probabilities(
        self, tables: Records, rules: Rules, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        moves, probabilities = np.empty((len(rows), ACTIONS), np.int64), np.empty((len(rows), ACTIONS))
        equities, spreads = np.empty(len(rows)), np.zeros(len(rows))
        has_chart = np.array([has_strengths(stage) for stage in rules.stages])[tables["stage"][rows]]
        if has_chart.all():
            measure_holdem(tables, rules.record, rows, equities, spreads)
        else:  # other games, or mixed hold'em with some (R19)
            charted = np.empty(has_chart.sum())
            charted_spreads = np.empty(len(charted))
            measure_holdem(tables, rules.record, rows[has_chart], charted, charted_spreads)
            equities[has_chart], spreads[has_chart] = charted, charted_spreads
            equities[~has_chart] = _sampled(tables, rules, rows[~has_chart])
        manner = np.array([self.tightness, self.aggression, self.bluffing])
        play_profile(
            tables, rules.record, rows, equities, spreads, ORDER, OPENS, has_chart, manner, moves, probabilities
        )
        return moves, probabilities

    def config(self) -> dict[str, object]:
        return {**parameters_of(self), "agent": "profile"}

"""The profile: a player made of a preflop chart by position, hand strength after it, and three numbers for its manner.

`tight_aggressive`, `nit`, `loose_passive` and `loose_aggressive` are profiles. Nobody here remembers earlier hands.

All that a profile weighs is one estimate: its share of the pot against hands that have bet. Against one random hand
the share is what the strength tables say (exact, or counted over all run-outs). A player who bets has a better hand
than a random one; if it has the best of 1 + w random hands, a share s becomes s ** (1 + w), and over several opponents
the exponents add up. Draws suffer less from that, for they win by what is to come: the wider the run-outs lie apart,
the less w counts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem_env.engine.batch import NO_MOVE
from holdem_env.engine.compiling import inline, kernel
from holdem_env.engine.record import CHECK_CALL, DECK, FOLD, NOT_ACTED, Records
from holdem_env.engine.strength import PREFLOP, strength_and_spread
from holdem_env.rules import Rules
from holdem_env.strategies import KnownStrategy

# The share of hands that open the betting before the flop, by the number of players who can still act behind: 1 is
# the small blind (or the button heads-up), 2 the button, 3 the cutoff, ...; for a tightness of 0.5.
OPENS = np.array([1.0, 0.42, 0.45, 0.30, 0.22, 0.18, 0.15, 0.13, 0.12, 0.11])
HEADS_UP_OPENS = 0.82

BOARDS = {0, 3, 4, 5}
RANKS = PREFLOP.shape[-1]
ACTIONS = 3  # fold, check or call, one raise


def _opening_order() -> NDArray[np.float64]:
    """(13, 13): the part of all 1,326 hands that is better than each; [high, low] suited, [low, high] offsuit, pairs.

    Ordered by the mean of equity against a random hand and of what a hand can become (straights and flushes).
    """
    score = np.empty((RANKS, RANKS))
    weight = np.empty((RANKS, RANKS))
    for row in range(RANKS):
        for column in range(RANKS):
            gap = abs(row - column)
            score[row, column] = PREFLOP[0, row, column] + (0.03 * (row > column)) + 0.015 * max(0, 4 - gap) * (gap > 0)
            weight[row, column] = 4 if row > column else 12 if row < column else 6
    better = np.argsort(-score.ravel())
    before = np.cumsum(weight.ravel()[better]) - weight.ravel()[better]
    order = np.empty(RANKS * RANKS)
    order[better] = before / weight.sum()
    return order.reshape(RANKS, RANKS)


ORDER = _opening_order()


@inline
def rank_of_hand(hole, order):
    """The part of all hands that is better than these two cards, 0..1."""
    high, low = max(hole[0], hole[1]) >> 2, min(hole[0], hole[1]) >> 2
    suited = (hole[0] & 3) == (hole[1] & 3)
    return order[high, low] if suited else order[low, high]


@inline
def still_to_act(t, r, seat):
    """How many others have not acted on this street and can."""
    count = 0
    for other in range(r.seats):
        count += other != seat and t.in_hand[other] and t.stack[other] > 0 and t.acted_level[other] == NOT_ACTED
    return count


@inline
def winnable(t, r, seat, call):
    """Chips in the middle that the seat can win if it calls: not those that others put in beyond its own."""
    mine = t.total[seat] + call
    chips = t.dead + t.total[seat]
    for other in range(r.seats):
        if other != seat:
            chips += min(t.total[other], mine)
    return chips


@inline
def bet_size(t, call):
    """The bet to call as a part of the pot before it."""
    return call / max(t.pot - call, 1)


@inline
def exponent(t, r, seat, call, spread, more):
    """What the share against one random hand is raised to. more: what the opponents' calls of our bet would add."""
    total = 0.0
    for other in range(r.seats):
        if other == seat or not t.in_hand[other]:
            continue
        w = more + 0.15 * t.street_raises[other, 0]
        for street in range(1, t.street):
            w += 0.35 * t.street_raises[other, street]
        if t.street > 0 and t.street_raises[other, t.street] > 0:
            w += 0.5 * t.street_raises[other, t.street]
        if other == t.aggressor and call > 0:
            w += 0.6 * min(bet_size(t, call), 2.0)
        total += 1.0 + w * (1.0 - 2.0 * spread)
    return total


@inline
def legal_raise(t, r, target):
    """The legal raise nearest to a street total; all-in if that would leave less than a third; NO_MOVE if there is
    none."""
    if t.raise_max == 0:
        return NO_MOVE
    all_in = t.stack[t.actor] + t.bet[t.actor]
    if 3 * target > 2 * all_in:
        target = all_in
    if target >= t.raise_max:
        return t.raise_max
    return max(t.raise_min, target - target % r.smallest_chip)


@inline
def put(moves, chances, fold, call, target, raises):
    """Write a strategy: fold with the chance `fold`, raise to `target` with the chance `raises`, else check or call."""
    if target == NO_MOVE:
        call += raises
        raises = 0.0
    moves[0], chances[0] = FOLD if fold > 0.0 else NO_MOVE, fold
    moves[1], chances[1] = CHECK_CALL if call > 0.0 else NO_MOVE, call
    moves[2], chances[2] = target if raises > 0.0 else NO_MOVE, raises


@inline
def before_the_flop(t, r, seat, order, opens, tightness, aggression, bluffing, moves, chances):
    """Open by the chart; against a raise, compare the share against a raiser's hands with the price."""
    rank = rank_of_hand(t.hole[seat], order)
    call = min(t.level - t.bet[seat], t.stack[seat])
    if t.wagers == 0 and t.level <= max(r.big_blind, 1) * 2:
        behind = min(still_to_act(t, r, seat), opens.size - 1)
        fraction = opens[behind]
        if t.dealt == 2 and seat == t.button:
            fraction = HEADS_UP_OPENS
        if call == 0:  # the big blind may check
            fraction = 0.25
        fraction = fraction ** (2.0 * tightness)
        callers = -1 if t.live > 1 else 0
        for other in range(r.seats):
            callers += t.in_hand[other] and t.bet[other] == t.level and other != seat
        target = legal_raise(t, r, np.int64(t.level * (2.5 if t.dealt == 2 else 3.0)) + max(callers, 0) * t.level)
        if rank < fraction:
            put(moves, chances, 0.0, 1.0 - aggression, target, aggression)
        elif call == 0 or (rank < 1.3 * fraction and 2 * call <= t.level):
            put(moves, chances, 0.0, 1.0, NO_MOVE, 0.0)
        else:
            put(moves, chances, 1.0, 0.0, NO_MOVE, 0.0)
        return
    price = call / (winnable(t, r, seat, call) + call)
    share = strength_and_spread(t.hole[seat], r.hole_cards, t.board, t.board_count)[0]
    w = 0.25 + 0.3 * (t.wagers - 1) + 0.15 * min(bet_size(t, call), 4.0)
    opponents = 0
    for other in range(r.seats):
        opponents += other != seat and t.in_hand[other] and t.bet[other] * 2 > t.level
    opponents = max(opponents, 1)
    mine = share ** (opponents + w)
    against_callers = share ** (opponents + w + 0.5)
    margin = 0.12 * tightness
    target = legal_raise(t, r, 3 * t.level)
    if against_callers > 0.5:
        put(moves, chances, 0.0, 1.0 - aggression, target, aggression)
    elif call == 0 or mine > price + margin * (1.0 - price):
        put(moves, chances, 0.0, 1.0, NO_MOVE, 0.0)
    else:
        put(moves, chances, 1.0, 0.0, NO_MOVE, 0.0)


@inline
def after_the_flop(t, r, seat, tightness, aggression, bluffing, moves, chances):
    """Bet what is ahead of the hands that call; call what is worth its price; bluff with draws, and now and then with
    nothing."""
    share, spread = strength_and_spread(t.hole[seat], r.hole_cards, t.board, t.board_count)
    call = min(t.level - t.bet[seat], t.stack[seat])
    pot = t.pot + call
    target = legal_raise(t, r, t.level + np.int64(0.75 * pot))
    ahead = share ** exponent(t, r, seat, call, spread, 0.7) > 0.5
    draw = spread > 0.22 and share > 0.3
    if call == 0:
        if ahead:
            put(moves, chances, 0.0, 1.0 - aggression, target, aggression)
            return
        chance = 0.0
        if draw:
            chance = 2.0 * bluffing
        elif t.live == 2:
            chance = bluffing
        put(moves, chances, 0.0, 1.0 - chance * aggression, target, chance * aggression)
        return
    price = call / (winnable(t, r, seat, call) + call)
    mine = share ** exponent(t, r, seat, call, spread, 0.0)
    if ahead:
        put(moves, chances, 0.0, 1.0 - aggression, target, aggression)
    elif mine > price + 0.1 * (tightness - 0.5):
        put(moves, chances, 0.0, 1.0, NO_MOVE, 0.0)
    else:
        bluff = 0.3 * bluffing * aggression if draw else 0.0
        put(moves, chances, 1.0 - bluff, 0.0, target, bluff) if target != NO_MOVE else put(
            moves, chances, 1.0, 0.0, NO_MOVE, 0.0
        )


@kernel
def play_profile(tables, rules, rows, order, opens, tightness, aggression, bluffing, moves, chances):
    """The strategy at each table."""
    for k in range(rows.size):
        t = tables[rows[k]]
        r = rules[t.stage]
        if t.board_count == 0:
            before_the_flop(t, r, t.actor, order, opens, tightness, aggression, bluffing, moves[k], chances[k])
        else:
            after_the_flop(t, r, t.actor, tightness, aggression, bluffing, moves[k], chances[k])


class Profile(KnownStrategy):
    """Plays Texas hold'em in the manner that three numbers say, each 0 to 1.

    tightness: 0 plays nearly every hand, 0.5 those of the chart, 1 few, and asks more of a hand before it calls.
    aggression: how often it bets or raises with a hand that is worth it, instead of checking or calling.
    bluffing: how often it bets with nothing; with draws twice as often.
    """

    def __init__(
        self,
        name: str = "profile",
        tightness: float = 0.5,
        aggression: float = 0.9,
        bluffing: float = 0.25,
        seed: int = 0,
    ) -> None:
        super().__init__(seed)
        self.name = name
        for parameter, value in (("tightness", tightness), ("aggression", aggression), ("bluffing", bluffing)):
            if not 0 <= value <= 1:
                raise ValueError(f"{parameter}: {value} is outside of 0 to 1")
        self.tightness, self.aggression, self.bluffing = tightness, aggression, bluffing
        self._checked: Rules | None = None

    def probabilities(
        self, tables: Records, rules: Rules, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        if rules is not self._checked:
            check_holdem(self.name, rules)
            self._checked = rules
        moves = np.empty((len(rows), ACTIONS), np.int64)
        chances = np.empty((len(rows), ACTIONS))
        manner = self.tightness, self.aggression, self.bluffing
        play_profile(tables, rules.record, rows, ORDER, OPENS, *manner, moves, chances)
        return moves, chances


def check_holdem(name: str, rules: Rules) -> None:
    """Raise ValueError for a game of other cards than the chart and the strength tables are made for."""
    boards = {sum(rules.board_cards[: street + 1]) for street in range(rules.streets)}
    if rules.hole_cards != 2 or len(rules.deck) != DECK or rules.hole_cards_used is not None or not boards <= BOARDS:
        raise ValueError(
            f"agent {name!r} plays games of two hole cards, a full deck and boards of 0, 3, 4 and 5 cards; this one "
            f"has {rules.hole_cards} hole cards, a deck of {len(rules.deck)} and boards of {sorted(boards)}"
        )

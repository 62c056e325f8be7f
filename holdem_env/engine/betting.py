"""Betting: who may raise, by how much, and what a move does (R14-R25).

Where to look: `minimum_raise` (R16, R22), `raise_range` with the maximum (R16-R18), `raise_verdict` the right to raise
(R18, R20-R24), `raise_to` decides what counts as a full raise (R21, R24), `update_cap` caps fixed limit (R18),
`must_act` ends a round (R15, R25).

A seat may raise again if the last full bet or raise (`last_full_bet`, one per table) is above the bet it last acted on
(`bet_acted_on`, one per seat). Short all-ins need no special cases.
"""

from __future__ import annotations

from ..compiled.compiler import inline
from .bet_sizes import raise_of_pot
from .log import note
from .record import (
    AT_START,
    CHECK_CALL,
    DID_BET,
    DID_CALL,
    DID_CHECK,
    DID_FOLD,
    DID_RAISE,
    FIXED_LIMIT,
    FOLD,
    MAX_MOVES,
    MAX_RAISES,
    NO_CAP,
    NOBODY,
    NOT_ACTED,
    POT_LIMIT,
    WHEN_TWO_LEFT,
    LogRecord,
    RulesRecord,
    TableRecord,
)
from .seats import next_seat

# Whether a move is legal, and why not; legality.py has the words. Why a seat may not raise at all:
LEGAL, STACK_BELOW_BET, CAPPED, NOT_REOPENED, NOBODY_COULD_CALL = range(5)
# Why not to this street total, or not at all:
BELOW_LEAST, ABOVE_STACK, ABOVE_FIXED_BET, ABOVE_POT, NOT_IN_CHIPS, NO_SUCH_MOVE, NOBODY_TO_ACT = range(5, 12)


@inline
def call_price(t: TableRecord, seat: int) -> int:
    """The chips a seat must add to call, at most its stack (R14, R20). 0 means that it may check."""
    return min(t.bet_to_match - t.bet[seat], t.stack[seat])


@inline
def pay_into_pot(t: TableRecord, seat: int, amount: int) -> int:
    """Move chips from a stack to the middle, at most the whole stack (R9, R20). Returns how many, and keeps count of
    the players who have chips left."""
    paid = min(amount, t.stack[seat])
    t.stack[seat] -= paid
    t.pot += paid
    if paid > 0 and t.stack[seat] == 0:
        t.with_chips -= 1
    return paid


@inline
def commit_chips(t: TableRecord, seat: int, amount: int) -> int:
    """Move chips from a stack to the middle as part of the seat's street bet. Returns how many."""
    paid = pay_into_pot(t, seat, amount)
    t.bet[seat] += paid
    t.total[seat] += paid
    return paid


@inline
def betting_is_open_to(t: TableRecord, r: RulesRecord, seat: int) -> bool:
    """R21-R24: whether a seat still has the right to raise: it has not acted yet, or the bet has risen by a full raise
    since it did."""
    acted = t.bet_acted_on[seat]
    if acted == NOT_ACTED or t.last_full_bet > acted:
        return True
    return r.cumulative != 0 and t.bet_to_match - acted >= t.raise_size


@inline
def opponent_could_call_more(t: TableRecord, r: RulesRecord, seat: int) -> bool:
    """R20: whether a live opponent could call more than the current bet."""
    for other in range(r.seats):
        if other != seat and t.in_hand[other] and t.stack[other] + t.bet[other] > t.bet_to_match:
            return True
    return False


@inline
def raise_verdict(t: TableRecord, r: RulesRecord, seat: int) -> int:
    """R18, R20-R24: LEGAL if the seat may raise, else the reason why not."""
    if t.stack[seat] + t.bet[seat] <= t.bet_to_match:
        return STACK_BELOW_BET
    if t.capped != 0:
        return CAPPED
    if not betting_is_open_to(t, r, seat):
        return NOT_REOPENED
    if not opponent_could_call_more(t, r, seat):
        return NOBODY_COULD_CALL
    return LEGAL


@inline
def minimum_raise(t: TableRecord) -> int:
    """R16, R22: the least street total to raise to: the bet to match and the largest full bet or raise on top. A
    stack that is below it may go all-in (R20)."""
    return t.bet_to_match + t.raise_size


@inline
def raise_range(t: TableRecord, r: RulesRecord, seat: int) -> tuple[int, int]:
    """The minimum and the maximum street total the seat may raise to (R16-R18, R22, R24); (0, 0) if it may not
    raise."""
    if raise_verdict(t, r, seat) != LEGAL:
        return 0, 0
    all_in = t.stack[seat] + t.bet[seat]
    if r.structure == FIXED_LIMIT:  # R18; R24: a short all-in is completed, so the last full bet counts
        target = min(t.last_full_bet + t.raise_size, all_in)
        return target, target
    least = minimum_raise(t)
    most = all_in
    if r.structure == POT_LIMIT:  # R17
        cap = raise_of_pot(t.bet_to_match, t.pot + call_price(t, seat), 1, 1, r.smallest_chip)
        most = min(max(cap, least), all_in)  # if the pot is below the minimum, the minimum is allowed
    return min(least, most), most


@inline
def move_verdict(t: TableRecord, r: RulesRecord, move: int) -> int:
    """LEGAL if the seat to act may make this move, else the reason why not."""
    if t.actor == NOBODY:
        return NOBODY_TO_ACT
    if move == FOLD or move == CHECK_CALL:
        return LEGAL
    if move < FOLD:
        return NO_SUCH_MOVE
    if t.raise_max == 0:
        return raise_verdict(t, r, t.actor)
    if move < t.raise_min:
        return BELOW_LEAST
    if move > t.raise_max:
        if t.raise_max == t.stack[t.actor] + t.bet[t.actor]:
            return ABOVE_STACK
        return ABOVE_FIXED_BET if r.structure == FIXED_LIMIT else ABOVE_POT
    return LEGAL if move % r.smallest_chip == 0 else NOT_IN_CHIPS


@inline
def is_legal(t: TableRecord, r: RulesRecord, move: int) -> bool:
    """Whether the seat to act may make this move."""
    return move_verdict(t, r, move) == LEGAL


@inline
def update_cap(t: TableRecord, r: RulesRecord) -> None:
    """R18: cap the betting once the wagers of this street are used up. What is capped stays capped."""
    if r.structure != FIXED_LIMIT or r.max_raises[t.street] == NO_CAP or t.wagers < r.max_raises[t.street]:
        return
    exempt = t.uncapped != 0 or (r.uncapped_heads_up == WHEN_TWO_LEFT and t.live == 2)
    if not exempt:
        t.capped = 1


@inline
def start_betting_round(t: TableRecord, r: RulesRecord) -> None:
    """R15: begin a betting round in which nobody has bet."""
    t.bet_to_match = 0
    t.last_full_bet = 0
    t.raise_size = r.min_bet[t.street]
    t.wagers = 0
    t.capped = 0
    t.uncapped = 1 if r.uncapped_heads_up == AT_START and t.live == 2 else 0
    t.aggressor = NOBODY
    for seat in range(r.seats):
        t.bet[seat] = 0
        t.bet_acted_on[seat] = NOT_ACTED
    update_cap(t, r)


@inline
def raise_to(t: TableRecord, r: RulesRecord, seat: int, target: int) -> None:
    """Bet or raise to a street total, and decide whether it counts as a full bet or raise (R21-R24). An all-in that
    does not is a special kind of call: its player is not the last to bet or raise (R29)."""
    commit_chips(t, seat, target - t.bet[seat])
    # Fixed limit and the half-bet rule (R24) measure from the last full bet, the full-bet rule (R21) from the bet to
    # match.
    from_full_bet = r.structure == FIXED_LIMIT or r.reopen_fraction < 1.0
    base = t.last_full_bet if from_full_bet else t.bet_to_match
    if target - base >= t.raise_size or (r.reopen_fraction < 1.0 and target - base >= r.reopen_fraction * t.raise_size):
        if r.structure != FIXED_LIMIT:
            t.raise_size = max(t.raise_size, target - t.bet_to_match)
        t.last_full_bet = target
        t.wagers += 1
        t.aggressor = seat
        update_cap(t, r)
    t.bet_to_match = target


@inline
def remember_move(t: TableRecord, seat: int, move: int) -> None:
    """Write the move to the record, where encoders find it."""
    at = t.moves % MAX_MOVES
    t.move_seat[at] = seat
    t.move_street[at] = t.street
    t.move[at] = move
    t.moves += 1


@inline
def make_move(t: TableRecord, r: RulesRecord, log: LogRecord, move: int) -> None:
    """Fold, check or call, or raise to a total, for the seat to act. The move must be legal."""
    seat = t.actor
    before = t.bet[seat]
    remember_move(t, seat, move)
    if move == FOLD:
        t.in_hand[seat] = 0
        t.live -= 1
        t.with_chips -= 1
        note(log, DID_FOLD, seat, 0, -1)
    elif move == CHECK_CALL:
        paid = commit_chips(t, seat, t.bet_to_match - before)
        note(log, DID_CALL if paid > 0 else DID_CHECK, seat, paid, -1)
    else:
        note(log, DID_RAISE if t.bet_to_match > 0 else DID_BET, seat, move, -1)
        raise_to(t, r, seat, move)
        t.street_raises[seat, t.street] = min(t.street_raises[seat, t.street] + 1, MAX_RAISES)
    t.street_bets[seat, t.street] += t.bet[seat] - before
    t.bet_acted_on[seat] = t.bet_to_match


@inline
def largest_other_bet(t: TableRecord, r: RulesRecord, seat: int) -> int:
    """The largest street bet among a seat's live opponents."""
    largest = 0
    for other in range(r.seats):
        if other != seat and t.in_hand[other]:
            largest = max(largest, t.bet[other])
    return largest


@inline
def must_act(t: TableRecord, r: RulesRecord, seat: int) -> bool:
    """R15, R25: whether the seat still has a decision in this round."""
    if not t.in_hand[seat] or t.stack[seat] == 0:
        return False
    if t.bet_acted_on[seat] != NOT_ACTED and t.bet[seat] >= t.bet_to_match:
        return False
    # The only player with chips left has a decision only if a live opponent has bet more.
    return t.with_chips > 1 or largest_other_bet(t, r, seat) > t.bet[seat]


@inline
def ask_next_to_act(t: TableRecord, r: RulesRecord, after: int) -> None:
    """R15: find the first seat clockwise of `after` that has a decision; store it in `t.actor`, and its raise range in
    `t.raise_min` and `t.raise_max`. If there is none, `t.actor` is NOBODY and the betting round ends."""
    t.actor = NOBODY
    t.raise_min = 0
    t.raise_max = 0
    seat = after
    for _ in range(r.seats):
        seat = next_seat(r, seat)
        if must_act(t, r, seat):
            t.actor = seat
            t.raise_min, t.raise_max = raise_range(t, r, seat)
            return

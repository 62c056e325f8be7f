"""Following the moves of a real hand through a strategy's tree, from one set of branches to the next (branches.py)."""

from __future__ import annotations

import numpy as np

from ...compiled.compiler import compiled, inline
from ...encoders.replay import (
    LEVEL,
    POT,
    STREET,
    begin_replay,
    call_of,
    come_to,
    first_move,
    open_street,
    replay_move,
)
from ...engine.record import CHECK_CALL, FIXED_LIMIT, FOLD, MAX_MOVES, POT_LIMIT
from .branches import (
    CALL,
    CALLED,
    CLOSED,
    DECIDES,
    FULL,
    LEAST,
    MOST,
    begin_at,
    catch_up,
    pass_on,
    pass_on_played,
    state_of,
)
from .translation import NO_CHILD, call_child, real_move, translate


@inline
def look_ahead(t, r, seat, work):
    """Write down what the player of the next move may do."""
    known = work.known
    level = work.replay[LEVEL]
    call = call_of(t, seat, work.replay, work.bet, work.put)
    known[CALL], known[CALLED] = call, work.replay[POT] + call
    known[LEAST] = known[MOST] = 0
    all_in = t.start_stack[seat] - work.put[seat] + work.bet[seat]
    if all_in > level:
        least = min(level + known[FULL], all_in)
        most = least if r.structure == FIXED_LIMIT else all_in
        if r.structure == POT_LIMIT:
            cap = level + known[CALLED]
            most = min(max(cap - cap % r.smallest_chip, least), all_in)
        known[LEAST], known[MOST] = least, most


@inline
def read_branch(book, t, r, work, buckets, now, branch, seat, move, hero):
    """Pass a branch on by a move that its player has made, read as the tree can. Of the hero's moves count how often
    each hand makes them, as they are read."""
    node, street = work.nodes[now, branch], work.replay[STREET]
    if state_of(book, node, street, seat ^ t.button) != DECIDES or move == FOLD:
        pass_on(work, now, branch, node, 1.0)
        return
    lower, upper, share = call_child(book.sizes, node), NO_CHILD, 1.0
    if move != CHECK_CALL:
        lower, upper, share = translate(
            *(book.sizes, node, move, work.replay[LEVEL], work.known[CALLED]),
            *(is_all_in(t, work, seat, move), r.smallest_chip),
        )
    for child, part in ((lower, share), (upper, 1.0 - share)):
        if child == NO_CHILD:
            continue
        if seat == hero:
            pass_on_played(book, work, buckets, now, branch, child, part)
        else:
            pass_on(work, now, branch, child, part)


@inline
def is_all_in(t, work, seat, move):
    """Whether a wager takes all chips of its player or of the other one."""
    for player in range(2):
        if move >= t.start_stack[player] - work.put[player] + work.bet[player]:
            return True
    return False


@inline
def play_branch(book, t, r, work, buckets, now, branch, seat, move, keep_all_in):
    """Pass a branch on by a move of the seat's own: to the children that mean it."""
    node, known = work.nodes[now, branch], work.known
    state = state_of(book, node, work.replay[STREET], seat ^ t.button)
    if state == CLOSED and move == CHECK_CALL:
        pass_on(work, now, branch, node, 1.0)
    if state == DECIDES:
        first = book.sizes.first_child[node]
        limits = known[LEAST], known[MOST], known[CALL]
        for child in range(first, first + book.sizes.children[node]):
            means = real_move(
                book.sizes, child, limits, work.replay[LEVEL], known[CALLED], r.smallest_chip, keep_all_in
            )
            if means == move:
                pass_on_played(book, work, buckets, now, branch, child, 1.0)


@inline
def open_at(t, r, street, work):
    """The chips as they were when the running street began."""
    open_street(t, r, street, work.replay, work.bet)
    work.replay[POT] = t.pot
    for seat in range(r.seats):
        now_in = t.start_stack[seat] - t.stack[seat]
        work.replay[POT] -= t.street_bets[seat, street]
        work.put[seat] = now_in - t.street_bets[seat, street]


@compiled
def follow(book, t, r, work, buckets, street, node, keep_all_in, hero, end):
    """Follow the moves of a hand from the beginning of a street on, where it was at a node, up to its move number
    `end`. Returns which set of branches is the result.

    street: 0, or the running one. hero: the seat whose hands are weighted. buckets: (streets, H)."""
    begin_at(work, node)
    begin_replay(t, r, work.replay, work.bet, work.put)
    if street > 0:
        open_at(t, r, street, work)
    work.known[FULL] = r.min_bet[street]
    now = 0
    for k in range(first_move(t), end):
        place = k % MAX_MOVES
        if t.move_street[place] < street:
            continue
        seat, move = np.int64(t.move_seat[place]), t.move[place]
        if t.move_street[place] != work.replay[STREET]:
            work.known[FULL] = r.min_bet[t.move_street[place]]
        come_to(t, r, k, work.replay, work.bet)
        catch_up(book, work, now, work.replay[STREET])
        look_ahead(t, r, seat, work)
        work.branches[1 - now] = 0
        if seat == hero:
            for b in range(work.branches[now]):
                play_branch(book, t, r, work, buckets, now, b, seat, move, keep_all_in)
        if work.branches[1 - now] == 0:  # an opponent's move, or one that this strategy does not make
            for b in range(work.branches[now]):
                read_branch(book, t, r, work, buckets, now, b, seat, move, hero)
        now = 1 - now
        before = work.replay[LEVEL]
        replay_move(t, k, work.replay, work.bet, work.put)
        work.known[FULL] = (
            max(work.known[FULL], work.replay[LEVEL] - before) if r.structure != FIXED_LIMIT else work.known[FULL]
        )
    catch_up(book, work, now, t.street if end == t.moves else t.move_street[end % MAX_MOVES])
    return now

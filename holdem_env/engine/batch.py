"""The engine's entry points for Python: every kernel takes arrays of records and loops over tables.

`tables` is an array of TABLE records, `log` an array of length one, and `rules` the RULES records of the game: one, or
one for each stage of a session; a table plays by `rules[t.stage]`. Ranges `first`..`last` let threads share a batch.
"""

from __future__ import annotations

import numpy as np

from .betting import is_legal
from .between_hands import arrange_hand, begin_session, close_hand, next_phase_alone
from .compiling import compiled, inline, kernel
from .dealer_errors import draw_errors
from .dealing import GOLDEN, fresh_deck, mix, shuffle
from .fetching import fetch_table
from .hand import apply_move, start_hand
from .positions import can_deal
from .record import NOBODY
from .showdown import lay_out_pots

# What an action encoder writes for an action that is not offered. Below every move: fold is -1.
NO_MOVE = -2
# So many tables ahead of the one that is played, the next are fetched from memory.
AHEAD = 2
# So many hands of a session in which nobody is asked are enough to see that nobody ever will be.
MOST_HANDS = 10_000


@kernel
def shuffle_decks(tables, rules, count):
    """Give each table the deck of its hand, its first `count` cards in place (all that the seed can tell:
    deck_size)."""
    for i in range(tables.size):
        t = tables[i]
        fresh_deck(t, rules[t.stage])
        shuffle(t, rules[t.stage], 0, count)


@kernel
def start_hands(tables, rules, log):
    """Post and deal: hands begin with the stacks, buttons and decks that stand in the records."""
    for i in range(tables.size):
        start_hand(tables[i], rules[tables[i].stage], log[0], 0, 0)


@kernel
def start_position(tables, rules, log, street, dead):
    """Begin the first table's hand on a street, with dead chips in the middle."""
    start_hand(tables[0], rules[tables[0].stage], log[0], street, dead)


@kernel
def errors_of(tables, rules):
    """The bits of the dealer's errors that the seed draws for the first table's hand."""
    draw_errors(tables[0], rules[0])
    return tables[0].errors


@kernel
def first_illegal(tables, rules, rows, moves):
    """The place in `rows` of the first table whose actor may not make its move; -1 if there is none."""
    for k in range(rows.size):
        t = tables[rows[k]]
        if not is_legal(t, rules[t.stage], moves[k]):
            return k
    return -1


@kernel
def play_moves(tables, rules, log, rows, moves):
    """Play legal moves, moves[k] at tables[rows[k]]. Finished hands stay as they are."""
    for k in range(rows.size):
        t = tables[rows[k]]
        apply_move(t, rules[t.stage], log[0], moves[k])


@kernel
def play_one(tables, rules, log, move):
    """Play a legal move at the first table; returns who is to act then."""
    apply_move(tables[0], rules[tables[0].stage], log[0], move)
    return tables[0].actor


@inline
def deal_next(t, rules, log):
    """The next hand of a table at which every hand stands alone: fresh stacks, the button one seat on, the deck that
    the seed gives it."""
    t.hand += 1
    if rules[0].phases > 1:
        next_phase_alone(t, rules)
    r = rules[t.stage]
    t.button = 0 if t.button + 1 >= r.seats else t.button + 1
    for seat in range(r.seats):
        t.stack[seat] = r.stacks[seat]
    fresh_deck(t, r)
    shuffle(t, r, 0, r.cards_needed)
    start_hand(t, r, log, 0, 0)


@kernel
def deal_hands(tables, rules, log, rows):
    """Deal the next hand at tables[rows], with fresh stacks; some may be over at once."""
    for k in range(rows.size):
        deal_next(tables[rows[k]], rules, log[0])


@inline
def add_payoffs(t, r, reward):
    """Add what each seat won or lost in the hand."""
    for seat in range(r.seats):
        reward[seat] += t.stack[seat] - t.start_stack[seat]


@compiled
def deal_until_decision(t, rules, log, reward):
    """Deal hands until somebody is to act; those without a decision are paid at once.

    Stacks are fresh every hand, so when no button of a whole round brings a decision, none ever will: then it gives up.
    """
    deal_next(t, rules, log)
    for _ in range(rules[0].seats):
        if t.actor != NOBODY:
            return
        add_payoffs(t, rules[0], reward)
        deal_next(t, rules, log)


@kernel
def deal_tables(tables, rules, log, rewards, first, last):
    """Deal each table its next hand, and further ones while nobody has a decision."""
    for i in range(first, last):
        for seat in range(rules[0].seats):
            rewards[i, seat] = 0
        deal_until_decision(tables[i], rules, log[0], rewards[i])


@inline
def look_at(tables, choices, mask, actor, first, last):
    """Who is to act at each table, and which actions are offered there."""
    for i in range(first, last):
        actor[i] = tables[i].actor
    moves, offered = choices[first:last].reshape(-1), mask[first:last].reshape(-1)
    for k in range(moves.size):
        offered[k] = moves[k] != NO_MOVE


@kernel
def look(tables, choices, mask, actor, first, last):
    """`look_at` for Python."""
    look_at(tables, choices, mask, actor, first, last)


@kernel
def first_not_offered(choices, actions):
    """The first row whose action is outside the space or masked; -1 if there is none."""
    for i in range(actions.size):
        action = actions[i]
        if action < 0 or action >= choices.shape[1] or choices[i, action] == NO_MOVE:
            return i
    return -1


@kernel
def lay_out(tables, rules):
    """Lay out the pots of the first table, in its record (R27)."""
    lay_out_pots(tables[0], rules[tables[0].stage])


@inline
def step_at(tables, rules, log, choices, actions, rewards, done, first, last):
    """Play offered actions; tables whose hand is over pay it and are dealt anew."""
    rewards[first:last] = 0
    for i in range(first, last):
        fetch_table(tables, i + AHEAD, rules[0].seats)
        t = tables[i]
        r = rules[t.stage]
        apply_move(t, r, log[0], choices[i, actions[i]])
        over = t.actor == NOBODY
        done[i] = over
        if over:
            add_payoffs(t, r, rewards[i])
            deal_until_decision(t, rules, log[0], rewards[i])


@kernel
def step_tables(tables, rules, log, choices, actions, rewards, done, first, last):
    """`step_at` for Python."""
    step_at(tables, rules, log, choices, actions, rewards, done, first, last)


@kernel
def next_seed(seed):
    """The seed that follows a seed, for episodes that nobody seeded: 0..2**63-1."""
    return np.int64(mix(np.uint64(seed) + GOLDEN) >> np.uint64(1))


@kernel
def number_tables(tables, seed, first, button):
    """Tell the records which decks are theirs: table ids from `first`, hand -1, so that the next hand is hand 0. The
    button stands at `button`, and moves before that hand."""
    for i in range(tables.size):
        t = tables[i]
        t.seed = seed
        t.table_id = first + i
        t.hand = -1
        t.button = button
        t.stage = 0
        t.phase = 0
        t.phase_hands = 0


@compiled
def next_session_decision(t, rules, log, reward, places):
    """A session's hand is over and paid: go on, with a new session if this one is over, until somebody is to act.

    Returns whether a session ended on the way; its finishing places are in `places`. Gives up where nobody is asked in
    MOST_HANDS hands.
    """
    ended = False
    for _ in range(MOST_HANDS):
        close_hand(t, rules[t.stage])
        if t.session_over == 0 and not can_deal(t, rules[t.stage]):
            t.session_over = 1
        if t.session_over != 0:
            ended = True
            for seat in range(rules[0].seats):
                places[seat] = t.place[seat]
            begin_session(t, rules[0])
        arrange_hand(t, rules)
        start_hand(t, rules[t.stage], log, 0, 0)
        if t.actor != NOBODY:
            return ended
        add_payoffs(t, rules[t.stage], reward)
    return ended


@kernel
def begin_tables(tables, rules, log, rewards, places, first, last):
    """Begin a session at each table, and deal until somebody is to act."""
    for i in range(first, last):
        t = tables[i]
        begin_session(t, rules[0])
        for seat in range(rules[0].seats):
            rewards[i, seat] = 0
        arrange_hand(t, rules)
        start_hand(t, rules[t.stage], log[0], 0, 0)
        if t.actor == NOBODY:
            add_payoffs(t, rules[t.stage], rewards[i])
            next_session_decision(t, rules, log[0], rewards[i], places[i])


@kernel
def step_sessions(tables, rules, log, choices, actions, rewards, done, ended, places, first, last):
    """Play offered actions; tables whose hand is over pay it and go on with their session, or with a new one."""
    for i in range(first, last):
        fetch_table(tables, i + AHEAD, rules[0].seats)
        t = tables[i]
        for seat in range(rules[0].seats):
            rewards[i, seat] = 0
        apply_move(t, rules[t.stage], log[0], choices[i, actions[i]])
        over = t.actor == NOBODY
        done[i] = over
        ended[i] = False
        if over:
            add_payoffs(t, rules[t.stage], rewards[i])
            ended[i] = next_session_decision(t, rules, log[0], rewards[i], places[i])

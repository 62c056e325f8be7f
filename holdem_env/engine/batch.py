"""The engine's entry points for Python: every kernel takes arrays of records and loops over tables.

`tables` is an array of TABLE records, `log` an array of length one, and `rules` the RULES records of the game: one, or
one for each stage of a session; a table plays by `rules[t.stage]`. Ranges `first`..`last` let threads share a batch.
"""

from __future__ import annotations

import numpy as np

from ..compiled.compiler import inline, kernel
from ..compiled.records import Records
from ..compiled.scalars import Flags, Ints, int64
from .betting import is_legal, move_verdict
from .dealing import fresh_deck, shuffle
from .decision_words import sip_hash
from .hand import apply_move, start_hand
from .invariants import watched
from .irregularities import draw_errors
from .posting import ante_posted, bet_posted, dead_posted
from .pots import build_side_pots, contests
from .random_numbers import GOLDEN, mix
from .record import NOBODY
from .showdown import choose_to_show, clear_shown, may_muck
from .stepping import deal_next_hand

# What an action encoder writes for an action that is not offered. Below every move: fold is -1.
NO_MOVE = -2


@kernel
def shuffle_decks(tables: Records, rules: Records, count: int) -> None:
    """Give each table the deck of its hand, its first `count` cards in place (deck_size: the whole deck)."""
    for i in range(tables.size):
        t = tables[i]
        fresh_deck(t, rules[t.stage])
        shuffle(t, rules[t.stage], 0, count)


@watched
@kernel
def start_hands(tables: Records, rules: Records, log: Records) -> None:
    """Post and deal: hands begin with the stacks, buttons and decks that stand in the records."""
    for i in range(tables.size):
        start_hand(tables[i], rules[tables[i].stage], log[0], 0, 0)


@watched
@kernel
def start_position(tables: Records, rules: Records, log: Records, street: int, dead: int) -> None:
    """Begin the first table's hand on a street, with dead chips in the middle."""
    start_hand(tables[0], rules[tables[0].stage], log[0], street, dead)


@kernel
def posted_chips(tables: Records, rules: Records, ante: Ints, bet: Ints, dead: Ints) -> None:
    """What each seat posted before the deal, (N, seats) int64 each: antes, chips that count as its bet, dead money."""
    for i in range(tables.size):
        t = tables[i]
        r = rules[t.stage]
        for seat in range(r.seats):
            ante[i, seat] = ante_posted(t, r, seat)
            bet[i, seat] = bet_posted(t, r, seat)
            dead[i, seat] = dead_posted(t, r, seat)


@kernel
def errors_of(tables: Records, rules: Records) -> int:
    """The bits of the dealer's errors that the seed draws for the first table's hand (R33-R38)."""
    draw_errors(tables[0], rules[tables[0].stage])
    return tables[0].errors


@kernel
def first_illegal(tables: Records, rules: Records, rows: Ints, moves: Ints) -> int:
    """The place in `rows` of the first table whose actor may not make its move; -1 if there is none."""
    for k in range(rows.size):
        t = tables[rows[k]]
        if not is_legal(t, rules[t.stage], moves[k]):
            return k
    return -1


@kernel
def verdict_at(tables: Records, rules: Records, row: int, move: int) -> int:
    """Whether the actor at tables[row] may make a move: LEGAL, or why not, a number of betting.py."""
    t = tables[row]
    return move_verdict(t, rules[t.stage], move)


@watched
@kernel
def play_moves(tables: Records, rules: Records, log: Records, rows: Ints, moves: Ints) -> None:
    """Play legal moves, moves[k] at tables[rows[k]]. Finished hands stay as they are."""
    for k in range(rows.size):
        t = tables[rows[k]]
        if t.actor != NOBODY:
            apply_move(t, rules[t.stage], log[0], moves[k])


@kernel
def would_muck(tables: Records, rules: Records, seat: int) -> bool:
    """Whether the rules alone would let a seat of the first table keep its cards hidden at the end (R29, R30)."""
    return tables[0].live == 1 or may_muck(tables[0], rules[tables[0].stage], seat)


@watched
@kernel
def choose_showing(tables: Records, rules: Records, log: Records, shows: bool) -> None:
    """Manual showing (R29, R30): the seat that has the choice at the first table shows its cards, or mucks them."""
    choose_to_show(tables[0], rules[tables[0].stage], log[0], shows)


@watched
@kernel
def deal_hands(tables: Records, rules: Records, log: Records, rows: Ints) -> None:
    """Deal the next hand at tables[rows], with fresh stacks; some may be over at once."""
    for k in range(rows.size):
        deal_next_hand(tables[rows[k]], rules, log[0])


@inline
def look_at(tables: Records, choices: Ints, mask: Ints, actor: Ints, first: int, last: int) -> None:
    """Who is to act at each table, and which actions are offered there."""
    for i in range(first, last):
        actor[i] = tables[i].actor
    moves, offered = choices[first:last].reshape(-1), mask[first:last].reshape(-1)
    for k in range(moves.size):
        offered[k] = moves[k] != NO_MOVE


@kernel
def look(tables: Records, choices: Ints, mask: Ints, actor: Ints, first: int, last: int) -> None:
    """`look_at` for Python."""
    look_at(tables, choices, mask, actor, first, last)


@kernel
def first_not_offered(choices: Ints, actions: Ints) -> int:
    """The first row whose action is outside the space or masked; -1 if there is none."""
    for i in range(actions.size):
        action = actions[i]
        if action < 0 or action >= choices.shape[1] or choices[i, action] == NO_MOVE:
            return i
    return -1


@kernel
def pots_of(tables: Records, rules: Records, contestants: Flags) -> None:
    """Build the pots of the first table, in its record (R27). contestants: (seats, seats) bool; filled with who plays
    for which pot, a row for each pot."""
    t = tables[0]
    build_side_pots(t, rules[t.stage])
    for pot in range(t.pots):
        for seat in range(contestants.shape[1]):
            contestants[pot, seat] = contests(t, seat, pot)


@kernel
def next_seed(seed: int) -> int:
    """The seed that follows a seed, for episodes that nobody seeded: 0..2**63-1."""
    return int64(mix(np.uint64(seed) + GOLDEN) >> np.uint64(1))


@kernel
def seed_by_key(tables: Records, key_0: int, key_1: int) -> None:
    """Give each table a seed of its own: a keyed hash (SipHash-1-3) of its number under a key of 128 bits. Knowing
    any number of decks, or the seed of one, does not give another."""
    for i in range(tables.size):
        t = tables[i]
        t.seed = sip_hash(np.uint64(key_0), np.uint64(key_1), np.uint64(t.table_id), np.uint64(0))


@kernel
def number_tables(tables: Records, seed: int, first: int, button: int) -> None:
    """Tell the records which decks are theirs: table ids from `first`, hand -1, so that the next hand is hand 0. The
    button stands at `button`, and moves before that hand."""
    for i in range(tables.size):
        t = tables[i]
        t.seed = seed
        t.table_id = first + i
        t.hand = -1
        t.button = button
        clear_shown(t)
        t.stage = 0
        t.phase = 0
        t.phase_hands = 0

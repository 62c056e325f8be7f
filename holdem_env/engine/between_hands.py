"""What happens between two hands of the same players: stacks stay, the button moves (R39)."""

from __future__ import annotations

from .compiling import inline, kernel
from .dealing import fresh_deck, shuffle


@inline
def players_left(t, r):
    """How many seats have chips."""
    count = 0
    for seat in range(r.seats):
        if t.stack[seat] > 0:
            count += 1
    return count


@inline
def move_button(t, r):
    """The button goes to the next seat that has chips."""
    for _ in range(r.seats):
        t.button = 0 if t.button + 1 >= r.seats else t.button + 1
        if t.stack[t.button] > 0:
            return


@kernel
def prepare_next_hands(tables, rules):
    """Count the hand, move the button and shuffle each table's deck for its next hand; stacks carry over."""
    r = rules[0]
    for i in range(tables.size):
        t = tables[i]
        t.hand += 1
        move_button(t, r)
        fresh_deck(t, r)
        shuffle(t, r, 0, r.deck_size)


@kernel
def count_players(tables, rules):
    """How many seats of the first table have chips."""
    return players_left(tables[0], rules[0])

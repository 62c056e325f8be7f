"""What happens between two hands of the same players: stacks stay, the button moves (R39)."""

from __future__ import annotations

from .compiling import inline, kernel
from .dealing import fresh_deck, shuffle
from .hand import start_hand


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


@inline
def prepare_next_hand(t, r):
    """Count the hand, move the button and shuffle the deck; stacks carry over."""
    t.hand += 1
    move_button(t, r)
    fresh_deck(t, r)
    shuffle(t, r, 0, r.deck_size)


@kernel
def prepare_next_hands(tables, rules):
    """Prepare each table's next hand, for decks to be arranged before it starts."""
    for i in range(tables.size):
        prepare_next_hand(tables[i], rules[0])


@kernel
def start_next_hand(tables, rules, log):
    """Prepare and start the next hand of the first table; returns who is to act."""
    prepare_next_hand(tables[0], rules[0])
    start_hand(tables[0], rules[0], log[0], 0, 0)
    return tables[0].actor


@kernel
def count_players(tables, rules):
    """How many seats of the first table have chips."""
    return players_left(tables[0], rules[0])

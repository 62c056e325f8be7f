"""Who posts what before a hand, where the button alone does not say it (R10): after players left, came or returned."""

from __future__ import annotations

from typing import NamedTuple

from ..engine import batch, record
from ..game.rules import Rules
from ..table.hand_setup import write_deck
from ..table.table import Table


class BlindPositions(NamedTuple):
    """The seats of the blinds, and the missed blinds that returning players post.

    small_blind: None where nobody has it. posts_big, posts_small: the seats that post a missed big blind, which is
    live, and a missed small blind, which is dead.
    """

    small_blind: int | None
    big_blind: int
    posts_big: frozenset[int] = frozenset()
    posts_small: frozenset[int] = frozenset()


def usual_positions(seats: int, button: int) -> BlindPositions:
    """The blinds of a hand in which everybody plays: left of the button; heads-up the button has the small one (R6,
    R7)."""
    small = button if seats == 2 else (button + 1) % seats
    return BlindPositions(small, (small + 1) % seats)


def table_with_blinds(
    rules: Rules,
    button: int,
    deck: list[int],
    seed: int,
    blinds: BlindPositions,
    absent: frozenset[int] = frozenset(),
) -> Table:
    """A hand whose blinds are posted as `blinds` says. rules: with a `session`, as missed blinds belong to sessions.
    absent: the seats of absent players, who fold without being asked.

    Raises ValueError for an invalid deck.
    """
    tables = record.new_records(record.TABLE, 1)
    tables["seats"]["stack"][0, : rules.seats] = rules.starting_stacks
    batch.number_tables(tables, seed, 0, button)
    tables["hand"] = 0
    batch.shuffle_decks(tables, rules.record, len(rules.deck))
    write_deck(rules, tables, deck)
    tables["blinds_placed"] = 1
    tables["small_blind_seat"] = record.NOBODY if blinds.small_blind is None else blinds.small_blind
    tables["big_blind_seat"] = blinds.big_blind
    for seat in range(rules.seats):
        big, small = seat in blinds.posts_big, seat in blinds.posts_small
        tables["presence"][0, seat] = record.AWAY if seat in absent else record.PRESENT
        tables["posts"][0, seat] = record.OWES_BIG * big | record.OWES_SMALL * small
    return Table.of_session(rules, tables, record.new_log(listening=True))

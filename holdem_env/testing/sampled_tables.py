"""Tables in the middle of random hands, and changes to them that a seat must not notice."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..engine import batch, record
from ..game.rules import Rules

GAMES = (
    Rules(structure="no_limit", seats=2, blinds=(1, 2)),
    Rules(structure="no_limit", seats=6, blinds=(50, 100), stacks=(300, 1_000, 150, 20_000, 700, 90), ante=10),
    Rules(structure="pot_limit", seats=3, blinds=(5, 10), smallest_chip=5, stacks=(625, 200, 45), straddle=20),
    Rules(structure="fixed_limit", seats=10, blinds=(10, 15), stacks=(400, 45, 30, 600, 75, 100, 100, 20, 15, 500)),
)
"""Games that differ in structure, seats, stacks and forced bets. What works in these works in most games."""

PER_SEAT = ("seats", "street_raises", "start_stack", "posted", "in_hand", "was_dealt", "shown", "hole", "last_shown")
SEAT_NUMBERS = ("button", "small_blind_seat", "big_blind_seat", "straddle_seat", "actor", "aggressor")


class ConformanceError(AssertionError):
    """An encoder or agent breaks its contract. The message says which part, where, and how to fix it."""


def random_positions(rules: Rules, count: int, seed: int) -> record.Records:
    """`count` tables, each after some random moves of a random hand; a few hands are over. Of mixed hold'em all phases
    are there (R19)."""
    generator = np.random.default_rng(seed)
    tables, log = record.new_records(record.TABLE, count), record.new_log(listening=False)
    batch.number_tables(tables, seed, 0, 0)
    tables["button"] = generator.integers(rules.seats, size=count)
    rows = np.arange(count)
    tables["phase"] = rows % max(int(rules.record["phases"][0]), 1)
    batch.deal_hands(tables, rules.record, log, rows)
    for moves in range(30):
        rows = rows[(tables["actor"][rows] != record.NOBODY) & (generator.random(len(rows)) < (0.9 if moves else 1.0))]
        batch.play_moves(tables, rules.record, log, rows, random_moves(tables, rules, rows, generator))
    return tables


def random_moves(
    tables: record.Records, rules: Rules, rows: NDArray[np.int64], generator: np.random.Generator
) -> NDArray[np.int64]:
    """Random legal moves that keep hands going: few folds, many calls, small and large raises."""
    least, most = tables["raise_min"][rows], tables["raise_max"][rows]
    chip = rules.smallest_chip
    raises = least + (generator.random(len(rows)) ** 4 * (most - least) / chip).astype(np.int64) * chip
    dice = generator.random(len(rows))
    moves = np.where((dice < 0.35) & (most > 0), raises, record.CHECK_CALL)
    chosen: NDArray[np.int64] = np.where(dice > 0.93, record.FOLD, moves)
    return chosen


def shuffle_hidden_cards(tables: record.Records, rules: Rules, seats: Sequence[int], seed: int) -> record.Records:
    """The same tables, with the cards permuted that the given seat of each table does not know.

    A seat knows its own hole cards, the board, hands that were shown, and cards that a dealer's error exposed. Seeds
    and hand numbers change, too, because they determine the deck.
    """
    generator = np.random.default_rng(seed)
    changed = tables.copy()
    for row, seat in enumerate(seats):
        t = changed[row]
        game = rules.stages[t["stage"]]
        known = _known_cards(t, game, int(seat))
        hidden = np.array([card for card in game.deck if card not in known])
        swap = np.arange(record.DECK)
        swap[hidden] = generator.permutation(hidden)
        t["deck"][: len(game.deck)] = swap[t["deck"][: len(game.deck)]]
        t["hole"][: rules.seats, : game.hole_cards] = swap[t["hole"][: rules.seats, : game.hole_cards]]
        t["reshuffle_order"] = swap[t["reshuffle_order"]]
    for name in ("seed", "table_id", "hand"):
        changed[name] = generator.integers(2**40, size=len(changed))
    return changed


def _known_cards(t: record.Records, game: Rules, seat: int) -> set[int]:
    """The cards that a seat may know: its own, the board, shown hands, and what a dealer's error exposed."""
    seats = [other for other in range(game.seats) if other == seat or t["shown"][other] == record.SHOWN]
    cards = {int(card) for other in seats if t["was_dealt"][other] for card in t["hole"][other, : game.hole_cards]}
    exposed = set(np.flatnonzero(t["exposed"]).tolist())
    return cards | exposed | {int(card) for card in t["board"][: int(t["board_count"])]}


def rotate_seats(tables: record.Records, rules: Rules, by: int) -> record.Records:
    """The same tables, with everybody moved `by` seats on."""
    turned = tables.copy()
    for name in PER_SEAT:
        turned[name][:, : rules.seats] = np.roll(tables[name][:, : rules.seats], by, axis=1)
    for name in SEAT_NUMBERS:
        seated = tables[name] != record.NOBODY
        turned[name] = np.where(seated, (tables[name] + by) % rules.seats, tables[name])
    turned["made"]["seat"] = (tables["made"]["seat"] + by) % rules.seats
    return turned


def where(rules: Rules, row: int, seat: int) -> str:
    """The game, position and seat where a check failed, in words."""
    return f"In a {rules.structure} game of {rules.seats} seats, position {row}, seat {seat}"

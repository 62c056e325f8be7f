"""What the record keeps of a hand for encoders and reports: chips by street, raises by street, the moves."""

from __future__ import annotations

from holdem_env.engine.record import MAX_MOVES, MOST_RAISES
from rules.playing import FLOP, PREFLOP, A, B, C, deal, play


def street_bets(table):
    return table.records["seats"]["street_bets"][0, : table.rules.seats].tolist()


def street_raises(table):
    return table.records["street_raises"][0, : table.rules.seats].tolist()


def moves(table):
    made = table.records["made"][0, : int(table.records["moves"][0])]
    return list(zip(made["seat"].tolist(), made["street"].tolist(), made["move"].tolist(), strict=True))


def test_chips_raises_and_moves_are_kept_by_seat_and_street():
    table = deal([500, 500, 500], ante=5)
    assert street_bets(table) == [[10, 0, 0, 0], [20, 0, 0, 0], [0, 0, 0, 0]]  # antes are no bets
    play(table, "C:r60 A:c B:r140 C:f A:c")
    assert street_bets(table) == [[140, 0, 0, 0], [140, 0, 0, 0], [60, 0, 0, 0]]
    assert street_raises(table) == [[0, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]]
    play(table, "A:b30 B:r90 A:r200")
    assert street_bets(table) == [[140, 200, 0, 0], [140, 90, 0, 0], [60, 0, 0, 0]]
    assert street_raises(table) == [[0, 2, 0, 0], [1, 1, 0, 0], [1, 0, 0, 0]]
    first = [(C, PREFLOP, 60), (A, PREFLOP, 0), (B, PREFLOP, 140), (C, PREFLOP, -1), (A, PREFLOP, 0)]
    assert moves(table) == [*first, (A, FLOP, 30), (B, FLOP, 90), (A, FLOP, 200)]


def test_a_new_hand_begins_with_nothing():
    table = deal([500, 500, 500])
    assert street_raises(table) == [[0] * 4] * 3
    assert moves(table) == []


def test_raises_are_counted_so_far_and_the_latest_moves_are_kept():
    table = deal([10_000, 10_000], blinds=(1, 2))
    for total in range(4, 2 * (2 * MOST_RAISES + 6), 2):
        table.raise_to(total)
    assert street_raises(table) == [[MOST_RAISES, 0, 0, 0], [MOST_RAISES, 0, 0, 0]]
    count = int(table.records["moves"][0])
    assert count == 2 * MOST_RAISES + 4
    made = table.records["made"][0]
    for number in range(count - MAX_MOVES, count):
        assert made["move"][number % MAX_MOVES] == 4 + 2 * number
        assert made["seat"][number % MAX_MOVES] == (1 - number % 2)


def test_where_nobody_is_to_act_no_raise_is_legal():
    table = deal([500, 500, 500])
    assert [int(table.records[name][0]) for name in ("raise_min", "raise_max")] == [40, 500]
    play(table, "C:f A:f")
    assert [int(table.records[name][0]) for name in ("actor", "raise_min", "raise_max")] == [-1, 0, 0]

"""The `planes` observation: which cell means what."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from encoders.seeing import GAMES, hands, observe
from holdem_env import Rules, Table
from holdem_env.encoders import get_observation
from holdem_env.encoders.planes import ALL_IN_AT, CALL_AT, CHECK_AT, FOLD_AT, RAISE_AT, move_columns

RULES = Rules(seats=3, blinds=(1, 2), stacks=200)
PLANES = get_observation("planes")


def see(table: Table, seat: int) -> dict[str, NDArray[np.float32]]:
    """The layers by their names."""
    seen = observe(PLANES, table, seat)
    return {meaning: seen[first] for meaning, first, _ in PLANES.layout(table.rules)}


def cells(plane: NDArray[np.float32]) -> list[tuple[int, int]]:
    """(row, column) of what is 1; everything else is 0."""
    assert set(np.unique(plane)) <= {0, 1}
    return [(int(row), int(column)) for row, column in np.argwhere(plane)]


def amount(chips: int) -> float:
    return pytest.approx(chips / (chips + 40))


def test_cards() -> None:
    table = Table(RULES, button=0, deck="2cAsKs 2dAhKh 3c QcJcTc 3d 9h".replace(" ", ""))
    for _ in range(5):
        table.check_call()
    seen = see(table, 2)
    assert cells(seen["own cards"]) == [(2, 12), (3, 12)], "ace of hearts, ace of spades"
    flop = [(0, 8), (0, 9), (0, 10)]
    assert cells(seen["board cards of street 1"]) == cells(seen["board cards"]) == flop
    assert not seen["board cards of street 2"].any()
    assert cells(seen["own cards and board cards"]) == [*flop, (2, 12), (3, 12)]
    table.check_call()
    seen = see(table, 2)
    assert cells(seen["board cards of street 1"]) == flop
    assert cells(seen["board cards of street 2"]) == [(2, 7)]
    assert cells(seen["board cards"]) == [*flop, (2, 7)]


def test_betting() -> None:
    table = Table(RULES, button=0, seed=0)  # the blinds are in seats 1 and 2
    table.raise_to(7)  # by 5 into 3 + 2: the pot
    table.fold()
    table.raise_to(12)  # by 5 into 10 + 5: a third
    table.check_call()
    table.check_call()  # the flop: seat 2 checks into 25
    table.raise_to(188)  # more than five pots, and all-in
    seen = see(table, 2)
    pot = RAISE_AT + 4
    assert move_columns()[pot] == "raise by 85% to 115% of the pot"
    assert cells(seen["moves of opponent 1 on street 0"]) == [(0, pot), (1, CALL_AT)]
    assert cells(seen["moves of opponent 2 on street 0"]) == [(0, FOLD_AT)]
    assert move_columns()[RAISE_AT + 1] == "raise by 30% to 45% of the pot"
    assert cells(seen["moves of the observer on street 0"]) == [(0, RAISE_AT + 1)]
    assert cells(seen["moves of the observer on street 1"]) == [(0, CHECK_AT)]
    assert cells(seen["moves of opponent 1 on street 1"]) == [(0, ALL_IN_AT - 1), (0, ALL_IN_AT)]
    legal = seen["legal moves (zeros unless to act), the same in each row"]
    assert cells(legal) == [(row, column) for row in range(4) for column in (FOLD_AT, CALL_AT, ALL_IN_AT)]
    assert not see(table, 0)["legal moves (zeros unless to act), the same in each row"].any()


def test_legal_moves() -> None:
    table = Table(Rules.preset("heads-up-no-limit"), seed=0)
    table.check_call()
    legal = see(table, 1)["legal moves (zeros unless to act), the same in each row"]
    # A raise to 4 is half the pot, the stack of 200 is 49 pots.
    columns = [FOLD_AT, CHECK_AT, *range(RAISE_AT + 2, ALL_IN_AT + 1)]
    assert cells(legal) == [(row, column) for row in range(4) for column in columns]
    limit = Table(Rules.preset("heads-up-limit"), seed=0)
    legal = see(limit, 0)["legal moves (zeros unless to act), the same in each row"]
    assert cells(legal[:1]) == [(0, FOLD_AT), (0, CALL_AT), (0, RAISE_AT + 2)], "a raise by 2 into 3 + 1"


def test_players_and_price() -> None:
    table = Table(RULES, button=0, stacks=[200, 6, 200], seed=0)
    table.raise_to(20)
    table.check_call()  # all-in
    seen = see(table, 2)
    chips, part, price = seen["players' chips"], seen["players' part"], seen["price, in the row of the street"]
    # Columns: the observer in seat 2, then seats 0 and 1.
    assert chips[0, :3].tolist() == [amount(198), amount(180), amount(0)]
    assert chips[1, :3].tolist() == [amount(2), amount(20), amount(6)]
    assert chips[2, :3].tolist() == [amount(2), amount(20), amount(6)]
    assert chips[3, :3].tolist() == [1, 1, 1]
    assert cells(part) == [(0, 1), (1, 2), (2, 1), (3, 0)]
    assert price[0, :4].tolist() == [amount(28), 1, amount(18), pytest.approx(18 / 46)]
    assert price[0, 5:8].tolist() == [1, amount(38), amount(200)]
    assert not price[1:].any()
    assert not chips[:, 3:].any()


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: f"{rules.structure}-{rules.seats}")
def test_every_move_stands_in_one_cell(rules: Rules) -> None:
    """Of its player, street and turn; whole stacks in a second."""
    for table in hands(rules, 6, seed=5):
        t = table.records[0]
        if t["moves"] > 64:
            continue
        made = np.zeros((rules.seats, 4), int)
        for seat, street in zip(t["made"]["seat"][: t["moves"]], t["made"]["street"][: t["moves"]], strict=True):
            made[seat, street] += 1
        seen = see(table, 0)
        for seat in range(rules.seats):
            who = f"opponent {seat}" if seat else "the observer"
            for street in range(rules.streets):
                plane = seen[f"moves of {who} on street {street}"]
                turns = made[seat, street]
                assert (plane[:, :ALL_IN_AT].sum(axis=1)[: min(turns, 3)] == 1).all()
                assert plane[3].any() == (turns > 3)
                assert not plane[turns:].any()


def test_legend_covers_rows_and_columns() -> None:
    legend = PLANES.legend(RULES)
    assert len(legend["Columns of moves and legal moves"]) == len(legend["Columns of cards"]) == 13
    assert all(len(meanings) <= (4 if "Rows" in title else 13) for title, meanings in legend.items())

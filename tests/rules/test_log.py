"""What the log says of each operation: amounts only where chips move, a pot only where one is pushed;
and what the record keeps of a hand for encoders and reports."""

from __future__ import annotations

import pytest

from holdem_env import Rules, Session, Table
from holdem_env.engine.record import MAX_MOVES, MAX_RAISES
from rules.playing import BEST, FLOP, GOOD, POOR, PREFLOP, A, B, C, deal, play
from rules.sitting import fold_out, tournament

AMOUNTS = {"call", "bet", "raise", "return_uncalled", "rake", "push_pot"}
CARDS = {"deal_hole": 1, "burn": 1, "show": 2, "draw_button": 1, "expose": 1, "extra_card": 1, "replace_card": 1}


def hands() -> dict[str, Table]:
    """Hands in which everything happens that a log can tell."""
    holes = {A: BEST, B: GOOD, C: POOR}
    rake = {"rake": {"percent": 5.0}}
    showdown = play(deal([500, 300, 100], holes=holes, ante=5, straddle=40, **rake), "A:r400 B:c C:c")
    mucked = play(deal([500, 500, 500], holes=holes, **rake), "C:c A:c B:k A:b20 B:c C:c A:k B:k C:k A:k B:k C:k")
    bet_out = play(deal([500, 500, 500]), "C:r60 A:f B:f")
    away = tournament(3, [1000, 1000, 15])
    away.sit_out(2)
    absent = away.deal()
    absent.raise_to(100)
    absent.fold()
    drawn = fold_out(Session(Rules(seats=3, stacks=1000, session={"first_button": "high_card"}), seed=1).deal())
    game = Rules(seats=3, blinds=(10, 20), dealer_errors={})
    found = {"showdown": showdown, "mucked": mucked, "bet out": bet_out, "absent": absent, "drawn": drawn}
    errors = ({"exposed_hole_card": 0}, {"exposed_hole_card": 2}, {"extra_card": 1}, {"extra_card": 2})
    errors += tuple({name: True} for name in ("premature_flop", "premature_turn", "premature_river", "flop_too_many"))
    for error in errors:
        table = Table(game, seed=3, dealer_errors=error)
        while not table.is_over:
            table.check_call()
        found[str(error)] = table
    return found


@pytest.fixture(scope="module")
def played():
    return hands()


def test_the_hands_here_hold_everything(played):
    kinds = {deed.kind for table in played.values() for deed in table.log}
    assert kinds >= {*AMOUNTS, *CARDS, "fold", "check", "muck", "misdeal", "reshuffle", "take_back", "deal_early"}


def test_only_a_pot_that_is_pushed_has_a_number(played):
    for table in played.values():
        for deed in table.log:
            assert (deed.pot is not None) == (deed.kind == "push_pot"), deed
    assert {deed.pot for deed in played["showdown"].log if deed.kind == "push_pot"} == {0, 1}
    assert [deed.pot for deed in played["bet out"].log if deed.kind == "push_pot"] == [0]


def test_only_what_moves_chips_has_an_amount(played):
    for table in played.values():
        for deed in table.log:
            moves = deed.kind in AMOUNTS or deed.kind.startswith("post_")
            assert (deed.amount > 0) if moves else (deed.amount == 0), deed


def test_every_operation_on_cards_names_them_and_no_others_do(played):
    others = {"deal_board", "deal_early", "deal_too_many", "take_back"}
    for table in played.values():
        for deed in table.log:
            if deed.kind not in others:
                assert len(deed.cards) == CARDS.get(deed.kind, 0), deed


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
    for total in range(4, 2 * (2 * MAX_RAISES + 6), 2):
        table.raise_to(total)
    assert street_raises(table) == [[MAX_RAISES, 0, 0, 0], [MAX_RAISES, 0, 0, 0]]
    count = int(table.records["moves"][0])
    assert count == 2 * MAX_RAISES + 4
    made = table.records["made"][0]
    for number in range(count - MAX_MOVES, count):
        assert made["move"][number % MAX_MOVES] == 4 + 2 * number
        assert made["seat"][number % MAX_MOVES] == (1 - number % 2)


def test_where_nobody_is_to_act_no_raise_is_legal():
    table = deal([500, 500, 500])
    assert [int(table.records[name][0]) for name in ("raise_min", "raise_max")] == [40, 500]
    play(table, "C:f A:f")
    assert [int(table.records[name][0]) for name in ("actor", "raise_min", "raise_max")] == [-1, 0, 0]

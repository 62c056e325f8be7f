"""What the log says of each operation: amounts only where chips move, a pot only where one is pushed."""

from __future__ import annotations

import pytest

from holdem_env import Rules, Session, Table
from rules.playing import BEST, GOOD, POOR, A, B, C, deal, play
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

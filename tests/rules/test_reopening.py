"""R21-R24: fine points of what counts as a raise, and of what follows from it."""

from __future__ import annotations

import pytest

from rules.playing import BEST, GOOD, POOR, WORST, A, B, C, D, asked, play, river, showing


@pytest.mark.parametrize("reopen", ["cumulative", "strict"])
def test_r21_r23_short_all_ins_that_add_up_are_no_raise_and_their_player_does_not_show_first(reopen):
    """B adds 10 to A's 20, D adds 11: neither is a raise, whatever they are together."""
    holes = {A: WORST, B: POOR, C: GOOD, D: BEST}
    table = play(river([500, 30, 500, 41], holes=holes, reopen=reopen), "A:b20 B:r30 C:c D:r41")
    assert asked(table) == ("A 21 61..500" if reopen == "cumulative" else "A 21")
    play(table, "A:c C:c")
    assert showing(table)[0] == "A show"


def test_r24_below_one_the_all_in_that_counts_makes_its_player_show_first():
    holes = {A: WORST, B: POOR, C: GOOD}
    table = play(river([500, 30, 500], holes=holes, reopen_fraction=0.5), "A:b20 B:r30 C:c A:c")
    assert showing(table)[0] == "B show"


def test_r24_below_one_what_an_all_in_adds_is_measured_from_the_last_full_bet():
    """B's 29 add too little to A's 20, C's 35 enough: C is the last to bet, though it adds 6 to B's."""
    holes = {A: WORST, B: POOR, C: GOOD}
    table = play(river([500, 29, 35], holes=holes, reopen_fraction=0.5), "A:b20 B:r29 C:r35 A:c")
    assert showing(table)[0] == "C show"

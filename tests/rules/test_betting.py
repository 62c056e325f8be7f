"""R14-R18: what a player may do, in what order, and how much may be bet in each structure."""

from __future__ import annotations

import pytest

from holdem_env import IllegalMove, Rules, Table
from rules.playing import (
    FLOP,
    RIVER,
    TURN,
    A,
    B,
    C,
    D,
    asks,
    check_down,
    deal,
    deeds,
    flop,
    play,
    play_to,
    pots,
)

# R14: actions


def test_r14_check_only_with_nothing_to_call():
    table = deal([500, 500, 500])
    assert table.legal.call == 20
    table.check_call()
    assert deeds(table, "check", "call") == ["C call 20"]


def test_r14_a_check_costs_nothing():
    table = flop([500, 500, 500])
    before = table.stacks
    table.check_call()
    assert table.stacks == before
    assert deeds(table, "check")[-1] == "A check"


def test_r14_bet_and_raise_have_their_names():
    table = play(flop([500, 500, 500]), "A:b20 B:r60 C:c A:f")
    assert deeds(table, "bet", "raise", "fold") == ["A bet 20", "B raise 60", "A fold"]


def test_r14_the_first_to_put_in_more_than_the_blind_raises():
    assert deeds(play(deal([500, 500, 500]), "C:r40"), "bet", "raise") == ["C raise 40"]


def test_r14_the_big_blind_has_the_option_when_no_one_raised():
    table = play(deal([500, 500, 500]), "C:c A:c")
    asks(table, B, call=0, least=40, most=500)
    checked = play(table.copy(), "B:k")
    assert checked.street == FLOP
    raised = play(table, "B:r60")
    asks(raised, C, call=40, least=100, most=500)
    asks(play(raised, "C:c"), A, call=40, least=100, most=500)


def test_r14_the_big_blind_has_no_option_after_a_raise_that_it_called():
    table = play(deal([500, 500, 500]), "C:r60 A:c B:c")
    assert table.street == FLOP


def test_r14_the_option_belongs_to_the_big_blind_also_after_folds():
    table = play(deal([500, 500, 500, 500]), "C:f D:f A:c")
    asks(table, B, call=0, least=40)


def test_r14_check_raise_is_allowed():
    table = play(flop([500, 500, 500]), "A:k B:b20 C:c")
    asks(table, A, call=20, least=40, most=500)
    play(table, "A:r60")
    asks(table, B, call=40, least=100, most=500)


def test_r14_folding_when_checking_is_free_is_legal():
    table = flop([500, 500, 500])
    assert table.legal.fold
    play(table, "A:f")
    assert table.is_folded(A)
    assert table.actor == B


def test_r14_no_action_folds_when_facing_a_bet():
    table = play(flop([500, 500, 500]), "A:b20")
    table.no_action()
    assert table.is_folded(B)


def test_r14_no_action_checks_otherwise():
    table = flop([500, 500, 500])
    table.no_action()
    assert not table.is_folded(A)
    assert table.actor == B


# R15: order


@pytest.mark.parametrize("seats", range(3, 11))
def test_r15_order_of_play(seats):
    table = Table(Rules(seats=seats), button=seats - 1, seed=0)
    preflop = [(2 + place) % seats for place in range(seats)]
    for seat in preflop:
        assert table.actor == seat
        table.check_call()
    for street in (FLOP, TURN, RIVER):
        assert table.street == street
        for seat in range(seats):
            assert table.actor == seat
            table.check_call()
    assert table.is_over


def test_r15_before_the_flop_left_of_the_straddle_begins():
    assert deal([500] * 5, straddle=40).actor == D


def test_r15_later_rounds_begin_with_the_first_live_player_left_of_the_button():
    table = play(deal([500] * 4), "C:c D:c A:f B:k")
    assert table.street == FLOP
    assert table.actor == B
    play(table, "B:f C:b20 D:c")
    assert table.street == TURN
    assert table.actor == C


def test_r15_players_who_are_all_in_are_passed_over():
    table = play(flop([50, 500, 500]), "A:b50 B:c C:c")
    assert table.street == TURN
    assert table.actor == B


def test_r15_the_button_may_be_anywhere():
    table = play_to(deal([500] * 4, button=1), FLOP)
    assert table.actor == C


def test_r15_a_round_ends_when_everybody_has_acted_and_matched_the_bet():
    table = play(flop([500] * 3), "A:b20 B:r60 C:c")
    assert table.street == FLOP
    asks(table, A, call=40, least=100)
    play(table, "A:c")
    assert table.street == TURN
    assert pots(table) == [(60 + 180, (A, B, C))]


def test_r15_the_raiser_is_not_asked_again():
    table = play(flop([500] * 3), "A:k B:b20 C:f A:c")
    assert table.street == TURN


# R16: no-limit


def test_r16_minimum_bet_is_the_big_blind():
    asks(flop([500, 500], blinds=(1, 2)), A, call=0, least=2, most=500)


def test_r16_blind_2_raise_to_4_or_more():
    asks(deal([500, 500, 500], blinds=(1, 2)), C, call=2, least=4, most=500)


def test_r16_bet_5_raise_to_10_or_more():
    table = play(flop([500, 500], blinds=(1, 2)), "A:b5")
    asks(table, B, call=5, least=10, most=500)


def test_r16_a_raise_is_at_least_as_large_as_the_last_one():
    table = play(flop([500, 500, 500]), "A:b20 B:r70")
    asks(table, C, call=70, least=120, most=500)
    play(table, "C:r120")
    asks(table, A, call=100, least=170, most=500)


def test_r16_the_largest_bet_or_raise_counts_not_the_latest():
    table = play(flop([1000, 330, 1000]), "A:b200 B:r330")  # B's all-in raises by 130: no full raise
    asks(table, C, call=330, least=530, most=1000)


def test_r16_the_opening_bet_counts_as_a_raise_of_its_own_size():
    asks(play(flop([500, 500]), "A:b90"), B, call=90, least=180, most=500)


def test_r16_each_street_has_its_own_minimum():
    table = play(flop([1000, 1000]), "A:b300 B:c")
    asks(table, A, call=0, least=20, most=700)


def test_r16_the_maximum_is_the_stack():
    table = flop([500, 130, 500])
    asks(table, A, call=0, least=20, most=500)
    asks(play(table, "A:b20"), B, call=20, least=40, most=130)


def test_r16_the_stack_counts_with_what_is_already_bet():
    table = play(deal([500, 500, 500]), "C:r60")
    asks(table, A, call=50, least=100, most=500)


def test_r16_no_cap_on_raises():
    table = flop([100_000, 100_000], blinds=(1, 2))
    table.raise_to(2)
    for total in range(4, 400, 2):
        table.raise_to(total)
    assert len(deeds(table, "raise")) == 198


def test_r16_less_than_the_minimum_only_all_in():
    table = play(flop([500, 30, 500]), "A:b20")
    asks(table, B, call=20, exactly=30)
    with pytest.raises(IllegalMove, match="30"):
        table.raise_to(29)


def test_r16_after_an_all_in_bet_below_the_minimum():
    table = play(flop([20, 1000, 1000], blinds=(50, 100)), "A:b20")
    asks(table, B, call=20, least=120, most=1000)


@pytest.mark.parametrize("total", [1, 20, 39, 501, 10_000])
def test_r16_other_totals_are_illegal(total):
    table = play(flop([500, 500]), "A:b20")
    with pytest.raises(IllegalMove):
        table.raise_to(total)
    asks(table, B, call=20, least=40, most=500)


# R17: pot-limit


def pot_limit(stacks: list[int], **options) -> Table:
    return deal(stacks, structure="pot_limit", **options)


def test_r16_another_least_bet_is_the_least_raise_before_the_flop_too():
    table = deal([500] * 3, min_bet=50)
    asks(table, C, call=20, least=70)
    asks(play(table, "C:r70"), A, call=60, least=120)


def test_r16_another_least_bet_of_a_street_is_the_least_bet_and_raise_there():
    table = play_to(flop([500] * 3, min_bet=(20, 20, 20, 50)), RIVER)
    asks(table, A, call=0, least=50)
    asks(play(table, "A:b50"), B, call=50, least=100)


def test_r17_pot_100_and_no_bet():
    table = flop([1000, 1000], structure="pot_limit", blinds=(25, 50))
    assert pots(table) == [(100, (A, B))]
    asks(table, A, call=0, least=50, most=100)
    asks(play(table, "A:b100"), B, call=100, least=200, most=400)


def test_r17_blinds_5_10_the_first_player_to_35():
    asks(pot_limit([1000] * 4, blinds=(5, 10)), C, call=10, least=20, most=35)


def test_r17_blinds_5_10_the_small_blind_folded_to_to_30():
    table = play(pot_limit([1000] * 4, blinds=(5, 10)), "C:f D:f")
    asks(table, A, call=5, least=20, most=30)


def test_r17_after_callers_and_raises():
    table = play(pot_limit([1000] * 4, blinds=(5, 10)), "C:c")
    asks(table, D, call=10, least=20, most=45)  # 10 + (15 + 10) + 10
    play(table, "D:r45")
    asks(table, A, call=40, least=80, most=155)  # 45 + (25 + 45) + 40


def test_r17_antes_count_in_the_pot():
    asks(pot_limit([1000] * 3, blinds=(5, 10), ante=1), C, call=10, least=20, most=38)


def test_r17_a_big_blind_ante_counts_in_the_pot():
    asks(pot_limit([1000] * 3, blinds=(5, 10), big_blind_ante=10), C, call=10, least=20, most=45)


def test_r17_short_blinds_count_as_posted():
    asks(pot_limit([3, 1000, 1000], blinds=(5, 10)), C, call=10, least=20, most=33)
    asks(pot_limit([1000, 4, 1000], blinds=(5, 10)), C, call=10, least=20, most=29)


def test_r17_a_straddle_is_the_bet():
    asks(pot_limit([1000] * 4, blinds=(5, 10), straddle=20), D, call=20, least=40, most=75)  # 20 + 35 + 20


def test_r17_chips_that_will_be_returned_count():
    # Of C's 10 only 4 can be matched by the blinds, but D may raise to 10 + (3 + 4 + 10) + 10.
    table = play(pot_limit([3, 4, 1000, 1000], blinds=(5, 10)), "C:c")
    asks(table, D, call=10, least=20, most=37)


def test_r17_a_bet_against_a_short_all_in_counts_whole():
    table = play(flop([500, 10, 500], structure="pot_limit"), "A:b60 B:c")
    asks(table, C, call=60, least=120, most=60 + (60 + 60 + 10) + 60)


def test_r17_minimum_as_in_no_limit():
    table = play(flop([1000, 1000, 1000], structure="pot_limit"), "A:b30 B:r100")
    asks(table, C, call=100, least=170, most=100 + (60 + 130) + 100)


def test_r17_at_most_the_stack():
    asks(pot_limit([1000, 1000, 25], blinds=(5, 10)), C, call=10, least=20, most=25)
    asks(pot_limit([1000, 1000, 15], blinds=(5, 10)), C, call=10, exactly=15)


def test_r17_no_cap():
    table = flop([100_000, 100_000], structure="pot_limit", blinds=(1, 2))
    for total in (2, *range(4, 60, 2)):
        table.raise_to(total)
    assert table.legal.raise_min == 60


def test_r17_more_than_the_pot_is_illegal():
    table = pot_limit([1000] * 4, blinds=(5, 10))
    with pytest.raises(IllegalMove, match="35"):
        table.raise_to(36)


def test_r17_the_maximum_is_a_multiple_of_the_smallest_chip():
    table = pot_limit([1000] * 4, blinds=(5, 10), smallest_chip=5)
    asks(table, C, call=10, least=20, most=35)
    with pytest.raises(IllegalMove, match="5"):
        table.raise_to(33)


# R18: fixed-limit


def limit(stacks: list[int], **options) -> Table:
    return deal(stacks, structure="fixed_limit", **options)


def test_r18_one_small_bet_before_and_on_the_flop_one_big_bet_on_turn_and_river():
    table = limit([1000] * 3)
    asks(table, C, call=20, exactly=40)
    play_to(table, FLOP)
    asks(table, A, call=0, exactly=20)
    play_to(table, TURN)
    asks(table, A, call=0, exactly=40)
    play_to(table, RIVER)
    asks(table, A, call=0, exactly=40)
    asks(play(table, "A:b40"), B, call=40, exactly=80)


def test_r18_a_hand_that_begins_on_the_turn_begins_with_the_big_bet():
    rules = Rules(structure="fixed_limit", seats=2, blinds=(10, 20))
    asks(Table.from_position(rules, [500, 500], board="2c7d8hQs", pot=40, button=B), A, call=0, exactly=40)
    asks(Table.from_position(rules, [500, 500], board="2c7d8h", pot=40, button=B), A, call=0, exactly=20)


def test_r18_bets_of_their_own():
    table = limit([1000] * 3, blinds=(10, 20), small_bet=20, big_bet=60)
    assert table.legal.raise_min == 40
    asks(play_to(table, TURN), A, call=0, exactly=60)


def test_r18_games_are_named_by_their_bets():
    table = limit([1000] * 3, blinds=(10, 15))  # 15/30
    asks(table, C, call=15, exactly=30)
    asks(play_to(table, TURN), A, call=0, exactly=30)


@pytest.mark.parametrize("total", [39, 41, 60, 1000])
def test_r18_bets_are_exact(total):
    table = limit([1000] * 3)
    with pytest.raises(IllegalMove, match="40"):
        table.raise_to(total)


@pytest.mark.parametrize(("street", "bet"), [(FLOP, 20), (TURN, 40), (RIVER, 40)])
def test_r18_bet_raise_reraise_cap(street, bet):
    table = play_to(limit([1000] * 3), street)
    play(table, f"A:b{bet} B:r{2 * bet} C:r{3 * bet} A:r{4 * bet}")
    asks(table, B, call=2 * bet)
    play(table, "B:c")
    asks(table, C, call=bet)
    with pytest.raises(IllegalMove, match="capped"):
        table.raise_to(5 * bet)


def test_r18_the_big_blind_counts_as_the_first_bet():
    table = play(limit([1000] * 4), "C:r40 D:r60 A:r80")
    asks(table, B, call=60)
    asks(play(table, "B:c"), C, call=40)


def test_r18_the_big_blinds_option_is_a_raise():
    table = play(limit([1000] * 3), "C:c A:c")
    asks(table, B, call=0, exactly=40)
    play(table, "B:r40 C:r60 A:r80")
    asks(table, B, call=40)


def test_r18_each_street_has_its_own_cap():
    table = play(limit([1000] * 3), "C:r40 A:r60 B:r80 C:c A:c")
    assert table.street == FLOP
    asks(table, A, call=0, exactly=20)


def test_r18_the_cap_binds_short_stacks_too():
    table = play(flop([1000, 1000, 90], structure="fixed_limit"), "A:b20 B:r40 C:r60 A:r80")
    asks(play(table, "B:c"), C, call=20)  # an all-in for 90 would be a fifth bet


def test_r18_max_raises_per_street():
    table = limit([1000] * 3, max_raises=(1, 2, 3, 1))
    play(table, "C:r40")
    asks(table, A, call=30)
    play(table, "A:c B:c")
    play(table, "A:b20 B:r40")
    asks(table, C, call=40)
    play(table, "C:c A:c")
    play(table, "A:b40 B:r80 C:r120")
    asks(table, A, call=80)
    play(table, "A:c B:c")
    asks(play(table, "A:b40"), B, call=40)


def test_r18_max_raises_may_be_none_at_all_on_a_street():
    table = limit([1000] * 3, max_raises=(0, 0, 1, 1))
    asks(table, C, call=20)
    asks(play_to(table, FLOP), A, call=0)
    asks(play_to(table, TURN), A, call=0, exactly=40)


def test_r18_max_raises_none_is_no_cap():
    table = play_to(limit([5000] * 3, max_raises=None), FLOP)
    for total in range(20, 1020, 20):
        table.raise_to(total)
    assert table.legal.raise_min == 1020


HEADS_UP_RAISES = "A:b20 B:r40 A:r60 B:r80"


def test_r18_uncapped_heads_up_never():
    table = play(flop([1000, 1000], structure="fixed_limit"), HEADS_UP_RAISES)
    asks(table, A, call=20)


@pytest.mark.parametrize("option", ["at_start", "when_two_left"])
def test_r18_uncapped_heads_up(option):
    table = play(flop([1000, 1000], structure="fixed_limit", uncapped_heads_up=option), HEADS_UP_RAISES)
    asks(table, A, call=20, exactly=100)
    play(table, "A:r100 B:r120 A:r140")
    asks(table, B, call=20, exactly=160)


@pytest.mark.parametrize("option", ["at_start", "when_two_left"])
def test_r18_uncapped_before_the_flop_heads_up(option):
    table = play(limit([1000, 1000], uncapped_heads_up=option), "B:r40 A:r60 B:r80")
    asks(table, A, call=20, exactly=100)


@pytest.mark.parametrize(("option", "further"), [("never", None), ("at_start", None), ("when_two_left", 100)])
def test_r18_two_left_of_three_before_the_cap(option, further):
    table = play(limit([1000] * 3, uncapped_heads_up=option), "C:f A:r40 B:r60 A:r80")
    asks(table, B, call=20, exactly=further)


def test_r18_at_start_counts_from_the_next_round():
    table = play(limit([1000] * 3, uncapped_heads_up="at_start"), "C:f A:r40 B:r60 A:r80 B:c")
    assert table.street == FLOP
    asks(play(table, HEADS_UP_RAISES), A, call=20, exactly=100)


@pytest.mark.parametrize("option", ["at_start", "when_two_left"])
def test_r18_what_is_capped_stays_capped(option):
    table = play(limit([1000] * 3, uncapped_heads_up=option), "C:r40 A:r60 B:r80 C:f")
    asks(table, A, call=20)


def test_r18_the_chips_of_a_capped_round():
    table = play(flop([1000] * 3, structure="fixed_limit"), "A:b20 B:r40 C:r60 A:r80 B:c C:c")
    assert pots(table) == [(60 + 240, (A, B, C))]
    assert sum(check_down(table).payoffs) == 0


@pytest.mark.parametrize(("wagers", "capped"), [((1, 4, 4, 4), True), ((2, 4, 4, 4), False)])
def test_r18_a_straddle_uses_up_one_of_the_wagers(wagers, capped):
    table = deal([500] * 4, structure="fixed_limit", straddle=40, max_raises=wagers)
    if capped:
        asks(table, D, call=40)
    else:
        asks(table, D, call=40, exactly=60)
        asks(play(table, "D:r60"), A, call=50)


def test_r18_two_left_counts_players_who_are_all_in():
    rules = {"structure": "fixed_limit", "uncapped_heads_up": "when_two_left"}
    table = play(flop([500, 20, 500], **rules), "A:b20 B:c C:r40 A:r60 C:r80")
    asks(table, A, call=20)
    table = play(flop([500, 500, 500], **rules), "A:b20 B:f C:r40 A:r60 C:r80")
    asks(table, A, call=20, exactly=100)

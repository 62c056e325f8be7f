"""The oracle against the rulebook: deal, blinds and betting (R4-R26), with every worked example."""

from __future__ import annotations

import random

import pytest

from oracle.reference import ReferenceHand
from oracle.script import C, F, check_down, flop, play, start


def test_r04_deck_order():
    hand = ReferenceHand(stacks=[1000] * 3, button=0, deck=list(range(52)))
    assert hand.hole == [(2, 5), (0, 3), (1, 4)]
    check_down(hand)
    assert hand.board == [7, 8, 9, 11, 13]


def test_r04_heads_up_the_big_blind_gets_the_first_card():
    hand = ReferenceHand(stacks=[1000] * 2, button=1, deck=list(range(52)))
    assert hand.hole == [(0, 2), (1, 3)]


def test_r06_r15_blinds_and_first_to_act():
    hand = start([1000] * 4, button=1)
    assert hand.bets == [0, 0, 50, 100]
    assert hand.actor == 0
    play(hand, C, C, C, C)
    assert (hand.street, hand.actor) == (1, 2)


def test_r07_heads_up_button_is_small_blind_first_before_and_last_after_the_flop():
    hand = start([1000] * 2, button=1)
    assert hand.bets == [100, 50]
    assert hand.actor == 1
    play(hand, C, C)
    assert (hand.street, hand.actor) == (1, 0)


def test_r08_uniform_ante_counts_in_the_pot_not_towards_calling():
    hand = start([1000] * 3, ante=10)
    assert hand.pot_total == 30 + 150
    assert hand.stacks == [990, 940, 890]
    assert hand.legal() == (True, 100, 200, 990)


def test_r08_short_uniform_ante_makes_a_side_pot():
    holes, board = {0: "AsAh", 1: "KsKh", 2: "2c3d"}, "4h8d9cJsQd"
    hand = check_down(start([1000, 1000, 4], holes=holes, board=board, ante=10))
    # Seat 2, in the big blind, had 4 for the ante; seat 0 called 100, seat 1 completed.
    assert hand.pots_awarded == [(212, [0, 1], {0: 212}), (12, [0, 1, 2], {0: 12})]


def test_r08_big_blind_ante_is_posted_after_the_blind_and_lies_in_the_main_pot():
    holes, board = {0: "KsKh", 1: "QsQh", 2: "AsAh"}, "4h8d9cJs2d"
    hand = start([1000, 1000, 130], holes=holes, board=board, big_blind_ante=100)
    assert (hand.bets, hand.stacks, hand.pot_total) == ([0, 50, 100], [1000, 950, 0], 180)
    check_down(hand)
    assert hand.pots_awarded == [(330, [0, 1, 2], {2: 330})]  # 30 dead chips go to the winner of the main pot
    hand = start([1000, 1000, 60], holes=holes, board=board, big_blind_ante=100)
    assert (hand.bets[2], hand.pot_total) == (60, 110)  # nothing left for the ante


def test_r08_big_blind_ante_counts_for_no_level():
    holes, board = {0: "AsAh", 1: "QsQh", 2: "KsKh"}, "4h8d9cJs2d"
    hand = play(start([60, 1000, 1000], holes=holes, board=board, big_blind_ante=100), C, C)
    check_down(hand)
    assert hand.pots_awarded == [(80, [1, 2], {2: 80}), (280, [0, 1, 2], {0: 280})]


def test_r08_straddle_is_the_bet_to_match_and_the_minimum_raise_and_acts_last():
    hand = start([1000] * 4, straddle=200)
    assert hand.bets == [0, 50, 100, 200]
    assert hand.actor == 0
    assert hand.legal() == (True, 200, 400, 1000)
    play(hand, C, C, C)
    assert (hand.street, hand.actor) == (0, 3)
    assert hand.legal() == (True, 0, 400, 1000)
    hand.act(C)
    assert hand.street == 1
    assert hand.legal() == (True, 0, 100, 800)  # the minimum bet later is the big blind


def test_r08_straddle_only_in_full_after_the_ante_and_only_with_three_players():
    assert start([1000, 1000, 1000, 209], straddle=200, ante=10).bets == [0, 50, 100, 0]
    assert start([1000, 1000, 1000, 210], straddle=200, ante=10).bets == [0, 50, 100, 200]
    assert start([1000, 1000], straddle=200).bets == [50, 100]
    hand = start([1000, 1000, 1000], straddle=200)
    assert (hand.bets, hand.actor) == ([200, 50, 100], 1)


def test_r08_straddle_is_the_second_bet_in_fixed_limit():
    hand = start([9000] * 4, structure="fixed_limit", straddle=200)
    assert hand.legal()[2:] == (300, 300)
    play(hand, 300)
    assert hand.legal()[2:] == (400, 400)
    play(hand, 400)
    assert hand.legal()[2:] == (None, None)


def test_r09_short_blind_leaves_price_and_minimum_raise_alone():
    hand = start([1000, 1000, 30])
    assert hand.bets == [0, 50, 30]
    assert hand.legal() == (True, 100, 200, 1000)
    play(hand, C, F)
    # What cannot be matched is returned: the small blind had put in 50.
    assert hand.returned == (0, 50)
    assert sum(amount for amount, _, _ in hand.pots_awarded) == 130


def test_r09_all_in_for_the_ante_posts_no_blind():
    hand = start([1000, 1000, 10], ante=10)
    assert (hand.bets, hand.stacks) == ([0, 50, 0], [990, 940, 0])
    assert hand.legal()[1:3] == (100, 200)


def test_r14_big_blind_has_the_option():
    hand = play(start([1000] * 3), C, C)
    assert (hand.actor, hand.street) == (2, 0)
    assert hand.legal() == (True, 0, 200, 1000)
    hand.act(300)
    assert hand.actor == 0


def test_r14_check_raise_and_folding_when_checking_is_free():
    hand = flop([1000] * 3)
    play(hand, C, 100, F)
    assert (hand.actor, hand.legal()[2]) == (0, 200)
    hand = flop([1000] * 3)
    assert hand.legal()[0]
    hand.act(F)
    assert hand.folded == [True, False, False]


def test_r16_minimum_raises():
    hand = start([1000] * 3, blinds=(1, 2))
    assert hand.legal()[2:] == (4, 1000)
    hand = flop([1000] * 3, blinds=(1, 2))
    assert hand.legal()[2:] == (2, 998)
    hand.act(5)
    assert hand.legal()[2:] == (10, 998)


def test_r16_a_raise_is_as_large_as_the_largest_full_raise_of_the_street():
    hand = start([9000] * 4)
    play(hand, 400)
    assert hand.legal()[2] == 700
    play(hand, 1000)
    assert hand.legal()[2] == 1600
    play(hand, C, C, C)
    assert hand.legal()[2] == 100  # a new street starts over


def test_r16_after_an_all_in_bet_below_the_minimum():
    hand = play(flop([120, 1000, 1000]), 20)
    assert hand.legal()[1:3] == (20, 120)


def test_r16_no_cap():
    hand = flop([9000] * 2)
    for total in range(100, 2000, 100):
        assert hand.legal()[2] == total
        hand.act(total)


def test_r17_pot_limit_maximum():
    hand = flop([1000] * 2, structure="pot_limit", blinds=(25, 50))
    assert hand.pot_total == 100
    assert hand.legal()[3] == 100
    hand.act(100)
    assert hand.legal()[3] == 400


def test_r17_pot_limit_before_the_flop():
    hand = start([1000] * 3, structure="pot_limit", blinds=(5, 10))
    assert hand.legal()[3] == 35
    hand.act(F)
    assert hand.legal()[3] == 30


def test_r17_antes_and_short_blinds_count_as_posted():
    hand = start([1000, 1000, 11, 1000], structure="pot_limit", blinds=(5, 10), ante=4)
    assert hand.pot_total == 16 + 5 + 7
    assert hand.legal()[3] == 10 + 28 + 10


def test_r17_chips_that_will_be_returned_count():
    hand = flop([1000, 30, 1000], structure="pot_limit", blinds=(5, 10))
    play(hand, 30, C)  # seat 1 is all-in for its last 20
    assert hand.legal()[3] == 30 + (30 + 30 + 20) + 30


def test_r17_tiny_pots():
    hand = flop([1000, 1000], structure="pot_limit", blinds=(5, 10))
    assert hand.legal()[2:] == (10, 20)
    # Both blinds are all-in for a chip or two: even so the pot allows the minimum raise.
    hand = start([1, 2, 1000, 1000], structure="pot_limit", blinds=(50, 100), button=3)
    assert hand.legal()[2:] == (200, 203)
    hand = start([1, 2, 1000, 1000], structure="pot_limit", blinds=(1, 100), straddle=200, button=3)
    assert (hand.bets, hand.actor) == ([1, 2, 200, 0], 3)
    assert hand.legal()[2:] == (400, 200 + 203 + 200)


def test_r18_fixed_limit_sizes_and_cap():
    hand = start([9000] * 3, structure="fixed_limit", blinds=(1, 2))
    for total in (4, 6, 8):  # the big blind is the first of four bets
        assert hand.legal()[2:] == (total, total)
        hand.act(total)
    assert hand.legal()[2:] == (None, None)
    play(hand, C, C)
    for total in (2, 4, 6, 8):  # bet, raise, re-raise, cap
        assert hand.legal()[2:] == (total, total)
        hand.act(total)
    assert hand.legal()[2:] == (None, None)
    play(hand, C, C)
    assert hand.legal()[2:] == (4, 4)
    play(hand, C, C, C)
    assert (hand.street, *hand.legal()[2:]) == (3, 4, 4)


def test_r06_r18_the_15_30_game_with_blinds_10_and_15():
    hand = start([9000] * 3, structure="fixed_limit", blinds=(10, 15))
    assert hand.bets == [0, 10, 15]
    assert hand.legal()[1:] == (15, 30, 30)
    play(hand, C, C, C, C, C, C)
    assert (hand.street, hand.legal()[2]) == (2, 30)


def test_r18_uncapped_heads_up_at_the_start_of_the_round():
    rules = {"structure": "fixed_limit", "blinds": (1, 2), "uncapped_heads_up": "at_start"}
    hand = start([9000] * 2, **rules)
    for total in range(4, 40, 2):
        assert hand.legal()[2] == total
        hand.act(total)
    hand = play(start([9000] * 3, **rules), F, 4, 6, 8)  # three at the start of the round
    assert hand.legal()[2] is None
    play(hand, C, 2, 4, 6, 8)
    assert hand.legal()[2] == 10


def test_r18_uncapped_when_two_are_left_but_what_is_capped_stays_capped():
    rules = {"structure": "fixed_limit", "blinds": (1, 2), "uncapped_heads_up": "when_two_left"}
    hand = play(start([9000] * 3, **rules), F, 4, 6, 8)
    assert hand.legal()[2] == 10
    hand = play(start([9000] * 3, **rules), 4, 6, 8, F)
    assert hand.legal()[2] is None
    # A street without any wagers is capped from the start, unless two begin it.
    assert start([9000] * 3, max_raises=(0, 4, 4, 4), **rules).legal()[2] is None
    assert start([9000] * 2, max_raises=(0, 4, 4, 4), **rules).legal()[2] == 4


def test_r20_all_in_950_wins_at_most_950_from_each():
    holes, board = {0: "AsAh", 1: "KsKh", 2: "QsQh"}, "2c4d6h8s9c"
    hand = start([950, 3000, 3000], holes=holes, board=board)
    play(hand, 950, 2000, C)
    check_down(hand)
    assert hand.payoffs == [1900, 100, -2000]
    assert hand.stacks == [2850, 3100, 1000]


def test_r20_all_in_for_less_than_the_minimum_raise():
    hand = start([150, 1000, 1000])
    assert hand.legal() == (True, 100, 150, 150)
    hand = start([100, 1000, 1000])
    assert hand.legal() == (True, 100, None, None)


def test_r20_no_raise_when_nobody_could_call_more():
    hand = start([1000, 300, 200])
    play(hand, C, 300)
    assert hand.actor == 2
    assert hand.legal() == (True, 100, None, None)  # a call for less
    hand.act(C)
    assert hand.actor == 0
    assert hand.legal() == (True, 200, None, None)


def test_r20_raise_maximum_is_not_reduced_to_what_opponents_can_call():
    assert start([1000, 300, 200]).legal()[3] == 1000


def a_bets_20(*later_stacks, blinds=(5, 10), **rules):
    """A (seat 0) has bet 20 on the flop; the others have these chips behind the blind."""
    hand = flop([1000 + blinds[1], *(chips + blinds[1] for chips in later_stacks)], blinds=blinds, **rules)
    return play(hand, 20)


def test_r21_full_bet_rule():
    hand = a_bets_20(25, 1000)  # B, C
    play(hand, 25, C)
    assert hand.actor == 0
    assert hand.legal() == (True, 5, None, None)


def test_r21_opening_all_in_below_the_minimum_reopens_for_nobody_who_checked():
    hand = flop([1010, 1010, 14], blinds=(5, 10))
    play(hand, C, C, 4)
    assert hand.legal() == (True, 4, None, None)
    hand.act(C)
    assert hand.legal() == (True, 4, None, None)


def test_r22_who_has_not_acted_may_raise_on_top_of_the_all_in():
    hand = play(a_bets_20(25, 1000), 25)
    assert (hand.actor, hand.legal()[1:3]) == (2, (25, 45))
    play(hand, 45)  # a full raise: A may raise again
    assert hand.legal()[1:3] == (25, 65)
    hand = play(flop([14, 1010, 1010], blinds=(5, 10)), 4)
    assert hand.legal()[1:3] == (4, 14)


def test_r22_posting_a_blind_is_not_acting():
    hand = play(start([1000, 1000, 1000, 150]), 150)
    play(hand, C)
    assert (hand.actor, hand.legal()[1:3]) == (1, (100, 250))
    hand.act(C)
    assert (hand.actor, hand.legal()[1:3]) == (2, (50, 250))


def test_r23_several_short_all_ins():
    # In seat order A, B, D, C.
    hand = play(a_bets_20(30, 1000, 41), 30, C, 41)
    assert hand.actor == 0
    assert hand.legal() == (True, 21, 61, 1000)
    hand.act(C)
    assert hand.actor == 2
    assert hand.legal() == (True, 11, None, None)


def test_r23_strict_is_the_full_bet_rule_alone():
    hand = play(a_bets_20(30, 1000, 41, reopen="strict"), 30, C, 41)
    assert hand.legal() == (True, 21, None, None)


@pytest.mark.parametrize("reopen", ["cumulative", "strict"])
def test_r23_all_in_after_a_full_raise(reopen):
    hand = flop([1010, 1010, 290], blinds=(5, 10), reopen=reopen)
    play(hand, 100, 200, 280)
    assert (hand.actor, hand.legal()) == (0, (True, 180, 380, 1000))
    hand.act(C)
    assert (hand.actor, hand.legal()) == (1, (True, 80, None, None))


def limit(*later_stacks, **rules):
    """A (seat 0) has bet 20 of fixed limit 20/40 on the flop."""
    return a_bets_20(*later_stacks, blinds=(10, 20), structure="fixed_limit", **rules)


def test_r24_all_in_of_half_a_bet_counts():
    hand = play(limit(30, 1000), 30)
    assert hand.legal()[1:] == (30, 50, 50)
    hand.act(C)
    assert (hand.actor, hand.legal()[1:]) == (0, (10, 50, 50))  # and reopens


def test_r24_all_in_of_less_than_half_a_bet_is_an_action_only():
    hand = play(limit(29, 1000, 1000), 29)
    assert hand.legal()[1:] == (29, 40, 40)
    hand.act(C)
    play(hand, 40)  # completed: a full raise, which reopens for all
    assert (hand.actor, hand.legal()[1:]) == (0, (20, 60, 60))
    hand = play(limit(29, 1000), 29, C)
    assert (hand.actor, hand.legal()[1:]) == (0, (9, None, None))


def test_r24_two_short_all_ins_are_measured_from_the_last_full_level():
    hand = play(limit(28, 36, 1000), 28)
    play(hand, 36)
    assert hand.legal()[1:] == (36, 56, 56)
    hand.act(C)
    assert (hand.actor, hand.legal()[1:]) == (0, (16, 56, 56))


def test_r24_what_counts_counts_towards_the_cap_once():
    hand = play(limit(28, 36, 1000, 1000), 28, 36)
    play(hand, 56, 76)  # bet, the two all-ins together, two raises: capped
    assert hand.legal()[2] is None
    hand = play(limit(29, 1000, 1000), 29, 40, 60, 80)  # 29 does not count
    assert (hand.actor, hand.legal()[2]) == (2, None)


def test_r24_opening_all_in():
    hand = flop([35, 1000, 1000], blinds=(10, 20), structure="fixed_limit")
    hand.act(15)
    assert hand.legal()[1:] == (15, 35, 35)
    hand = flop([29, 1000, 1000], blinds=(10, 20), structure="fixed_limit")
    hand.act(9)
    assert hand.legal()[1:] == (9, 20, 20)
    hand.act(20)
    assert hand.legal()[1:] == (20, 40, 40)


def test_r24_full_bet_rule_in_fixed_limit_and_half_bet_rule_in_no_limit():
    hand = play(limit(39, 1000, reopen_fraction=1.0), 39)
    assert hand.legal()[1:] == (39, 40, 40)
    hand.act(C)
    assert hand.legal()[1:] == (19, None, None)
    hand = play(a_bets_20(30, 1000, reopen_fraction=0.5), 30)
    assert hand.legal()[1:3] == (30, 50)
    hand.act(C)
    assert hand.legal()[1:3] == (10, 50)
    hand = play(a_bets_20(29, 1000, reopen_fraction=0.5), 29, C)
    assert hand.legal() == (True, 9, None, None)


def test_r25_nobody_is_asked_when_only_one_could_act():
    hand = play(start([1000, 400, 1000]), 400, C, F)
    assert hand.actor is None
    assert (len(hand.board), hand.street) == (5, 3)
    # The big blind, who could only check against a smaller all-in, is not asked.
    hand = play(start([60, 1000, 1000]), C, F)
    assert hand.actor is None
    assert hand.returned == (2, 40)


def test_r25_who_faces_more_is_asked():
    hand = play(start([1000, 1000, 100]), F)
    assert (hand.actor, hand.legal()) == (1, (True, 50, None, None))


def test_r25_heads_up_small_blind_against_a_shorter_big_blind_is_not_asked():
    hand = start([1000, 30])
    assert hand.actor is None
    assert hand.returned == (0, 20)


@pytest.mark.parametrize("face_up", [True, False])
def test_r25_hands_are_shown_before_the_run_out(face_up):
    holes, board = {0: "AsAh", 1: "KsKh"}, "2c4d6h8s9c"
    hand = start([1000, 400], holes=holes, board=board, face_up_all_in=face_up)
    play(hand, 1000, C)
    assert hand.show_order == [1, 0]
    assert hand.shown == {0, 1}  # seat 1 is all-in, seat 0 has the better hand
    hand = start([400, 1000], holes={0: "AsAh", 1: "KsKh"}, board=board, face_up_all_in=face_up, button=1)
    play(hand, 1000, C)
    assert hand.show_order == [0, 1]
    assert hand.shown == ({0, 1} if face_up else {0})
    assert hand.mucked == (set() if face_up else {1})


def test_r26_uncalled_bet_is_returned_and_never_raked():
    hand = play(flop([1000] * 2, rake=(10, None, True)), 500, F)
    assert hand.returned == (0, 500)
    assert hand.rake_taken == 20
    assert hand.payoffs == [80, -100]


def test_r26_part_that_nobody_can_match():
    hand = play(start([1000, 400, 1000]), 700, C, F)
    assert hand.returned == (0, 300)


def test_an_illegal_move_changes_nothing():
    hand = start([1000] * 3)
    for move in (150, 199, 1001, -2, 100, 1):
        with pytest.raises(ValueError, match="cannot raise"):
            hand.act(move)
    assert (hand.actor, hand.stacks, hand.bets) == (0, [1000, 950, 900], [0, 50, 100])
    hand = start([1000] * 3, smallest_chip=50)
    with pytest.raises(ValueError, match="cannot raise"):
        hand.act(225)
    play(hand, F, F)
    with pytest.raises(ValueError, match="over"):
        hand.act(F)


def test_r40_chips_are_never_made_or_lost():
    rng = random.Random(40)
    for _ in range(300):
        n = rng.randint(2, 10)
        stacks = [rng.randint(1, 1000) for _ in range(n)]
        deck = rng.sample(range(52), 52)
        hand = ReferenceHand(
            structure=rng.choice(["no_limit", "pot_limit", "fixed_limit"]),
            ante=rng.choice([0, 10]),
            big_blind_ante=rng.choice([0, 100]),
            straddle=rng.choice([0, 200]),
            rake=rng.choice([None, (5, 30, True)]),
            stacks=stacks,
            button=rng.randrange(n),
            deck=deck,
        )
        while hand.actor is not None:
            assert sum(hand.stacks) + hand.pot_total == sum(stacks)
            _, _, low, high = hand.legal()
            hand.act(rng.choice([F, C, C, C, *([low, high] if low else [])]))
        assert sum(hand.stacks) + hand.rake_taken == sum(stacks)
        assert sum(hand.payoffs) == -hand.rake_taken

"""The oracle against the rulebook: pots, splitting, showing and rake (R27-R31), with every worked example."""

from __future__ import annotations

from oracle.script import C, F, check_down, flop, play, start
from oracle.showdown import Pot, split


def test_r27_side_pot_example():
    holes, board = {0: "KsKh", 1: "AsAh", 2: "QsQh"}, "2c4d6h8s9c"
    hand = flop([1010, 15, 1010], blinds=(5, 10), holes=holes, board=board)
    play(hand, 20, C, C)
    check_down(hand)
    # Seat 1 put in its last 5: 15 and the 30 chips of the flop are the main pot, 30 the side pot.
    assert hand.pots_awarded == [(30, [0, 2], {0: 30}), (15 + 30, [0, 1, 2], {1: 45})]


def test_r27_later_bets_go_to_the_side_pot_and_folded_chips_stay_in():
    holes, board = {0: "KsKh", 1: "AsAh", 2: "QsQh", 3: "JsJh"}, "2c4d6h8s9c"
    hand = flop([1010, 15, 1010, 1010], blinds=(5, 10), holes=holes, board=board)
    play(hand, 20, C, C, C)
    play(hand, 50, C, C)
    play(hand, 100, C, F)
    assert hand.pots_awarded == [(45 + 150 + 200, [0, 2], {0: 395}), (60, [0, 1, 2], {1: 60})]


def test_r27_a_pot_that_only_one_contests_after_a_fold():
    holes, board = {0: "KsKh", 1: "AsAh", 2: "QsQh"}, "2c4d6h8s9c"
    hand = flop([1010, 15, 1010], blinds=(5, 10), holes=holes, board=board)
    play(hand, 20, C, C)
    assert hand.street == 2
    hand.act(F)
    assert hand.returned is None  # the bet was called
    assert hand.pots_awarded == [(30, [2], {2: 30}), (45, [1, 2], {1: 45})]


def test_r28_odd_chips():
    assert split(11, [0, 1, 2], button=0, seats=3, smallest_chip=1) == {1: 4, 2: 4, 0: 3}
    assert split(55, [0, 1, 2], button=0, seats=3, smallest_chip=5) == {1: 20, 2: 20, 0: 15}


def test_r28_heads_up_the_big_blind_comes_first():
    hand = start([1000, 1000], button=0, board="TcJdQhKsAc", blinds=(5, 10), rake=(5, None, True))
    check_down(hand)
    assert hand.rake_taken == 1
    assert hand.pots_awarded == [(19, [0, 1], {0: 9, 1: 10})]


def test_r28_first_seat_left_of_the_button():
    # Seat 0 folds its small blind of 5: 25 chips for seats 1 and 2.
    hand = check_down(play(start([1000] * 3, button=2, board="TcJdQhKsAc", blinds=(5, 10)), C, F))
    assert hand.pots_awarded == [(25, [1, 2], {1: 13, 2: 12})]
    assert hand.payoffs == [-5, 3, 2]


def test_r28_each_pot_is_split_separately():
    # Button 3; seat 0 is all-in for 3, seat 2 folds its call of 2, and the other hands tie.
    hand = start([3, 1000, 1000, 1000], button=3, board="TcJdQhKsAc", blinds=(1, 2))
    play(hand, C, C, 3, C, F, C)
    play(hand, 3, C)
    check_down(hand)
    assert hand.pots_awarded == [(6, [1, 3], {1: 3, 3: 3}), (11, [0, 1, 3], {0: 4, 1: 4, 3: 3})]


def river(stacks, holes, **rules):
    """At the river, button on the last seat."""
    hand = start(stacks, button=len(stacks) - 1, holes=holes, board="2c4d6h8s9c", **rules)
    while hand.street < 3:
        hand.act(C)
    return hand


ACES, KINGS, QUEENS, JACKS = "AsAh", "KsKh", "QsQh", "JsJh"


def test_r29_without_a_bet_the_first_left_of_the_button_shows_first():
    hand = check_down(river([1000] * 3, {0: QUEENS, 1: ACES, 2: KINGS}))
    assert hand.show_order == [0, 1, 2]
    assert hand.shown == {0, 1}
    assert hand.mucked == {2}


def test_r29_the_last_to_bet_or_raise_on_the_river_shows_first():
    hand = play(river([1000] * 3, {0: ACES, 1: KINGS, 2: QUEENS}), C, 100, C, C)
    assert hand.show_order == [1, 2, 0]
    assert (hand.shown, hand.mucked) == ({0, 1}, {2})
    hand = play(river([1000] * 3, {0: ACES, 1: KINGS, 2: QUEENS}), C, 100, 300, C, C)
    assert hand.show_order == [2, 0, 1]
    assert (hand.shown, hand.mucked) == ({0, 2}, {1})


def test_r29_only_the_river_counts():
    hand = start([1000] * 3, button=2, holes={0: ACES, 1: KINGS, 2: QUEENS}, board="2c4d6h8s9c")
    play(hand, C, C, C, C, 100, C, C)
    check_down(hand)
    assert hand.show_order == [0, 1, 2]
    # Even when nobody could act on the river.
    hand = start([400, 1000, 1000], button=2, holes={0: ACES, 1: KINGS, 2: QUEENS}, board="2c4d6h8s9c")
    play(hand, 1000, C, C)
    assert hand.show_order == [1, 2, 0]


def test_r29_a_tie_shows():
    hand = check_down(river([1000] * 3, {0: "KsKh", 1: "KcKd", 2: "QsQh"}))
    assert hand.shown == {0, 1}


def test_r29_muck_is_an_option():
    hand = check_down(river([1000] * 3, {0: ACES, 1: KINGS, 2: QUEENS}, muck=False))
    assert (hand.shown, hand.mucked) == ({0, 1, 2}, set())


def test_r29_side_pot_shows_first_and_all_in_players_never_muck():
    hand = river([1000, 200, 1000, 1000], {0: ACES, 1: QUEENS, 2: KINGS, 3: JACKS})
    play(hand, 300, C, C, C)
    assert hand.show_order == [0, 2, 3, 1]
    assert (hand.shown, hand.mucked) == ({0, 1}, {2, 3})


def test_r29_river_bettor_leads_in_its_own_pot_only():
    # Seat 1 raises all-in and is raised again: the side pot belongs to seats 0 and 2.
    hand = river([1000, 300, 1000], {0: ACES, 1: QUEENS, 2: KINGS})
    play(hand, 100, 200, 400, C)
    assert hand.show_order == [2, 0, 1]
    # Seats 2 and 1 are all-in in different pots, seat 3 folds.
    hand = river([1000, 300, 500, 1000], {0: ACES, 1: QUEENS, 2: KINGS, 3: JACKS})
    play(hand, 100, 200, 400, 600, C)
    assert hand.show_order == [3, 0, 2, 1]
    assert (hand.shown, hand.mucked) == ({0, 1, 2, 3}, set())


def test_r29_manual_showing_asks_everybody_but_the_first_in_turn():
    hand = check_down(river([1000] * 4, {0: KINGS, 1: QUEENS, 2: ACES, 3: JACKS}, showing="manual"))
    assert (hand.show_order, hand.chooser, hand.over) == ([0], 1, False)
    hand.choose(False)
    assert (hand.show_order, hand.chooser, hand.pots_awarded) == ([0, 1], 2, [])
    hand.choose(True)
    hand.choose(True)
    assert (hand.show_order, hand.chooser, hand.over) == ([0, 1, 2, 3], None, True)
    assert (hand.shown, hand.mucked) == ({0, 2, 3}, {1})
    assert hand.payoffs == [-100, -100, 300, -100]


def test_r29_manual_showing_gives_up_the_pots_of_who_folds_face_down():
    hand = check_down(river([1000] * 3, {0: KINGS, 1: QUEENS, 2: ACES}, showing="manual"))
    hand.choose(True)
    hand.choose(False)
    assert hand.payoffs == [200, -100, -100]


def test_r20_r27_dead_money_alone_is_a_pot_below_the_main_pot():
    rules = {"blinds": (50, 100), "returning": {3: {"small"}}, "rake": (10, None, True)}
    hand = start([1000, 1000, 1000, 30], 3, {0: KINGS, 1: QUEENS, 2: JACKS, 3: ACES}, "2c4d6h8s9c", **rules)
    play(hand, C, C, C)
    assert hand.pots() == [Pot(30, [0, 1, 2, 3]), Pot(300, [0, 1, 2])]
    check_down(hand)
    assert (hand.rake_taken, hand.payoffs) == (33, [167, -100, -100, 0])


def test_r29_manual_showing_does_not_ask_all_in_players():
    hand = river([1000, 200, 1000, 1000], {0: ACES, 1: QUEENS, 2: KINGS, 3: JACKS}, showing="manual")
    play(hand, 300, C, C, C)
    assert hand.chooser == 2
    hand.choose(False)
    hand.choose(False)
    assert (hand.show_order, hand.mucked) == ([0, 2, 3, 1], {2, 3})


def test_r30_manual_showing_asks_who_wins_alone():
    for shows in (True, False):
        hand = play(start([1000] * 3, showing="manual"), F, F)
        assert (hand.chooser, hand.over, hand.returned) == (2, False, (2, 50))
        hand.choose(shows)
        assert (hand.shown, hand.mucked) == (({2}, set()) if shows else (set(), {2}))
        assert hand.payoffs == [0, -50, 50]


def test_r30_all_but_one_folded():
    hand = play(start([1000] * 3), F, F)
    assert hand.payoffs == [0, -50, 50]
    assert (hand.shown, hand.mucked, hand.show_order) == (set(), set(), [])
    assert hand.pots_awarded == [(100, [2], {2: 100})]
    assert hand.returned == (2, 50)


def test_r31_rake_is_rounded_down_capped_and_taken_from_the_main_pot():
    hand = check_down(start([1000] * 2, rake=(5, None, True)))
    assert hand.rake_taken == 10
    hand = check_down(start([1000] * 2, rake=(5, 7, True)))
    assert hand.rake_taken == 7
    hand = check_down(start([1000] * 2, blinds=(50, 100), smallest_chip=25, rake=(20, None, True)))
    assert hand.rake_taken == 25
    hand = check_down(start([1000] * 2, rake=("2.5", None, True)))
    assert hand.rake_taken == 5


def test_r31_rake_comes_from_the_main_pot_first_then_the_side_pots():
    holes, board = {0: "KsKh", 1: "AsAh", 2: "QsQh"}, "2c4d6h8s9c"
    hand = flop([1010, 15, 1010], blinds=(5, 10), holes=holes, board=board, rake=(10, None, True))
    play(hand, 20, C, C, 500, C, C, C)
    assert hand.rake_taken == (30 + 15 + 30 + 1000) // 10
    assert hand.pots_awarded == [(30 + 1000 - (107 - 45), [0, 2], {0: 968}), (0, [0, 1, 2], {1: 0})]


def test_r31_no_flop_no_drop():
    assert play(start([1000] * 2, rake=(10, None, True)), 300, F).rake_taken == 0
    hand = play(start([1000] * 2, rake=(10, None, False)), 300, F)
    assert hand.rake_taken == 20
    assert play(start([300, 300], rake=(10, None, True)), 300, C).rake_taken == 60

"""R6-R9: where the blinds sit, antes, big-blind ante, straddle, and stacks too short to post."""

from __future__ import annotations

import pytest

from holdem_env import Rules, Table, holdem_v0
from rules.playing import (
    BEST,
    BOARD,
    CASE,
    GOOD,
    POOR,
    WORST,
    A,
    B,
    C,
    asked,
    asks,
    case,
    check_down,
    deal,
    deeds,
    flop,
    outcome,
    play,
    played,
    pots,
    stacked_deck,
)
from rules.sitting import cash, fold_out, next_hand, places

POSTS = ("post_ante", "post_small_blind", "post_big_blind", "post_straddle", "post_big_blind_ante")
CALL = 1  # check or call, of every built-in action encoder

FOUR, FIXED, STRADDLE = [500] * 4, {"structure": "fixed_limit"}, {"straddle": 40}
POSTED = [  # the bets, and who is asked what
    # R6: small and big blind are free parameters, in fixed limit too: 2/4 and 15/30
    *(
        case(deal, [500] * 3, "", f"{small} {big} 0: C {big} {2 * big}..500", blinds=(small, big))
        for small, big in ((3, 10), (10, 10), (1, 100), (0, 20))
    ),
    case(deal, [500] * 3, "", "1 2 0: C 2 4", blinds=(1, 2), **FIXED),
    case(deal, [500] * 3, "", "10 15 0: C 15 30", blinds=(10, 15), **FIXED),
    case(flop, [500] * 3, "", "0 0 0: A 0 20..500"),
    # R8: an ante does not count towards calling, is posted before the blind, and of a stack of one ante alone
    case(deal, [500] * 3, "", "10 20 0: C 20 40..495", ante=5),
    case(deal, [12, 500, 500], "", "7 20 0: C 20 40..495", ante=5),
    case(deal, [500, 5, 500], "", "10 0 0: C 20 40..495", ante=5),
    case(deal, [500] * 3, "", "10 20 0: C 20 40..500", big_blind_ante=20),
    # R8: a straddle is twice the big blind left of it, or of another size; three-handed the button straddles
    case(deal, FOUR, "", "10 20 40 0: D 40 80..500", straddle=True),
    case(deal, FOUR, "", "10 20 50 0: D 50 100..500", straddle=50),
    case(deal, [500] * 3, "", "10 20 40: A 30 80..500", **STRADDLE),
    # it is the bet to match before the flop only, acts last and may raise
    case(deal, FOUR, "D:c A:c B:c", "40 40 40 40: C 0 80..500", **STRADDLE),
    case(deal, FOUR, "D:c A:c B:c C:k", "0 0 0 0: A 0 20..460", **STRADDLE),
    case(deal, FOUR, "D:c A:c B:c C:r80 D:c A:c B:c", "0 0 0 0: A 0 20..420", **STRADDLE),
    case(deal, FOUR, "D:r80 A:f B:f", "10 20 40 80: C 40 120..500", **STRADDLE),
    # it is posted only in full, after the ante; else C is first to act, at the price of the big blind
    case(deal, [500, 500, 39, 500], "", "10 20 0 0: C 20 39", **STRADDLE),
    case(deal, [500, 500, 40, 500], "", "10 20 40 0: D 40 80..500", **STRADDLE),
    case(deal, [500, 500, 40, 500], "D:c A:c B:c", "0 0 0 0: A 0 20..460", **STRADDLE),  # C is all-in
    case(deal, [500, 500, 41, 500], "", "10 20 40 0: D 40 80..500", **STRADDLE),
    case(deal, [500, 500, 44, 500], "", "10 20 0 0: C 20 39", ante=5, **STRADDLE),
    # in fixed limit it counts as the second bet: with D's and A's raises the round is capped
    case(deal, FOUR, "", "10 20 40 0: D 40 60", **STRADDLE, **FIXED),
    case(deal, FOUR, "D:r60 A:r80", "80 20 40 60: B 60", **STRADDLE, **FIXED),
    # R9: after a short blind or ante the price stays that of the full blind, also when nobody posted it in full
    *(
        case(deal, [500, stack, 500], script, expected.format(stack))
        for stack in (1, 12, 19)
        for script, expected in (("", "10 {} 0: C 20 40..500"), ("C:c", "10 {} 20: A 10 40..500"))
    ),
    *(case(deal, [stack, 500, 500], "", f"{stack} 20 0: C 20 40..500") for stack in (1, 3, 9, 10)),
    case(deal, [3, 4, 500, 500], "", "3 4 0 0: C 20 40..500"),
    case(deal, [3, 4, 500, 500], "C:c", "3 4 20 0: D 20 40..500"),
    case(deal, [500, 500, 3], "", "10 20 0: A 10 40..495", ante=5),
    case(deal, [500, 500, 15], "", "10 20 0: C 15"),
    case(deal, [15, 500], "", "15 10: B 10"),  # to 20; A has no chips to call a raise with
    case(deal, [500, 4, 500], "C:c A:c", "0 0 0: A 0 20..480"),
]


@pytest.mark.parametrize(CASE, POSTED)
def test_r06_r08_r09_what_is_posted_and_who_is_asked_what(start, stacks, rules, script, expected):
    table = played(start, stacks, rules, script)
    assert f"{' '.join(map(str, table.bets))}: {asked(table)}" == expected


@pytest.mark.parametrize(
    CASE,
    [
        # R8: a short ante makes a side pot, antes can put everybody all-in
        case(deal, [500] * 3, "", [(15, (A, B, C))], ante=5),
        case(deal, [500] * 3, "", [(20, (A, B, C))], big_blind_ante=20),
        case(deal, [500] * 3, "C:c A:c B:k", [(75, (A, B, C))], ante=5),
        case(deal, [4, 500, 500], "", [(12, (A, B, C)), (2, (B, C))], ante=5),
        case(deal, [4, 500, 500], "C:c B:k", [(12, (A, B, C)), (42, (B, C))], ante=5),
        # A is all-in for 5 and wins 5 from each, and all of the dead 20 on top.
        case(deal, [5, 500, 500], "C:c B:k", [(15 + 20, (A, B, C)), (30, (B, C))], big_blind_ante=20),
        # B is all-in for the blind of 20; its ante of 10 gives it no claim on a further 10 of anybody.
        case(deal, [500, 30, 500], "C:r60 A:c", [(60 + 10, (A, B, C)), (80, (A, C))], big_blind_ante=20),
        *(
            case(deal, [stack, 500, 500], "C:c B:k", [(3 * stack, (A, B, C)), (2 * (20 - stack), (B, C))])
            for stack in (1, 3, 9, 10)
        ),
        case(deal, [500, 500, 15], "C:c A:c B:k", [(45, (A, B, C)), (10, (A, B))]),  # R9: a call with what C has
    ],
)
def test_r08_r09_antes_and_short_stacks_make_side_pots(start, stacks, rules, script, expected):
    assert pots(played(start, stacks, rules, script)) == expected


DOWN, B_BEST = {A: BEST, B: GOOD, C: POOR}, {A: GOOD, B: BEST, C: POOR}


@pytest.mark.parametrize(
    CASE,
    [
        case(deal, [4, 500, 500], "C:c B:k", "B 42/1 A 12/0 | 8 17 -25", ante=5, holes=DOWN),
        case(deal, [5, 5, 5], "", "B 15/0 | -5 10 -5", ante=5, holes=B_BEST),
        case(deal, [5, 500, 500], "C:c B:k", "B 30/1 A 35/0 | 30 -10 -20", big_blind_ante=20, holes=DOWN),
        case(deal, [500, 30, 500], "C:r60 A:c", "A 80/1 B 70/0 | 20 40 -60", big_blind_ante=20, holes=B_BEST),
        case(deal, [500] * 3, "C:r60 A:f B:f", "C<40 C 70/0 | -10 -40 50", big_blind_ante=20),
        # R9: what cannot be matched of the price is returned, and A's folded 10 stay in
        case(deal, [500, 4, 500], "C:c A:f", "C<10 C 12/1 B 12/0 | -10 8 2", holes={B: BEST, C: GOOD}),
        case(deal, [15, 500], "B:c", "B<5 A 30/0 | 15 -15", holes=[BEST, GOOD]),
        case(deal, [500, 500, 15], "C:c A:c B:k", "A 10/1 C 45/0 | -10 -20 30", holes={C: BEST, A: GOOD, B: POOR}),
    ],
)
def test_r08_r09_who_wins_what(start, stacks, rules, script, expected):
    assert outcome(check_down(played(start, stacks, rules, script))) == expected


@pytest.mark.parametrize("seats", range(3, 11))
def test_r06_blinds_sit_left_of_the_button(seats):
    for button in range(seats):
        table = Table(Rules(seats=seats), button=button, seed=0)
        small, big = (button + 1) % seats, (button + 2) % seats
        assert table.bets == [50 if seat == small else 100 if seat == big else 0 for seat in range(seats)]
        assert table.stacks == [10_000 - bet for bet in table.bets]
        assert table.actor == (button + 3) % seats


@pytest.mark.parametrize("button", [0, 1])
def test_r07_heads_up_the_button_has_the_small_blind_and_acts_first_before_the_flop_and_last_after_it(button):
    other = 1 - button
    table = deal([500, 500], button=button)
    assert table.bets[button] == 10
    assert table.bets[other] == 20
    asks(table, button, call=10, least=40, most=500)
    table.check_call()
    asks(table, other, call=0, least=40, most=500)
    table.check_call()
    for _ in range(3):
        assert table.actor == other
        table.check_call()
        assert table.actor == button
        table.check_call()
    assert table.is_over


def test_r06_r08_what_is_posted_in_what_order():
    antes = ["A post_ante 5", "B post_ante 5", "C post_ante 5"]
    blinds = ["A post_small_blind 10", "B post_big_blind 20"]
    for stacks, rules, expected in (
        ([12, 500, 500], {"ante": 5}, [*antes, "A post_small_blind 7", "B post_big_blind 20"]),
        ([500] * 4, STRADDLE, [*blinds, "C post_straddle 40"]),
        ([500] * 3, {"big_blind_ante": 20}, [*blinds, "B post_big_blind_ante 20"]),
        ([500] * 3, {}, blinds),
        ([500] * 3, {"blinds": (0, 20)}, blinds[1:]),  # R6
    ):
        assert deeds(deal(stacks, **rules), *POSTS) == expected
    assert deal([500, 5, 500], ante=5).posted[B] == (("post_ante",), 5, 0, 0)


def test_r08_no_straddle_when_only_two_of_three_are_left():
    env = holdem_v0.env(rules=Rules(seats=3, blinds=(10, 20), straddle=True, stacks=200), num_hands=2)
    # Seat 1, the button, straddles with its whole stack and loses it; the others call and check.
    env.reset(
        seed=1, options={"stacks": [200, 40, 200], "button": 1, "deck": stacked_deck(3, 1, {2: BEST, 1: WORST}, BOARD)}
    )
    while env.hands_played == 0:
        env.step(CALL)
    while env.terminations[env.agent_selection]:
        env.step(None)
    hand = env.records[0]
    assert hand["seats"]["stack"][1] == 0
    assert sorted(hand["seats"]["bet"][:3].tolist()) == [0, 10, 20]


@pytest.mark.parametrize("facing", [30, 60])
def test_r09_the_price_stays_also_when_only_short_all_ins_are_left_to_face(facing):
    """The big blind is all-in for less than the blind, and everybody else has folded to the small blind."""
    table = play(deal([500, facing, 500], blinds=(50, 100)), "C:f")
    if facing > 50:
        asks(table, A, call=50)
        table.check_call()
        assert deeds(table, "return_uncalled") == [f"A return_uncalled {100 - facing}"]
    else:  # the small blind covers all that is left to face: it is not asked (R25)
        assert table.is_over


POSTINGS = ("post_ante", "post_small_blind", "post_big_blind", "post_straddle", "post_big_blind_ante", "post_dead")


def test_r08_the_least_straddle_is_one_chip():
    table = deal([50, 50, 50], blinds=(0, 0), ante=1, straddle=1)
    assert (table.bets, table.actor) == ([0, 0, 1], A)


@pytest.mark.parametrize(
    ("ante", "stack", "chips"),
    [
        *((5, stack, chips) for stack, chips in ((3, (3, 0, 0)), (5, (5, 0, 0)), (12, (5, 7, 0)), (30, (5, 20, 5)))),
        *((5, stack, (5, 20, 20)) for stack in (45, 500)),
        *((0, stack, (0, min(stack, 20), max(0, stack - 20))) for stack in (15, 20, 21, 30, 40)),
    ],
)
def test_r08_r09_a_short_big_blind_posts_ante_then_blind_then_the_ante_of_the_table(ante, stack, chips):
    table = deal([500, stack, 500], ante=ante, big_blind_ante=20)
    kinds = zip(("post_ante", "post_big_blind", "post_big_blind_ante"), chips, strict=True)
    assert table.posted[B] == (tuple(kind for kind, amount in kinds if amount), *chips)
    assert table.stacks[B] == stack - sum(chips)
    assert table.posted[A] == (("post_ante",) * (ante > 0) + ("post_small_blind",), ante, 10, 0)
    assert table.posted[C] == (("post_ante",) * (ante > 0), ante, 0, 0)


def test_r10_where_nobody_sits_nobody_posts_the_small_blind():
    """At a full table too, where the last seat must not be taken for none."""
    session = cash(10)
    assert next_hand(session) == (0, 1, 2)
    session.leave(2)
    table = session.deal()
    assert places(table) == (1, None, 3)
    assert deeds(table, *POSTINGS) == ["D post_big_blind 20"]
    assert table.stacks[9] == table.starting_stacks[9]


def test_r10_a_missed_small_blind_of_one_chip_is_dead_money():
    session = cash(4, button=1, blinds=(1, 2))
    next_hand(session)
    session.sit_out(3)
    next_hand(session)
    session.sit_in(3)
    table = session.deal()
    assert table.posted[3] == (("post_dead",), 0, 0, 1)
    fold_out(table)


def test_r10_a_game_without_a_small_blind_has_none_to_miss():
    session = cash(4, button=1, blinds=(0, 20))
    session.deal()
    fold_out(session.table)
    session.sit_out(3)
    fold_out(session.deal())
    session.sit_in(3)
    table = session.deal()
    assert table.posted[3] == ((), 0, 0, 0)
    assert deeds(table, "post_dead") == []

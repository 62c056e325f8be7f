"""R14-R18: what a player may do, in what order, and how much may be bet in each structure."""

from __future__ import annotations

from typing import Any

import pytest

from holdem_env import IllegalMove, Rules, Table
from rules.playing import (
    CASE,
    FLOP,
    PREFLOP,
    RIVER,
    TURN,
    A,
    B,
    C,
    D,
    asked,
    asks,
    case,
    check_down,
    deal,
    deeds,
    flop,
    play,
    play_to,
    played,
    pots,
    river,
)

MOVES = ("fold", "check", "call", "bet", "raise")


def pot_limit(stacks: list[int], **options: Any) -> Table:
    return deal(stacks, structure="pot_limit", **{"blinds": (5, 10), **options})


def pot_limit_flop(stacks: list[int], **options: Any) -> Table:
    return flop(stacks, structure="pot_limit", **options)


def limit(stacks: list[int], **options: Any) -> Table:
    return deal(stacks, structure="fixed_limit", **options)


def limit_flop(stacks: list[int], **options: Any) -> Table:
    return flop(stacks, structure="fixed_limit", **options)


def limit_turn(stacks: list[int], **options: Any) -> Table:
    return play_to(limit_flop(stacks, **options), TURN)


def limit_river(stacks: list[int], **options: Any) -> Table:
    return play_to(limit_flop(stacks, **options), RIVER)


ALIKE, TWO_LEFT = [1000] * 3, {"uncapped_heads_up": "when_two_left"}
TO_FLOP, TO_TURN = "C:r40 A:c B:c", "C:r40 A:c B:c A:b20 B:r40 C:c A:c"
CAPPED = "A:b20 B:r40 A:r60 B:r80"  # bet, raise, second and third raise heads-up
ASKED = [
    # R14: the big blind has the option when no one raised, also after folds; a check-raise is allowed
    case(deal, [500] * 3, "C:c A:c", "B 0 40..500"),
    case(deal, [500] * 3, "C:c A:c B:r60", "C 40 100..500"),
    case(deal, [500] * 3, "C:c A:c B:r60 C:c", "A 40 100..500"),
    case(deal, [500] * 4, "C:f D:f A:c", "B 0 40..500"),
    case(flop, [500] * 3, "A:k B:b20 C:c", "A 20 40..500"),
    case(flop, [500] * 3, "A:k B:b20 C:c A:r60", "B 40 100..500"),
    # R15: a round goes on until everybody has matched the bet
    case(flop, [500] * 3, "A:b20 B:r60 C:c", "A 40 100..500"),
    # R16: no-limit. The least bet is the big blind, the least raise the last bet or raise
    case(flop, [500] * 2, "", "A 0 2..500", blinds=(1, 2)),
    case(deal, [500] * 3, "", "C 2 4..500", blinds=(1, 2)),
    case(flop, [500] * 2, "A:b5", "B 5 10..500", blinds=(1, 2)),
    case(flop, [500] * 2, "A:b90", "B 90 180..500"),
    case(flop, [500] * 3, "A:b20 B:r70", "C 70 120..500"),
    case(flop, [500] * 3, "A:b20 B:r70 C:r120", "A 100 170..500"),
    case(flop, [1000, 330, 1000], "A:b200 B:r330", "C 330 530..1000"),  # B's all-in raises by 130: no full raise
    case(flop, [1000] * 2, "A:b300 B:c", "A 0 20..700"),  # each street has its own minimum
    case(flop, [20, 1000, 1000], "A:b20", "B 20 120..1000", blinds=(50, 100)),  # after an all-in below the minimum
    case(deal, [500] * 3, "", "C 20 70..500", min_bet=50),
    case(deal, [500] * 3, "C:r70", "A 60 120..500", min_bet=50),
    case(river, [500] * 3, "", "A 0 50..500", min_bet=(20, 20, 20, 50)),
    case(river, [500] * 3, "A:b50", "B 50 100..500", min_bet=(20, 20, 20, 50)),
    # R16: the maximum is the stack, with what is already bet; less than the minimum only all-in
    case(flop, [500, 130, 500], "", "A 0 20..500"),
    case(flop, [500, 130, 500], "A:b20", "B 20 40..130"),
    case(deal, [500] * 3, "C:r60", "A 50 100..500"),
    case(flop, [500, 30, 500], "A:b20", "B 20 30"),
    # R17: pot-limit
    case(pot_limit_flop, [1000] * 2, "", "A 0 50..100", blinds=(25, 50)),
    case(pot_limit_flop, [1000] * 2, "A:b100", "B 100 200..400", blinds=(25, 50)),
    case(pot_limit, [1000] * 4, "", "C 10 20..35"),
    case(pot_limit, [1000] * 4, "", "C 10 20..35", smallest_chip=5),
    case(pot_limit, [1000] * 4, "C:f D:f", "A 5 20..30"),
    case(pot_limit, [1000] * 4, "C:c", "D 10 20..45"),  # 10 + (15 + 10) + 10
    case(pot_limit, [1000] * 4, "C:c D:r45", "A 40 80..155"),  # 45 + (25 + 45) + 40
    case(pot_limit, ALIKE, "", "C 10 20..38", ante=1),
    case(pot_limit, ALIKE, "", "C 10 20..45", big_blind_ante=10),
    case(pot_limit, [3, 1000, 1000], "", "C 10 20..33"),  # short blinds count as posted
    case(pot_limit, [1000, 4, 1000], "", "C 10 20..29"),
    case(pot_limit, [1000] * 4, "", "D 20 40..75", straddle=20),  # 20 + 35 + 20
    # Of C's 10 only 4 can be matched by the blinds, but D may raise to 10 + (3 + 4 + 10) + 10.
    case(pot_limit, [3, 4, 1000, 1000], "C:c", "D 10 20..37"),
    case(pot_limit_flop, [500, 10, 500], "A:b60 B:c", f"C 60 120..{60 + (60 + 60 + 10) + 60}"),
    case(pot_limit_flop, ALIKE, "A:b30 B:r100", f"C 100 170..{100 + (60 + 130) + 100}"),
    case(pot_limit, [1000, 1000, 25], "", "C 10 20..25"),  # at most the stack
    case(pot_limit, [1000, 1000, 15], "", "C 10 15"),
    # R18: fixed-limit. One small bet before and on the flop, one big bet on turn and river
    case(limit, ALIKE, "", "C 20 40"),
    case(limit_flop, ALIKE, "", "A 0 20"),
    case(limit_turn, ALIKE, "", "A 0 40"),
    case(limit_river, ALIKE, "", "A 0 40"),
    case(limit_river, ALIKE, "A:b40", "B 40 80"),
    case(limit, ALIKE, "", "C 20 40", small_bet=20, big_bet=60),
    case(limit_turn, ALIKE, "", "A 0 60", small_bet=20, big_bet=60),
    case(limit, ALIKE, "", "C 15 30", blinds=(10, 15)),  # 15/30
    case(limit_turn, ALIKE, "", "A 0 30", blinds=(10, 15)),
    # R18: the big blind counts as the first bet, and has its option; each street has its own cap
    case(limit, [1000] * 4, "C:r40 D:r60 A:r80", "B 60"),
    case(limit, [1000] * 4, "C:r40 D:r60 A:r80 B:c", "C 40"),
    case(limit, ALIKE, "C:c A:c", "B 0 40"),
    case(limit, ALIKE, "C:c A:c B:r40 C:r60 A:r80", "B 40"),
    case(limit, ALIKE, "C:r40 A:r60 B:r80 C:c A:c", "A 0 20"),
    *(
        case(start, ALIKE, f"A:b{bet} B:r{2 * bet} C:r{3 * bet} A:r{4 * bet}{more}", expected.format(2 * bet, bet))
        for start, bet in ((limit_flop, 20), (limit_turn, 40), (limit_river, 40))
        for more, expected in (("", "B {0}"), (" B:c", "C {1}"))
    ),
    case(limit_flop, [1000, 1000, 90], "A:b20 B:r40 C:r60 A:r80 B:c", "C 20"),  # all-in for 90 would be a fifth bet
    # R18: other numbers of raises, and none at all
    case(limit, ALIKE, "C:r40", "A 30", max_raises=(1, 2, 3, 1)),
    case(limit, ALIKE, f"{TO_FLOP} A:b20 B:r40", "C 40", max_raises=(1, 2, 3, 1)),
    case(limit, ALIKE, f"{TO_TURN} A:b40 B:r80 C:r120", "A 80", max_raises=(1, 2, 3, 1)),
    case(limit, ALIKE, f"{TO_TURN} A:b40 B:r80 C:r120 A:c B:c A:b40", "B 40", max_raises=(1, 2, 3, 1)),
    case(limit, ALIKE, "", "C 20", max_raises=(0, 0, 1, 1)),
    case(limit_flop, ALIKE, "", "A 0", max_raises=(0, 0, 1, 1)),
    case(limit_turn, ALIKE, "", "A 0 40", max_raises=(0, 0, 1, 1)),
    case(limit, [500] * 4, "", "D 40", straddle=40, max_raises=(1, 4, 4, 4)),  # a straddle uses up a wager
    case(limit, [500] * 4, "", "D 40 60", straddle=40, max_raises=(2, 4, 4, 4)),
    case(limit, [500] * 4, "D:r60", "A 50", straddle=40, max_raises=(2, 4, 4, 4)),
    # R18: heads-up the cap may fall away
    case(limit_flop, [1000] * 2, CAPPED, "A 20"),
    *(
        case(start, [1000] * 2, script, expected, uncapped_heads_up=option)
        for option in ("at_start", "when_two_left")
        for start, script, expected in (
            (limit_flop, CAPPED, "A 20 100"),
            (limit_flop, f"{CAPPED} A:r100 B:r120 A:r140", "B 20 160"),
            (limit, "B:r40 A:r60 B:r80", "A 20 100"),
        )
    ),
    case(limit, ALIKE, "C:f A:r40 B:r60 A:r80", "B 20"),
    case(limit, ALIKE, "C:f A:r40 B:r60 A:r80", "B 20", uncapped_heads_up="at_start"),
    case(limit, ALIKE, "C:f A:r40 B:r60 A:r80", "B 20 100", **TWO_LEFT),
    case(limit, ALIKE, f"C:f A:r40 B:r60 A:r80 B:c {CAPPED}", "A 20 100", uncapped_heads_up="at_start"),
    case(limit, ALIKE, "C:r40 A:r60 B:r80 C:f", "A 20", uncapped_heads_up="at_start"),  # what is capped stays capped
    case(limit, ALIKE, "C:r40 A:r60 B:r80 C:f", "A 20", **TWO_LEFT),
    case(limit_flop, [500, 20, 500], "A:b20 B:c C:r40 A:r60 C:r80", "A 20", **TWO_LEFT),  # who is all-in counts
    case(limit_flop, [500] * 3, "A:b20 B:f C:r40 A:r60 C:r80", "A 20 100", **TWO_LEFT),
]


@pytest.mark.parametrize(CASE, ASKED)
def test_r14_r15_r16_r17_r18_who_is_asked_what(start, stacks, rules, script, expected):
    assert asked(played(start, stacks, rules, script)) == expected


@pytest.mark.parametrize(
    ("start", "stacks", "rules", "script", "expected", "totals"),
    [
        (*case(flop, [500, 30, 500], "A:b20", "30"), [29]),
        (*case(flop, [500, 500], "A:b20", "40..500"), [1, 20, 39, 501, 10_000]),
        (*case(pot_limit, [1000] * 4, "", "35"), [36]),
        (*case(pot_limit, [1000] * 4, "", "5", smallest_chip=5), [33]),
        (*case(limit, ALIKE, "", "40"), [39, 41, 60, 1000]),
        (*case(limit, ALIKE, "C:r40 A:r60 B:r80", "capped"), [100]),
    ],
)
def test_r16_r17_r18_other_totals_are_illegal(start, stacks, rules, script, expected, totals):
    table = played(start, stacks, rules, script)
    before = asked(table)
    for total in totals:
        with pytest.raises(IllegalMove, match=expected):
            table.raise_to(total)
    assert asked(table) == before


@pytest.mark.parametrize(
    CASE,
    [
        case(deal, [500] * 3, "C:c", ["C call 20"]),
        case(flop, [500] * 3, "A:k", ["A check"]),
        case(deal, [500] * 3, "C:r40", ["C raise 40"]),  # the first to put in more than the blind
        case(flop, [500] * 3, "A:b20 B:r60 C:c A:f", ["A bet 20", "B raise 60", "C call 60", "A fold"]),
    ],
)
def test_r14_moves_have_their_names(start, stacks, rules, script, expected):
    assert deeds(played(start, stacks, rules, script), *MOVES)[-len(expected) :] == expected


def test_r14_no_action_folds_when_facing_a_bet_and_checks_otherwise():
    for script, folded in (("A:b20", [False, True, False]), ("", [False] * 3)):
        table = play(flop([500, 500, 500]), script)
        table.no_action()
        assert [table.is_folded(seat) for seat in range(3)] == folded
        assert table.actor == (C if script else B)


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


@pytest.mark.parametrize(
    CASE,
    [
        case(deal, [500] * 5, "", (PREFLOP, D), straddle=40),
        case(deal, [500] * 3, "C:c A:c B:k", (FLOP, A)),
        case(deal, [500] * 3, "C:r60 A:c B:c", (FLOP, A)),  # no option after a raise
        case(flop, [500] * 3, "A:f", (FLOP, B)),  # legal where checking is free
        case(deal, [500] * 4, "C:c D:c A:f B:k", (FLOP, B)),
        case(deal, [500] * 4, "C:c D:c A:f B:k B:f C:b20 D:c", (TURN, C)),
        case(flop, [50, 500, 500], "A:b50 B:c C:c", (TURN, B)),  # who is all-in is passed over
        case(flop, [500] * 4, "", (FLOP, C), button=1),
        case(flop, [500] * 3, "A:b20 B:r60 C:c A:c", (TURN, A)),
        case(flop, [500] * 3, "A:k B:b20 C:f A:c", (TURN, A)),  # the raiser is not asked again
    ],
)
def test_r14_r15_who_is_next(start, stacks, rules, script, expected):
    table = played(start, stacks, rules, script)
    assert (table.street, table.actor) == expected


@pytest.mark.parametrize("rules", [{}, {"structure": "pot_limit"}, {"structure": "fixed_limit", "max_raises": None}])
def test_r16_r17_r18_no_cap_on_raises(rules):
    table = flop([100_000, 100_000], blinds=(1, 2), **rules)
    for total in range(2, 400, 2):
        table.raise_to(total)
    assert table.legal.raise_min == 400
    assert len(deeds(table, "raise")) == 198


def test_r18_a_hand_that_begins_on_the_turn_begins_with_the_big_bet():
    rules = Rules(structure="fixed_limit", seats=2, blinds=(10, 20))
    asks(Table.from_position(rules, [500, 500], board="2c7d8hQs", pot=40, button=B), A, call=0, exactly=40)
    asks(Table.from_position(rules, [500, 500], board="2c7d8h", pot=40, button=B), A, call=0, exactly=20)


def test_r18_the_chips_of_a_capped_round():
    table = play(flop([1000] * 3, structure="fixed_limit"), "A:b20 B:r40 C:r60 A:r80 B:c C:c")
    assert pots(table) == [(60 + 240, (A, B, C))]
    assert sum(check_down(table).payoffs) == 0

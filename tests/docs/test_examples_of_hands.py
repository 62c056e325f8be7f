"""The rulebook's examples (docs/rules.md), played as they stand there: the rules of one hand, R1-R9 and R13-R32."""

from __future__ import annotations

import pytest

from holdem_env import IllegalMove, Rake, Rules, Table, evaluate
from holdem_env.cards.evaluation import CATEGORY_NAMES, category
from rules.playing import (
    BEST,
    BEST_TOO,
    FLOP,
    GOOD,
    POOR,
    WORST,
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
    river,
    showing,
)

FIXED = {"structure": "fixed_limit"}
POT = {"structure": "pot_limit"}
ROYAL = "AhKhQhJhTh"  # a board that everybody plays


# Cards and hands


def test_r01_the_ace_in_straights():
    assert evaluate("5c4d3h2sAc") < evaluate("6c5d4h3s2c")
    assert [CATEGORY_NAMES[category(evaluate(hand))] for hand in ("5c4d3h2sAc", "JcQdKhAs2c")] == [
        "straight",
        "high card",
    ]


def test_r02_the_table_of_hands():
    hands = ["9h8h7h6h5h", "QsQhQdQc4s", "8s8h8dKcKd", "AdJd9d6d3d", "Tc9d8h7s6c"]
    hands += ["5s5h5dKcJd", "JsJh4d4c9s", "TsThKdJc4s", "AhQd9s5c3d"]
    assert [category(evaluate(hand)) for hand in hands] == list(range(8, -1, -1))
    assert evaluate("AsKsQsJsTs") > evaluate(hands[0])
    assert evaluate("7h5h4h3h2h") > evaluate("AsKhQdJcTs")


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("9s9h3d3c2s", "8s8h7d7cAs"),
        ("QsQhQd2c2s", "JsJhJdAcAs"),
        ("8s8hKd4c3s QcJd", "8s8hKd4c3s QhTd"),
        ("8s8hKdQcJs Ad4c", "8s8hKdQcJs 7c6d"),
    ],
)
def test_r03_the_better_hand(better, worse):
    assert evaluate(better) > evaluate(worse)


def test_r03_both_play_the_board():
    board = "8s8hKdQcJs"
    assert evaluate(board + "7c6d") == evaluate(board + "5c3d") == evaluate(board)


def test_r04_three_players():
    table = Table(Rules(seats=3), button=C, deck=range(52))
    assert [tuple(table.hole_cards(seat)) for seat in (A, B, C)] == [(0, 3), (1, 4), (2, 5)]
    check_down(table)
    assert [tuple(operation.cards) for operation in table.log if operation.kind == "burn"] == [(6,), (10,), (12,)]
    assert table.board == (7, 8, 9, 11, 13)


# Blinds and chips


def test_r06_games_and_their_blinds():
    assert deal([500] * 3, blinds=(1, 2), **FIXED).bets == [1, 2, 0]
    asks(deal([500] * 3, blinds=(10, 15), **FIXED), C, call=15, exactly=30)


def test_r07_the_button_posts_the_small_blind_and_acts_first():
    table = deal([500, 500])
    assert table.bets == [20, 10]
    asks(table, B, call=10, least=40)
    assert play_to(table, FLOP).actor == A


def test_r08_antes():
    table = deal([500] * 3, ante=5)
    asks(table, C, call=20, least=40)
    assert pots(table) == [(15, (A, B, C))]
    assert pots(play(table, "C:c A:c B:k")) == [(75, (A, B, C))]
    assert pots(deal([4, 500, 500], ante=5)) == [(12, (A, B, C)), (2, (B, C))]


def test_r08_big_blind_antes():
    table = play(deal([5, 500, 500], big_blind_ante=20), "C:c B:k")
    assert pots(table) == [(35, (A, B, C)), (30, (B, C))]
    short = deal([500, 30, 500], big_blind_ante=20)
    assert deeds(short, "post_big_blind", "post_big_blind_ante") == ["B post_big_blind 20", "B post_big_blind_ante 10"]


def test_r08_straddles():
    table = deal([500] * 4, straddle=40)
    assert table.bets == [10, 20, 40, 0]
    asks(table, D, call=40, least=80)
    assert deal([500, 500, 39, 500], straddle=40).bets == [10, 20, 0, 0]
    asks(play(deal([500] * 4, straddle=40, **FIXED), "D:r60 A:r80"), B, call=60)


def test_r09_a_short_big_blind():
    table = deal([500, 60, 500], blinds=(50, 100))
    assert table.stacks[B] == 0
    asks(table, C, call=100, least=200)
    assert deeds(play(table, "C:c A:f"), "return_uncalled") == ["C return_uncalled 40"]


def test_r13_the_leaflets_game():
    rules = Rules.preset("leaflet")
    assert (rules.starting_stacks[0], rules.smallest_chip, rules.blinds) == (20 * 5 + 15 * 10 + 15 * 25, 5, (5, 10))
    assert rules.starting_stacks[0] == 625
    table = Table(rules, seed=1)
    with pytest.raises(IllegalMove, match="smallest chip"):
        table.raise_to(22)
    table.raise_to(25)


# Betting


def test_r14_the_option_and_the_check_raise():
    asks(play(deal([500] * 3), "C:c A:c"), B, call=0, least=40)
    asks(play(flop([500] * 3), "A:k B:b20 C:c"), A, call=20, least=40)


def test_r15_the_order():
    table = deal([500] * 4)
    for seat in (C, D, A):
        assert table.actor == seat
        table.fold() if seat == A else table.check_call()
    assert table.actor == B
    table.check_call()
    assert (table.street, table.actor) == (FLOP, B)
    table = play(flop([500] * 3), "A:b20 B:r60 C:c")
    asks(table, A, call=40, least=100)
    assert play(table, "A:c").street == FLOP + 1


def test_r16_the_least_raise():
    asks(deal([500] * 3, blinds=(1, 2)), C, call=2, least=4)
    asks(play(flop([500] * 3, blinds=(1, 2)), "A:b5"), B, call=5, least=10)
    asks(play(flop([500] * 3), "A:b20 B:r70"), C, call=70, least=120)
    asks(play(flop([1000, 330, 1000]), "A:b200 B:r330"), C, call=330, least=530)
    asks(play(flop([20, 1000, 1000], blinds=(50, 100)), "A:b20"), B, call=20, least=120)


def test_r17_the_pot():
    table = flop([1000, 1000], blinds=(25, 50), **POT)
    asks(table, A, call=0, most=100)
    asks(play(table, "A:b100"), B, call=100, most=400)
    asks(deal([1000] * 4, blinds=(5, 10), **POT), C, call=10, most=35)
    asks(play(deal([1000] * 4, blinds=(5, 10), **POT), "C:f D:f"), A, call=5, most=30)
    asks(deal([1000] * 3, blinds=(5, 10), ante=1, **POT), C, call=10, most=38)
    asks(deal([1000, 4, 1000], blinds=(5, 10), **POT), C, call=10, most=29)


def test_r17_a_pot_below_the_minimum_bet():
    table = flop([500, 500], min_bet=50, **POT)
    assert pots(table) == [(40, (A, B))]
    asks(table, A, call=0, exactly=50)


def test_r18_bets_and_the_cap():
    asks(deal([1000] * 3, **FIXED), C, call=20, exactly=40)
    asks(play_to(flop([1000] * 3, **FIXED), FLOP + 1), A, call=0, exactly=40)
    asks(play(flop([1000] * 3, **FIXED), "A:b20 B:r40 C:r60 A:r80"), B, call=40)
    asks(play(deal([1000] * 4, **FIXED), "C:r40 D:r60 A:r80"), B, call=60)


def test_r18_two_who_have_not_folded():
    def table() -> Table:
        return flop([500, 20, 500], uncapped_heads_up="when_two_left", **FIXED)

    asks(play(table(), "A:b20 B:f C:r40 A:r60 C:r80"), A, call=20, exactly=100)
    asks(play(table(), "A:b20 B:c C:r40 A:r60 C:r80"), A, call=20)


# All-in


def test_r20_for_less_and_for_950():
    asks(play(flop([500, 30]), "A:b100"), B, call=30)
    table = deal([950, 2000, 2000], holes={A: BEST, B: GOOD, C: POOR})
    assert play(table, "C:c A:r950 B:r2000 C:c").payoffs[A] == 2 * 950
    asks(play(flop([100, 500]), "A:b100"), B, call=100)
    asks(play(flop([100, 500, 101]), "A:b100"), B, call=100, least=200)


def test_r21_a_short_all_in_is_no_raise():
    asks(play(flop([500, 25, 500]), "A:b20 B:r25 C:c"), A, call=5)
    asks(play(flop([500, 4, 500], blinds=(5, 10)), "A:k B:b4 C:c"), A, call=4)


def test_r22_who_has_not_acted_may_raise_it():
    asks(play(flop([500, 25, 500]), "A:b20 B:r25"), C, call=25, least=45)
    table = play(flop([500, 4, 500], blinds=(5, 10)), "A:k B:b4")
    asks(table, C, call=4, least=14)
    asks(play(table, "C:r14"), A, call=14, least=24)


def test_r23_short_all_ins_add_up():
    table = play(flop([500, 30, 500, 41]), "A:b20 B:r30 C:c D:r41")
    asks(table, A, call=21, least=61)
    asks(play(table, "A:c"), C, call=11)
    table = play(flop([1000, 1000, 280]), "A:b100 B:r200 C:r280")
    asks(table, A, call=180, least=380)
    asks(play(table, "A:c"), B, call=80)


def test_r24_half_a_bet():
    asks(play(flop([500, 30, 500], **FIXED), "A:b20 B:r30"), C, call=30, exactly=50)
    asks(play(flop([500, 29, 500], **FIXED), "A:b20 B:r29"), C, call=29, exactly=40)
    asks(play(flop([500, 28, 36, 500], **FIXED), "A:b20 B:r28 C:r36"), D, call=36, exactly=56)
    asks(play(flop([15, 500, 500], **FIXED), "A:b15"), B, call=15, exactly=35)
    asks(play(flop([9, 500, 500], **FIXED), "A:b9"), B, call=9, exactly=20)


def test_r24_and_the_cap():
    asks(play(flop([500, 500, 500, 70], **FIXED), "A:b20 B:r40 C:r60 D:r70"), A, call=50)
    asks(play(flop([500, 500, 500, 69], **FIXED), "A:b20 B:r40 C:r60 D:r69"), A, call=49, exactly=80)


def test_r24_in_no_limit():
    asks(play(flop([1000, 160, 1000], reopen_fraction=0.5), "A:b100 B:r160"), C, call=160, least=260)


def test_r25_all_in_before_the_flop():
    table = play(deal([500, 500]), "B:r500 A:c")
    assert deeds(table, "show", "deal_board") == ["A show", "B show", *["deal_board"] * 3]
    table = play(deal([500, 500, 80], blinds=(50, 100)), "C:c A:f")
    assert table.is_over
    assert len(table.board) == 5


def test_r26_what_goes_back():
    assert deeds(play(flop([500] * 3), "A:b100 B:f C:f"), "return_uncalled") == ["A return_uncalled 100"]
    assert deeds(play(flop([500, 60]), "A:b100 B:c"), "return_uncalled") == ["A return_uncalled 40"]
    table = deal([500, 6], ante=10, holes={A: BEST, B: POOR})
    assert deeds(table, "return_uncalled", "push_pot") == ["A return_uncalled 24", "A push_pot 12 of 0"]


# Pots and showdown


def test_r27_a_pot_for_each_level():
    table = play(flop([500, 5, 500], blinds=(0, 0), min_bet=20, big_blind_ante=0), "A:b20 B:c C:c")
    assert pots(table) == [(15, (A, B, C)), (30, (A, C))]
    holes = {0: BEST, 1: GOOD, 2: "9s9d", 3: POOR, 4: WORST}
    table = play(flop([10, 30, 60, 100, 100], blinds=(1, 2), holes=holes), "A:b10 B:r30 C:r60 D:r100 E:c")
    pushed = ["D push_pot 80 of 3", "C push_pot 90 of 2", "B push_pot 80 of 1", "A push_pot 60 of 0"]
    assert deeds(table, "push_pot") == pushed


@pytest.mark.parametrize(
    ("blinds", "chip", "parts"), [((2, 3), 1, ["C 4", "D 4", "A 3"]), ((10, 15), 5, ["C 20", "D 20", "A 15"])]
)
def test_r28_odd_chips(blinds, chip, parts):
    table = deal([500] * 4, button=A, blinds=blinds, smallest_chip=chip, board=ROYAL)
    check_down(play(table, "D:c A:c B:f C:k"))
    assert [part.replace("push_pot ", "").removesuffix(" of 0") for part in deeds(table, "push_pot")] == parts


def test_r29_who_shows_first():
    holes = {A: POOR, B: GOOD, C: BEST}
    assert showing(check_down(river([500] * 3, holes=holes))) == ["A show", "B show", "C show"]
    table = play(river([500] * 3, muck=False, holes=holes), "A:b20 B:c C:r60 A:c B:c")
    assert showing(table) == ["C show", "A show", "B show"]
    table = play(flop([50, 500, 500], holes={A: BEST, B: POOR, C: GOOD}), "A:b50 B:c C:c")
    assert showing(check_down(play(table, "B:b50 C:c"))) == ["B show", "C show", "A show"]


def test_r29_an_all_in_that_is_no_raise():
    table = play(river([500, 500, 25], muck=False, holes={A: POOR, B: GOOD, C: BEST}), "A:k B:b20 C:r25 A:c B:c")
    assert showing(table) == ["B show", "C show", "A show"]


def test_r29_who_mucks():
    table = check_down(river([500] * 3, holes={A: BEST, B: POOR, C: BEST_TOO}))
    assert showing(table) == ["A show", "B muck", "C show"]


def test_r30_nobody_shows():
    table = play(flop([500] * 3), "A:b100 B:f C:f")
    assert deeds(table, "return_uncalled", "push_pot") == ["A return_uncalled 100", "A push_pot 60 of 0"]
    assert showing(table) == []


@pytest.mark.parametrize(
    ("bet", "options", "rake"),
    [(89, {}, 10), (89, {"rake": Rake(percent=5, cap=7)}, 7), (120, {"smallest_chip": 5}, 10)],
)
def test_r31_rounded_down_and_capped(bet, options, rake):
    table = play(flop([1000, 1000], **{"rake": Rake(percent=5), **options}), f"A:b{bet} B:c")
    assert sum(amount for amount, _ in pots(table)) == 40 + 2 * bet
    assert check_down(table).rake == rake


def test_r31_dead_money_side_pots_and_no_flop():
    assert check_down(deal([500] * 3, big_blind_ante=20, rake=Rake(percent=10))).rake == 8
    holes = {A: BEST, B: GOOD, C: POOR}
    table = flop([10, 1000, 1000], holes=holes, blinds=(1, 2), rake=Rake(percent=5))
    check_down(play(table, "A:b10 B:r200 C:c"))
    assert table.rake == 20
    assert deeds(table, "push_pot") == ["B push_pot 380 of 1", "A push_pot 16 of 0"]
    assert play(deal([500] * 3, rake=Rake(percent=10)), "C:r100 A:f B:f").rake == 0


def split(pot: int, board: str, *hands: str) -> list[str]:
    """Who is pushed how much of a pot on this board when everybody checks the river."""
    rules = Rules(seats=len(hands), blinds=(1, 2), split="high_low")
    stacks = [100] * len(hands)
    table = Table.from_position(
        rules, stacks, board=board, pot=pot, button=len(hands) - 1, hole_cards=dict(enumerate(hands))
    )
    return [part.replace("push_pot ", "").removesuffix(" of 0") for part in deeds(check_down(table), "push_pot")]


def test_r32_high_and_low():
    board = "KsKc8d7h3c"
    assert split(60, board, "Ah2s", "KdQh") == ["B 30", "A 30"]
    assert split(61, board, "Ah2s", "KdQh") == ["B 31", "A 30"]
    assert split(60, "KsKcQd7h3c", "Ah2s", "KdJh") == ["B 60"]
    assert split(60, board, "Ah2s", "KdQh", "Ad2h") == ["B 30", "A 15", "C 15"]
    assert split(60, "5s4c3dKhJc", "Ah2s", "KdQh") == ["A 30", "A 30"]

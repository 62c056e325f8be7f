"""R36-R38 found after some players of the round have acted: the cards come after this many of its moves.

Cards are as in test_dealer_errors.py: 0, 1, 2 ... off the top, and a reshuffle turns the deck round.
"""

from __future__ import annotations

import pickle

import pytest

from holdem_env import DealerErrors, Rules, Session, SessionRules, Table
from holdem_env.game.rules_record import DEALER_ERRORS
from rules.playing import check_down, play
from rules.test_dealer_errors import BACKWARDS, CARD_KINDS, cards_done, hand, is_sound

MOVES = {"fold", "check", "call", "bet", "raise"}


def story(table: Table) -> list[str]:
    """The moves and what was done with the board cards, in their order, without the deal of the hands."""
    seen = (CARD_KINDS - {"deal_hole"}) | MOVES
    return [operation.kind for operation in table.log if operation.kind in seen]


def hand_with_errors(seed: int, seats: int = 4, **probabilities: float) -> Table:
    return Table(Rules(seats=seats, dealer_errors=DealerErrors(**probabilities)), seed=seed)


def moves_before(table: Table, street: int = 0) -> int | None:
    """After how many moves of a street the next street's cards came too early; None: they did not."""
    count = 0
    while not table.is_over and table.street == street:
        if "deal_early" in story(table):
            return count
        table.check_call()
        count += 1
    return None


# The cards come after this many moves


def test_r36_a_flop_after_two_moves_is_seen_by_the_third_player_only():
    table = hand(premature_flop=2)
    assert (table.exposed, story(table)) == ((), [])
    play(table, "C:c")
    assert (table.exposed, story(table)) == ((), ["call"])
    play(table, "A:c")
    assert (table.exposed, table.board, table.actor) == ((7, 8, 9), (), 1)
    assert story(table) == ["call", "call", "burn", "deal_early"]
    play(table, "B:k")
    assert story(table)[4:] == ["check", "take_back", "reshuffle", "deal_board"]
    assert (table.board, table.exposed) == ((51, 50, 49), (7, 8, 9))
    is_sound(check_down(table))


def test_r36_zero_moves_are_the_beginning_of_the_round():
    assert hand(premature_flop=0).log == hand(premature_flop=True).log


def test_r36_further_moves_of_the_round_count_by_any_player():
    table = play(hand(premature_flop=4), "C:c A:r300 B:c")
    assert table.exposed == ()
    play(table, "C:r900")
    assert (table.exposed, table.actor) == ((7, 8, 9), 0)
    play(table, "A:f B:c")
    assert table.board == (51, 50, 49)


@pytest.mark.parametrize("after", [3, 4, 2**31 - 1, 2**31, 10**20])
def test_cards_that_come_when_the_betting_is_complete_come_on_time(after):
    table = check_down(hand(premature_flop=after, premature_turn=after, premature_river=after))
    plain = check_down(hand())
    assert table.log == plain.log
    assert (table.exposed, table.records["reshuffles"][0]) == ((), 0)


@pytest.mark.parametrize(
    ("seats", "errors", "script", "board"),
    [
        (3, {"premature_flop": 2}, "C:f A:f", ()),
        (2, {"premature_flop": 2}, "B:r10000 A:c", (5, 6, 7, 9, 11)),
        (2, {"premature_turn": True, "premature_river": True}, "B:r10000 A:c", (5, 6, 7, 9, 11)),
    ],
)
def test_r36_r37_nothing_comes_too_early_where_nobody_decides_any_more(seats, errors, script, board):
    table = play(hand(seats=seats, **errors), script)
    assert (table.is_over, table.exposed, table.board) == (True, (), board)


def test_r36_after_the_players_who_see_it_fold_there_is_no_new_flop():
    table = play(hand(premature_flop=1), "C:r300 A:f B:f")
    assert story(table) == ["raise", "burn", "deal_early", "fold", "fold"]
    is_sound(table)


def test_r36_too_early_in_mid_round_and_then_too_many():
    table = play(hand(premature_flop=1, flop_too_many=True), "c c k")
    assert story(table) == [
        "call", "burn", "deal_early", "call", "check", "take_back", "reshuffle", "deal_too_many", "take_back",
        "reshuffle", "deal_board",
    ]  # fmt: skip
    is_sound(check_down(table))


def test_r37_a_turn_after_two_moves_of_the_flops_round():
    table = play(hand(premature_turn=2), "c c k A:k B:b200")
    assert (table.exposed, table.board, table.actor) == ((11,), (7, 8, 9), 2)
    play(table, "C:c A:f")
    assert table.board == (7, 8, 9, 13)
    play(table, "B:k C:k")
    assert table.board == (7, 8, 9, 13, 51)
    assert cards_done(table)[-3:] == [("take_back", (11,)), ("reshuffle", ()), ("deal_board", (51,))]
    is_sound(check_down(table))


def test_r38_a_river_after_one_move_of_the_turns_round():
    table = play(hand(premature_river=1), "c c k k k k A:k")
    assert (table.exposed, table.board, table.actor) == ((13,), (7, 8, 9, 11), 1)
    play(table, "B:k C:k")
    assert table.board == (7, 8, 9, 11, 51)
    is_sound(check_down(table))


def test_undo_takes_the_cards_back_and_copies_remember_when_they_come():
    table = play(hand(premature_flop=2), "C:c")
    twins = table.copy(), pickle.loads(pickle.dumps(table))
    play(table, "A:c")
    assert table.exposed == (7, 8, 9)
    table.undo()
    assert (table.exposed, table.log) == ((), twins[0].log)
    for twin in twins:
        assert play(twin, "A:c").exposed == (7, 8, 9)
        assert play(twin, "B:k").board == (51, 50, 49)
        twin.undo()
        assert (twin.board, twin.exposed) == ((), (7, 8, 9))
        assert check_down(twin).board[:3] == (51, 50, 49)


def test_the_fold_of_an_absent_player_is_a_move():
    session = Session(Rules(seats=4, session=SessionRules()), seed=1)
    session.sit_out(0)
    table = session.deal(dealer_errors={"premature_flop": 2}, deck=list(range(52)), reshuffles=[BACKWARDS])
    while not table.exposed:
        assert not table.is_over
        table.check_call()
    kinds = story(table)
    assert kinds[-2:] == ["burn", "deal_early"]
    assert len(kinds) == 4
    assert "fold" in kinds


def test_by_default_random_errors_come_when_the_round_begins():
    for seed in range(20):
        assert moves_before(hand_with_errors(seed, premature_flop=1)) == 0
        assert moves_before(hand_with_errors(seed, premature_flop=1, mid_round=0)) == 0


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_in_mid_round_all_moments_are_equally_likely(seats):
    hands = 300 * (seats - 1)
    counts = [0] * seats
    for seed in range(hands):
        counts[moves_before(hand_with_errors(seed, seats, premature_flop=1, mid_round=1))] += 1
    assert counts[0] == 0
    assert min(counts[1:]) > 240


def test_mid_round_is_how_likely_it_is():
    found = [moves_before(hand_with_errors(seed, premature_flop=1, mid_round=0.3)) for seed in range(400)]
    assert 0.62 < found.count(0) / len(found) < 0.78
    assert set(found) == {0, 1, 2, 3}


def test_streets_draw_their_moments_apart():
    sure = dict.fromkeys(DEALER_ERRORS[2:5], 1.0)
    drawn = {tuple(moves_before_each(hand_with_errors(seed, 3, mid_round=1, **sure))) for seed in range(60)}
    assert all(None not in moments for moments in drawn)
    assert len(drawn) == 8


def moves_before_each(table: Table) -> list[int | None]:
    """After how many moves of each street before the river the next cards came."""
    moments: list[int | None] = []
    for street in range(3):
        count, found = 0, None
        while table.street == street:
            if found is None and story(table).count("deal_early") > street:
                found = count
            table.check_call()
            count += 1
        moments.append(found)
    return moments


def test_the_moment_does_not_depend_on_what_the_players_do():
    for seed in range(30):
        one, other = (hand_with_errors(seed, 3, premature_flop=1, mid_round=1) for _ in range(2))
        count = moves_before(one)
        for _ in range(count):
            assert other.exposed == ()
            other.raise_to(other.legal.raise_min)
        assert other.exposed == one.exposed != ()


def test_hands_that_begin_on_a_later_street_have_mid_round_errors_too():
    sure = Rules(seats=2, dealer_errors={"premature_turn": 1, "mid_round": 1})
    table = Table.from_position(sure, [500, 500], board="2c7d8h", pot=100, seed=3)
    assert table.exposed == ()
    table.check_call()
    assert len(table.exposed) == 1

"""Cards that a history does not tell: the fillers never decide a pot that was decided by known cards."""

from __future__ import annotations

import pytest

from history.phh_text import FOLDED, HAND, HAND_PAYOFFS, hand, replayed
from holdem_env.cards.evaluation import evaluate
from holdem_env.cards.text import parse_cards
from holdem_env.history import HistoryError

UNKNOWN_DEAL = ["d dh p1 ????", "d dh p2 ????", "d dh p3 ????"]
PLAYED = HAND["actions"][3:-2]


def test_unknown_hands_that_end_by_folding() -> None:
    record = hand(actions=[*UNKNOWN_DEAL, *FOLDED[3:]])
    table = record.replay()
    assert table.payoffs == [-1, 1, 0]
    assert record.known_cards == frozenset()
    assert record.holes == ("????",) * 3
    assert sorted(table.deck) == list(range(52))


def test_cards_shown_at_the_end_are_the_hole_cards_from_the_start() -> None:
    record = hand(actions=[*UNKNOWN_DEAL, *PLAYED, "p3 sm KsKc", "p1 sm QdAh"])
    table = record.replay()
    assert table.hole_cards(2) == "KsKc"
    assert table.hole_cards(0) == "QdAh"
    assert table.payoffs == HAND_PAYOFFS
    assert record.known_cards == set(parse_cards("KsKcQdAh9c8d2h3s4c"))


@pytest.mark.fast_cases(20)
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("end", [["p1 sm ????"], ["p1 sm"], [], ["p1 sm -"]])
def test_an_unknown_hand_loses_to_what_was_shown(seed: int, end: list[str]) -> None:
    record = hand(actions=[*UNKNOWN_DEAL, *PLAYED, "p3 sm KsKc", *end])
    table = record.replay(seed=seed)
    assert table.payoffs == HAND_PAYOFFS
    assert not record.known_cards & {*table.hole_cards(0), *table.hole_cards(1)}


def test_fillers_depend_on_the_seed_alone() -> None:
    record = hand(actions=[*UNKNOWN_DEAL, *PLAYED, "p3 sm KsKc"])
    decks = [tuple(record.replay(seed=seed).deck) for seed in (1, 1, 2, 3)]
    assert decks[0] == decks[1]
    assert len(set(decks)) == 3


def test_a_low_hand_shown_still_wins() -> None:
    # 2-2 on this board loses to nearly everything; the filler must be worse than a pair of deuces.
    actions = [*UNKNOWN_DEAL, "p3 cc", "p1 cc", "p2 cc", "d db Jc8d6h", *(["p1 cc", "p2 cc", "p3 cc"])]
    actions += ["d db 4s", "p1 cc", "p2 cc", "p3 cc", "d db Kh", "p1 cc", "p2 cc", "p3 cc", "p1 sm 2c2d"]
    for seed in range(10):
        assert replayed(actions=actions).payoffs == [4, -2, -2], seed


def test_where_nothing_loses_the_filler_is_as_weak_as_can_be() -> None:
    # The board is a royal flush: everybody plays it and the pot is split.
    actions = [*UNKNOWN_DEAL, "p3 cc", "p1 cc", "p2 f", "d db AhKhQh", "p1 cc", "p3 cc"]
    actions += ["d db Jh", "p1 cc", "p3 cc", "d db Th", "p1 cc", "p3 cc", "p1 sm 2c2d", "p3 sm"]
    assert replayed(actions=actions).payoffs == [1, -2, 1]


def test_one_card_of_a_hand_is_known() -> None:
    record = hand(actions=["d dh p1 ??3d", "d dh p2 ????", "d dh p3 ????", *PLAYED, "p3 sm KsKc", "p1 sm ??"])
    table = record.replay()
    assert table.hole_cards(0)[1] in record.known_cards
    assert table.hole_cards(0)[0] not in record.known_cards
    assert table.payoffs == HAND_PAYOFFS


def test_unknown_board_cards() -> None:
    unknown_board = [action.replace("9c8d2h", "??????") for action in HAND["actions"]]
    table = replayed(actions=unknown_board)
    assert table.is_over
    assert table.board[3:] == "3s4c"


def test_the_stated_result_names_an_unknown_winner() -> None:
    record = hand(actions=[*UNKNOWN_DEAL, *PLAYED], finishing_stacks=[238, 198, 164])
    for seed in range(10):
        assert record.replay(seed=seed).payoffs == [38, -2, -36] == record.payoffs


def test_everybody_but_one_mucked() -> None:
    actions = [*UNKNOWN_DEAL, *PLAYED, "p3 sm ????", "p1 sm"]
    for seed in range(10):
        assert hand(actions=actions).replay(seed=seed).payoffs == HAND_PAYOFFS
    known_muck = ["d dh p1 AhQd", *UNKNOWN_DEAL[1:], *PLAYED, "p1 sm"]
    assert hand(actions=known_muck).replay().payoffs == HAND_PAYOFFS


def test_several_unknown_hands_lose_all() -> None:
    six = {
        "antes": [0] * 6,
        "blinds_or_straddles": [1, 2, 0, 0, 0, 0],
        "starting_stacks": [200] * 6,
        "actions": [f"d dh p{k} ????" for k in range(1, 7)]
        + [f"p{k} cbr 200" if k == 3 else f"p{k} cc" for k in (3, 4, 5, 6, 1, 2)]
        + ["d db 2c5c9d", "d db Jh", "d db Qs", "p3 sm AhKd"],
    }
    for seed in range(10):
        assert hand(**six).replay(seed=seed).payoffs == [-200, -200, 1000, -200, -200, -200]


def test_side_pots_with_unknown_hands() -> None:
    # p1 is all-in for 50 and shows; p2 and p3 play for a side pot that p2 wins with a weaker hand than p1's.
    betting = "p3 cbr 50, p1 cc, p2 cc, d db 9c8d2h, p2 cbr 100, p3 cc, d db 3s, p2 cc, p3 cc"
    showing = "d db 4c, p2 cc, p3 cc, p2 sm AhQd, p3 sm, p1 sm KsKc"
    actions = [*UNKNOWN_DEAL, *betting.split(", "), *showing.split(", ")]
    record = hand(starting_stacks=[50, 200, 200], actions=actions)
    for seed in range(10):
        assert record.replay(seed=seed).payoffs == [100, 50, -150]


def test_a_folded_hand_does_not_take_part() -> None:
    # p2 folded aces face down; the file tells them, and they must not hold the unknown winner back.
    actions = ["d dh p1 ????", "d dh p2 AsAc", "d dh p3 ????", *PLAYED, "p3 sm KsKc"]
    assert replayed(actions=actions).payoffs == HAND_PAYOFFS


def test_an_all_in_that_the_record_leaves_early_is_run_out() -> None:
    actions = ["d dh p1 AhQd", "d dh p2 2c7s", "d dh p3 KsKc", "p3 cbr 200", "p1 cc", "p2 f", "d db 9c8d2h"]
    record = hand(actions=actions)
    table = record.replay()
    assert table.is_over
    assert table.board[:3] == "9c8d2h"
    assert len(record.board) == 3 < len(table.board)


def test_fillers_do_not_hide_a_card_given_twice() -> None:
    with pytest.raises(HistoryError, match="Ks appears twice"):
        hand(actions=["d dh p1 ????", "d dh p2 ????", "d dh p3 ????", *PLAYED, "p3 sm KsKc", "p1 sm KsKd"])


def test_the_only_winner_gets_the_best_hand_there_is() -> None:
    record = hand(actions=[*UNKNOWN_DEAL, *PLAYED], winnings=[0, 0, 74])
    table = record.replay()
    loser, winner = (evaluate([*table.hole_cards(seat), *table.board]) for seat in (0, 2))
    assert loser < winner == evaluate("5s6s 9c8d2h3s4c")

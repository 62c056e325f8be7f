"""A person's words, what happens in sentences, hints, and the review of a hand."""

from __future__ import annotations

import re
from typing import Any

import pytest

from arena.open_book_agents import Silent
from errors import complaint, mentions
from holdem_agents.playing import HumanGame, advice, cards_of, hand_log, move_label, move_of, odds, review
from holdem_agents.scripted import AlwaysFold, CallingStation, Maniac, tight_aggressive
from holdem_env import Rules, Table, equity
from holdem_env.agents.registry import make_agent
from holdem_env.table.table import IllegalMove

HEADS_UP = Rules.preset("heads-up-no-limit")


@pytest.fixture
def table() -> Table:
    return Table(HEADS_UP, seed=4)


@pytest.mark.parametrize(
    ("word", "move"),
    [
        *(("f", -1), ("FOLD", -1), ("c", 0), ("call", 0), ("12", 12), ("r 8", 8), ("r8", 8), ("raise to 7", 7)),
        *(("bet 9", 9), ("min", 4), ("pot", 6), ("50%", 4), ("2.5x", 5), ("6bb", 12), ("raise to 2.5 bb", 5)),
        *(("all-in", 200), (" all  in ", 200), ("ALLIN", 200), ("a", 200)),
    ],
)
def test_words_are_moves(table: Table, word: str, move: int) -> None:
    assert move_of(table, word, 0) == move
    assert move_of(table.view(), word, 0) == move  # type: ignore[arg-type]


NO_MOVES = [("hello", "f folds, c checks or calls"), ("", "f folds, c checks or calls")]
NO_MOVES += [("r", "f folds, c checks or calls"), ("0", "f folds, c checks or calls")]
NO_MOVES += [("check", "there are 1 to call: type call, or c")]
NO_MOVES += [("1%", "1% is no legal raise here. Legal: fold, call 1, raise to 4..200.")]
NO_MOVES += [("33%", "It is too small: a raise to 3, and the least is 4."), ("2.3bb", "4.6 chips")]


@pytest.mark.parametrize(("word", "message"), NO_MOVES)
def test_words_that_are_no_moves(table: Table, word: str, message: str) -> None:
    assert re.search(re.escape(message), complaint(move_of, table, word, 0))


def test_words_in_other_places(table: Table) -> None:
    mentions(complaint(move_of, table, "c", 1, kind=IllegalMove), 1)
    table.check_call()
    assert move_of(table, "check", 1) == 0
    short = Table(Rules(seats=2, blinds=(1, 2), stacks=(2, 200)))
    assert move_of(short, "all-in", 0) == 0  # a call


def test_moves_have_labels(table: Table) -> None:
    assert [move_label(table, move) for move in (-1, 0, 12, 200)] == ["fold", "call 1", "raise to 12", "all-in 200"]
    table.check_call()
    table.check_call()
    assert [move_label(table.view(), move) for move in (0, 6)] == ["check", "bet 6"]


def log_of(table: Table, names: list[str], seat: int = 0) -> list[str]:
    return [str(line) for line in hand_log(table.view(seat), names)]


def test_a_hand_in_sentences() -> None:
    table = Table(Rules(seats=2, blinds=(1, 2), stacks=200), deck="AsKdAhKc??2c7d9h??Js??4s", seed=1)
    table.play(6)
    table.play(0)
    table.play(0)
    table.play(8)
    table.play(-1)
    assert log_of(table, ["you", "nit"]) == [
        *("you post the small blind of 1", "nit posts the big blind of 2"),
        *("you raise to 6", "nit calls 4", "flop: 2c 7d 9h", "nit checks", "you bet 8", "nit folds"),
        *("you take back 8 that nobody called", "you win 12, as everybody else has folded"),
    ]


def test_nobody_is_told_hidden_cards() -> None:
    table = Table(HEADS_UP, seed=4)
    table.check_call()
    seen = " ".join(log_of(table, ["you", "nit"], seat=0))
    assert str(table.hole_cards(1)) not in seen.replace(" ", "")
    table.fold()
    assert not any("shows" in line for line in log_of(table, ["you", "nit"]))


def test_odds_and_the_price(table: Table) -> None:
    found = odds(table, 0)
    exact = equity([str(table.hole_cards(0)), "random"]).equity[0]
    assert found.share == pytest.approx(exact, abs=0.02)
    assert (found.opponents, found.call, found.to_win, found.needs) == (1, 1, 3, 0.25)
    assert str(found).endswith("A call of 1 to win 3 needs 25.0%.")
    assert str(found).startswith("Against 1 random hand your share of the pot is")
    many = odds(Table(Rules(seats=6), seed=1), 3)
    assert many.opponents == 5


def test_what_an_agent_would_do(table: Table) -> None:
    found = advice(tight_aggressive(), table)
    assert sum(each.probability for each in found) == pytest.approx(1)
    assert [each.probability for each in found] == sorted((each.probability for each in found), reverse=True)
    assert all(each.label == move_label(table, each.move) for each in found)


@pytest.mark.slow
def test_agents_that_cannot_say_what_they_would_do(table: Table) -> None:
    mentions(complaint(advice, Silent(), table), "silent")
    mentions(complaint(advice, make_agent("blueprint_100bb"), Table(Rules(seats=3), seed=1)), "blueprint_100bb")


def reviewed(**options: Any) -> tuple[HumanGame, Any]:
    game = HumanGame(Rules.preset("heads-up-no-limit"), [CallingStation()], seed=4)
    game.play(6)
    while game.waiting != "hand_over":
        game.advance()
        if game.waiting == "move":
            game.play(0)
    return game, review(game.finished[0], 0, **options)


def test_a_review_has_every_decision() -> None:
    game, found = reviewed()
    assert [(each.street, each.seat, each.label, each.pot) for each in found[:4]] == [
        *(("preflop", 0, "raise to 6", 3), ("preflop", 1, "call 4", 8)),
        *(("flop", 1, "check", 12), ("flop", 0, "check", 12)),
    ]
    assert len(found) == 8
    assert [len(each.board) for each in found] == [0, 0, 3, 3, 4, 4, 5, 5]
    assert all(each.equity is None and each.advice is None for each in found)
    assert game.finished[0].table.is_over  # nothing was taken back


@pytest.mark.slow
def test_equities_only_with_the_cards() -> None:
    game, found = reviewed(cards=True)
    table = game.finished[0].table
    hands = [str(table.hole_cards(seat)) for seat in range(2)]
    mine = [each for each in found if each.seat == 0]
    for each in mine:
        assert each.equity == pytest.approx(equity(hands, str(each.board)).equity[0])
    assert all(each.equity is None for each in found if each.seat == 1)


def test_advice_for_the_persons_decisions() -> None:
    _, found = reviewed(agents=tight_aggressive())
    assert [each.advice is not None for each in found] == [each.seat == 0 for each in found]
    _, others = reviewed(agents={1: Maniac()})
    assert all(each.advice is None for each in others)
    _, others = reviewed(agents={1: Maniac()}, cards=True)
    assert [each.advice is not None for each in others] == [each.seat == 1 for each in others]


def test_folded_cards_on_request_alone() -> None:
    game = HumanGame(Rules(seats=3), [AlwaysFold()], seed=1)
    game.play(300)
    game.advance()
    hand = game.finished[0]
    assert cards_of(hand, 0) == [hand.table.hole_cards(0), None, None]
    assert cards_of(hand, 0, cards=True) == [hand.table.hole_cards(seat) for seat in range(3)]


@pytest.mark.parametrize("name", ["omaha", "holdem-hi-lo", "leduc", "short-deck"])
def test_hands_of_every_game_are_reviewed(name: str) -> None:
    game = HumanGame(Rules.preset(name), [CallingStation()], seed=4)
    while game.waiting != "hand_over":
        game.advance()
        if game.waiting == "move":
            game.play(0)
    assert review(game.finished[0], 0, cards=True)

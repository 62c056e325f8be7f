"""A hand as steps: each has the state that the engine has, cards of all-ins come street by street, shares are exact."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given

from examples import examples
from history.phh_text import HAND, TWO_PLAYERS, hand
from history.random_play import play_randomly, random_tables
from holdem_env import Rules, Table
from holdem_env.equities.equity import equity
from holdem_env.history import phh
from holdem_env.history.steps import hand_steps, step_shares, street_steps

PLURIBUS = Path(__file__).resolve().parent.parent / "data" / "pluribus.phhs"


def kinds(table: Table) -> list[list[str]]:
    return [[operation.kind for operation in step.operations] for step in hand_steps(table)]


def test_the_steps_of_a_hand() -> None:
    table = hand().replay()
    steps = hand_steps(table)
    moves = [step for step in steps if step.mover is not None]
    assert len(moves) == sum(move.kind in ("fold", "call", "raise") for move in hand().moves)
    assert [step.before.actor for step in moves] == [step.mover for step in moves]  # type: ignore[union-attr]
    assert street_steps(steps) == [0, 4, 8, 11]
    assert [len(steps[place].board) for place in street_steps(steps)] == [0, 3, 4, 5]
    assert steps[0].actor == 2
    assert steps[0].pot == 3
    assert [operation.kind for operation in steps[-1].operations] == ["push_pot"]
    assert steps[-1].is_over
    assert not steps[-2].is_over
    assert steps[-2].is_shown(2)
    assert steps[-1].payoffs == table.payoffs


def test_all_operations_are_told_once() -> None:
    for recorded in phh.read(PLURIBUS):
        table = recorded.replay()
        steps = hand_steps(table)
        assert [operation for step in steps for operation in step.operations] == table.log
        assert steps[-1].log == table.log


@examples(40)
@given(random_tables())
def test_no_chip_is_lost_on_the_way(table: Table) -> None:
    chips = sum(table.starting_stacks)
    for step in hand_steps(table):
        assert sum(step.stacks) + step.pot + step.rake == chips
        assert min(step.stacks) >= 0
        assert sum(step.bets) <= step.pot
        assert step.svg().startswith("<svg")


def test_each_state_between_moves_is_the_engines() -> None:
    rules = Rules.preset("heads-up-no-limit")
    table = play_randomly(Table(rules, seed=5), random.Random(1), calm=0.9)
    steps = hand_steps(table)
    states = [step for step in steps if step.actor is not None]
    twin = table.copy()
    while True:
        try:
            twin.undo()
        except ValueError:
            break
        state = states.pop()
        assert (state.stacks, state.bets, state.board) == (twin.stacks, twin.bets, twin.board)
    assert not states


@pytest.mark.slow
def test_an_all_in_comes_street_by_street() -> None:
    table = Table("heads-up-no-limit", deck="AsKdAhKc", seed=3)
    table.raise_to(table.legal.raise_max or 0)
    table.check_call()
    steps = hand_steps(table)
    boards = [len(steps[place].board) for place in street_steps(steps)]
    assert boards == [0, 3, 4, 5]
    assert [steps[place].street for place in street_steps(steps)] == [0, 1, 2, 3]
    shares = step_shares(steps, table)
    for step, share in zip(steps, shares, strict=True):
        exact = equity([str(table.hole_cards(seat)) for seat in range(2)], board=step.board)
        assert share == pytest.approx(list(exact.equity))


def test_unknown_cards_lie_face_down_and_have_no_share() -> None:
    unknown = ["d dh p1 ????", "d dh p2 2c7s", "d dh p3 KsKc", "p3 cbr 6", "p1 cc", "p2 f", "d db 9c8d2h", "p1 f"]
    recorded = hand(HAND, actions=unknown)
    table = recorded.replay()
    steps = hand_steps(table, recorded.known_cards)
    assert {str(step.hole_cards(0)) for step in steps} == {"????"}
    assert str(steps[0].hole_cards(2)) == "KsKc"
    assert str(table.hole_cards(0)) != "????"
    shares = step_shares(steps, table, recorded.known_cards)
    assert shares[0] is None
    assert shares[-1] == [0.0, 0.0, 1.0]


def test_games_in_which_shares_are_not_counted() -> None:
    table = play_randomly(Table(Rules.preset("omaha-hi-lo"), seed=1), random.Random(2))
    steps = hand_steps(table)
    assert step_shares(steps, table) == [None] * len(steps)


def test_a_hand_that_is_not_over_and_one_without_moves() -> None:
    table = hand(TWO_PLAYERS, actions=TWO_PLAYERS["actions"][:2]).replay()
    assert len(hand_steps(table)) == 1
    table.check_call()
    assert len(hand_steps(table)) == 2


def test_shown_by_choice() -> None:
    table = Table(Rules(seats=2, showing="manual"), seed=1)
    table.fold()
    table.show(1)
    assert [step[-1] for step in kinds(table)][-2:] == ["show", "push_pot"]

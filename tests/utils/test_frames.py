"""Results as data frames: what they hold is what the objects say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from holdem_env import equity
from holdem_env.arena import score
from holdem_env.cards.combos import combo_number
from holdem_env.cards.text import parse_cards
from holdem_env.solvers import solve
from holdem_env.solvers.subgames import SubgameSolution, solve_subgame


@pytest.fixture(autouse=True)
def pandas() -> object:
    return pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def turn() -> SubgameSolution:
    return solve_subgame("Ks7h2d3c", ["77, KQ, A9s:0.5", "KJ, 88"], pot=100, stacks=100, sizes="a", accuracy=5)


@pytest.mark.parametrize("place", ["", "check", "bet 100", "check, check, 9s"])
def test_a_solution_is_a_frame_of_hands(turn: SubgameSolution, place: str) -> None:
    frame = turn.to_frame(place)
    moves = turn.moves(place)
    assert list(frame.columns) == ["hand", "weight", "ev", *moves]
    player = 1 if place in ("", "check, check, 9s") else 0
    combos = [combo_number(*parse_cards(hand)) for hand in frame.hand]
    np.testing.assert_array_equal(frame.weight, turn.reach(place)[player, combos])
    np.testing.assert_array_equal(frame.ev, turn.ev_at(place)[player, combos])
    np.testing.assert_array_equal(frame[moves], turn.strategy(place)[combos])
    shares = [float((frame[move] * frame.weight).sum() / frame.weight.sum()) for move in moves]
    assert shares == pytest.approx(list(turn.frequencies(place).values()))


def test_a_small_game_is_a_frame_of_moves() -> None:
    solution = solve("kuhn", accuracy=0.01)
    frame = solution.to_frame()
    assert list(frame.columns) == ["to_act", "moves", "board", "hand", "plays", "probability"]
    sums = frame.groupby(["to_act", "moves", "board", "hand"]).probability.sum()
    assert len(sums) == len(solution.table().splitlines()) - 1 == 12
    assert sums.to_numpy() == pytest.approx(1, abs=1e-3)


def test_equities_are_a_frame_of_players() -> None:
    found = equity(["AsKs", "QdQh"])
    frame = found.to_frame()
    assert tuple(frame.equity) == found.equity
    assert list(frame.columns) == ["equity", "win", "tie", "standard_error"]


def test_a_card_is_a_frame_of_figures(tmp_path: Path) -> None:
    card = score("random", "kuhn-v1", folder=tmp_path)
    frame = card.to_frame()
    figures = [figure for one in card.found for figure in one.figures]
    assert list(frame.value) == [figure.value for figure in figures]
    assert list(frame.half_width) == [figure.half_width for figure in figures]
    assert set(frame.agent) == {"random"}

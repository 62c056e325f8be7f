"""Results as data frames: what they hold is what the objects say."""

from __future__ import annotations

from math import inf
from pathlib import Path

import numpy as np
import pytest

from holdem_env import Rules, equity
from holdem_env.agents import make_agent
from holdem_env.arena import play_deals, play_match, score
from holdem_env.arena.statistics.tables import latex_table
from holdem_env.cards.combos import combo_number
from holdem_env.cards.text import parse_cards
from holdem_env.solvers import solve
from holdem_env.solvers.solution import Solution
from holdem_env.solvers.subgames import solve_subgame


@pytest.fixture(autouse=True)
def pandas() -> object:
    return pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def turn() -> Solution:
    return solve_subgame("Ks7h2d3c", ["77, KQ, A9s:0.5", "KJ, 88"], pot=100, stacks=100, sizes="a", accuracy=5)


@pytest.mark.parametrize("place", ["", "check", "bet 100", "check, check, 9s"])
def test_a_solution_is_a_frame_of_hands(turn: Solution, place: str) -> None:
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


def test_results_are_the_table_of_a_paper() -> None:
    result = play_match("tight_aggressive", "calling_station", Rules.preset("leduc"), hands=200, seed=1)
    (row,) = result.to_frame().to_dict("records")
    assert row == {
        "compared": result.pairing,
        "rate": result.mean,
        "half_width": result.half_width,
        "unit": "chips/hand",
        "hands": 200,
        "deals": result.deals,
    }
    head, *_, line = result.to_latex().splitlines()[2:6:2]
    assert head == r"compared & chips/hand & hands & deals \\"
    rate = result.unit.text(result.mean, result.half_width).replace("±", r"\pm")
    assert line == rf"tight\_aggressive against calling\_station & ${rate.replace('−', '-')}$ & 200 & {result.deals} \\"


def test_deals_are_a_frame_of_seats() -> None:
    deals = play_deals(Rules.preset("kuhn"), [make_agent("random"), make_agent("nit")], [0, 1], range(5))
    frame = deals.to_frame()
    assert list(frame.columns) == ["deal", "rotation", "seat", "agent", "chips"]
    assert len(frame) == 5 * 2 * 2
    won = frame.groupby("agent").chips.mean()
    assert won["random"] == pytest.approx(deals.per_deal("random").mean())


def test_latex_sets_names_as_they_are() -> None:
    rows = [
        {"agent": r"50%_{a}\b", "rate": 1234.5, "half_width": inf, "unit": "bb/100"},
        {"agent": "~^#&$", "rate": -0.25, "half_width": 0.125, "unit": "chips/hand"},
    ]
    lines = latex_table(rows).splitlines()
    assert lines[0] == r"\begin{tabular}{lr}"
    assert lines[4] == r"50\%\_\{a\}\textbackslash{}b & $+1{,}234.5 \pm \infty$ bb/100 \\"
    assert lines[5] == r"\textasciitilde{}\textasciicircum{}\#\&\$ & $-0.25 \pm 0.12$ chips/hand \\"
    assert latex_table([]).splitlines()[0] == r"\begin{tabular}{}"

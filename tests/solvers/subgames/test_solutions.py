"""Solutions: places in words, frequencies, charts, files, and the agent that plays on."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from errors import complaint, mentions
from holdem_env import Table
from holdem_env.cards.combos import COMBO_OF, COMBOS
from holdem_env.cards.text import parse_cards
from holdem_env.solvers.files import packed, write
from holdem_env.solvers.games import PLAIN
from holdem_env.solvers.reading import find_place
from holdem_env.solvers.solution import Solution, load_solution
from holdem_env.solvers.solution_file import SUFFIX, contents
from holdem_env.solvers.subgames import solve_subgame

BOARD, POT, STACKS = "Ks7h2d3c9s", 90, (200, 170)
RANGES = ["77:0.5, K9s, AQo:0.3, 65s, QJs", "KQ, A9s, 88, 54s:0.7, AK"]


@pytest.fixture(scope="module")
def river() -> Solution:
    return solve_subgame(BOARD, RANGES, POT, STACKS, "50%, 100% | a", accuracy=0.2)


def test_places_have_names(river: Solution) -> None:
    assert river.moves() == ["check", "bet 45", "bet 90"]
    assert river.moves("bet 45") == ["fold", "call", "raise to 200"]
    for path in ("check, bet 45, all-in", "CHECK, 45, a", ["check", "bet 45", "raise to 170"]):
        assert river.moves(path) == ["fold", "call"]
    node = river.tree.child(river.tree.child(0, 0), 45)
    np.testing.assert_array_equal(river.strategy(node), river.strategy("check, bet 45"))


def test_strategies_are_probabilities_for_the_hands_of_the_range(river: Solution) -> None:
    for node in np.flatnonzero(river.tree.kind == 0).tolist():
        strategy = river.strategy(node)
        assert strategy.shape == (COMBOS, len(river.moves(node)))
        held = river.ranges[river.tree.player[node]] > 0
        np.testing.assert_allclose(strategy.sum(axis=1), held)
        assert sum(river.frequencies(node).values()) == pytest.approx(1)


def test_hands_come_to_a_place_as_often_as_their_player_goes_there(river: Solution) -> None:
    np.testing.assert_array_equal(river.reach(), river.ranges)
    reach = river.reach("check, bet 45, raise to 170")
    checked, raised = river.strategy()[:, 0], river.strategy("check, bet 45")[:, -1]
    np.testing.assert_allclose(reach[1], river.ranges[1] * checked * raised)
    np.testing.assert_allclose(reach[0], river.ranges[0] * river.strategy("check")[:, 1])


NO_PLACES = [("bet 50", "", "no 'bet 50' after the beginning; there is check, bet 45, bet 90")]
NO_PLACES += [("check, check", "", "nobody is to act"), ("check, check, check", "", "none, the hand is over")]
NO_PLACES += [(10**6, "", "no node 1000000"), (0, "As", "after 0 dealt cards")]


@pytest.mark.parametrize(("place", "dealt", "message"), NO_PLACES)
def test_places_that_are_not_there(river: Solution, place: int | str, dealt: str, message: str) -> None:
    assert re.search(message, complaint(river.strategy, place, dealt))


def test_charts_have_a_cell_for_each_kind_of_hand(river: Solution) -> None:
    chart = river.chart("check")
    assert [chart.kind(0, 0), chart.kind(0, 1), chart.kind(1, 0), chart.kind(12, 12)] == ["AA", "AKs", "AKo", "22"]
    assert chart.moves == ["check", "bet 45", "bet 90"]
    row, column = 7, 7  # sevens: three of the six hands are left, at half weight
    assert chart.weights[row, column] == pytest.approx(1.5)
    sevens = COMBO_OF[parse_cards("7c7d")]
    strategy = river.strategy("check")
    assert chart.shares[row, column].sum() == pytest.approx(1)
    assert np.isnan(chart.shares[0, 0]).all()
    assert 0 <= strategy[sevens, 1] <= 1
    lines = chart.text().splitlines()
    assert len(lines) == 13
    assert all(len(line) == 13 * 8 - 1 for line in lines)
    assert lines[0].startswith("AA    .")
    narrow = chart.text(is_narrow=True).splitlines()
    assert len(narrow) == 14
    assert max(map(len, narrow)) < 80
    assert [line.split()[1:] for line in narrow[1:]] == [
        [line[at : at + 4].strip() for at in range(3, 104, 8)] for line in lines
    ]
    mentions(complaint(chart.text, "fold"), "fold")


def test_charts_are_drawn(river: Solution) -> None:
    pytest.importorskip("rich")
    chart = river.chart("check")
    assert chart.rich().plain.startswith("AA    .")
    assert chart.rich(is_narrow=True).plain.startswith(chart.text(is_narrow=True).splitlines()[0])
    split = chart._parts(7, 7, 7)  # a cell is split among the moves, as its hands make them
    assert [split.count(k) / len(split) for k in range(3)] == pytest.approx(chart.shares[7, 7], abs=1 / len(split))
    picture = chart.svg("After a check")
    for word in ("After a check", "bet 45", "bet 90", "holdem-passive", "holdem-bet-5"):
        assert word in picture
    assert chart._repr_html_().startswith("<svg")


def test_a_saved_solution_is_the_same(river: Solution, tmp_path: Path) -> None:
    path = tmp_path / "river.solution"
    river.save(path)
    loaded = load_solution(path)
    assert repr(loaded) == repr(river)
    assert loaded.tree.rules == river.tree.rules
    for name in ("ranges", "ev", "equity", "values", "shares"):
        np.testing.assert_array_equal(getattr(loaded, name), getattr(river, name))
    np.testing.assert_allclose(loaded.strategy("bet 45"), river.strategy("bet 45"), atol=1e-4)


def test_files_that_are_no_solutions_are_refused(river: Solution, tmp_path: Path) -> None:
    mentions(complaint(load_solution, tmp_path / "nothing.solution", kind=FileNotFoundError), "nothing")
    path = tmp_path / "river.solution"
    river.save(path)
    whole = path.read_bytes()
    wrong = tmp_path / "wrong.solution"
    middle = len(whole) // 2
    for content in (b"", whole[:middle], whole[:middle] + bytes(200) + whole[middle + 200 :]):
        wrong.write_bytes(content)
        mentions(complaint(load_solution, wrong), "wrong.solution")
    header, arrays = contents(river)
    others = {
        "probabilities": packed(np.zeros(10**7, np.int16)),
        "ranges": np.zeros((2, 5)),
        "values": np.array([np.nan, 0.0]),
        "shares": np.array([np.inf, 0.0]),
        "ev": np.full((2, COMBOS), -np.inf),
        "equity": np.full((2, COMBOS), 1.1),
    }
    changed = list(others.items())
    changed += [("values", np.array([1e30, 0.0])), ("shares", np.array([-0.1, 1.1]))]
    changed += [("probabilities", packed(np.full(header.entries, k, np.int16))) for k in (0, -(2**15))]
    for name, other in changed:
        write(wrong, SUFFIX, header, arrays | {name: other})
        mentions(complaint(load_solution, wrong), "wrong.solution", name)
    for name, number in (("exploitability", 1e308), ("exploitability", -1.0), ("seconds", -1.0)):
        write(wrong, SUFFIX, header.model_copy(update={name: number}), arrays)
        mentions(complaint(load_solution, wrong), "wrong.solution", name)


def test_the_agent_plays_on_from_the_spot(river: Solution) -> None:
    agent = river.agent(seed=3)
    holes = {0: "AhQd", 1: "KhQh"}
    table = Table.from_position(PLAIN, STACKS, BOARD, POT, hole_cards=holes)
    moves, shares = agent.probabilities(table.records, table.rules, np.array([0]))
    assert moves[0, :3].tolist() == [0, 45, 90]
    np.testing.assert_allclose(shares[0, :3], river.strategy()[COMBO_OF[parse_cards("KhQh")]])
    table.play(45)
    moves, shares = agent.probabilities(table.records, table.rules, np.array([0]))
    assert moves[0, :3].tolist() == [-1, 0, 200]
    np.testing.assert_allclose(shares[0, :3], river.strategy("bet 45")[COMBO_OF[parse_cards("AhQd")]])
    while table.actor is not None:
        table.play(agent.move(table))


@pytest.mark.parametrize(
    ("board", "pot", "holes", "moves", "message"),
    [
        ("Ks7h2d3c9d", POT, {1: "KhQh"}, [], "the board is"),
        (BOARD, 80, {1: "KhQh"}, [], "not at the solution's spot"),
        (BOARD, POT, {0: "AhQd"}, [60], "no move"),
        (BOARD, POT, {1: "AhAd"}, [], "AhAd is not in the solved range"),
    ],
)
def test_the_agent_says_where_it_cannot_play(
    river: Solution, board: str, pot: int, holes: dict[int, str], moves: list[int], message: str
) -> None:
    table = Table.from_position(PLAIN, STACKS, board, pot, hole_cards=holes)
    for move in moves:
        table.play(move)
    assert re.search(message, complaint(river.agent().move, table))


@pytest.fixture(scope="module")
def turn() -> Solution:
    """A board of two suits that nobody has a flush in: some rivers stand for others."""
    return solve_subgame("Ks7h2h3s", RANGES, POT, STACKS, "50% | a", accuracy=0.5)


def test_ev_at_the_root_is_that_of_the_solution(turn: Solution) -> None:
    np.testing.assert_allclose(turn.ev_at(), turn.ev, rtol=1e-5)
    np.testing.assert_allclose(turn.equity_at(), turn.equity, rtol=1e-5)


@pytest.mark.parametrize("line", ["", "check", "check, check, 9c", "bet 45, call, 2c", "check, check, 9s"])
def test_the_ev_of_the_moves_has_the_ev_of_the_place_as_its_mean(turn: Solution, line: str) -> None:
    path = line.split(", ") if line else []
    strategy, player = turn.strategy(path), int(turn.tree.player[find_place(turn.tree, path)[0]])
    held = strategy.any(axis=1)
    mean = (turn.move_ev(path) * strategy).sum(axis=1)
    np.testing.assert_allclose(mean[held], turn.ev_at(path)[player, held], rtol=1e-3, atol=1e-2)


@pytest.mark.parametrize("line", ["", "check, check, 9c", "check, check, 9d", "bet 45, call, 2c", "check, check, 9s"])
def test_ev_of_a_place_is_the_mean_over_its_moves_and_adds_up_to_the_pot(turn: Solution, line: str) -> None:
    """The first player's moves all lead to the other player, who comes there with every hand."""
    path = line.split(", ") if line else []
    ev, reach, strategy = turn.ev_at(path), turn.reach(path), turn.strategy(path)
    pairs = reach * turn.game.opponent_weights(reach)
    assert np.nansum(ev * pairs) / pairs[0].sum() == pytest.approx(turn.tree.pot[find_place(turn.tree, path)[0]])
    paid = [int(move.split()[-1]) if move[-1].isdigit() else 0 for move in turn.moves(path)]
    behind = [turn.ev_at([*path, move])[1] - bet for move, bet in zip(turn.moves(path), paid, strict=True)]
    held = strategy.any(axis=1)
    np.testing.assert_allclose(ev[1, held], (np.stack(behind, axis=1) * strategy).sum(axis=1)[held], rtol=1e-3)
    shares = turn.equity_at(path)
    assert np.nansum(shares * pairs) / pairs[0].sum() == pytest.approx(1)

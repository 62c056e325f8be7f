"""Losses of decisions: against values of whole solutions, and for mistakes that were planted."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from command_line import good, refused
from holdem_env import Rules, Table
from holdem_env.agents import make_agent
from holdem_env.agents.protocol import Agent
from holdem_env.arena.best_responses.mistakes import action_values, judged_hands, played_hands
from holdem_env.cards.combos import combo_number, possible_combos
from holdem_env.cards.text import cards_text, parse_cards
from holdem_env.equities.all_hands import hand_values
from holdem_env.history import HandWriter
from holdem_env.solvers.cfr import VALUE
from holdem_env.solvers.subgames.reading import read_ranges, read_subgame_board
from holdem_env.solvers.subgames.solver import SubgameSolver
from holdem_env.solvers.subgames.study import spot_tree

LARGE = 6
"""Chips: three big blinds."""
SHORT = Rules.preset("heads-up-no-limit", stacks=40)


def test_the_moves_of_the_root_together_win_what_the_hand_wins() -> None:
    board = read_subgame_board("Ks7h2d3c9s")
    tree = spot_tree("Ks7h2d3c9s", 100, 200, "50%, a | a", None)
    solver = SubgameSolver(tree, board, read_ranges(["77+, KJ+, QJs", "66+, K9s+, JTs"], board))
    solver.iterate(200)
    kept = solver.cumulative_strategy.values.copy()
    wins, player = solver.by_combo(solver.values(VALUE)), int(tree.player[0])
    for hand in np.flatnonzero(np.isfinite(wins[player]))[::7].tolist():
        place = int(np.flatnonzero(solver.levels[0].combo[player, 0] == hand)[0])
        rows = kept[: 3 * int(solver.game.width[player, 0])].reshape(3, -1)[:, place]
        values = action_values(solver, tree, 0, hand)
        assert values @ rows / rows.sum() == pytest.approx(wins[player, hand], abs=1e-3)
    np.testing.assert_array_equal(solver.cumulative_strategy.values, kept)


def planted(agent: Agent, count: int) -> list[Table]:
    """Hands of an agent's own play in which a hand that hardly any other beats folds to a large bet on the river."""
    found: list[Table] = []
    for table in played_hands(agent, SHORT, 1_000 * count, seed=3):
        twin = table.copy()
        while int(twin.records["moves"][0]):
            twin.undo()
            t, seat = twin.records[0], twin.actor
            is_river = seat is not None and int(t["street"]) == 3
            if is_river and t["bet_to_match"] - t["seats"]["bet"][seat] >= LARGE and _better(twin) < 0.01:
                twin.play(-1)
                found.append(twin)
                break
        if len(found) == count:
            break
    return found


def _better(table: Table) -> float:
    """The part of all hands that beat the hand of the seat to act."""
    board, hole = np.array(table.board), table.hole_cards(table.actor)
    values = hand_values(board)[possible_combos(board)]
    return float((values > hand_values(board)[combo_number(*map(int, hole))]).mean())


@pytest.mark.slow
def test_mistakes_that_were_planted_are_the_worst() -> None:
    agent = make_agent("blueprint_20bb")
    wrong = planted(agent, 5)
    judged = judged_hands([*wrong, *played_hands(agent, SHORT, 12, seed=9)], (agent, agent))
    assert len(wrong) == 5
    worst = {each.hand for each in judged.worst[: int(1.5 * len(wrong))]}
    assert len(worst & set(range(len(wrong)))) >= 0.95 * len(wrong)
    assert judged.hands == len(wrong) + 12
    assert judged.unjudged["decisions before the turn"] > 0


@pytest.mark.slow
def test_re_solving_loses_next_to_nothing_on_rivers() -> None:
    """It plays the solution, which is not quite exact, of a tree of the same sizes."""
    agent = make_agent("blueprint_20bb", resolve="river", seconds=None)
    plain = make_agent("blueprint_20bb")
    judged = judged_hands(played_hands(agent, SHORT, 40, seed=2), (plain, plain))
    mean, _, count = judged.mean("river")
    assert count > 5
    assert mean < 0.03  # big blinds


@pytest.mark.slow
def test_the_command_prints_hands_by_their_names(tmp_path: Path) -> None:
    file = tmp_path / "hands.phhs"
    shown = good("mistakes", "blueprint_20bb", "--hands", 8, "--save", file, "--worst", 3)
    for text in ("Loss against the street solved", "river", "The worst decisions", f"holdem replay {file}"):
        assert text in shown
    [number] = re.findall(r"--hand (\w+) shows the first", shown)
    worst = re.search(r"│ (\w+) +│ (?:turn|river)", shown)
    assert worst is not None
    assert worst[1] == number
    replayed = good("replay", file, "--hand", number)
    assert cards_text(parse_cards(re.findall(r"│ (\w{4}) +│ \w{8,10} +│", shown)[0])[:1]) in replayed.replace(" ", "")


@pytest.mark.slow
def test_a_history_is_judged_where_the_heros_cards_are_known(tmp_path: Path) -> None:
    """Cards that a history lacks are filled in, which must not be judged; Joanna is not Ann."""
    file, agent = tmp_path / "named.phhs", make_agent("blueprint_20bb")
    anns = set[str]()
    with HandWriter(file) as writer:
        for number, table in enumerate(played_hands(agent, SHORT, 8, seed=1)):
            anns.add(cards_text(table.hole_cards(1)))
            known = set(table.board) | set(table.hole_cards(0 if number % 2 else 1))
            writer.write(table, players=["Joanna", "Ann"], known=known)
    shown = good("mistakes", "--history", file, "--hero", "ann", "--ranges", "blueprint_20bb")
    assert "Ranges are assumed: both players as blueprint_20bb." in shown
    assert "Not judged: 4 hands whose cards are unknown." in shown
    cards = re.findall(r"│ (?:button|other) +│ (\w{4}) +│", shown)
    assert cards
    assert set(cards) <= anns


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["mistakes"], "give an agent, or --history FILE"),
        (["mistakes", "--history", "tests/data/pluribus.phhs"], "--history needs --hero"),
        (["mistakes", "--history", "tests/data/pluribus.phhs", "--hero", "Nobody"], "no hand of 'Nobody'"),
    ],
)
def test_what_is_missing_is_said(words: list[str], message: str) -> None:
    assert message in refused(*words)


def test_hands_of_more_players_are_counted_and_left_out() -> None:
    table = Table("six-max-no-limit", seed=1)
    for move in (-1, -1, -1, -1, -1):
        table.play(move)
    agent = make_agent("calling_station")
    judged = judged_hands([table], (agent, agent))
    assert (judged.decisions, judged.unjudged) == ([], {"hands of more than two players": 1})

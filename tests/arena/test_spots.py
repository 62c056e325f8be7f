"""Spots: agents of known quality come out in order, programs are played, and what is wrong is said on the card."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from arena.faulty import Faulty
from holdem_env import Rules
from holdem_env.agents import Agent
from holdem_env.agents.names import register_agent
from holdem_env.agents.registry import make_agent
from holdem_env.arena import load_task, score
from holdem_env.arena.best_responses.spot_exploitability import spot_gain
from holdem_env.arena.scoring.spot_file import load_spots, weights_text
from holdem_env.arena.scoring.spot_play import Solved, won_from_solution
from holdem_env.solvers.subgames import exploitability, solve_tree
from holdem_env.solvers.trees.bet_sizes import BetSizes

RULES = Rules.preset("heads-up-no-limit")
SIZES = BetSizes("100%, all-in | all-in")
RANGE = "AA, QQ-TT, 66, A9s, KQs, J9s, 87s"
RIVER = {
    "name": "one",
    "board": "Ks7h2d3c9s",
    "moves": [[4, 0], [0, 6, 0], [0, 0], []],
    "ranges": [RANGE, "KK, JJ, 99, AQs, KJs, T8s, 65s"],
}
TURN = {**RIVER, "board": "Ks7h2d3c", "moves": [[4, 0], [0, 20, 60, 0], []]}
TASK = """
name: mine-v1
about: "For tests."
rules: {rules}
seed: 1
measures:
  - kind: spots
    file: spots.json
    sizes: 100%, all-in | all-in
    spots: {{quick: 2, standard: 2, long: 2}}
    hands: {{quick: {hands}, standard: 50, long: 50}}
  - {{kind: matches, opponents: [calling_station], hands: {{quick: 20, standard: 20, long: 20}}}}
"""


class Played(Agent):
    """An agent whose probabilities nobody may ask for, which makes its raises larger than they were."""

    name = "played"

    def __init__(self, agent="calling_station", more=0):
        self.agent, self.more = make_agent(agent), more

    def act(self, tables, rules, rows):
        moves = self.agent.act(tables, rules, rows)
        return np.where(moves > 0, np.minimum(moves + self.more, tables["raise_max"][rows]), moves)


def spot_of(tmp_path: Path, spot):
    path = tmp_path / "one.json"
    path.write_text(json.dumps([spot]))
    return load_spots(path, RULES)[0]


def write_task(folder: Path, *spots, rules="heads-up-no-limit", hands=20) -> Path:
    (folder / "mine-v1.yaml").write_text(TASK.format(rules=rules, hands=hands))
    if spots:
        (folder / "spots.json").write_text(json.dumps(spots))
    return folder / "mine-v1.yaml"


@pytest.mark.fast_cases("river")
@pytest.mark.parametrize("spot", [RIVER, TURN], ids=["river", "turn"])
def test_larger_faults_gain_more(spot, tmp_path: Path) -> None:
    given = spot_of(tmp_path, spot)
    solution = solve_tree(Solved(given, SIZES).solution().tree, given.spot.board, given.ranges, accuracy=0.02)
    faults = (0.0, 0.05, 0.1, 0.2, 0.5, 1.0)
    gains = [
        100 * spot_gain(Faulty(solution.agent(), fault), RULES, given.spot, given.ranges, SIZES) / given.pot
        for fault in faults
    ]
    assert gains == sorted(gains)
    assert gains[0] == pytest.approx(solution.exploitability_percent, abs=0.01)
    assert min(np.diff(gains)) > 0.5


def test_the_gain_is_the_exploitability_where_the_sizes_are_the_same(tmp_path: Path) -> None:
    given = spot_of(tmp_path, RIVER)
    solution = Solved(given, SIZES).solution()
    agent, tree = Faulty(solution.agent(), 0.3), solution.tree

    def plays(node):
        children = tree.children[node]
        rows = 0.7 * solution.strategy(node) + 0.3 / children
        return np.where(solution.strategy(node).any(axis=1, keepdims=True), rows, 1 / children)

    gain = spot_gain(agent, RULES, given.spot, given.ranges, SIZES)
    assert gain == pytest.approx(exploitability(tree, given.spot.board, given.ranges, plays), rel=1e-4)


def test_agents_with_other_sizes_are_measured_with_their_own_chips(tmp_path: Path) -> None:
    given = spot_of(tmp_path, RIVER)
    found = [
        spot_gain(make_agent(name), RULES, given.spot, given.ranges, SIZES)
        for name in ("blueprint_100bb", "random", "calling_station")
    ]
    assert 0 < found[0] < min(found[1:])


def test_the_solution_wins_from_programs_and_answers_bets_that_it_does_not_have(tmp_path: Path) -> None:
    given = spot_of(tmp_path, RIVER)
    assert won_from_solution(Played(), RULES, given, SIZES, 300, 1) < 0
    assert won_from_solution(Played("random", more=1), RULES, given, SIZES, 50, 1) < 0
    turn = spot_of(tmp_path, TURN)
    assert won_from_solution(Played(), RULES, turn, SIZES, 20, 1) == won_from_solution(
        Played(), RULES, turn, SIZES, 20, 1
    )


def test_a_second_measure_of_spots_has_figures_of_its_own_name(tmp_path: Path) -> None:
    task = write_task(tmp_path, RIVER)
    text = task.read_text()
    measure = text[text.index("  - kind: spots") : text.index("  - {kind: matches")]
    task.write_text(text.replace(measure, measure + measure))
    card = score("random", task, folder=tmp_path / "random")
    assert {figure.name for figure in card.gains} == {"best response in the spots", "best response in the spots (2)"}


def test_the_card_says_what_was_measured(tmp_path: Path) -> None:
    register_agent("played", Played)
    task = write_task(tmp_path, RIVER, RIVER | {"name": "two", "board": "Ks7h2d3c9c"})
    card = score("random", task, folder=tmp_path / "random")
    assert [figure.unit for figure in card.gains] == ["% of the pot", "mbb/h"]
    assert card.gains[0].value > 20
    text = (tmp_path / "random/card.md").read_text()
    assert "In 2 spots a best response gains" in text
    assert "exact in each of 2 spots" in text
    card = score("played", task, folder=tmp_path / "played")
    assert not card.gains
    assert card.strength[0].name == "against the spots' solutions"
    assert "played, as the agent gives no probabilities: 20 hands" in card.found[0].notes[0]


@pytest.mark.parametrize(
    ("spot", "said"),
    [
        (RIVER | {"ranges": ["KsKh", RANGE]}, "one: ranges \\(in position\\): every hand has a card of the board"),
        (RIVER | {"ranges": ["KK+x", RANGE]}, "one: ranges \\(in position\\): "),
        (RIVER | {"board": "Ks7h2d3c"}, "one: moves must lead to the beginning of the street of Ks7h2d3c"),
        (RIVER | {"moves": [[4, 0], [0, 0], []]}, "one: moves must lead to the beginning of the street of Ks7h2d3c9s"),
        (RIVER | {"moves": [[3, 0], [0, 0], [0, 0], []]}, "one: .*3"),
        (RIVER | {"moves": [[200, 0], [], [], []]}, "one: moves must lead to the beginning|somebody must be to act"),
        ({"name": "one"}, "this is no list of spots"),
    ],
)
def test_spots_that_cannot_be_are_refused(spot, said, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=said):
        spot_of(tmp_path, spot)


def test_what_cannot_be_measured_is_on_the_card_and_loses_nothing_else(tmp_path: Path) -> None:
    task = write_task(tmp_path)
    card = score("random", task, folder=tmp_path / "missing")
    assert "spots.json: there is no such file of spots" in str(card.missing[0].why_not)
    assert len(card.strength) == 1
    write_task(tmp_path, RIVER | {"ranges": ["KsKh", RANGE]})
    card = score("random", task, folder=tmp_path / "board")
    assert "every hand has a card of the board" in str(card.missing[0].why_not)
    write_task(tmp_path, RIVER, rules="leduc")
    card = score("random", task, folder=tmp_path / "leduc")
    assert "Texas hold'em" in str(card.missing[0].why_not)
    write_task(tmp_path, RIVER)
    card = score("blueprint_limit", task, folder=tmp_path / "limit")
    assert "limit" in str(card.missing[0].why_not)
    register_agent("played", Played)
    write_task(tmp_path, RIVER, hands=0)
    card = score("played", task, folder=tmp_path / "none")
    assert "gives no probabilities, and the quick budget has no hands" in str(card.missing[0].why_not)


@pytest.mark.parametrize(("name", "count"), [("river-v1", 40), ("turn-v1", 12)])
def test_shipped_spots_are_varied(name: str, count: int) -> None:
    task = load_task(name)
    path = task.path_of(task.measures[0].file)
    spots = load_spots(path, task.rules)
    assert len(spots) == count == len({spot.name for spot in spots})
    assert path.stat().st_size < 200_000
    pots = [spot.pot for spot in spots]
    assert min(pots) <= 10
    assert max(pots) >= 80
    assert sum(len({card // 4 for card in spot.spot.board}) < len(spot.spot.board) for spot in spots) >= count // 5


def test_weights_survive_as_text() -> None:
    weights = np.random.default_rng(1).integers(0, 36, 1326) / 35
    assert len(weights_text(weights)) == 1326
    assert set(weights_text(np.array([0, 35, 17]) / 35)) == set("0zh")

"""`score`: figures in the right order, parts that fail, interruption, cards side by side, bad input."""

from __future__ import annotations

import re
from math import inf, nan
from pathlib import Path

import numpy as np
import pytest

from arena.faulty import Faulty
from command_line import good, refused
from errors import complaint, mentions
from holdem_env.agents.known_strategy import KnownStrategy
from holdem_env.agents.names import register_agent
from holdem_env.agents.registry import make_agent
from holdem_env.arena import load_card, load_task, score
from holdem_env.arena.scoring import scoring
from holdem_env.arena.scoring.card_text import _rate, headlines
from holdem_env.arena.scoring.findings import Figure, Found, Point, best_bound
from holdem_env.arena.scoring.measure import BUDGETS, Amounts, Measure
from holdem_env.arena.scoring.measures import MEASURES, register_measure
from holdem_env.arena.scoring.task import TASKS
from holdem_env.solvers import solve

EXACT = """
name: {name}-v1
about: "For tests."
rules: kuhn
seed: 1
measures:
  - {{kind: exploitability}}
  - {{kind: matches, opponents: [calling_station], hands: {{quick: {hands}, standard: 200, long: 200}}}}
"""


class Crashing(KnownStrategy):
    """Gives its probabilities, and crashes when it plays."""

    name = "crashing"

    def probabilities(self, tables, rules, rows):
        return np.zeros((len(rows), 1), np.int64), np.ones((len(rows), 1))

    def act(self, tables, rules, rows):
        raise RuntimeError("out of luck")


@pytest.fixture
def task(tmp_path: Path) -> Path:
    path = tmp_path / "mine-v1.yaml"
    path.write_text(EXACT.format(name="mine", hands=200))
    return path


@pytest.mark.parametrize(("name", "known"), [("kuhn-v1", 0.458333), ("leduc-v1", 2.373611)])
def test_uniform_play_has_the_known_exploitability(name: str, known: float, tmp_path: Path) -> None:
    card = score("random", name, folder=tmp_path)
    [chips] = card.exploitability  # without a big blind, there is no other unit
    assert (chips.value, chips.unit) == (pytest.approx(known, abs=1e-6), "chips/hand")
    assert load_card(tmp_path) == card


@pytest.mark.fast_cases("kuhn")
@pytest.mark.parametrize("preset", ["kuhn", "leduc"])
def test_larger_faults_score_worse(preset: str, tmp_path: Path) -> None:
    solution = solve(preset, accuracy=0.001).agent()
    found = []
    task = tmp_path / "exact-v1.yaml"
    task.write_text(f"name: exact-v1\nabout: ''\nrules: {preset}\nseed: 1\nmeasures: [{{kind: exploitability}}]\n")
    for fault in (0.0, 0.05, 0.1, 0.2, 0.5, 1.0):
        register_agent(f"faulty_{fault}", lambda fault=fault: Faulty(solution, fault))
        card = score(f"faulty_{fault}", task, folder=tmp_path / str(fault))
        found.append(card.exploitability[0].value)
    assert found == sorted(found)
    assert found[0] < 0.002
    assert min(np.diff(found)) > 0.005


def test_an_agent_that_crashes_keeps_what_was_measured_before(task: Path, tmp_path: Path) -> None:
    register_agent("crashing", Crashing)
    card = score("crashing", task, folder=tmp_path / "score")
    assert card.exploitability[0].value > 0
    [missing] = card.missing
    assert missing.part == "against calling_station"
    assert "out of luck" in str(missing.why_not)
    page = (tmp_path / "score/card.html").read_text()
    assert "out of luck" in page
    assert "out of luck" in (tmp_path / "score/card.md").read_text()


def test_an_agent_without_probabilities_is_played(task: Path, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import numpy as np\nfrom holdem_env.agents import Agent\n\n\nclass Bot(Agent):\n    name = 'bot'\n\n"
        "    def act(self, tables, rules, rows):\n        return np.zeros(len(rows), np.int64)\n"
    )
    card = score(str(bot), task, folder=tmp_path / "score")
    assert [one.part for one in card.missing] == ["exploitability"]
    assert "probabilities" in str(card.missing[0].why_not)
    assert len(card.strength) == 1


def test_a_budget_of_nothing_measures_nothing(tmp_path: Path) -> None:
    task = tmp_path / "none-v1.yaml"
    task.write_text(EXACT.format(name="none", hands=0))
    card = score("random", task, folder=tmp_path / "score")
    assert [one.why_not for one in card.missing] == ["the quick budget has none of it"]


TWICE = """
name: twice-v1
about: "For tests."
rules: kuhn
seed: 1
measures:
  - {kind: exploiter, start: fresh, seconds: &some {quick: 20, standard: 20, long: 20}, hands: *some}
  - {kind: exploiter, start: fresh, seconds: &more {quick: 40, standard: 40, long: 40}, hands: *some}
  - {kind: spots, file: one.json, sizes: pot, spots: *some, hands: *some}
  - {kind: spots, file: two.json, sizes: pot, spots: *some, hands: *some}
  - {kind: matches, opponents: [calling_station], hands: *some}
  - {kind: matches, opponents: [calling_station], hands: *more}
"""


def test_parts_of_one_kind_do_not_overwrite_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task = tmp_path / "twice-v1.yaml"
    task.write_text(TWICE)

    def measured(part):
        return part.found(Figure(name=part.name, says="exact", value=part.amount, half_width=0, unit="chips"))

    monkeypatch.setattr(scoring, "measured", measured)
    for _ in range(2):  # measured, and read from the folder
        card = score("random", task, folder=tmp_path / "score")
        assert [(one.part, one.figures[0].value) for one in card.found] == [
            ("fresh exploiter", 20),
            ("fresh exploiter (2)", 40),
            ("spots", 20),
            ("spots (2)", 20),
            ("against calling_station", 20),
            ("against calling_station (2)", 40),
        ]


class Handed(Measure):
    """A measure as somebody else writes it: what the agent's hands hold of what the task hands out."""

    settings: tuple[str, ...]
    hands: Amounts

    def parts(self, budget):
        yield from ((f"handed {setting}", self.hands.of(budget), (setting,)) for setting in self.settings)

    def measure(self, part):
        [setting] = part.detail
        if setting == "nothing":
            raise ModuleNotFoundError("No module named 'torch'", name="torch")
        with part.agent() as agent:
            name = f"{part.name} to {agent.name}"
        figure = Figure(name=name, says="other", value=0.12345, half_width=0.0123, unit="sheep")
        return part.found(figure, hands=part.amount)


HANDED = """
name: handed-v1
about: "For tests."
rules: kuhn
seed: 1
measures:
  - {kind: handed, settings: [out, nothing], hands: {quick: 7, standard: 8, long: 9}}
"""


@pytest.fixture
def handed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(MEASURES, "registered", MEASURES.registered.copy())
    register_measure("handed", Handed)
    path = tmp_path / "handed-v1.yaml"
    path.write_text(HANDED)
    return path


def test_a_measure_of_somebody_elses_is_on_the_card(handed: Path, tmp_path: Path) -> None:
    card = score("random", handed, folder=tmp_path / "score")
    measured, missing = card.found
    assert (measured.measure, measured.part, measured.spent.hands) == ("handed", "handed out", 7)
    assert measured.spent.seconds > 0
    assert str(measured.figures[0]) == "0.1235 ± 0.012 sheep"
    assert headlines(card) == ["Handed out to random: 0.1235 ± 0.012 sheep.", "Not measured: 1 of 2 parts."]
    assert missing.why_not == "No module named 'torch'"
    assert load_card(tmp_path / "score") == card
    assert load_task(handed).fingerprint != load_task(changed(handed, "quick: 7", "quick: 6")).fingerprint


def test_a_measure_that_a_package_declares(handed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x-1.dist-info").mkdir()
    (tmp_path / "x-1.dist-info" / "METADATA").write_text("Name: x\nVersion: 1\n")
    (tmp_path / "x-1.dist-info" / "entry_points.txt").write_text(f"[holdem_env.measures]\ntheirs = {__name__}:Handed\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    [measure] = load_task(changed(handed, "kind: handed", "kind: theirs")).measures
    assert (type(measure), measure.kind) == (Handed, "theirs")


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ("kind: handed", "kind: hande", "measures.0: there is no measure 'hande': did you mean 'handed'?"),
        ("kind: handed", "kind: exploitr", "did you mean 'exploiter'?"),
        ("kind: handed, ", "", "there is no measure 'None': known are "),
        ("quick: 7", "quick: -7", "measures.0.hands.quick: Input should be greater than or equal to 0"),
        ("settings: ", "seting: ", "Handed has no field 'seting': did you mean 'settings'?"),
        ("{kind: handed, settings: [out, nothing], hands: {quick: 7, standard: 8, long: 9}}", "handed", "measures.0: "),
    ],
)
def test_what_is_wrong_with_a_measure_is_said(handed: Path, before: str, after: str, why: str) -> None:
    assert re.search(re.escape(why), complaint(load_task, changed(handed, before, after)))


def changed(path: Path, before: str, after: str) -> Path:
    path.write_text(path.read_text().replace(before, after))
    return path


def test_an_interrupted_score_goes_on(task: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measured, done = scoring.measured, []

    def interrupted(part):
        if done and not is_second:
            raise KeyboardInterrupt
        done.append(part.name)
        return measured(part)

    monkeypatch.setattr(scoring, "measured", interrupted)
    is_second = False
    complaint(score, "random", task, folder=tmp_path / "score", kind=KeyboardInterrupt)
    assert done == ["exploitability"]
    is_second = True
    card = score("random", task, folder=tmp_path / "score")
    assert done == ["exploitability", "against calling_station"]
    assert not card.missing


@pytest.mark.slow
def test_processes_change_no_figure(task: Path, tmp_path: Path) -> None:
    one, two = (score("random", task, folder=tmp_path / str(jobs), jobs=jobs) for jobs in (1, 2))
    assert [each.figures for each in one.found] == [each.figures for each in two.found]


def test_another_agent_does_not_take_over_a_folder(task: Path, tmp_path: Path) -> None:
    score("random", task, folder=tmp_path / "score")
    mentions(complaint(score, "calling_station", task, folder=tmp_path / "score"), "calling_station")


def test_the_best_of_several_bounds_has_a_wider_interval() -> None:
    def bound(value: float) -> Figure:
        return Figure(name="x", says="lower bound", value=value, half_width=10, unit="mbb/h", samples=1000)

    one = best_bound([Found(part="a", measure="lbr", figures=(bound(50),))])
    two = best_bound([Found(part="a", measure="lbr", figures=(bound(50), bound(20)))])
    assert one is not None
    assert two is not None
    assert one[1] == pytest.approx(40)
    assert two[1] == pytest.approx(50 - 10 * 2.241 / 1.96, abs=0.05)


@pytest.mark.parametrize(
    "other",
    [{"value": nan}, {"value": inf}, {"half_width": nan}, {"half_width": -1}, {"samples": -1}, {"samples": 10**399}],
)
def test_a_figure_that_cannot_be_is_refused(other: dict[str, float]) -> None:
    mentions(
        complaint(Figure, name="x", says="win rate", unit="zz", **{"value": 1, "half_width": inf, **other}), *other
    )


def test_figures_of_unknown_units_are_shown() -> None:
    figures = [Figure(name="x", says="win rate", value=1, half_width=2, unit="zz")] * 2
    found = Found(part="a", measure="b", figures=tuple(figures), curve=(Point(decisions=1, value=1, half_width=1),))
    assert "zz" in str(figures[0])
    assert "1" in found.curve_unit.text(1, 1)
    assert "2 anchors" in _rate(figures)


def test_the_command_writes_and_compares_cards(task: Path, tmp_path: Path) -> None:
    for agent in ("random", "calling_station"):
        said = good("score", agent, "--task", task, "--folder", tmp_path / agent)
        assert "Exploitability: " in said
        assert "card.html" in said
    said = good("score", "--compare", tmp_path / "random/card.json", tmp_path / "calling_station")
    assert "0.4583 chips/hand" in said
    other = tmp_path / "other-v1.yaml"
    other.write_text(EXACT.format(name="other", hands=200))
    good("score", "random", "--task", other, "--folder", tmp_path / "other")
    assert "must be of one task" in refused("score", "--compare", tmp_path / "random", tmp_path / "other")


def test_what_is_wrong_is_said(task: Path, tmp_path: Path) -> None:
    assert "kuhn-v1" in refused("score", "random", "--task", "kuhn-v2")
    assert "quick" in refused("score", "random", "--task", task, "--budget", "quik")
    assert "--task" in refused("score", "random")
    assert "random" in refused("score", "randm", "--task", task)
    assert "two cards" in refused("score", "--compare", task)
    assert "no card" in refused("score", "--compare", task, task)
    task.write_text(task.read_text().replace("mine-v1", "mine"))
    assert "version" in refused("score", "random", "--task", task)


@pytest.mark.parametrize("name", TASKS.names())
def test_shipped_tasks_are_named_by_their_files_and_grow_with_the_budget(name: str) -> None:
    task = load_task(name)
    assert task.name == name
    assert task.fingerprint == load_task(name).fingerprint
    for measure in task.measures:
        amounts = [value for value in vars(measure).values() if hasattr(value, "quick")]
        for amount in amounts:
            each = [amount.of(budget) for budget in BUDGETS]
            assert each == sorted(each)
        for opponent in getattr(measure, "opponents", ()):
            make_agent(opponent)

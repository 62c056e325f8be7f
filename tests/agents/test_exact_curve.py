"""`evaluation.exploitability`: exact exploitability along the way, of the last weights and of the averaged ones; and
`opponents: {best_response: ...}`."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from agents.run_files import rows_of
from command_line import refused
from holdem_agents.runs.config import load_config
from holdem_agents.runs.run import resume, train
from holdem_agents.training.learners import loop
from holdem_agents.training.learners.trainee import Trainee
from holdem_env.arena import exploitability

SMALL = ["rules=kuhn", "budget.decisions=1500", "tables=32", "learner.batch_size=128", "learner.hidden=[16]"]
SMALL += ["evaluation={opponents: [random], hands: 100, times: 2, past_selves: 0, exploitability: true}"]
MEASURED, ANSWERED = "evaluation.exploitability=true", "opponents={latest_self: 0.8, best_response: 0.2}"
UNIFORM = 0.458


def trained(folder: Path, *more: str) -> Path:
    return train(load_config("leduc", [*SMALL, *more]), folder, show=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return trained(tmp_path_factory.mktemp("runs") / "kuhn")


def test_the_last_and_the_averaged_weights_are_measured_on_the_way(folder: Path) -> None:
    rows = list(csv.DictReader((folder / "exploitability.csv").open()))
    assert [row["weights"] for row in rows] == ["last", "averaged"] * 4  # before, twice on the way, at the end
    decisions = [int(row["decisions"]) for row in rows[::2]]
    assert decisions == sorted(set(decisions))
    assert decisions[0] == 0
    assert all(float(row["exploitability"]) == pytest.approx(UNIFORM, abs=0.02) for row in rows[:2])
    for row, name in zip(rows[-2:], ("last", "final"), strict=True):
        exact = exploitability(folder / f"{name}.safetensors", "kuhn")
        assert float(row["exploitability"]) == pytest.approx(exact, abs=1e-6)
    assert json.loads((folder / "training.json").read_text())["exploitability"] == pytest.approx(exact, abs=1e-4)
    logged = list(csv.DictReader((folder / "progress.csv").open()))
    for k, weights in enumerate(("last", "averaged")):
        column = [float(text) for row in logged if (text := row[f"evaluation_exploitability/{weights}"])]
        assert column == pytest.approx([float(row["exploitability"]) for row in rows[k:-2:2]], abs=1e-6)


def test_without_an_average_there_are_the_last_weights_alone(tmp_path: Path) -> None:
    folder = trained(tmp_path / "plain", "learner.average=null", "budget.decisions=600")
    assert {row["weights"] for row in csv.DictReader((folder / "exploitability.csv").open())} == {"last"}
    assert not (folder / "last.safetensors").exists()


def test_a_run_that_goes_on_measures_nothing_twice(tmp_path: Path) -> None:
    """Its budget is raised after its end: what it measured at its end makes room for what it measures later."""
    short = trained(tmp_path / "short", "budget.decisions=900", "checkpoint_minutes=0")
    before = rows_of(short / "exploitability.csv")
    config = short / "config.yaml"
    config.write_text(config.read_text().replace("decisions: 900", "decisions: 1500"))
    resume(short, show=False)
    rows = rows_of(short / "exploitability.csv")
    assert rows[:2] == before[:2]
    decisions = [row["decisions"] for row in rows]
    assert decisions == sorted(decisions)
    assert all(decisions.count(at) == 2 for at in decisions)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ([MEASURED, "rules=heads-up-limit"], "evaluation.exploitability: must be false here: exact values: this game"),
        ([MEASURED, "rules={preset: leduc, seats: 3}"], "exact values are for two seats; here are 3"),
        ([MEASURED, "learner.memory={width: 8}", "sitting=4"], "a learner with memory states no probabilities"),
        ([ANSWERED, "rules=heads-up-limit"], "opponents: best_response must be left out here: exact values: this game"),
        ([ANSWERED, "learner.memory={width: 8}", "sitting=4"], "a learner with memory states no probabilities"),
        ([ANSWERED, "rules={preset: leduc-nolimit, stacks: 200}"], "opponents: best_response: exact values: "),
    ],
)
def test_a_game_without_exact_values_is_refused_in_one_sentence(changes: list[str], words: str, tmp_path: Path) -> None:
    said = refused("train", "leduc", *(word for each in changes for word in ("--set", each)), "--runs", tmp_path)
    assert words in said
    assert not list(tmp_path.iterdir())


ANSWERING = ["rules=kuhn", "budget.decisions=2000", "tables=32", "learner.batch_size=128", "learner.hidden=[16]"]
ANSWERING += ["opponents={latest_self: 0.5, best_response: 0.5}"]
ANSWERING += ["evaluation={opponents: [random], hands: 100, times: 0, past_selves: 0}"]
ROLLOUT = 256  # decisions


@pytest.mark.parametrize("kind", ["ppo", "sb3"])
def test_the_best_response_is_computed_again_every_so_many_decisions(kind: str, tmp_path: Path) -> None:
    more = [f"learner.kind={kind}", "best_response_every=500"]
    rows = rows_of(train(load_config("leduc", [*ANSWERING, *more]), tmp_path / "run", show=False) / "progress.csv")
    found = [row["best_response/exploitability"] for row in rows]
    assert float(found[0]) == pytest.approx(UNIFORM, abs=0.02)
    assert [bool(text) for text in found[:5]] == [True, False, True, False, True]
    assert all(float(row["best_response/cpu_seconds"]) > 0 for row, text in zip(rows, found, strict=True) if text)
    assert sum(float(row["training_chips_per_hand/best_response"]) for row in rows) < 0


def test_it_answers_the_agent_that_would_be_delivered_and_a_checkpoint_keeps_its_answer() -> None:
    learner, resumed = (Trainee(load_config("leduc", ANSWERING)) for _ in range(2))
    learner.set_up()
    loop.train(learner.model, learner.hooks(), decisions=2 * ROLLOUT)
    best, again = learner.best_response, resumed.best_response
    assert best
    assert again
    best.update(7)
    assert best.exploitability == pytest.approx(exploitability(learner.final_agent, "kuhn"), abs=1e-6)
    loop.train(learner.model, learner.hooks(), decisions=2 * ROLLOUT)
    assert best.exploitability != pytest.approx(exploitability(learner.final_agent, "kuhn"), abs=1e-6)
    resumed.load_state(learner.state())
    assert (again.decisions, again.exploitability) == (best.decisions, best.exploitability)

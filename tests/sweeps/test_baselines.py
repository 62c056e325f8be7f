"""Sweeps that measure exact exploitability, with baselines beside their settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import refused
from holdem_agents.runs.files import rows_of
from holdem_agents.runs.interrupts import Interrupts
from holdem_agents.sweeps import objective
from holdem_agents.sweeps.baselines import BASELINES
from holdem_agents.sweeps.sweep_file import load_sweep
from holdem_agents.training.config import Budget
from holdem_agents.training.evaluation.exact import write_exploitability
from holdem_agents.training.learners.run_hooks import BudgetClock
from holdem_env import Rules
from sweeps.test_sweeping import names, run, whole
from sweeps.test_sweeping import train_at_once as files_at_once

TEXT = """
base:
  rules: kuhn
  tables: 32
  learner: {n_steps: 8, batch_size: 128, hidden: [8], average: 0.9}
seeds: [0]
budget: {cpu_seconds: 0.2}
baselines: [uniform, dcfr]
one_at_a_time:
  learner: {last: {learner.average: null}}
measures: {matches: [random], hands: 100, times: 1, exploitability: true, rank_by: -exploitability}
"""
UNIFORM = 0.458333
SPIEL = ["external_sampling_cfr", "nfsp", "deep_cfr"]


def train_at_once(config, folder, *given, **more):
    """Stands for a training: the average is less exploitable than the last weights."""
    files_at_once(config.model_copy(update={"budget": Budget(decisions=500)}), folder)
    weights = {"last": 0.3, "averaged": 0.2} if config.learner.average else {"last": 0.4}
    for at in (0, 250, 500):
        write_exploitability(folder / "exploitability.csv", at, BudgetClock(config.budget), weights)
    return True


def test_baselines_stand_in_the_tables_and_curves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(objective, "finish", train_at_once)
    study = whole(tmp_path, TEXT)
    outcomes = run(study)
    assert names(outcomes.finished) == ["base, seed 0", "learner-last, seed 0", "uniform, seed 0", "dcfr, seed 0"]
    settings = study.report()[0]
    assert settings.title == "Settings, chips/hand, sampling"
    assert settings.headings[1:4] == ("random", "exploitability", "exploitability, last weights")
    assert [row[0] for row in settings.rows] == ["dcfr", "base", "learner-last", "uniform"]
    rows = {name: cells for name, *cells in settings.rows}
    assert float(rows["dcfr"][1]) < 0.01
    assert rows["uniform"] == ["", "0.458", "", "", "1"]
    assert rows["base"][1:3] == ["0.200", "0.300"]
    assert rows["learner-last"][1:3] == ["0.400", "0.400"]  # without an average, it delivers the last weights
    equal = study.report()[-1]
    assert equal.title == "After 0.00 million decisions, chips/hand"
    assert equal.rows == (("base", "0.200", "0.300"), ("learner-last", "0.400", "0.400"))
    curves = (study.folder / "curve.svg").read_text()
    assert "Exact exploitability" in curves
    assert "Exact exploitability, last weights" in curves


@pytest.mark.slow
def test_a_sweep_with_baselines_is_run_and_goes_on(tmp_path: Path) -> None:
    study = whole(tmp_path, TEXT)
    assert run(study).are_complete
    measured = {
        row["weights"]: row["exploitability"] for row in rows_of(study.folder / "base/seed-0/exploitability.csv")
    }
    study.report()
    chips = {(row["setting"], row["measure"]): row["chips_per_hand"] for row in rows_of(study.folder / "sweep.csv")}
    assert abs(float(chips["base", "random"])) < 5  # the game has no blinds: the match is in chips a hand, too
    assert chips["base", "exploitability"] == measured["averaged"]
    assert chips["base", "exploitability, last weights"] == measured["last"] != measured["averaged"]
    kept = (study.folder / "dcfr/seed-0/training.json").stat().st_mtime_ns
    assert run(whole(tmp_path, TEXT)).are_complete
    assert (study.folder / "dcfr/seed-0/training.json").stat().st_mtime_ns == kept


def test_an_interrupted_baseline_begins_again(tmp_path: Path) -> None:
    study = whole(tmp_path, TEXT)
    [task] = [task for task in study.tasks() if task.baseline == "uniform"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(BASELINES, "uniform", lambda *_: (None, lambda: float(Interrupts.ask_all())))
        assert not objective.do_run(task)
    assert not task.is_finished
    assert objective.do_run(task)
    assert task.is_finished
    values = [row["exploitability"] for row in rows_of(task.folder / "exploitability.csv")]
    assert values == [f"{UNIFORM:.6g}"] * 3  # before, once on the way, at the end


@pytest.mark.parametrize("name", [pytest.param(each, marks=pytest.mark.slow) for each in SPIEL])
def test_openspiels_learners_learn(name: str) -> None:
    for needed in ("pyspiel", "open_spiel.python.pytorch.nfsp", "open_spiel.python.pytorch.deep_cfr"):
        pytest.importorskip(needed, exc_type=ImportError)
    step, measure = BASELINES[name](Rules.preset("kuhn"), 3)
    assert step
    for _ in range({"nfsp": 60}.get(name, 3)):
        step()
    assert 0 < measure() < UNIFORM


def test_the_table_of_the_benchmark_can_be_run() -> None:
    plan = load_sweep("baselines")
    assert {*plan.sweep.baselines} == {*BASELINES}
    assert plan.settings["base"].config.evaluation.exploitability
    for rules in ("kuhn", "leduc"):
        assert load_sweep("baselines", [f"base.rules={rules}"]).base.rules == Rules.preset(rules)
    assert "dcfr" not in load_sweep("baselines", ["baselines=[]", "budget={decisions: 1000}"]).settings


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("baselines=[cfr]", "baselines must be of uniform, dcfr, external_sampling_cfr, nfsp, deep_cfr, got 'cfr'"),
        ("measures.rank_by=random", "measures.rank_by must be -exploitability with baselines, which play no matches"),
        ("measures.exploitability=false", "or -exploitability with measures.exploitability, got '-exploitability'"),
        ("budget={decisions: 100}", "budget must be in cpu_seconds with baselines"),
        ("base.rules=heads-up-limit", "evaluation.exploitability: must be false here: exact values: this game has"),
    ],
)
def test_what_does_not_go_is_named(change: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(TEXT)
    assert message in refused("train", tmp_path / "mine.yaml", "--set", change, "--runs", tmp_path / "runs")

"""Sweeps are run, interrupted, resumed and reported; what contradicts or fails is named."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from agents.test_interrupts import default_handler, press_in_rollout  # noqa: F401
from holdem_agents.cli.commands import app
from holdem_agents.parallel.runner import runner
from holdem_agents.sweeps import runs as runs_module
from holdem_agents.sweeps.settings import plan_of
from holdem_agents.sweeps.sweep_file import load_sweep
from holdem_agents.sweeps.sweeping import Outcomes, tasks_of
from holdem_agents.sweeps.whole_sweep import WholeSweep
from holdem_agents.training.checkpoint import load_checkpoint
from holdem_agents.training.config import ConfigError, Learner
from holdem_agents.training.exploiter_settings import exploiter
from holdem_agents.training.run_folder import rows_of

TINY = """
base:
  rules: heads-up-limit
  tables: 32
  learner: {n_steps: 8, batch_size: 128, hidden: [16]}
budget: {decisions: 1000}
seeds: [0, 1]
one_at_a_time:
  size: {small: {learner.hidden: [8]}}
measures: {matches: [random], hands: 200, times: 1, exploiter: {decisions: 500, hands: 100}}
"""
WITHOUT_EXPLOITER = TINY.replace(", exploiter: {decisions: 500, hands: 100}", "")
ONE = WITHOUT_EXPLOITER.replace("seeds: [0, 1]", "seeds: [0]")


def whole(home: Path, text: str = TINY, changes: tuple[str, ...] = ()) -> WholeSweep:
    (home / "mine.yaml").write_text(text)
    path, sweep = load_sweep(home / "mine.yaml", changes)
    return WholeSweep(sweep, plan_of(path, sweep), home / "runs" / "mine")


def run(sweep: WholeSweep) -> Outcomes:
    """In this process, so that the tests can press keys and break things."""
    return sweep.run(by=runner(1))


def names(tasks) -> list[str]:
    return [task.name for task in tasks]


@pytest.fixture(scope="module")
def done(tmp_path_factory) -> WholeSweep:
    """A sweep that is finished. Its exploiters play at few tables."""
    sweep = whole(tmp_path_factory.mktemp("done"))
    learner = Learner(n_steps=8, batch_size=128, hidden=(16,), threads=1)
    with pytest.MonkeyPatch.context() as patch:
        small = {"tables": 32, "learner": learner}
        patch.setattr(runs_module, "exploiter", lambda *given: exploiter(*given).model_copy(update=small))
        outcomes = run(sweep)
    assert outcomes.are_complete
    assert names(outcomes.finished) == ["base, seed 0", "size-small, seed 0", "base, seed 1", "size-small, seed 1"]
    return sweep


def test_every_setting_and_seed_has_a_run_folder(done):
    for setting, hidden in (("base", [16]), ("size-small", [8])):
        for seed in (0, 1):
            folder = done.folder / setting / f"seed-{seed}"
            config = yaml.safe_load((folder / "config.yaml").read_text())
            assert (config["seed"], config["learner"]["hidden"], config["learner"]["threads"]) == (seed, hidden, 1)
            assert json.loads((folder / "training.json").read_text())["budget_spent"] == 1.0
            assert {"final.safetensors", "crosstable.csv", "model_card.md"} <= {path.name for path in folder.iterdir()}


def test_the_report_has_a_row_for_each_run_and_measure(done):
    tables = done.report()
    assert [table.title.split(",")[0] for table in tables] == [
        "Settings",
        "Each factor by itself: difference from the base",
    ]
    with (done.folder / "sweep.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 2 * 2 * 2  # settings, seeds, measures, ways to play
    assert {row["measure"] for row in rows} == {"random", "exploiter"}
    (first,) = [
        row
        for row in rows
        if (row["setting"], row["seed"], row["measure"], row["plays"]) == ("base", "1", "random", "greedy")
    ]
    assert first["bb_per_100"] == rows_of(done.folder / "base" / "seed-1" / "crosstable.csv")[1]["bb_per_100"]
    assert float(first["cpu_seconds"]) > 0
    page = (done.folder / "sweep.md").read_text()
    assert "4 of 4 runs are finished: 2 settings, seeds 0, 1, 1,000 decisions of training each." in page
    assert "| size: small |" in page
    assert (done.folder / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_the_same_again_runs_nothing_and_a_new_seed_only_itself(done, monkeypatch, tmp_path):
    again = whole(done.folder.parent.parent)
    monkeypatch.setattr(runs_module, "_train", None)  # nothing may be trained
    assert run(again).are_complete
    monkeypatch.undo()
    without = TINY.replace(", exploiter: {decisions: 500, hands: 100}", "")
    monkeypatch.setattr(runs_module, "load_code", lambda config: None)
    changes = "seeds=[0, 1, 2]", "one_at_a_time={}", "crossed={tables: [32]}"
    more = run(whole(done.folder.parent.parent, without, changes))
    assert names(more.finished) == ["base, seed 0", "base, seed 1", "base, seed 2"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            "budget.decisions=2000",
            "base/seed-0 holds a run of another configuration: budget.decisions is 2000, was 1000",
        ),
        ("base.learner.gamma=0.9", "learner.gamma is 0.9, was 1.0"),
        ("measures.hands=300", "evaluation.hands is 300, was 200"),
        (
            "measures.exploiter.decisions=600",
            "exploiter holds a run of another configuration: decisions is 600, was 500",
        ),
        ("one_at_a_time.size.small={learner.hidden: [9]}", "learner.hidden is [9], was [8]"),
    ],
)
def test_a_file_that_contradicts_the_runs_is_an_error(done, change, told):
    with pytest.raises(ConfigError, match="give the sweep another --name") as error:
        run(whole(done.folder.parent.parent, TINY, (change,)))
    assert told in str(error.value)
    assert (done.folder / "base" / "seed-0" / "final.safetensors").exists()


def test_an_interrupted_sweep_goes_on(tmp_path, monkeypatch, capsys):
    text = ONE.replace("hidden: [16]}", "hidden: [16]}\n  checkpoint_minutes: 60")
    monkeypatch.setattr(runs_module, "load_code", lambda config: None)
    with monkeypatch.context() as patch:
        press_in_rollout(patch, 8)  # in the second run: each has four rollouts of 256 decisions
        outcomes = run(whole(tmp_path, text))
    assert names(outcomes.finished) == ["base, seed 0"]
    assert names(outcomes.left) == ["size-small, seed 0"]
    broken = tmp_path / "runs" / "mine" / "size-small" / "seed-0"
    assert 0 < load_checkpoint(broken)["trainee"]["decisions"] < 1000
    assert not (broken / "crosstable.csv").exists()
    assert [row[0] for row in cells(whole(tmp_path, text))] == ["base"]  # of what there is
    kept = (tmp_path / "runs" / "mine" / "base" / "seed-0" / "training.json").stat().st_mtime_ns
    capsys.readouterr()
    assert run(whole(tmp_path, text)).are_complete
    told = capsys.readouterr().err
    assert "1 of 2 runs are finished already" in told
    assert "size-small, seed 0: 1,024 decisions in" in told
    assert (tmp_path / "runs" / "mine" / "base" / "seed-0" / "training.json").stat().st_mtime_ns == kept
    progress = [int(row["time/total_timesteps"]) for row in rows_of(broken / "progress.csv")]
    assert progress == sorted(set(progress))


def cells(sweep: WholeSweep) -> list[list[str]]:
    """The rows of the first table, as text."""
    table = sweep.report()[0]
    columns = [[str(cell) for cell in column.cells] for column in table.columns]
    return [list(row) for row in zip(*columns, strict=True)]


def test_a_failed_run_is_reported_and_run_again(tmp_path, monkeypatch, capsys):
    text = ONE
    monkeypatch.setattr(runs_module, "load_code", lambda config: None)
    train = runs_module.train_until

    def fails(config, folder, **given):
        if folder.name == "seed-0" and folder.parent.name == "base":
            raise RuntimeError("the moon\nis full")
        return train(config, folder, **given)

    with monkeypatch.context() as patch:
        patch.setattr(runs_module, "train_until", fails)
        outcomes = run(whole(tmp_path, text))
    error = tmp_path / "runs" / "mine" / "base" / "seed-0" / "error.txt"
    assert outcomes.failed == {"base, seed 0": "the moon"}
    assert names(outcomes.finished) == ["size-small, seed 0"]
    assert f"base, seed 0: failed, the moon; {error} has more" in capsys.readouterr().err
    assert "RuntimeError: the moon\nis full" in error.read_text()
    assert [row[0] for row in cells(whole(tmp_path, text))] == ["size-small"]
    assert run(whole(tmp_path, text)).are_complete
    assert not error.exists()


def test_runs_come_seed_by_seed(tmp_path):
    sweep = whole(tmp_path)
    tasks = tasks_of(sweep.plan.settings.values(), sweep.sweep, tmp_path)
    assert [task.config.seed for task in tasks] == [0, 0, 1, 1]


def holdem(*words: object):
    return CliRunner().invoke(app, [str(word) for word in words])


def test_the_report_alone(done):
    home = done.folder.parent.parent
    (home / "mine.yaml").write_text(TINY)
    result = holdem("sweep", home / "mine.yaml", "--runs", home / "runs", "--report")
    assert result.exit_code == 0, result.output
    assert "size: small" in result.output
    nothing = holdem("sweep", home / "mine.yaml", "--runs", home / "elsewhere", "--report")
    assert "no run is finished yet" in nothing.output
    assert not (home / "elsewhere").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["sweep", "sweap"], "did you mean 'sweep'?"),
        (["sweep", "demo"], "this is no sweep, which has a `base`"),
        (["train", "sweep"], "this is a sweep; use holdem sweep sweep"),
        (["sweep", "sweep", "--set", "seeds=[x]"], "--set seeds=[x]: seeds.0: give a whole number, not 'x'"),
        (["sweep", "sweep", "--set", "base=demmo"], "did you mean 'demo'?"),
        (["sweep", "sweep", "--jobs", "0"], "jobs: 0; give a whole number from 1 on"),
    ],
)
def test_wrong_words_are_named(words, told, tmp_path):
    result = holdem(*words, *(["--runs", tmp_path] if words[0] == "sweep" else []))
    assert result.exit_code == 2
    assert told in result.output


@pytest.mark.slow
def test_ctrl_c_in_the_terminal_ends_the_runs_with_checkpoints(tmp_path):
    """The whole command, with processes."""
    (tmp_path / "mine.yaml").write_text(TINY.replace("{decisions: 1000}", "{cpu_seconds: 20}"))
    command = [sys.executable, "-m", "holdem_agents.cli", "sweep", "mine.yaml", "--jobs", "2"]
    process = subprocess.Popen(
        command,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a test run in the background may ignore it
    )
    folder = tmp_path / "runs" / "mine"
    for _ in range(3000):
        if len([*folder.glob("*/seed-0/progress.csv")]) == 2:
            break
        time.sleep(0.2)
    time.sleep(2)
    os.kill(process.pid, signal.SIGINT)
    output, _ = process.communicate(timeout=300)
    assert process.returncode == 130, output
    assert "Interrupted; 0 runs are finished, and 4 are left. The same command goes on." in output
    spent = [load_checkpoint(run)["trainee"]["cpu_seconds"] for run in folder.glob("*/seed-0")]
    assert len(spent) == 2
    assert all(0 < seconds < 20 for seconds in spent)

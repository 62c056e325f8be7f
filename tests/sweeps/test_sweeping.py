"""Sweeps are run, interrupted, resumed and reported; what contradicts or fails is named."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import optuna
import pytest
import yaml

from agents.test_interrupts import default_handler, press_in_rollout  # noqa: F401
from command_line import good
from errors import complaint, mentions
from holdem_agents.runs.checkpoint import load_checkpoint
from holdem_agents.runs.config import ConfigError
from holdem_agents.runs.files import prepare, rows_of, set_measured, write_facts, write_setup
from holdem_agents.runs.interrupts import Interrupts
from holdem_agents.sweeps import objective
from holdem_agents.sweeps.study import Outcomes, Study
from holdem_agents.sweeps.sweep_file import load_sweep
from holdem_agents.training.config import Learner
from holdem_agents.training.exploiters.settings import exploiter
from holdem_env.utils.runner import Runner
from processes import wait_until

TINY = """
base:
  rules: heads-up-limit
  tables: 32
  learner: {n_steps: 8, batch_size: 128, hidden: [16]}
budget: {decisions: 500}
seeds: [0, 1]
one_at_a_time:
  size: {small: {learner.hidden: [8]}}
measures: {matches: [random], hands: 100, times: 1}
"""
ONE = TINY.replace("seeds: [0, 1]", "seeds: [0]")
WITH_EXPLOITER = ONE.replace("times: 1}", "times: 1, exploiter: {decisions: 500, hands: 100}}")


def whole(home: Path, text: str = TINY, changes: tuple[str, ...] = ()) -> Study:
    (home / "mine.yaml").write_text(text)
    return Study(load_sweep(home / "mine.yaml", changes), home / "runs" / "mine")


def run(study: Study) -> Outcomes:
    """In this process, so that the tests can press keys and break things."""
    return study.run(runner=Runner(1, interrupts=Interrupts))


def names(tasks) -> list[str]:
    return [task.name for task in tasks]


def train_at_once(config, folder, *given, **more):
    """Stands for a training: the files of a run, with the seed as its win rate."""
    prepare(folder, overwrite=True)
    write_setup(config, folder)
    write_facts(folder, config.budget.decisions, 1.0, config.seed, cpu_seconds=0.9, budget_spent=1.0)
    at = "decisions,seconds,cpu_seconds,opponent,bb_per_100,half_width_95,hands\n"
    (folder / "curve.csv").write_text(f"{at}250,0.5,0.4,random,1,9,100\n500,1.0,0.9,random,{config.seed},9,100\n")
    rows = [f"random,{plays},{config.seed + more},9.0,100\n" for plays, more in (("sampling", 0), ("greedy", 5))]
    (folder / "crosstable.csv").write_text("opponent,plays,bb_per_100,half_width_95,hands\n" + "".join(rows))
    set_measured(folder)
    return True


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr(objective, "finish", train_at_once)
    monkeypatch.setattr(objective, "load_code", lambda config: None)


@pytest.fixture
def done(tmp_path, at_once) -> Study:
    """A sweep that is finished."""
    study = whole(tmp_path)
    outcomes = run(study)
    assert outcomes.are_complete
    assert names(outcomes.finished) == ["base, seed 0", "size-small, seed 0", "base, seed 1", "size-small, seed 1"]
    return study


def test_the_report_has_a_row_for_each_run_and_measure(done):
    tables = done.report()
    assert [table.title.split(",")[0] for table in tables] == [
        "Settings",
        "Each factor by itself: difference from the base",
    ]
    rows = rows_of(done.folder / "sweep.csv")
    assert len(rows) == 2 * 2 * 2  # settings, seeds, ways to play
    (first,) = [row for row in rows if (row["setting"], row["seed"], row["plays"]) == ("base", "1", "greedy")]
    assert (first["measure"], first["bb_per_100"], first["cpu_seconds"]) == ("random", "6", "0.9")
    page = (done.folder / "sweep.md").read_text()
    assert "4 of 4 runs are finished: 2 settings, seeds 0, 1, 500 decisions of training each." in page
    assert "| size: small |" in page
    assert "![The curves of all settings](curve.svg)" in page
    assert "size-small" in (done.folder / "curve.svg").read_text()


def trials_of(folder: Path) -> list[list[optuna.trial.FrozenTrial]]:
    storage = f"sqlite:///{folder / 'study.db'}"
    return [optuna.load_study(study_name=name, storage=storage).trials for name in optuna.get_all_study_names(storage)]


def test_optuna_has_a_trial_for_each_setting_with_its_mean(done):
    (trials,) = trials_of(done.folder)
    assert [(trial.params["setting"], trial.value) for trial in trials] == [("base", 0.5), ("size-small", 0.5)]


@pytest.mark.slow
def test_the_same_again_runs_nothing_and_a_new_seed_only_itself(done, monkeypatch):
    home = done.folder.parent.parent
    monkeypatch.setattr(objective, "_train", None)  # nothing may be trained
    assert run(whole(home)).are_complete
    assert len(trials_of(done.folder)) == 1
    monkeypatch.undo()
    monkeypatch.setattr(objective, "finish", train_at_once)
    monkeypatch.setattr(objective, "load_code", lambda config: None)
    changes = "seeds=[0, 1, 2]", "one_at_a_time={}", "crossed={tables: [32]}"
    more = run(whole(home, TINY, changes))
    assert names(more.finished) == ["base, seed 0", "base, seed 1", "base, seed 2"]
    assert [trial.value for trial in trials_of(done.folder)[1]] == [1.0]


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("budget.decisions=2000", "another configuration: budget.decisions is 2000, was 500"),
        ("base.learner.gamma=0.9", "learner.gamma is 0.9, was 1.0"),
        ("measures.hands=300", "evaluation.hands is 300, was 100"),
        ("one_at_a_time.size.small={learner.hidden: [9]}", "learner.hidden is [9], was [8]"),
    ],
)
def test_a_file_that_contradicts_the_runs_is_an_error(done, change, message):
    with pytest.raises(ConfigError, match="begin another sweep") as error:
        run(whole(done.folder.parent.parent, TINY, (change,)))
    assert message in str(error.value)
    assert (done.folder / "base" / "seed-0" / "training.json").exists()


@pytest.mark.slow
def test_an_interrupted_sweep_goes_on(tmp_path, monkeypatch, capsys):
    """Real trainings with exploiters, in this process."""
    text = WITH_EXPLOITER.replace("hidden: [16]}", "hidden: [16]}\n  checkpoint_minutes: 60")
    learner = Learner(n_steps=8, batch_size=128, hidden=(16,), threads=1)
    small = {"tables": 32, "learner": learner}
    monkeypatch.setattr(objective, "exploiter", lambda *given: exploiter(*given).model_copy(update=small))
    monkeypatch.setattr(objective, "load_code", lambda config: None)
    with monkeypatch.context() as patch:
        press_in_rollout(patch, 7)  # training begins three rollouts, and ends before the third
        outcomes = run(whole(tmp_path, text))
    assert names(outcomes.finished) == ["base, seed 0"]
    assert names(outcomes.left) == ["size-small, seed 0"]
    folder = tmp_path / "runs" / "mine"
    broken = folder / "size-small" / "seed-0"
    assert 0 < load_checkpoint(broken)["trainee"]["decisions"] <= 512
    assert not (broken / "crosstable.csv").exists()
    assert [trial.state.name for trial in trials_of(folder)[0]] == ["COMPLETE", "RUNNING"]
    assert [row[0] for row in cells(whole(tmp_path, text))] == ["base"]  # of what there is
    kept = (folder / "base" / "seed-0" / "training.json").stat().st_mtime_ns
    capsys.readouterr()
    assert run(whole(tmp_path, text)).are_complete
    message = capsys.readouterr().err
    assert "1 of 2 runs are finished already" in message
    assert "size-small, seed 0: 512 decisions in" in message
    assert (folder / "base" / "seed-0" / "training.json").stat().st_mtime_ns == kept
    assert [trial.state.name for trial in trials_of(folder)[0]] == ["COMPLETE", "COMPLETE"]
    assert len(cells(whole(tmp_path, text))) == 2
    assert {row["measure"] for row in rows_of(folder / "sweep.csv")} == {"random", "exploiter"}
    for setting, hidden in (("base", [16]), ("size-small", [8])):
        config = yaml.safe_load((folder / setting / "seed-0" / "config.yaml").read_text())
        assert (config["seed"], config["learner"]["hidden"], config["learner"]["threads"]) == (0, hidden, 1)
    mentions(complaint(run, whole(tmp_path, text, ("measures.exploiter.decisions=600",)), kind=ConfigError), 600, 500)


@pytest.mark.slow
def test_a_sweep_with_a_reward_of_ones_own_goes_on(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("def half(hands):\n    return hands.rewards / 2\n")
    text = ONE.replace("tables: 32", "tables: 32\n  reward: mine.py:half")
    assert run(whole(tmp_path, text)).are_complete
    assert run(whole(tmp_path, text)).are_complete
    (tmp_path / "mine.py").write_text("def half(hands):\n    return hands.rewards / 3\n")
    mentions(complaint(run, whole(tmp_path, text), kind=ConfigError), "reward is 'mine")


def cells(sweep: Study) -> list[list[str]]:
    """The rows of the first table, as text."""
    return [list(row) for row in sweep.report()[0].rows]


def test_a_failed_run_is_reported_and_run_again(tmp_path, at_once, monkeypatch, capsys):
    text = ONE

    def fails(config, folder, *given, **more):
        if folder.parent.name == "base":
            raise RuntimeError("the moon\nis full")
        return train_at_once(config, folder)

    with monkeypatch.context() as patch:
        patch.setattr(objective, "finish", fails)
        outcomes = run(whole(tmp_path, text))
    error = tmp_path / "runs" / "mine" / "base" / "seed-0" / "error.txt"
    assert outcomes.failed == {"base, seed 0": "the moon"}
    assert names(outcomes.finished) == ["size-small, seed 0"]
    assert f"base, seed 0: failed, the moon; {error} has more" in capsys.readouterr().err
    assert "RuntimeError: the moon\nis full" in error.read_text()
    assert [row[0] for row in cells(whole(tmp_path, text))] == ["size-small"]
    assert run(whole(tmp_path, text)).are_complete
    assert not error.exists()


@pytest.mark.slow
def test_a_finished_sweep_is_shown_again_and_takes_more_seeds(done, tmp_path):
    folder = shutil.copytree(done.folder, tmp_path / "mine")
    again = good("train", "--resume", folder)
    assert "4 of 4 runs are finished already" in again
    assert "size: small" in again
    assert "(6 of 6)" in good("train", "--resume", folder, "--set", "seeds=[0,1,2]")


@pytest.mark.slow
def test_ctrl_c_in_the_terminal_ends_the_runs_with_checkpoints(tmp_path):
    """The whole command, with processes."""
    (tmp_path / "mine.yaml").write_text(TINY.replace("{decisions: 500}", "{cpu_seconds: 20}"))
    command = [sys.executable, "-m", "holdem_agents.cli", "train", "mine.yaml", "--jobs", "2"]
    ends = signal.SIGINT, signal.SIG_DFL  # a test run in the background may ignore it
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    process = subprocess.Popen(command, cwd=tmp_path, preexec_fn=lambda: signal.signal(*ends), **pipes)
    folder = tmp_path / "runs" / "mine"
    wait_until(lambda: [len(rows_of(run / "progress.csv")) > 1 for run in folder.glob("*/seed-0")] == [True] * 2, 600)
    os.kill(process.pid, signal.SIGINT)
    output, _ = process.communicate(timeout=300)
    assert process.returncode == 130, output
    assert "Interrupted; 0 runs are finished, 4 are left. Go on: " in output
    spent = [load_checkpoint(run)["trainee"]["cpu_seconds"] for run in folder.glob("*/seed-0")]
    assert len(spent) == 2
    assert all(0 < seconds < 20 for seconds in spent)

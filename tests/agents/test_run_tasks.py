"""Several trainings: one after the other in this process, or at the same time in processes, with the same results;
and `holdem train --jobs` and `--ray`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from command_line import refused
from holdem_agents.cli import train
from holdem_agents.runs import run
from holdem_agents.runs.config import load_config
from holdem_agents.runs.run import Run
from holdem_agents.runs.run_groups import RunTask, train_all, train_seeds
from holdem_agents.training.config import Training
from holdem_agents.world import ALONE

TINY = Training(
    rules="leduc",
    budget={"decisions": 500},
    tables=32,
    learner={"n_steps": 8, "batch_size": 128, "hidden": [8], "threads": 1},
    evaluation={"opponents": ["random"], "hands": 100, "past_selves": 0},
)


def test_after_an_interrupted_run_no_other_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = []

    def begin(run: Run, overwrite: bool) -> Run:
        shown.append(run.show)
        run.interrupts.asked = run.config.seed == 1
        return run

    monkeypatch.setattr(Run, "begin", begin)
    tasks = [RunTask(TINY.model_copy(update={"seed": seed}), tmp_path, f"seed {seed}") for seed in range(4)]
    assert [task.name for task in train_all(tasks, show=True)] == ["seed 0", "seed 1"]
    assert shown == [True, True]
    said = capsys.readouterr().err
    assert "seed 1 (2 of 4)" in said
    assert "not begun: seed 2, seed 3" in said


@pytest.mark.slow
def test_seeds_in_processes_give_the_same_agents(tmp_path: Path) -> None:
    here, there = (train_seeds(TINY, [0, 1], tmp_path / str(jobs), show=False, jobs=jobs) for jobs in (1, 2))
    for seed in (0, 1):
        name = f"seed-{seed}/final.safetensors"
        assert (here / name).read_bytes() == (there / name).read_bytes()
    assert len((there / "seeds.csv").read_text().splitlines()) == len((here / "seeds.csv").read_text().splitlines()) > 1


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["demo", "--jobs", "3"], "--jobs, --ray: a learner trains in one process; they are for leagues"),
        (["demo", "--jobs", "0"], "jobs: 0; give a whole number from 1 on"),
        (["league", "--ray", "nowhere"], "'nowhere' is no address of a Ray cluster"),
    ],
)
def test_wrong_options_are_named_and_nothing_is_written(given: list[str], words: str, tmp_path: Path) -> None:
    if "--ray" in given:
        pytest.importorskip("ray")
    assert words in refused("train", *given, "--runs", tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_league_gets_the_options(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(run, "train", lambda config, folder, **given: asked.append(given))
    train.train_run(load_config("league"), "x", tmp_path, None, jobs=2)
    train.train_run(load_config("league"), "x", tmp_path, None, ray="auto")
    assert asked == [
        {"overwrite": False, "world": ALONE, "jobs": 2, "ray": None},
        {"overwrite": False, "world": ALONE, "jobs": 1, "ray": "auto"},
    ]

"""`holdem train --jobs` and `--ray`: who gets them, and what is wrong with them, before anything is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from command_line import refused
from holdem_agents.cli import train
from holdem_agents.runs import run
from holdem_agents.runs.config import load_config


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["demo", "--jobs", "3"], "--jobs, --ray: a learner trains in one process; they are for leagues"),
        (["demo", "--jobs", "0"], "jobs: 0; give a whole number from 1 on"),
        (["demo", "--ray", "auto"], "--jobs, --ray: a learner trains in one process"),
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
        {"overwrite": False, "jobs": 2, "ray": None},
        {"overwrite": False, "jobs": 1, "ray": "auto"},
    ]

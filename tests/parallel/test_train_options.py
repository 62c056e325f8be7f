"""`holdem train --jobs` and `--ray`: who gets them, and what is wrong with them, before anything is written."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from holdem_agents.cli import training_runs
from holdem_agents.cli.commands import app
from holdem_agents.parallel import data_parallel, league_run
from holdem_agents.parallel.machines import Machines
from parallel.leagues import ONE_LEARNER, TINY


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["demo", "--jobs", "3"], "tables: 1024 cannot be shared by 3 workers; --set tables=1023 can"),
        (["demo", "--jobs", "2", "--set", "learner.kind=sb3"], "only learner.kind: ppo trains with several workers"),
        (["demo", "--jobs", "0"], "jobs: 0; give a whole number from 1 on"),
        (["demo", "--ray", "auto"], "one learner needs the number of its workers, too, such as --jobs 4"),
        (["demo", "--jobs", "2", "--seeds", "0,1"], "--seeds trains one run after the other"),
        (["league", "--ray", "nowhere"], "'nowhere' is no address of a Ray cluster"),
        (["league", "--ray", "127.0.0.1:1"], "there is no Ray cluster at '127.0.0.1:1'"),
    ],
)
def test_wrong_options_are_named_and_nothing_is_written(given: list[str], words: str, tmp_path: Path) -> None:
    if "--ray" in given:
        pytest.importorskip("ray")
    result = CliRunner().invoke(app, ["train", *given, "--runs", str(tmp_path)])
    assert result.exit_code == 2
    assert words in result.output
    assert not list(tmp_path.iterdir())


def test_without_ray_the_command_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    result = CliRunner().invoke(app, ["train", "league", "--ray", "auto", "--runs", str(tmp_path)])
    assert result.exit_code == 2
    assert "needs the package 'ray'; install it with: pip install" in result.output


def test_who_gets_the_options(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[Any] = []

    def note(config: Any, folder: Path, machines: Machines, overwrite: bool) -> Path:
        asked.append((config, machines))
        return folder

    monkeypatch.setattr(league_run, "train_league", note)
    monkeypatch.setattr(data_parallel, "train", note)
    training_runs.train_run(TINY, "x", tmp_path, None, jobs=2)
    training_runs.train_run(TINY, "x", tmp_path, None, ray="auto")
    training_runs.train_run(ONE_LEARNER, "x", tmp_path, 5, jobs=2, ray="local")
    assert asked[:2] == [(TINY, Machines(2)), (TINY, Machines(1, "auto"))]
    assert asked[2] == (ONE_LEARNER.model_copy(update={"seed": 5}), Machines(2, "local"))


def test_what_machines_are_called() -> None:
    assert Machines().is_here
    assert Machines(2).options == "--jobs 2"
    assert Machines(1, "ray://host:1").options == "--ray ray://host:1"
    assert Machines(4, "auto").options == "--jobs 4 --ray auto"
    assert (Machines(4, "auto").limit, Machines(1, "auto").limit) == (4, None)

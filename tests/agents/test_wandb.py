"""Weights & Biases: one line of a configuration, and a run there goes on when the run here does."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from command_line import holdem
from holdem_agents.runs.files import DECISIONS, rows_of
from holdem_agents.runs.logs import make_log
from holdem_agents.runs.run import resume, train
from holdem_agents.training.config import Training

TINY = Training(
    rules={"preset": "leduc"},
    budget={"decisions": 2_000},
    tables=32,
    learner={"n_steps": 16, "batch_size": 128, "hidden": [16], "threads": 1},
    evaluation={"opponents": ["calling_station"], "hands": 64, "times": 0, "past_selves": 0},
    wandb="poker",
)


class Run:
    """What `wandb.init` returns, and what it was given."""

    def __init__(self, **given: Any) -> None:
        self.given, self.id = given, given["id"] or "abc123"
        self.logged: list[tuple[int, dict[str, float]]] = []
        self.is_finished = False

    def log(self, numbers: dict[str, float], step: int) -> None:
        self.logged.append((step, numbers))

    def finish(self) -> None:
        self.is_finished = True


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[Run]:
    """The runs of a module that stands in for wandb."""
    found: list[Run] = []
    module: Any = ModuleType("wandb")
    module.Error = type("Error", (Exception,), {})
    module.init = lambda **given: (found.append(Run(**given)), found[-1])[1]
    monkeypatch.setitem(sys.modules, "wandb", module)
    return found


def test_a_run_and_its_resumption_are_one_run_there(runs: list[Run], tmp_path: Path) -> None:
    train(TINY, tmp_path / "calm", show=False)
    (first,) = runs
    wanted = {"project": "poker", "name": "calm", "id": None, "resume": None}
    assert {name: first.given[name] for name in wanted} == wanted
    assert first.given["config"]["wandb"] == "poker"
    rows = rows_of(tmp_path / "calm" / "progress.csv")
    assert [step for step, _ in first.logged] == [int(row[DECISIONS]) for row in rows]
    assert first.logged[-1][1]["train/learning_rate"] == pytest.approx(float(rows[-1]["train/learning_rate"]))
    assert DECISIONS not in first.logged[0][1]  # the step says it
    assert first.is_finished

    path = tmp_path / "calm" / "config.yaml"
    path.write_text(path.read_text().replace("decisions: 2000", "decisions: 3000"))
    resume(tmp_path / "calm", show=False)
    assert (runs[1].given["id"], runs[1].given["resume"]) == ("abc123", "allow")
    assert runs[1].logged[0][0] > first.logged[-1][0]


def test_what_wandb_refuses_is_one_sentence(runs: list[Run], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**given: Any) -> None:
        raise sys.modules["wandb"].Error("api_key not configured")

    monkeypatch.setattr(sys.modules["wandb"], "init", refuse)
    done = holdem("train", "leduc", "--set", "wandb=poker", "--runs", tmp_path)
    assert done.exit_code == 2
    assert "holdem: wandb: api_key not configured; `wandb login` stores a key" in done.stderr


@pytest.mark.slow
def test_offline_its_own_files_are_in_the_run_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("wandb", reason="the extra `wandb` is not installed")
    monkeypatch.setenv("WANDB_MODE", "offline")
    monkeypatch.setenv("WANDB_SILENT", "true")
    logger = make_log(tmp_path, wandb="poker")
    logger.write({"train/loss": 0.5}, 100)
    logger.close()
    (folder,) = (tmp_path / "wandb").glob("offline-run-*")
    assert folder.name.endswith((tmp_path / "wandb-id.txt").read_text())

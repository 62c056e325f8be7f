"""`holdem sweep --ray` on a Ray cluster of two nodes: every run is made there, and a second call keeps them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from holdem_agents.cli.commands import app
from holdem_agents.training.run_folder import rows_of
from sweeps.test_sweeping import WITHOUT_EXPLOITER

pytestmark = pytest.mark.slow
SECONDS = 120.0


def test_a_sweep_runs_on_two_nodes(two_nodes: Any, tmp_path: Path) -> None:
    begun = time.monotonic()
    (tmp_path / "mine.yaml").write_text(WITHOUT_EXPLOITER)
    command = ["sweep", str(tmp_path / "mine.yaml"), "--runs", str(tmp_path / "runs"), "--ray", two_nodes.address]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    folder = tmp_path / "runs" / "mine"
    agents = sorted(folder.glob("*/seed-*/final.safetensors"))
    assert [path.parent.relative_to(folder).as_posix() for path in agents] == [
        *("base/seed-0", "base/seed-1"),
        *("size-small/seed-0", "size-small/seed-1"),
    ]
    results = (folder / "sweep.csv").read_text()
    assert {(row["setting"], row["seed"]) for row in rows_of(folder / "sweep.csv")} == {
        (setting, seed) for setting in ("base", "size-small") for seed in "01"
    }
    written = [path.stat().st_mtime_ns for path in agents]
    assert CliRunner().invoke(app, command).exit_code == 0
    assert [path.stat().st_mtime_ns for path in agents] == written
    assert (folder / "sweep.csv").read_text() == results
    assert time.monotonic() - begun < SECONDS

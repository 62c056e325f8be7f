"""The learner in one file does what its page says: it learns, and its file is an agent."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import torch
from typer.testing import CliRunner

from holdem_agents.cli.commands import app
from holdem_env import Rules
from holdem_env.agents.python_files import load_python
from holdem_env.arena import play_match
from holdem_env.testing import check_agent
from pages import REPOSITORY

FILE = REPOSITORY / "docs" / "examples" / "ppo_single_file.py"
SECONDS, DECISIONS = 600, 150_000  # some 6 s on an idle core


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("single") / "ppo.pt"
    words = [FILE, "--seconds", SECONDS, "--decisions", DECISIONS, "--save", path]
    done = subprocess.run([sys.executable, *map(str, words)], capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr
    assert "ppo_single_file against calling_station: +" in done.stdout
    return path


def test_it_learns_to_beat_weak_players(weights: Path) -> None:
    torch.set_num_threads(1)
    rules = Rules.preset("heads-up-no-limit")
    agent = load_python(FILE, {"weights": str(weights)})
    for opponent in ("calling_station", "always_fold"):
        result = play_match(agent, opponent, rules, hands=20_000)
        assert result.mean - result.half_width > 0, result
    check_agent(agent, games=[rules])


def test_the_file_is_an_agent_for_the_command(weights: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(weights.parent)
    result = CliRunner().invoke(app, ["match", str(FILE), "random", "--hands", "500"])
    assert result.exit_code == 0, result.output
    assert result.output.startswith("ppo_single_file against random: ")

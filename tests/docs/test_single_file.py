"""The learner in one file does what its page says: it learns, and its file is an agent."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import torch

from command_line import good
from holdem_env import Rules
from holdem_env.agents.python_files import load_python
from holdem_env.arena import play_match
from holdem_env.testing import check_agent
from pages import REPOSITORY, example

FILE = REPOSITORY / "docs" / "examples" / "ppo_single_file.py"
SECONDS, DECISIONS = 600, 150_000  # some 6 s on an idle core


pytestmark = [pytest.mark.slow, pytest.mark.stands_on("docs", "holdem_env", "agents")]


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("single") / "ppo.pt"
    words = [FILE, "--seconds", SECONDS, "--decisions", DECISIONS, "--save", path]
    done = subprocess.run([sys.executable, *map(str, words)], capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr
    assert "ppo_single_file against calling_station: +" in done.stdout
    return path


def test_its_settings_are_options_and_its_curves_are_written(tmp_path: Path) -> None:
    """One update with small numbers: what CleanRL draws, under the same names."""
    single = example("ppo_single_file")
    words = ["--decisions", "128", "--tables", "16", "--steps", "8", "--batch", "64", "--hidden", "16", "--anneal"]
    args = single.arguments([*words, "--opponents", "random", "--tensorboard", str(tmp_path), "--target-kl", "0.5"])
    assert (args.tables, args.opponents, args.anneal, args.target_kl) == (16, ["random"], True, 0.5)
    network = single.train(args)
    assert network.trunk[0].out_features == 16
    events = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator").EventAccumulator
    curves = events(str(tmp_path))
    curves.Reload()
    assert {"charts/bb_per_100", "losses/approx_kl", "losses/explained_variance"} <= set(curves.Tags()["scalars"])
    assert curves.Scalars("losses/entropy")[0].step == 128


def test_a_seed_gives_the_same_network_and_no_end_no_falling_rate(capsys: pytest.CaptureFixture[str]) -> None:
    single = example("ppo_single_file")
    args = single.arguments(["--decisions", "128", "--tables", "16", "--steps", "8", "--hidden", "16", "--seed", "3"])
    first, second = (single.train(args).state_dict() for _ in range(2))
    assert all(torch.equal(first[name], second[name]) for name in first)
    with pytest.raises(SystemExit):
        single.arguments(["--anneal"])
    assert "--anneal needs --decisions" in capsys.readouterr().err


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
    assert good("match", FILE, "random", "--hands", 500).startswith("ppo_single_file against random: ")

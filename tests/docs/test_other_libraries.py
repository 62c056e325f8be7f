"""The examples of other libraries: their learners learn.

RLlib and Tianshou want versions of Gymnasium, pandas and virtualenv that ours exclude. So they live in an environment
of their own, with TorchRL: `make shelf` installs them and runs these tests. Elsewhere the tests skip.

Where the game allows, there is no luck in what is measured: `exact_value` in Leduc poker. A player who looks at no card
wins at most 0 from a calling station there, and a best response wins 1.467 chips per hand.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from holdem_env.pettingzoo import leduc_holdem_v5, texas_holdem_no_limit_v7, texas_holdem_v5
from pages import DOCS

pytestmark = pytest.mark.stands_on("docs", "README.md", "holdem_env", "agents")

MEASURED = """
import json
from holdem_env.arena import exact_value, exploitability, play_match
print()
print(json.dumps([{}]))
"""


def measured(tmp_path: Path, example: str, *measures: str) -> list[float]:
    """Run an example as a program of its own, so that no library meets another, and measure its `agent`."""
    program = tmp_path / "learner.py"
    program.write_text((DOCS / "examples" / f"{example}.py").read_text() + MEASURED.format(", ".join(measures)))
    done = subprocess.run([sys.executable, program.name], cwd=tmp_path, capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, done.stderr[-4_000:]
    values: list[float] = json.loads(done.stdout.splitlines()[-1])
    return values


FROM_STATION = "exact_value(agent, 'calling_station', 'leduc')"
FROM_RANDOM = "exact_value(agent, 'random', 'leduc')"
LOSES = "exploitability(agent, 'leduc')"


@pytest.mark.slow
def test_rllib_learns_one_seat(tmp_path: Path) -> None:
    """32,000 decisions in 20 seconds of processor time; 1.15 chips per hand. Ray alone is not enough: `ray[rllib]`."""
    pytest.importorskip("ray.rllib.algorithms.ppo", exc_type=ImportError)
    (won,) = measured(tmp_path, "rllib_seat", FROM_STATION)
    assert won > 0.7


@pytest.mark.slow
def test_rllib_learns_all_seats(tmp_path: Path) -> None:
    """32,000 decisions in 25 seconds of processor time. Untrained it wins -0.05 from random play, trained 1.38."""
    pytest.importorskip("ray.rllib.algorithms.ppo", exc_type=ImportError)
    from_random, from_station, loses = measured(tmp_path, "rllib_all_seats", FROM_RANDOM, FROM_STATION, LOSES)
    assert from_random > 0.8
    assert from_station > 0.1
    assert loses < 2  # 2.44 untrained, 1.53 trained; playing at random 2.37


@pytest.mark.slow
def test_torchrl_learns(tmp_path: Path) -> None:
    """409,600 decisions in 10 seconds of processor time. 35 ± 3 bb/100; who bets or calls everything wins 0."""
    pytest.importorskip("torchrl")
    match = "play_match(agent, 'calling_station', RULES, hands=20_000)"
    mean, half_width = measured(tmp_path, "torchrl_ppo", f"{match}.mean", f"{match}.half_width")
    assert mean - half_width > 15


@pytest.mark.slow
def test_tianshou_learns(tmp_path: Path) -> None:
    """11,000 decisions in 9 seconds of processor time; 1.27 chips per hand."""
    pytest.importorskip("tianshou")
    (won,) = measured(tmp_path, "tianshou_dqn", FROM_STATION)
    assert won > 0.9


@pytest.mark.slow
@pytest.mark.parametrize("module", [texas_holdem_no_limit_v7, texas_holdem_v5, leduc_holdem_v5])
def test_tianshous_wrapper_takes_the_drop_in_environments(module: ModuleType) -> None:
    pytest.importorskip("tianshou")
    from tianshou.env import PettingZooEnv

    env = PettingZooEnv(module.env())
    seen, _ = env.reset(seed=1)
    terminated = False
    while not terminated:
        seen, rewards, terminated, _, _ = env.step(seen["mask"].index(True))
    assert sum(rewards) == 0
    assert any(rewards)

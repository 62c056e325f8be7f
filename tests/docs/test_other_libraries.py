"""The pages about other libraries: their learners learn.

RLlib and Tianshou want versions of Gymnasium, pandas and virtualenv that ours exclude. So they live in an environment
of their own, with TorchRL: `make shelf` installs them and runs these tests. Elsewhere the tests skip.

Where the game allows, there is no luck in what is measured: `exact_value` in Leduc poker. Whoever looks at no card wins
at most 0 from a calling station there, and a best response wins 1.467 chips per hand.
"""

from __future__ import annotations

from typing import Any

import pytest

from holdem_env.arena import exact_value, exploitability, play_match
from pages import DOCS, blocks, example


def run(page: str, block: int) -> dict[str, Any]:
    """Run a block of a page; its names."""
    code = blocks(DOCS / f"{page}.md", "py")[block]
    names: dict[str, Any] = {"__name__": "example"}
    exec(compile(code, f"<{page} {block}>", "exec"), names)
    return names


@pytest.fixture
def ray() -> Any:
    """Ray, and its processes ended. Ray alone is not enough: RLlib is its extra `rllib`."""
    pytest.importorskip("ray.rllib.algorithms.ppo", exc_type=ImportError)
    ray = pytest.importorskip("ray")
    yield ray
    ray.shutdown()


@pytest.mark.slow
@pytest.mark.usefixtures("ray")
def test_rllib_learns_one_seat() -> None:
    """32,000 decisions in 20 seconds of processor time; 1.15 chips per hand."""
    agent = run("rllib", 0)["agent"]
    assert exact_value(agent, "calling_station", "leduc") > 0.7


@pytest.mark.slow
@pytest.mark.usefixtures("ray")
def test_rllib_learns_all_seats() -> None:
    """32,000 decisions in 25 seconds of processor time. Untrained it wins -0.05 from random play, trained 1.38."""
    agent = run("rllib", 1)["agent"]
    assert exact_value(agent, "random", "leduc") > 0.8
    assert exact_value(agent, "calling_station", "leduc") > 0.1
    assert exploitability(agent, "leduc") < 2  # 2.44 untrained, 1.53 trained; playing at random 2.37


@pytest.mark.slow
def test_torchrl_learns() -> None:
    """409,600 decisions in 10 seconds of processor time. 35 ± 3; who bets or calls everything wins 0."""
    pytest.importorskip("torchrl")
    result = play_match(run("torchrl", 0)["agent"], "calling_station", "heads-up-limit", hands=20_000)
    assert result.mean - result.half_width > 15, result


@pytest.mark.slow
def test_tianshou_learns() -> None:
    """11,000 decisions in 9 seconds of processor time; 1.27 chips per hand."""
    pytest.importorskip("tianshou")
    agent = run("tianshou", 0)["agent"]
    assert exact_value(agent, "calling_station", "leduc") > 0.9


@pytest.mark.slow
def test_connect_four_is_learnt_better_with_the_own_seats_reward() -> None:
    """PettingZoo's own game, in 35 seconds of processor time. In 1,000 games: 0.48 ± 0.05 against 0.16 ± 0.06."""
    pytest.importorskip("pygame", reason="pettingzoo[classic] draws with pygame")
    torch = pytest.importorskip("torch")
    torch.set_num_threads(1)
    file = example("sb3_own_seat")
    own, movers = (
        file.against_random(file.train("connect_four", credit, 20_480), "connect_four", 400)[0]
        for credit in ("own_seat", "mover")
    )
    assert own > 0.3
    assert own > movers + 0.1

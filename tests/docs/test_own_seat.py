"""PettingZoo's tutorial game with SB3: paid what its own seat won, a learner learns; paid as in the tutorial, hardly.

The measures are exact, and a seed gives the same training everywhere but for rounding; so the margins are those between
seeds. After 20,480 decisions, by seeds 0, 1 and 2: with its own seat's rewards 0.66, 0.73 and 0.69 chips per hand from
a calling station and an exploitability of 1.28, 1.27 and 1.01; with the mover's -0.75, -0.59 and -0.80, and 2.46, 2.58
and 2.56, which is worse than playing at random (2.37).
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch

from holdem_env import holdem_v0
from holdem_env.arena import exact_value, exploitability
from pages import example

pytestmark = pytest.mark.stands_on("docs", "README.md", "holdem_env", "agents")


@pytest.fixture(scope="module")
def own_seat() -> ModuleType:
    torch.set_num_threads(1)
    return example("sb3_own_seat")


@pytest.mark.parametrize("game", ["leduc", "heads-up-limit", {"preset": "leduc", "seats": 3}])
def test_an_own_seat_is_paid_all_that_it_wins(own_seat: ModuleType, game: Any) -> None:
    """The learner's seat changes from hand to hand, and its rewards sum to what the table paid that seat."""
    table = holdem_v0.env(rules=game)
    env = own_seat.OwnSeat(table, seed=3)
    seats = set()
    for _ in range(40):
        env.reset()
        over, total = False, 0.0
        while not over:
            assert table.agent_selection == env.me
            mask = env.action_masks()
            _, reward, over, truncated, _ = env.step(int(np.flatnonzero(mask)[-1]))
            total += reward
            assert not truncated
        seat = table.possible_agents.index(env.me)
        seats.add(seat)
        record = table.records["seats"][0, seat]
        won = int(record["stack"]) - int(table.rules.starting_stacks[seat])
        assert total == pytest.approx(won / table.reward_unit)
    assert len(seats) == len(table.possible_agents)


def test_the_tutorials_credit_pays_nobody_for_a_bet_that_makes_the_other_fold(own_seat: ModuleType) -> None:
    """The raiser's step came before the fold, and had no reward; the folder's step ends the episode with its loss."""
    env = own_seat.EveryMove(holdem_v0.env(rules="heads-up-limit"), seed=0)
    env.reset()
    rewards = []
    for action in (2, 0):  # raise, fold
        _, reward, over, _, _ = env.step(action)
        rewards.append(reward)
    assert over
    assert rewards == [0.0, -1.0]


@pytest.mark.slow
def test_the_own_seats_credit_learns_and_the_movers_does_not(own_seat: ModuleType) -> None:
    """30 seconds of processor time for both."""
    learnt, not_learnt = (
        own_seat.as_agent(own_seat.train("leduc", credit, 20_480), "leduc") for credit in ("own_seat", "mover")
    )
    assert exact_value(learnt, "random", "leduc") > 0.8
    assert exact_value(learnt, "calling_station", "leduc") > 0.4
    assert exploitability(learnt, "leduc") < 1.7
    assert exact_value(not_learnt, "calling_station", "leduc") < 0
    assert exploitability(not_learnt, "leduc") > 2.2

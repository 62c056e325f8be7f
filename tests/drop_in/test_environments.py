"""The drop-in environments keep PettingZoo's contract, and code written for `pettingzoo.classic` runs on them."""

from __future__ import annotations

import copy
import pickle
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo.test import render_test, seed_test
from pettingzoo.utils import BaseWrapper

from envs.api import api_test
from holdem_env.agents import make_agent
from holdem_env.arena import play_match
from holdem_env.pettingzoo import leduc_holdem_v5, texas_holdem_no_limit_v7, texas_holdem_v5

# What PettingZoo says of every dict observation, and of an illegal action.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

NO_LIMIT, LIMIT, LEDUC = texas_holdem_no_limit_v7, texas_holdem_v5, leduc_holdem_v5
MODULES = (NO_LIMIT, LIMIT, LEDUC)
TABLES = [(NO_LIMIT, 2), (NO_LIMIT, 3), (NO_LIMIT, 10), (LIMIT, 2), (LIMIT, 10), (LEDUC, 2)]
CHIPS = Box(np.zeros(54, np.float32), np.array([1] * 52 + [100] * 2, np.float32), dtype=np.float32)
OBSERVED = {NO_LIMIT: CHIPS, LIMIT: Box(0.0, 1.0, (72,), np.float32), LEDUC: Box(0.0, 1.0, (36,), np.float32)}
ACTIONS = {NO_LIMIT: 5, LIMIT: 4, LEDUC: 4}


def name_of(module: ModuleType) -> str:
    return module.__name__.rpartition(".")[2]


def deal(env: Any, button: int = 0, **options: Any) -> None:
    """Deal with the first seed that gives this seat the button."""
    for seed in range(100):
        env.reset(seed=seed, options=options)
        if env.unwrapped.records["button"][0] == button:
            return
    raise AssertionError("no seed gives this seat the button")


def played(env: Any, seed: int) -> dict[str, float]:
    """A hand of a loop as users write it, by random actions; what each agent is paid at its end."""
    env.reset(seed=seed)
    paid = {}
    for agent in env.possible_agents:
        env.action_space(agent).seed(seed)
    for agent in env.agent_iter():
        obs, rew, term, trunc, _ = env.last()
        mask = obs["action_mask"]
        for idle in set(env.agents) - {agent}:
            assert not env.observe(idle)["action_mask"].any()
        if term or trunc:
            assert not mask.any()
            paid[agent] = rew
        env.step(None if term or trunc else env.action_space(agent).sample(mask))
    return paid


@pytest.mark.parametrize(("module", "players"), TABLES)
def test_pettingzoos_own_tests(module: ModuleType, players: int, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(module.env(num_players=players), num_cycles=60)
    api_test(module.raw_env(num_players=players), num_cycles=60)
    seed_test(lambda: module.env(num_players=players), num_cycles=20)
    capsys.readouterr()


@pytest.mark.parametrize("module", MODULES)
def test_pettingzoos_test_of_pictures(module: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("resvg_py")
    render_test(module.env)
    env = module.env(render_mode="rgb_array", screen_height=90)
    env.reset(seed=1)
    assert env.render().shape[0] == 90
    capsys.readouterr()


@pytest.mark.parametrize(("module", "players"), TABLES)
def test_spaces_are_pettingzoos(module: ModuleType, players: int) -> None:
    env = module.env(num_players=players)
    assert env.possible_agents == [f"player_{seat}" for seat in range(players)]
    for agent in env.possible_agents:
        mask = Box(0, 1, (ACTIONS[module],), np.int8)
        assert env.observation_space(agent) == Dict({"observation": OBSERVED[module], "action_mask": mask})
        assert env.action_space(agent) == Discrete(ACTIONS[module])


@pytest.mark.parametrize(("module", "players"), TABLES)
def test_the_seed_draws_the_button(module: ModuleType, players: int) -> None:
    env = module.raw_env(num_players=players)

    def buttons() -> list[int]:
        seen = []
        for k in range(60):
            env.reset(seed=5 if k == 0 else None)
            seen.append(int(env.records["button"][0]))
        return seen

    drawn = buttons()
    assert set(drawn) == set(range(players))
    assert drawn == buttons()
    assert len({(b - a) % players for a, b in pairwise(drawn)}) > 1


@pytest.mark.parametrize("module", MODULES)
def test_infos_are_empty_as_pettingzoos_are(module: ModuleType) -> None:
    env = module.raw_env()
    env.reset(seed=1)
    while not all(env.terminations.values()):
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[-1]))
        assert set(env.infos) == set(env.possible_agents)
        assert not any(env.infos.values())


@pytest.mark.parametrize("module", MODULES)
def test_an_illegal_action_ends_the_hand_and_costs_1(module: ModuleType) -> None:
    env = module.env()
    deal(env)
    env.step({NO_LIMIT: 1, LIMIT: 0, LEDUC: 0}[module])
    while env.last()[0]["action_mask"].all():  # no limit: until a raise is too much
        env.step(3)
    actor = env.agent_selection
    env.step(int(np.argmin(env.last()[0]["action_mask"])))
    paid = {}
    for agent in env.agent_iter():
        _, paid[agent], terminated, _, _ = env.last()
        assert terminated
        env.step(None)
    assert paid == {agent: -1.0 if agent == actor else 0.0 for agent in env.possible_agents}
    assert sum(played(env, 2).values()) == 0
    with pytest.raises(AssertionError):
        env.reset(seed=1), env.step(9)


def test_folds_are_always_offered_and_check_and_call_are_two_actions() -> None:
    env = LIMIT.raw_env()
    deal(env)
    assert env.last()[0]["action_mask"].tolist() == [1, 1, 1, 0]
    env.step(0)
    assert env.last()[0]["action_mask"].tolist() == [0, 1, 1, 1]
    env.step(2)
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
    env = NO_LIMIT.raw_env()
    deal(env)
    env.step(1)
    assert env.last()[0]["action_mask"].tolist() == [1, 1, 1, 1, 1]
    env.step(0)
    assert env.rewards == {"player_0": 2.0, "player_1": -2.0}


@pytest.mark.parametrize(
    ("module", "raises", "lost"), [(NO_LIMIT, [3], 2.0), (LIMIT, [1, 1], 2.0), (LEDUC, [1, 1], 2.0)]
)
def test_units_of_reward(module: ModuleType, raises: list[int], lost: float) -> None:
    """No limit pays chips, the other two big blinds of two chips."""
    env = module.raw_env()
    deal(env)
    for action in raises:
        env.step(action)
    loser = env.agent_selection
    env.step({NO_LIMIT: 0, LIMIT: 2, LEDUC: 2}[module])
    assert env.rewards[loser] == -lost
    assert sum(env.rewards.values()) == 0


def test_four_raises_a_street_in_texas_holdem_and_two_in_leduc() -> None:
    for module, most in ((LIMIT, 4), (LEDUC, 2)):
        env = module.raw_env()
        env.reset(seed=1)
        for _ in range(most):
            env.step(1)
        assert env.last()[0]["action_mask"].tolist() == [1, 0, 1, 0]


def test_a_short_stack_wins_the_main_pot_alone() -> None:
    env = NO_LIMIT.raw_env(num_players=3)
    deck = "Kc Qd As Kd Qh Ah"  # to seats 1, 2 and 0, twice
    deal(env, stacks=[20, 100, 100], deck=f"{deck} 2c 3d 4h 8s 2d 9s 2h Jc")
    for action in (4, 4, 1):
        env.step(action)
    assert env.rewards == {"player_0": 40.0, "player_1": 60.0, "player_2": -100.0}
    for agent in env.agents:
        assert env.observation_space(agent).contains(env.observe(agent))


@pytest.mark.parametrize(
    ("module", "arguments", "error", "message"),
    [
        (NO_LIMIT, {"num_players": 1}, ValueError, "num_players must be 2 to 10, got 1"),
        (LIMIT, {"num_players": 11}, ValueError, "num_players must be 2 to 10, got 11"),
        (LEDUC, {"num_players": 3}, ValueError, "num_players must be 2, got 3"),
        (NO_LIMIT, {"num_players": 2.0}, TypeError, "num_players: give a whole number of players"),
        (LIMIT, {"num_players": True}, TypeError, "num_players"),
        (LEDUC, {"num_player": 2}, TypeError, "leduc_holdem_v5 has no parameter 'num_player': did you mean 'num_pl"),
        (NO_LIMIT, {"render_mode": "svg"}, ValueError, "render_mode: 'svg' is not one of"),
        (LIMIT, {"screen_height": 0}, ValueError, "screen_height must be 1 or more, got 0"),
        (LEDUC, {"screen_height": "tall"}, TypeError, "screen_height: give a whole number of pixels"),
    ],
)
def test_errors_name_the_argument(
    module: ModuleType, arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    for make in (module.env, module.raw_env):
        with pytest.raises(error, match=message):
            make(**arguments)


@pytest.mark.parametrize("module", MODULES)
def test_arguments_stand_in_pettingzoos_order(module: ModuleType) -> None:
    players = () if module is LEDUC else (np.int64(2),)
    assert module.raw_env(*players, "ansi", 300).render_mode == "ansi"
    assert module.env(*players).metadata["name"] == str(module.raw_env()) == name_of(module)


@pytest.mark.parametrize("module", MODULES)
def test_pettingzoo_makes_it_by_its_id(module: ModuleType) -> None:
    env = pettingzoo.make("aec", f"holdem_env/{name_of(module)}", num_players=2)
    assert type(env.unwrapped) is module.raw_env


@pytest.mark.parametrize("module", MODULES)
def test_copies_play_on(module: ModuleType) -> None:
    env = module.env()
    env.reset(seed=3)
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert played(twin, 8) == played(env, 8)


@pytest.mark.parametrize("module", MODULES)
def test_both_can_be_sent_to_another_process(module: ModuleType) -> None:
    for make in (module.env, module.raw_env):
        assert pickle.loads(pickle.dumps(make)) is make


class SB3ActionMaskWrapper(BaseWrapper, gymnasium.Env):
    """As in PettingZoo's tutorial for connect four."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        super().reset(seed, options)
        self.observation_space = super().observation_space(self.possible_agents[0])["observation"]
        self.action_space = super().action_space(self.possible_agents[0])
        return self.observe(self.agent_selection), {}

    def step(self, action: int) -> Any:
        super().step(action)
        return super().last()

    def observe(self, agent: str) -> Any:
        return super().observe(agent)["observation"]

    def action_mask(self) -> Any:
        return super().observe(self.agent_selection)["action_mask"]


@pytest.mark.parametrize("module", MODULES)
def test_pettingzoos_wrapper_for_sb3(module: ModuleType) -> None:
    env = SB3ActionMaskWrapper(module.env())
    for seed in range(5):
        observation, _ = env.reset(seed=seed)
        env.action_space.seed(seed)
        terminated = False
        while not terminated:
            assert env.observation_space.contains(observation)
            observation, _, terminated, _, _ = env.step(env.action_space.sample(env.action_mask()))


@pytest.mark.slow
@pytest.mark.parametrize("module", MODULES)
def test_models_of_pettingzoos_wrapper_play_in_the_arena(module: ModuleType, tmp_path: Path) -> None:
    pytest.importorskip("sb3_contrib")
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.wrappers import ActionMasker

    env = SB3ActionMaskWrapper(module.env())
    env.reset(seed=1)
    model = MaskablePPO("MlpPolicy", ActionMasker(env, SB3ActionMaskWrapper.action_mask), n_steps=64, seed=1)
    model.learn(128)
    model.save(tmp_path / "mine.zip")
    agent = make_agent(tmp_path / "mine.zip", trust=True)
    rules = module.raw_env().rules.replace(session=None)
    assert play_match(agent, "random", rules, 200).hands >= 200
    assert (agent.observation_encoder.name, agent.action_encoder.name) == ("classic", "classic_actions")


@pytest.mark.slow
@pytest.mark.parametrize("module", MODULES)
def test_rllibs_wrapper(module: ModuleType) -> None:
    wrappers = pytest.importorskip("ray.rllib.env.wrappers.pettingzoo_env", exc_type=ImportError)
    env = wrappers.PettingZooEnv(module.env())
    seen, _ = env.reset(seed=1)
    over, paid = {"__all__": False}, {}
    while not over["__all__"]:
        ((agent, observation),) = seen.items()
        assert env.observation_space[agent].contains(observation)
        seen, paid, over, _, _ = env.step({agent: int(observation["action_mask"].argmax())})
    assert sum(paid.values()) == 0

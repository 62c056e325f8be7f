"""Models as a user's own script saves them, with SB3's `model.save`: they play, and errors say what to give."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO, RecurrentPPO
from stable_baselines3 import A2C, DQN, PPO

from command_line import good
from errors import complaint, mentions
from holdem_agents.agent_files import sb3_agent
from holdem_agents.agent_files.sb3_agent import SB3Agent
from holdem_env import Rules, Tables
from holdem_env.agents import make_agent
from holdem_env.agents.config_files import config_of
from holdem_env.arena import play_match
from holdem_env.compiled.records import Records
from holdem_env.engine.batch import NO_MOVE
from holdem_env.envs.sb3 import HoldemVecEnv
from holdem_env.testing import check_agent

SMALL: dict[str, Any] = {"policy_kwargs": {"net_arch": [8]}, "seed": 0, "device": "cpu"}
GAME = "heads-up-no-limit"
load = partial(sb3_agent.load, trust=True)


def env(rules: str = GAME, **changes: Any) -> HoldemVecEnv:
    return HoldemVecEnv(rules, 8, opponents=["random"], on_illegal="check_fold", **changes)


def saved(folder: Path, algorithm: Any, vec_env: Any = None, policy: str = "MlpPolicy", **changes: Any) -> Path:
    """A file of an untrained model whose policy prefers some actions clearly."""
    model = algorithm(policy, env() if vec_env is None else vec_env, **SMALL, **changes)
    if hasattr(model.policy, "action_net"):
        with torch.no_grad():
            model.policy.action_net.weight.mul_(300)
    model.save(folder / "model.zip")
    return folder / "model.zip"


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("algorithm", [MaskablePPO, PPO, A2C])
def test_a_saved_model_plays_with_the_encoders_that_fit(tmp_path: Path, algorithm: Any) -> None:
    path = saved(tmp_path, algorithm)
    agent = make_agent(path, trust=True)
    assert play_match(agent, "random", Rules.preset(GAME), 500).hands >= 500
    assert isinstance(agent, SB3Agent)
    assert agent.observation_encoder.name == "flat"
    assert agent.action_encoder.name == "pot_fractions"
    check_agent(agent, games=[Rules.preset(GAME)])


def test_a_saved_model_acts_as_sb3_does(tmp_path: Path) -> None:
    path, rules = saved(tmp_path, MaskablePPO), Rules.preset(GAME)
    tables = Tables(rules, 64, seed=3)
    moves = load(path, rules=rules, deterministic=True).act(tables.records, rules, np.arange(64))
    actions, _ = MaskablePPO.load(path).predict(tables.observation, action_masks=tables.mask, deterministic=True)
    assert moves.tolist() == tables.choices[np.arange(64), actions].tolist()


def test_a_policy_without_masks_checks_or_folds_what_is_not_offered(tmp_path: Path) -> None:
    """As it was trained: with on_illegal="check_fold"."""
    path, rules = saved(tmp_path, PPO), Rules.preset(GAME)
    tables = Tables(rules, 256, seed=3)
    generator = np.random.default_rng(0)
    for _ in range(3):
        tables.step((generator.random(tables.mask.shape) * tables.mask).argmax(axis=1))
    rows = np.arange(256)
    actions, _ = PPO.load(path).predict(tables.observation, deterministic=True)
    wanted = tables.choices[rows, actions]
    illegal = wanted == NO_MOVE
    assert illegal.any()
    moves = load(path, deterministic=True).act(tables.records, rules, rows)
    assert (moves[~illegal] == wanted[~illegal]).all()
    assert moves[illegal].tolist() == [free_or_fold(tables.records, row) for row in rows[illegal]]
    options, probabilities = load(path).probabilities(tables.records, rules, rows)
    assert probabilities.sum(axis=1) == pytest.approx(1)
    for row, moves_of_row in enumerate(options):
        real = moves_of_row[moves_of_row != NO_MOVE].tolist()
        assert len(real) == len(set(real)), row


def free_or_fold(tables: Records, row: int) -> int:
    seat = tables["actor"][row]
    return 0 if tables["seats"]["bet"][row, seat] == tables["bet_to_match"][row] else -1


def test_other_encoders_are_found_or_given(tmp_path: Path) -> None:
    path = saved(tmp_path, MaskablePPO, env(observation="flat+equity", actions="fcpa"))
    agent = load(path, rules=GAME)
    assert agent.observation_encoder.name == "flat+equity"
    assert agent.action_encoder.name == "fcpa"
    assert agent.trained_on == Rules.preset(GAME)
    mentions(complaint(play_match, agent, "random", Rules.preset("heads-up-limit")), "no_limit", 2)
    path = saved(tmp_path, MaskablePPO, env(actions="50%, 75%, all-in"))
    mentions(complaint(load, path, rules=GAME), 5, 7, 50)
    play_match(load(path, actions="50%, 75%, all-in"), "random", Rules.preset(GAME), 100)


def test_a_config_file_says_what_the_model_does_not(tmp_path: Path) -> None:
    path = saved(tmp_path, MaskablePPO, env(actions="50%, 75%, all-in"))
    about = {"agent": str(path), "trust": True, "actions": "50%, 75%, all-in", "rules": GAME}
    (tmp_path / "mine.json").write_text(json.dumps(about))
    good("match", tmp_path / "mine.json", "random", "--hands", 100)
    agent = make_agent(tmp_path / "mine.json")
    agent.save(tmp_path / "again.json")
    assert config_of(make_agent(tmp_path / "again.json")) == config_of(agent)


def test_models_that_cannot_play_are_refused(tmp_path: Path) -> None:
    import gymnasium

    single = gymnasium.make("holdem_env/HoldemSeat-v0", rules=GAME, opponents=["random"], on_illegal="check_fold")
    path = saved(tmp_path, DQN, single, buffer_size=100)
    assert re.search("with the policy DQNPolicy; models of MaskablePPO, PPO and A2C can play", complaint(load, path))
    path = saved(tmp_path, RecurrentPPO, single, "MlpLstmPolicy")
    mentions(complaint(load, path), "policy RecurrentActorCriticPolicy")
    path = saved(tmp_path, PPO, gymnasium.make("CartPole-v1"))
    mentions(complaint(load, path, rules=GAME), 4)

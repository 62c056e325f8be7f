"""Old names in files: models and pickles that name modules and classes as before version 0.2 load; keys stay."""

from __future__ import annotations

import base64
import json
import pickle
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from holdem_agents import sb3_agent
from holdem_agents.training import config, league, network, regularization
from holdem_agents.training.config import Training
from holdem_agents.training.opponent_pool import copy_weights
from holdem_agents.training.ppo_learner import PPOLearner, run_state
from holdem_agents.training.run_logs import make_logger
from holdem_env import Cards, DealerErrors, Rules, Session, SessionRules, Table, Tables
from holdem_env.utils.moved_modules import MOVED

OLD_NAMES = {
    "holdem_env.cards Cards": Cards,
    "holdem_env.dealer_errors DealerErrors": DealerErrors,
    "holdem_env.rules Rules": Rules,
    "holdem_env.schedule SessionRules": SessionRules,
    "holdem_env.session Session": Session,
    "holdem_env.table Table": Table,
    "holdem_env.tables Tables": Tables,
    "holdem_agents.config Training": config.Training,
    "holdem_agents.league LeagueRun": league.LeagueRun,
    "holdem_agents.network Trunk": network.Trunk,
    "holdem_agents.network CanonicalSuits": network.CanonicalSuits,
    "holdem_agents.steady PulledPolicy": regularization.KLRegularizedPolicy,
}
TINY = Training(
    rules={"preset": "heads-up-no-limit"},
    budget={"decisions": 1000},
    tables=32,
    learner={"n_steps": 8, "batch_size": 128, "hidden": [16], "threads": 1, "pull": 0.01, "suits": "canonical"},
)

pytestmark = pytest.mark.filterwarnings("ignore:.* is now .*:DeprecationWarning")


@contextmanager
def old_names() -> Iterator[None]:
    """Pickles made inside name modules and classes as before the move; after it, no old module is loaded."""
    now = {each: (each.__module__, each.__qualname__) for each in OLD_NAMES.values()}
    try:
        for name, each in OLD_NAMES.items():
            each.__module__, each.__qualname__ = name.split()
            import_module(each.__module__)
        yield
    finally:
        for each, (module, class_name) in now.items():
            each.__module__, each.__qualname__ = module, class_name
        for name in MOVED:
            sys.modules.pop(name, None)


@pytest.mark.parametrize("name", OLD_NAMES)
def test_a_pickled_class_of_the_old_name_is_the_class_of_today(name):
    module, class_name = name.split()
    assert pickle.loads(f"c{module}\n{class_name}\n.".encode()) is OLD_NAMES[name]


@pytest.mark.parametrize("name", MOVED)
def test_every_old_module_is_found(name):
    assert import_module(name) is import_module(MOVED[name])


def test_rules_and_tables_of_the_old_names_load():
    rules = Rules(seats=3, session={"levels": [{"hands": 5}]}, dealer_errors=DealerErrors(extra_card=0.1))
    tables = Tables(Rules(seats=3), 8, seed=1)
    with old_names():
        content = pickle.dumps((rules, tables))
    assert b"holdem_env.rules" in content
    assert b"holdem_env.tables" in content
    again, other_tables = pickle.loads(content)
    assert again == rules
    np.testing.assert_array_equal(other_tables.observation, tables.observation)
    other_tables.step(other_tables.random_actions(salt=1))


def names_in(path: Path) -> bytes:
    """What a model file names in its pickled settings."""
    with zipfile.ZipFile(path) as file:
        settings = json.loads(file.read("data"))
    return b"".join(base64.b64decode(settings[name][":serialized:"]) for name in ("policy_class", "policy_kwargs"))


def of_kind(kind: str) -> Training:
    """TINY with a learner of this kind."""
    return TINY.model_copy(update={"learner": TINY.learner.model_copy(update={"kind": kind, "epochs": 1})})


def test_a_model_file_of_the_old_names_plays_the_same(tmp_path):
    learner = PPOLearner(of_kind("sb3"))
    observations = np.random.default_rng(0).random((5, learner.env.observation_space.shape[0])).astype(np.float32)
    with old_names():
        sb3_agent.save(learner.model, learner.env, tmp_path / "old.zip")
    for name in (b"holdem_agents.steady", b"PulledPolicy", b"holdem_agents.network"):
        assert name in names_in(tmp_path / "old.zip")
    agent = sb3_agent.load(tmp_path / "old.zip", trust=True)
    np.testing.assert_array_equal(agent.logits(observations), learner.agent.logits(observations))
    sb3_agent.save(learner.model, learner.env, tmp_path / "new.zip")
    assert b"holdem_agents.training.network" in names_in(tmp_path / "new.zip")


@pytest.mark.parametrize(("kind", "own"), [("sb3", ["episode_starts"]), ("ppo", ["memories", "waiting"])])
def test_checkpoints_have_the_keys_they_always_had(kind, own, tmp_path):
    learner = PPOLearner(of_kind(kind))
    learner.model.set_logger(make_logger(tmp_path, tensorboard=False))
    learner.set_up()
    learner.pool.add(copy_weights(learner.model.policy))
    state = run_state(learner)
    assert set(state) == {"config", "random", "trainee", "pending"}
    parts = {"made_with", "policy", "optimizer", "decisions", "updates", *own, "tables", "pool", "seconds"}
    assert set(state["trainee"]) == parts | {"average", "slow", "cpu_seconds"}
    assert set(state["trainee"]["pool"]) == {"copies", "seated", "random"}
    copied = {"weights", "decisions", "kind", "won", "hands", "is_exploiter"}
    assert set(state["trainee"]["pool"]["copies"][0]) == copied
    del state["trainee"]["cpu_seconds"], state["trainee"]["pool"]["copies"][0]["is_exploiter"]
    PPOLearner(of_kind(kind)).load_state(state["trainee"])  # as it was before these two

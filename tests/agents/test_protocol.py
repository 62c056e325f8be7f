"""The agent protocol at every face: configs and files, AEC loops, sessions, policy functions, models."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from arena.open_book_agents import Silent
from errors import complaint, mentions
from holdem_agents.agent_files.logits_agent import LogitsAgent
from holdem_agents.agent_files.sb3_agent import SB3Agent
from holdem_agents.scripted import CallingStation, Maniac, PotOdds, Random, nit, tight_aggressive
from holdem_env import IllegalMove, Rules, Table, holdem_v0
from holdem_env.agents import make_agent, names
from holdem_env.agents.config_files import config_of, save_agent
from holdem_env.agents.known_strategy import KnownStrategy
from holdem_env.agents.policy_agent import PolicyAgent
from holdem_env.arena import exact_value, play_match
from holdem_env.engine.record import FOLD
from holdem_env.testing import check_agent
from holdem_env.testing.sampled_tables import random_positions

HEADS_UP = Rules.preset("heads-up-no-limit")
LIMIT = Rules.preset("heads-up-limit")


@pytest.mark.fast_cases(5)
@pytest.mark.parametrize("suffix", ["json", "yaml", "yml"])
@pytest.mark.parametrize(
    "agent", [Maniac(0.3, seed=5), nit(), PotOdds(samples=20), Random("33%, pot"), CallingStation()]
)
def test_an_agent_comes_back_from_its_file(agent, suffix, tmp_path):
    path = tmp_path / f"agent.{suffix}"
    save_agent(agent, path)
    again = make_agent(path)
    assert type(again) is type(agent)
    assert again.name == agent.name
    assert config_of(again) == config_of(agent)
    tables = random_positions(HEADS_UP, 50, seed=1)
    rows = np.flatnonzero(tables["actor"] >= 0)
    np.testing.assert_array_equal(again.act(tables, HEADS_UP, rows), agent.act(tables, HEADS_UP, rows))


def test_configs_make_agents_and_arguments_go_first(tmp_path):
    config = {"agent": "maniac", "aggression": 0.5}
    assert make_agent(config).aggression == 0.5
    assert make_agent(config, aggression=0.2).aggression == 0.2
    assert config == {"agent": "maniac", "aggression": 0.5}
    save_agent(Maniac(0.4), tmp_path / "mine.json")
    named = make_agent({"agent": str(tmp_path / "mine.json"), "seed": 3})
    assert (named.aggression, named.seed) == (0.4, 3)


class Homeless(Silent):
    name = "homeless"


class Forgetful(Homeless):
    def __init__(self, luck=1):
        pass


@pytest.mark.parametrize(
    ("agent", "file", "words"),
    [
        (Maniac(), "a.pickle", r"goes into a .json or .yaml file, not '.pickle'"),
        (Homeless(), "a.json", "no agent is registered under this name"),
        (Forgetful(), "a.json", r"keep its parameter 'luck' as self.luck"),
        (Random(actions=object()), "a.json", "'actions' is <object .*cannot be written to a file"),
        (PolicyAgent(lambda seen: 1), "a.json", "plays a function .*register it"),
    ],
)
def test_what_cannot_be_saved_is_named_and_nothing_is_written(agent, file, words, tmp_path):
    assert re.search(words, complaint(save_agent, agent, tmp_path / file))
    assert list(tmp_path.iterdir()) == []


def test_a_registered_policy_is_saved_by_its_name(tmp_path, monkeypatch):
    def mine():
        return PolicyAgent(lambda seen: int(seen["action_mask"].nonzero()[0][-1]), name="mine")

    monkeypatch.setitem(names.AGENTS.registered, "mine", mine)
    save_agent(mine(), tmp_path / "mine.json")
    assert make_agent(tmp_path / "mine.json").move(Table(Rules(seats=2))) == mine().move(Table(Rules(seats=2)))


@pytest.mark.parametrize(
    ("text", "words"),
    [("[1, 2]", "not the config of an agent"), ("{", "not the config"), ('{"agnet": "maniac"}', "has no 'agent'")],
)
def test_files_that_hold_no_agent_are_refused(text, words, tmp_path):
    path = tmp_path / "wrong.json"
    path.write_text(text)
    assert re.search(rf"wrong.json.*{words}", complaint(make_agent, path))


@pytest.mark.parametrize("actions", [None, "fcpa", "limit"])
def test_agents_play_an_aec_environment(actions):
    env = holdem_v0.env(rules=Rules(seats=4), actions=actions, num_hands=20)
    env.reset(seed=1)
    seats = dict(zip(env.possible_agents, [tight_aggressive(), Maniac(), Random(), CallingStation()], strict=True))
    for name in env.agent_iter():
        _, _, terminated, _, _ = env.last()
        env.step(None if terminated else env.unwrapped.action_of(seats[name]))
    assert env.hands_played >= 1


def test_the_nearest_action_is_taken():
    class Raiser(Homeless):
        to = 0

        def act(self, tables, rules, rows):
            return np.full(len(rows), self.to, np.int64)

    env = holdem_v0.env(rules=HEADS_UP, actions="100%, 200%, all-in")  # raises to 6, 10 and 200
    env.reset(seed=1)
    agent = Raiser()
    for to, action in [(FOLD, 0), (0, 1), (4, 2), (6, 2), (7, 2), (8, 3), (40, 3), (50, 4), (200, 4)]:
        agent.to = to
        assert env.unwrapped.action_of(agent) == action, to
    env.step(1)
    agent.to = FOLD  # where checking is free the environment offers no fold
    assert env.unwrapped.action_of(agent) == 1
    continuous = holdem_v0.env(rules=HEADS_UP, actions="continuous")
    continuous.reset(seed=1)
    mentions(complaint(continuous.unwrapped.action_of, agent), "the actions are continuous")


@pytest.mark.parametrize("actions", [None, "continuous"])
def test_an_environment_plays_engine_moves(actions):
    """The same moves at a Table and in the environment, whatever the environment's own actions are."""
    env = holdem_v0.env(rules=HEADS_UP, actions=actions)
    env.reset(seed=9)
    table = Table(HEADS_UP, seed=9)
    seats = [tight_aggressive(), Maniac()]
    mentions(complaint(env.unwrapped.play, 3, kind=IllegalMove), 4)
    while not table.is_over:
        move = seats[table.actor].move(table)
        assert move == seats[table.actor].move(env.unwrapped)
        table.play(move)
        env.unwrapped.play(move)
    assert [env.rewards[name] * 2 for name in env.possible_agents] == table.payoffs
    mentions(complaint(env.unwrapped.play, 0), "nobody is to act")


def test_a_policy_function_sees_what_the_environment_shows():
    env = holdem_v0.env(rules=HEADS_UP)
    env.reset(seed=3)
    seen = []
    agent = PolicyAgent(lambda observation: seen.append(observation) or 1)
    assert agent.move(env.unwrapped) == 0
    shown = env.observe(env.agent_selection)
    assert shown.keys() == seen[0].keys()
    for key in shown:
        np.testing.assert_array_equal(seen[0][key], shown[key])
        assert seen[0][key].dtype == shown[key].dtype


@pytest.mark.slow
def test_policy_functions_play_matches_and_conform():
    def last_offered(observation):
        return int(observation["action_mask"].nonzero()[0][-1])

    agent = PolicyAgent(last_offered, actions="fcpa", name="all_in")
    check_agent(agent)
    result = play_match(agent, CallingStation(), HEADS_UP, hands=200, num_tables=20)
    assert result.agent == "all_in"
    numbers = PolicyAgent(lambda observation: np.array([0.0]), "planes", "continuous")
    check_agent(numbers)


@pytest.mark.parametrize("action", [-1, 4, 99])
def test_an_action_that_is_not_offered_is_named(action):
    table = Table(HEADS_UP, seed=1)
    with pytest.raises(ValueError, match=rf"agent 'policy': action {action} is not offered; offered are 0 \(fold\)"):
        PolicyAgent(lambda observation: action, actions="50%, all-in").move(table)


@pytest.fixture(scope="module")
def model():
    from sb3_contrib import MaskablePPO

    from holdem_env.envs.sb3 import HoldemVecEnv

    env = HoldemVecEnv(LIMIT, 4)
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=8, batch_size=8, policy_kwargs={"net_arch": [16]}, device="cpu", seed=1
    )
    return model, env


@pytest.mark.parametrize("deterministic", [False, True])
def test_a_model_tells_its_probabilities(model, deterministic):
    learnt, env = model
    agent = SB3Agent(learnt.policy, env.observation_encoder, env.action_encoder, deterministic)
    check_agent(agent, [LIMIT])
    tables = random_positions(LIMIT, 100, seed=2)
    rows = np.flatnonzero(tables["actor"] >= 0)
    _, probabilities = agent.probabilities(tables, LIMIT, rows)
    assert (probabilities.max(axis=1) == 1).all() == deterministic


def test_a_model_file_is_saved_as_a_file_or_a_config(model, tmp_path):
    from holdem_agents.agent_files.sb3_agent import save

    learnt, env = model
    with pytest.raises(ValueError, match="has no file"):
        SB3Agent(learnt.policy, env.observation_encoder, env.action_encoder).save(tmp_path / "x.json")
    save(learnt, env, tmp_path / "model.zip")
    agent = make_agent(tmp_path / "model.zip", trust=True, deterministic=True, seed=4)
    agent.save(tmp_path / "agent.json")
    agent.save(tmp_path / "copy.zip")
    assert json.loads((tmp_path / "agent.json").read_text())["agent"] == str(tmp_path / "model.zip")
    again = make_agent(tmp_path / "agent.json")
    assert (again.deterministic, config_of(again)) == (True, config_of(agent))
    assert make_agent(tmp_path / "copy.zip", trust=True).trained_on == LIMIT


@pytest.mark.parametrize("row", [[0.5, np.nan], [0.3, 0.0], [1.5, -0.5], [np.nan, np.nan], [0.7, 0.7]], ids=str)
def test_probabilities_that_are_none_are_refused(row):
    class Muddled(KnownStrategy):
        name = "muddled"

        def probabilities(self, tables, rules, rows):
            return np.tile([0, -1], (len(rows), 1)), np.tile(np.array(row), (len(rows), 1))

    mentions(complaint(play_match, Muddled(), "random", HEADS_UP, hands=100), "muddled", 0, 1)


def always(action: int) -> LogitsAgent:
    """Prefers one action of limit games: 0 folds, 1 checks or calls, 2 raises."""
    return LogitsAgent(lambda seen: np.full((len(seen), 3), -50.0) + 100 * np.eye(3)[action], "leduc")


def test_it_plays_what_the_function_prefers() -> None:
    assert exact_value(always(1), "calling_station", "leduc") == pytest.approx(0, abs=1e-9)
    assert exact_value(always(0), "maniac", "leduc") < exact_value(always(1), "maniac", "leduc")
    assert exact_value(always(1), "random", "leduc") == pytest.approx(exact_value("calling_station", "random", "leduc"))


def test_it_is_an_agent_by_all_checks() -> None:
    rules = Rules.preset("heads-up-no-limit")
    weights = np.random.default_rng(0).normal(size=(159, 16)).astype(np.float32)

    def logits(seen: np.ndarray) -> np.ndarray:
        return seen @ np.resize(weights, (seen.shape[1], actions))

    agent = LogitsAgent(logits, rules, actions="50%, 100%, all-in")
    actions = agent.action_encoder.size(rules)
    check_agent(agent, games=[rules])
    assert play_match(agent, agent.clone(), rules, hands=200).mean == 0


def test_greedy_it_plays_the_highest_logit_that_is_offered() -> None:
    agent = LogitsAgent(lambda seen: np.tile([0.0, 1.0, 0.5], (len(seen), 1)), "leduc", deterministic=True)
    assert exact_value(agent, "calling_station", "leduc") == pytest.approx(0, abs=1e-9)


def test_other_games_and_wrong_shapes_are_errors() -> None:
    mentions(complaint(play_match, always(1), "random", "heads-up-no-limit", hands=10), "mine")
    short = LogitsAgent(lambda seen: np.zeros((len(seen), 2)), "leduc", name="short")
    mentions(complaint(play_match, short, "random", "leduc", hands=10), "short", 2, 3)

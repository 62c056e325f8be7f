"""Learners that remember: states go on from hand to hand, learning goes back through them, and they win by it."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from itertools import pairwise

import numpy as np
import pytest
import torch
from pydantic import ValidationError
from safetensors import safe_open
from safetensors.torch import save_file
from torch import nn

from errors import complaint, mentions
from holdem_agents.agent_files.model_files import FileAgent, MemoryAgent, load
from holdem_agents.networks.table_memory import TableMemory
from holdem_agents.ppo import MemoryPPO, new_network
from holdem_agents.runs.checkpoint import load_checkpoint, save_checkpoint
from holdem_agents.runs.config import load_config
from holdem_agents.training.config import Training
from holdem_agents.training.evaluation.matches import play
from holdem_agents.training.learners import loop
from holdem_agents.training.learners.starting_weights import check_start
from holdem_agents.training.learners.trainee import Trainee, load_run_state, run_state
from holdem_env import Rules
from holdem_env.agents.protocol import StrategyUnknown
from holdem_env.agents.queries import SealedAgent
from holdem_env.agents.registry import make_agent
from holdem_env.arena import play_match, play_sittings
from holdem_env.encoders import get_actions, get_observation
from holdem_env.engine.record import NOBODY
from holdem_env.envs.self_play import SelfPlayTables
from holdem_env.testing import check_agent

KUHN = Rules.preset("kuhn")
HEADS_UP = Rules.preset("heads-up-no-limit")
SITTING, WIDTH = 5, 6


def config(**changes) -> Training:
    learner = {"n_steps": 16, "batch_size": 64, "hidden": [8], "threads": 1, "memory": {"width": WIDTH}}
    given = {"rules": HEADS_UP, "budget": {"decisions": 2000}, "tables": 16, "sitting": SITTING}
    given |= {"opponents": {"latest_self": 0.4, "past_selves": 0.3, "changing": 0.3}}
    given |= {"evaluation": {"opponents": ["changing"], "hands": 200}, "learner": learner | changes.pop("learner", {})}
    return Training(**given | changes)


def algorithm(rules=HEADS_UP, observation="flat", opponents=("changing",), sitting=SITTING, kind=MemoryPPO, **settings):
    """A learner of its own with few tables, without the callbacks of a training."""
    torch.manual_seed(1)
    seen, acted = get_observation(observation), get_actions(None, rules)
    network = new_network(seen, acted.size(rules), rules, [8], False, WIDTH, sitting)
    for layer in (network.policy, network.memory):  # not so near to 0 that everything would be alike
        for tensor in layer.parameters():
            nn.init.normal_(tensor, std=0.7)
    tables = SelfPlayTables(rules, 6, list(opponents), observation=seen, sitting=sitting)
    return kind(network, tables, **{"n_steps": 40, "batch_size": 80, **settings})


def plain_step(memory: nn.GRU, x: torch.Tensor, h: torch.Tensor) -> torch.Tensor:
    """One step of a GRU by its formulas (Cho et al. 2014, in PyTorch's form)."""
    by_x = (memory.weight_ih_l0 @ x + memory.bias_ih_l0).chunk(3)
    by_h = (memory.weight_hh_l0 @ h + memory.bias_hh_l0).chunk(3)
    reset, update = torch.sigmoid(by_x[0] + by_h[0]), torch.sigmoid(by_x[1] + by_h[1])
    return (1 - update) * torch.tanh(by_x[2] + reset * by_h[2]) + update * h


def plain_states(ppo: MemoryPPO) -> dict[int, tuple[torch.Tensor, torch.Tensor]]:
    """Of every step in the buffer, the state before it and what the heads get, one step after the other."""
    buffer, found, running = ppo.rollout_buffer, {}, {}
    for row in range(buffer.count):
        stream = int(buffer.stream[row])
        if stream not in running:
            running[stream] = torch.from_numpy(buffer.hidden[row])
        if buffer.is_first[row]:
            running[stream] = torch.zeros(WIDTH)
        before = running[stream]
        features = ppo.policy.trunk(torch.from_numpy(buffer.observation[row])[None].reshape(1, *ppo.policy.shape))[0]
        after = plain_step(ppo.policy.memory, torch.cat([features, torch.from_numpy(buffer.hand_end[row])]), before)
        found[row] = before, torch.cat([features, after])
        running[stream] = after
    return found


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("observation", ["flat", "tokens"])
def test_states_go_on_through_the_hands_of_a_sitting_and_no_further(observation):
    ppo = algorithm(observation=observation)
    for _ in range(2):
        ppo.set_up()
        ppo.collect_rollouts()
        buffer = ppo.rollout_buffer
        with torch.no_grad():
            for row, (before, _) in plain_states(ppo).items():
                np.testing.assert_allclose(buffer.hidden[row], before.numpy(), atol=1e-5)
        for stream in np.unique(buffer.stream[: buffer.count]):
            steps = np.flatnonzero(buffer.stream[: buffer.count] == stream)
            firsts = np.flatnonzero(buffer.is_first[steps])
            ends = buffer.is_end[steps]
            assert (buffer.hidden[steps[firsts]] == 0).all()
            assert all(ends[one:two].sum() == SITTING - 1 for one, two in pairwise(firsts))
            assert len(firsts) > 1
        seen = buffer.hand_end[: buffer.count]
        assert (seen[:, 0] == buffer.is_end[: buffer.count]).all()
        assert (np.abs(seen[:, 1]) < 1).all()
        assert (seen[~buffer.is_end[: buffer.count]] == 0).all()
        assert not buffer.is_end[buffer.complete].any()


@pytest.mark.slow
def test_gradients_are_those_of_a_plain_sequential_computation():
    ppo = algorithm(batch_size=10_000, ent_coef=0.03, clip_range=0.1, max_grad_norm=1e9)
    ppo.set_up()
    ppo.collect_rollouts()
    buffer = ppo.rollout_buffer
    with torch.no_grad():
        for tensor in ppo.policy.parameters():  # so that ratios differ from 1, and some are clipped
            tensor += 0.05 * torch.randn_like(tensor)
    states, rows = plain_states(ppo), buffer.complete
    logits, values = ppo.policy.heads(torch.stack([states[row][1] for row in rows.tolist()]))
    offered = torch.from_numpy(buffer.choices[rows] != -2)
    log_p = torch.where(offered, logits, -torch.inf).log_softmax(dim=1)
    chosen = log_p[torch.arange(len(rows)), torch.from_numpy(buffer.action[rows])]
    advantage = torch.from_numpy(buffer.advantage[rows])
    gain = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    ratio = (chosen - torch.from_numpy(buffer.log_prob[rows])).exp()
    surrogate = torch.min(ratio * gain, ratio.clamp(0.9, 1.1) * gain).mean()
    entropy = -(log_p.exp() * log_p.where(offered, torch.zeros(()))).sum(dim=1).mean()
    error = ((values - torch.from_numpy(buffer.returns)) ** 2).mean()
    loss = -surrogate - 0.03 * entropy + 0.5 * error
    wanted = torch.autograd.grad(loss, list(ppo.policy.parameters()))
    ppo.train()
    found = [tensor.grad for tensor in ppo.policy.parameters()]
    for one, two in zip(found, wanted, strict=True):
        torch.testing.assert_close(one, two, atol=2e-6, rtol=2e-4)
    assert all(tensor.abs().sum() > 0 for tensor in found)


def test_every_decision_is_learnt_from_once_in_an_epoch_and_sequences_stay_whole():
    ppo = algorithm()
    ppo.set_up()
    ppo.collect_rollouts()
    buffer = ppo.rollout_buffer
    parts = ppo._minibatches(3)
    assert sorted(np.concatenate(parts).tolist()) == list(range(len(buffer.complete)))
    of = [set(buffer.sequence[buffer.complete[part]].tolist()) for part in parts]
    assert of[0].isdisjoint(of[1] | of[2])
    assert of[1].isdisjoint(of[2])


class Accompanied(MemoryPPO):
    """A learner beside which an agent plays the same network from views alone."""

    def accompany(self) -> None:
        encoders = self.tables.observation_encoder, self.tables.action_encoder
        self.agent = MemoryAgent(self.policy, *encoders, self.tables.rules)
        self.compared = 0

    def evaluate_new(self, where, rows):
        logits_of_learner, values = super().evaluate_new(where, rows)
        views = SealedAgent(self.agent).views(self.tables.records, self.tables.rules, rows)
        _, logits = self.agent._choices_and_logits(views, self.tables.rules, np.arange(len(rows)))
        np.testing.assert_allclose(logits, logits_of_learner.numpy(), atol=1e-5)
        again = self.agent._choices_and_logits(views, self.tables.rules, np.arange(len(rows)))[1]
        np.testing.assert_array_equal(again, logits)  # who asks twice gets the same answer
        self.compared += len(rows)
        return logits_of_learner, values

    def _end_hands(self):
        super()._end_hands()
        ended = self.tables.played_by[: len(self.tables.ended)] == NOBODY
        rows, seats = np.nonzero(ended)
        SealedAgent(self.agent).report_finished_hands(self.tables.finished, self.tables.rules, rows, seats)


@pytest.mark.slow
def test_an_agent_remembers_what_the_learner_does():
    ppo = algorithm(observation="flat+shown_cards", kind=Accompanied)
    ppo.accompany()
    ppo.set_up()
    for _ in range(3):
        ppo.collect_rollouts()
    assert ppo.compared > 700


def views_of(rules, hand, moves=0, tables=(7, 8)):
    records = SelfPlayTables(rules, len(tables), ["random"]).records
    records["table_id"], records["session_hands"], records["moves"] = tables, hand, moves
    return records


def test_tables_and_seats_share_no_memory():
    memory = TableMemory(2, hands=4)
    rows, seats = np.arange(2), np.array([0, 1])
    places, before = memory.recall(views_of(KUHN, 0), rows, seats)
    assert (before == 0).all()
    memory.keep(places, np.array([[1, 1], [2, 2]], np.float32))
    assert memory.recall(views_of(KUHN, 0, 1), rows, seats)[1].tolist() == [[1, 1], [2, 2]]
    assert (memory.recall(views_of(KUHN, 0, 1), rows, 1 - seats)[1] == 0).all()
    assert (memory.recall(views_of(KUHN, 0, 1, (9, 10)), rows, seats)[1] == 0).all()


def test_a_sitting_that_is_over_is_forgotten():
    memory, rows = TableMemory(1, hands=3), np.arange(2)
    seen = np.full(2, 2**31)
    for hand in (0, 1, 2, 3, 0):
        places, before = memory.recall(views_of(KUHN, hand), rows, rows)
        assert (before == (hand if hand < 3 else 0)).all()
        memory.keep(places, before + 1)
        places, before = memory.recall(views_of(KUHN, hand), rows, rows, seen)
        memory.end_hands(views_of(KUHN, hand), places, rows, before)
    # Hands that stand alone: every one is the first.
    for _ in range(3):
        places, before = memory.recall(views_of(KUHN, 0), rows, rows)
        assert (before == 0).all()
        memory.end_hands(views_of(KUHN, 0), places, rows, before + 1)


def test_a_clone_remembers_nothing_and_gives_no_probabilities():
    ppo = algorithm()
    agent = MemoryAgent(ppo.policy, ppo.tables.observation_encoder, ppo.tables.action_encoder, HEADS_UP)
    play_sittings(agent, "random", HEADS_UP, 40, SITTING, num_tables=4)
    assert agent.memory.state()["keys"].size
    clone = agent.clone()
    assert not clone.memory.state()["keys"].size
    again = TableMemory(WIDTH, SITTING)
    again.load_state(agent.memory.state())
    assert all(
        (one == two).all() for one, two in zip(again.state().values(), agent.memory.state().values(), strict=True)
    )
    agent.reset()
    assert not agent.memory.state()["keys"].size
    assert not agent.gives_probabilities
    with pytest.raises(StrategyUnknown, match="depend on what it remembers"):
        agent.probabilities(ppo.tables.records, HEADS_UP, np.arange(1))
    check_agent(agent, games=[HEADS_UP])


@pytest.mark.slow
def test_a_resumed_learner_goes_on_exactly_as_it_was(tmp_path):
    opponents = {"latest_self": 0.4, "past_selves": 0.2, "average_self": 0.2, "changing": 0.2}
    settings = config(opponents=opponents, learner={"average": 0.9, "kl_coef": 0.1})

    def rollouts(learner, count):
        for _ in range(count):
            learner.model.collect_rollouts()
            learner.model.train()

    first = Trainee(settings)
    first.set_up()
    first.pool.add(deepcopy(first.model.policy.state_dict()))
    first.pool.draw()
    rollouts(first, 3)
    save_checkpoint(tmp_path, run_state(first))
    rollouts(first, 2)
    second = Trainee(settings)
    load_run_state(second, load_checkpoint(tmp_path))
    rollouts(second, 2)
    assert len(second.kind._memories()) == 4  # the learner as an agent, two past selves and the average
    for name, tensor in first.model.policy.state_dict().items():
        torch.testing.assert_close(second.model.policy.state_dict()[name], tensor, atol=0, rtol=0)
    np.testing.assert_array_equal(first.model.hidden, second.model.hidden)


def test_model_files_keep_the_memory(tmp_path):
    learner = Trainee(config())
    path = tmp_path / "mine.safetensors"
    learner.save(path)
    agent, same = make_agent(str(path)), load(path, deterministic=True)
    assert isinstance(agent, MemoryAgent)
    assert agent.policy.architecture.memory.hands == SITTING
    for name, tensor in learner.model.policy.state_dict().items():
        torch.testing.assert_close(same.policy.state_dict()[name], tensor, atol=0, rtol=0)
    mine = learner.agent.playing(learner.model.policy, "mine")
    one, two = (play_sittings(each, "changing", HEADS_UP, 400, SITTING, num_tables=20) for each in (agent, mine))
    assert one.mean == two.mean
    assert play_match(agent, "random", HEADS_UP, 100, num_tables=16).hands
    assert check_start(config(start=str(path))) is not None
    mentions(complaint(check_start, config(start=str(path), learner={"memory": {"width": 7}})), 6)
    mentions(complaint(check_start, config(start=str(path), sitting=7)), 5)
    plain = Trainee(config(learner={"memory": None}))
    plain.save(path)
    assert type(load(path)) is FileAgent
    assert b'"memory"' not in path.read_bytes()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"inputs": 7}, "memory takes 5 features and 2 more numbers; the trunk ends in the shape"),
        ({"outputs": 7}, "ends in the shape|takes 15 numbers|takes 14 numbers"),
        ({"kind": "lstm"}, "memory.kind"),
        ({"hands": 0}, "memory.hands"),
    ],
)
def test_files_whose_memory_does_not_fit_are_refused(changes, message, tmp_path):
    learner = Trainee(config())
    path = tmp_path / "mine.safetensors"
    learner.save(path)
    with safe_open(path, "pt") as file:
        about = json.loads(file.metadata()["holdem"])
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no dict
    about["network"]["memory"] |= changes
    save_file(tensors, path, {"holdem": json.dumps(about)})
    assert re.search(message, complaint(load, path))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sitting": 1}, "a learner with memory needs several hands in a row"),
        ({"sitting": 0}, "sitting"),
        ({"learner": {"batch_size": 8}}, "complete sequences"),
        ({"learner": {"memory": {"kind": "lstm"}}}, "memory.kind"),
        ({"rules": {"preset": "heads-up-no-limit", "session": {}}}, "these rules have a session"),
    ],
)
def test_settings_that_do_not_fit_are_refused(changes, message):
    assert re.search(message, complaint(config, **changes, kind=ValidationError))


def test_networks_and_tables_that_do_not_fit_are_refused():
    mentions(complaint(MemoryPPO, algorithm().policy, SelfPlayTables(HEADS_UP, 2, ["random"], sitting=3)), 3, 5)
    plain = new_network(get_observation("flat"), 3, HEADS_UP, [8], False)
    mentions(complaint(MemoryPPO, plain, SelfPlayTables(HEADS_UP, 2, ["random"], sitting=3)), "has no memory")


def best_fixed_strategy() -> float:
    """The most that a strategy without memory wins a hand of Kuhn poker, in chips, from an opponent that never bets and
    folds to every bet in half of the hands, and in the other half calls every bet.

    It has one decision a hand, to bet or to check, and nothing before it differs between the halves.
    """
    won = 0.0
    for mine in range(3):
        others = [other for other in range(3) if other != mine]
        check = sum(1 if mine > other else -1 for other in others) / 2
        called = 2 * check
        won += max(check, (1 + called) / 2) / 3
    return won


@pytest.mark.slow
def test_a_learner_with_memory_beats_an_opponent_that_changes_as_no_other_can():
    """The documented configuration, and the same learner without memory, which makes as many more decisions in the same
    time."""
    found = {}
    for name, changes in {"memory": [], "none": ["learner.memory=null", "budget.decisions=900_000"]}.items():
        settings = load_config("configs/memory.yaml", changes)
        torch.set_num_threads(1)
        learner = Trainee(settings)
        learner.set_up()
        loop.train(learner.model, learner.hooks())
        found[name] = play(learner.final_agent, "changing", settings.rules, 80_000, 5, settings.sitting)
    memory, none = found["memory"], found["none"]
    best = best_fixed_strategy()
    assert best == pytest.approx(0.50)
    assert none.mean < best + none.half_width
    assert memory.mean - memory.half_width > best + 0.10
    assert memory.mean - memory.half_width > none.mean + none.half_width + 0.10

"""The parts of a learner: canonical suits, averages, the KL penalty, the choice of past selves, what is watched."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
import torch

from holdem_agents.agent_files.sb3_agent import load
from holdem_agents.networks.policy_network import CanonicalSuits
from holdem_agents.ppo import card_places
from holdem_agents.training.config import PastSelves, Training
from holdem_agents.training.learners import loop
from holdem_agents.training.learners.counts import KINDS
from holdem_agents.training.learners.opponent_pool import OpponentPool, Snapshot, copy_weights
from holdem_agents.training.learners.sb3 import KLRegularizedPolicy
from holdem_agents.training.learners.trainee import Trainee
from holdem_agents.training.learners.weight_averaging import update_average
from holdem_env import Rules, Table
from holdem_env.encoders import get_observation
from holdem_env.engine.batch import NO_MOVE
from holdem_env.engine.record import CHECK_CALL, FOLD

HEADS_UP = Rules.preset("heads-up-no-limit")
KINDS_OF_LEARNERS = ("ppo", pytest.param("sb3", marks=pytest.mark.slow))


def config(**changes) -> Training:
    learner = {"n_steps": 8, "batch_size": 128, "hidden": [16], "threads": 1} | changes.pop("learner", {})
    given = {"rules": HEADS_UP, "budget": {"decisions": 2000}, "tables": 64, "learner": learner}
    given |= {"opponents": {"latest_self": 0.5, "calling_station": 0.5}}
    return Training(**given | {"evaluation": {"opponents": ["random"], "hands": 200}} | changes)


def seen(deck, checks: int) -> np.ndarray:
    """What the seat to act sees after this many checks and calls."""
    table = Table(HEADS_UP, deck=deck)
    for _ in range(checks):
        table.check_call()
    encoder, out = get_observation("flat"), np.empty((1, 149), np.float32)
    encoder.observe(table.records, HEADS_UP.record, np.zeros(1, np.int64), np.array([table.actor]), out)
    return out[0]


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("checks", [0, 2, 4, 6])
def test_canonical_suits_make_one_of_all_24_ways_to_name_the_suits(checks):
    rng = np.random.default_rng(checks)
    sort = CanonicalSuits(card_places(get_observation("flat"), HEADS_UP))
    for _ in range(20):
        deck = rng.permutation(52)
        ways = np.array(
            [seen([4 * (card // 4) + names[card % 4] for card in deck], checks) for names in permutations(range(4))]
        )
        assert len(np.unique(ways, axis=0)) > 1
        same = sort(torch.from_numpy(ways)).numpy()
        assert len(np.unique(same, axis=0)) == 1
        np.testing.assert_array_equal(np.sort(same, axis=1), np.sort(ways, axis=1))  # nothing is lost


def test_canonical_suits_keep_different_hands_apart():
    """As many classes as there are starting hands, and flops for one of them, that no renaming makes the same."""
    sort = CanonicalSuits([0, 52])
    hands = torch.zeros(52 * 51 // 2, 104)
    for row, (one, two) in zip(hands, ((a, b) for a in range(52) for b in range(a)), strict=True):
        row[[one, two]] = 1
    assert len(torch.unique(sort(hands), dim=0)) == 169
    flops = torch.zeros(50 * 49 * 48 // 6, 104)
    rest = [card for card in range(52) if card not in (0, 5)]  # a deuce of clubs, a trey of diamonds
    boards = ((a, b, c) for k, a in enumerate(rest) for j, b in enumerate(rest[:k]) for c in rest[:j])
    for row, board in zip(flops, boards, strict=True):
        row[[0, 5, *(52 + card for card in board)]] = 1
    fixed = len(torch.unique(sort(flops), dim=0))
    # Burnside: hearts and spades can be swapped, and of 19,600 flops 2,024 + 24 * 13 stay as they are then.
    assert fixed == (19_600 + 2024 + 312) // 2


@pytest.mark.parametrize("kind", KINDS_OF_LEARNERS)
def test_a_network_with_canonical_suits_learns_and_is_saved(kind, tmp_path):
    learner = Trainee(config(learner={"kind": kind, "suits": "canonical"}))
    loop.train(learner.model, decisions=512)
    deck = np.random.default_rng(0).permutation(52)
    other = [4 * (card // 4) + (card + 1) % 4 for card in deck]
    flat = np.array([seen(deck, 2), seen(other, 2)])
    logits = learner.agent.logits(flat)
    np.testing.assert_allclose(logits[0], logits[1], rtol=1e-5)
    learner.save(tmp_path / "a.safetensors")
    np.testing.assert_array_equal(load(tmp_path / "a.safetensors").logits(flat), logits)


@pytest.mark.parametrize("kind", KINDS_OF_LEARNERS)
def test_canonical_suits_need_cards_to_sort(kind):
    with pytest.raises(ValueError, match=r"'canonical' needs an observation with cards by 4 . rank . suit"):
        Trainee(config(observation="planes", learner={"kind": kind, "suits": "canonical"}))


@pytest.mark.parametrize("kind", KINDS_OF_LEARNERS)
def test_an_average_moves_slowly_and_is_what_is_delivered(kind, tmp_path):
    opponents = {"latest_self": 0.5, "average_self": 0.5}
    learner = Trainee(config(learner={"kind": kind, "average": 0.9}, opponents=opponents))
    first = copy_weights(learner.model.policy)
    loop.train(learner.model, learner.hooks(), decisions=3 * 512)
    slow, fast = copy_weights(learner.final_agent.policy), copy_weights(learner.model.policy)
    name = "action_net.weight" if kind == "sb3" else "policy.0.weight"
    assert not torch.equal(slow[name], first[name])
    assert 0 < (slow[name] - first[name]).norm() < (fast[name] - first[name]).norm()
    assert learner.final_agent in learner.env.tables.agents
    learner.save(tmp_path / "a.safetensors")
    assert torch.equal(load(tmp_path / "a.safetensors").policy.policy[-1].weight, slow[name])
    assert torch.equal(learner.model.policy.state_dict()[name], fast[name])  # saving leaves the learner as it is


def test_moving_toward_is_a_weighted_mean():
    slow, fast = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
    expected = 0.75 * slow.weight.detach() + 0.25 * fast.weight.detach()
    update_average(slow, fast, 0.75)
    torch.testing.assert_close(slow.weight.detach(), expected)


def test_the_kl_penalty_is_the_divergence_over_offered_actions():
    learner = Trainee(config(learner={"kind": "sb3", "kl_coef": 0.1}))
    policy = learner.model.policy
    assert isinstance(policy, KLRegularizedPolicy)
    assert learner.reference is not None
    with torch.no_grad():
        learner.reference.policy.action_net.bias += torch.arange(float(learner.env.action_space.n))
    observations = torch.from_numpy(learner.env.reset())
    masks = learner.env.action_masks()
    actions = torch.from_numpy(masks.argmax(axis=1))
    plain = super(KLRegularizedPolicy, policy).evaluate_actions(observations, actions, masks)
    policy.kl_per_entropy = 2.0
    penalized = policy.evaluate_actions(observations, actions, masks)
    mine, its = (p.get_distribution(observations, masks).distribution.probs for p in (policy, learner.reference.policy))
    divergence = torch.where(mine > 0, mine * (mine / its.clamp_min(1e-30)).log(), 0).sum(dim=1)
    assert divergence.min() > 0.01
    torch.testing.assert_close(penalized[2], plain[2] - 2 * divergence, rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(penalized[:2], plain[:2])
    loop.train(learner.model, learner.hooks(), decisions=512)
    assert policy.kl_per_entropy == pytest.approx(0.1 / learner.model.ent_coef)


def pool_with(losses: list[float], **settings) -> OpponentPool:
    """A pool of copies that took so much from the learner, bb/100, in very many hands."""
    pool = OpponentPool.of({"self": Trainee(config()).agent}, PastSelves(**settings), 0)
    pool.snapshots = [Snapshot({}, won=-loss / 100 * 1e9, hands=1e9) for loss in losses]
    return pool


def test_past_selves_that_beat_the_learner_are_drawn_more_often():
    probabilities = pool_with([0, 50, 100], temperature=50).probabilities()
    np.testing.assert_allclose(probabilities / probabilities[0], [1, np.e, np.e**2], rtol=1e-4)
    np.testing.assert_allclose(pool_with([0, 50, 100], choice="uniform").probabilities(), 1 / 3)


def test_few_hands_tell_little_of_a_past_self():
    assert Snapshot({}, won=-100, hands=10).loss() < 25
    assert Snapshot({}, won=-1_000_000, hands=100_000).loss() > 900


@pytest.mark.parametrize("kind", KINDS_OF_LEARNERS)
def test_results_against_past_selves_are_noted_for_the_right_copy(kind):
    changes = {"opponents": {"past_selves": 1.0}, "past_selves": {"copies": 3, "playing": 2}}
    learner = Trainee(config(learner={"kind": kind}, **changes))
    hook = learner.hooks()[0]
    learner.pool.add(copy_weights(learner.model.policy))
    learner.pool.add(copy_weights(learner.model.policy), 100)
    learner.pool.seated = [1, 1]
    learner.env.won[:], learner.env.hands[:] = [10, 5], [20, 30]
    hook.after_step({})
    assert (learner.pool.snapshots[0].won, learner.pool.snapshots[0].hands) == (0, 0)
    assert (learner.pool.snapshots[1].won, learner.pool.snapshots[1].hands) == (0.9 * 10 + 5, 0.9 * 20 + 30)


def test_the_environment_counts_who_won_what_and_which_moves_were_made():
    opponents = {"calling_station": 0.7, "maniac": 0.3}
    learner = Trainee(config(learner={"kind": "sb3"}, opponents=opponents, reward_scale=1.0))
    env = learner.env
    env.reset()
    total = hands = 0.0
    kinds = np.zeros(len(KINDS), int)
    for _ in range(30):
        actions = env.action_masks().argmax(axis=1)
        moves = env.tables.checked_moves(actions)
        kinds += [(moves == FOLD).sum(), (moves == CHECK_CALL).sum(), (moves > 0).sum()]
        _, rewards, dones, _ = env.step(actions)
        total, hands = total + rewards.sum(), hands + dones.sum()
    assert env.won.sum() == pytest.approx(total, rel=1e-5)
    assert env.hands.sum() == hands
    assert env.hands[0] > env.hands[1] > 0
    np.testing.assert_array_equal(env.moves_made.sum(axis=0), kinds)
    env.reset_counts()
    assert not env.moves_made.any()


def test_what_was_won_is_counted_as_the_learner_is_paid():
    changes = {"reward": "all_in_value", "opponents": {"maniac": 1.0}, "actions": "fcpa"}
    learner = Trainee(config(learner={"kind": "sb3"}, **changes))
    env = learner.env
    env.reset()
    value = results = 0.0
    for _ in range(20):
        masks = env.action_masks()
        env.step(masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1))  # all-in
        value, results = value + env.tables.value.sum(), results + env.tables.reward.sum()
    assert env.won[0] == pytest.approx(value / HEADS_UP.unit)
    assert abs(value - results) > 100


def moved(env, choose) -> np.ndarray:
    """Play one step of the own PPO's tables; returns the moves. choose: (K, A) choices to (K,) actions."""
    observation = np.empty((len(env.turn), env.observation_size), np.float32)
    choices = np.empty((len(env.turn), env.num_actions), np.int64)
    env.observe(observation, choices)
    moves = choices[np.arange(len(choices)), choose(choices != NO_MOVE)]
    env.step(moves)
    return moves


def test_the_tables_of_the_own_ppo_give_all_other_seats_to_one_opponent():
    changes = {"rules": "pluribus-6max", "opponents": {"calling_station": 0.5, "maniac": 0.5}, "one_opponent": 1.0}
    env = Trainee(config(**changes)).env
    env.reset(seed=0)
    ended = 0
    for _ in range(20):
        moved(env, lambda offered: offered.argmax(axis=1))
        for players in env.played_by[: len(env.ended)]:
            assert len(set(players)) == 2  # the learner and one opponent
        ended += len(env.ended)
    assert ended > 64


@pytest.mark.parametrize("reward", ["result", "all_in_value"])
def test_the_tables_of_the_own_ppo_count_who_won_what_and_which_moves_were_made(reward):
    opponents = {"latest_self": 0.4, "calling_station": 0.4, "maniac": 0.2}
    learner = Trainee(config(opponents=opponents, actions="fcpa", reward=reward))
    env = learner.env
    env.reset(seed=0)
    won, hands = np.zeros(3), np.zeros(3)
    kinds = np.zeros(len(KINDS), int)
    for _ in range(60):
        moves = moved(env, lambda offered: offered.shape[1] - 1 - offered[:, ::-1].argmax(axis=1))  # all-in
        kinds += [(moves == FOLD).sum(), (moves == CHECK_CALL).sum(), (moves > 0).sum()]
        for players, value in zip(env.played_by, env.value[: len(env.ended)], strict=False):
            for its in players[players >= 0]:
                won[its] += value[players < 0].sum() / HEADS_UP.unit
                hands[its] += (players < 0).sum()
    np.testing.assert_allclose(env.won, won)
    np.testing.assert_array_equal(env.hands, hands)
    assert env.hands[0] == 0  # itself
    assert env.hands[1] > env.hands[2] > 0
    np.testing.assert_array_equal(env.moves_made.sum(axis=0), kinds)
    assert env.won_from_others == pytest.approx(won.sum())
    assert env.hands_with_others == hands.sum()  # heads-up there is one other
    env.reset_counts()
    assert not env.moves_made.any()
    assert not env.hands_with_others

"""The own PPO against slow and plain models of its parts: buffer, loss, sampling, suits, callbacks, resuming."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from io import BytesIO
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch

from errors import complaint, mentions
from holdem_agents.agent_files.model_files import FileAgent
from holdem_agents.networks.suit_order import sort_suits
from holdem_agents.ppo import PPO, RolloutBuffer, new_network
from holdem_agents.ppo.buffer import sample
from holdem_agents.ppo.loss import log_probabilities, ppo_losses
from holdem_agents.training.config import Training
from holdem_agents.training.learners import loop
from holdem_agents.training.learners.trainee import Trainee
from holdem_env import Rules
from holdem_env.arena import exploitability
from holdem_env.encoders import get_actions, get_observation
from holdem_env.engine.batch import NO_MOVE
from holdem_env.envs.self_play import SelfPlayTables
from pages import example

SIX = Rules.preset("pluribus-6max")
HEADS_UP = Rules.preset("heads-up-no-limit", stacks=20)


def textbook_advantages(values: list[float], reward: float, gamma: float, gae_lambda: float) -> list[float]:
    """Schulman et al. 2016, equation 16: discounted sums of the errors of the values."""
    errors = [gamma * after - value for value, after in pairwise(values)]
    errors.append(reward - values[-1])
    return [sum((gamma * gae_lambda) ** (k - t) * errors[k] for k in range(t, len(errors))) for t in range(len(errors))]


class SlowBuffer:
    """Decisions in lists: (number, value), one list for each seat that plays a hand."""

    def __init__(self) -> None:
        self.open: dict[tuple[int, int], list[tuple[int, float]]] = {}
        self.over: list[tuple[list[tuple[int, float]], float]] = []

    def pay(self, table: int, payoff: np.ndarray, scale: float) -> None:
        for seat, won in enumerate(payoff):
            if decisions := self.open.pop((table, seat), None):
                self.over.append((decisions, won * scale))

    def learn(self, gamma: float, gae_lambda: float) -> dict[int, float]:
        """The advantages of the decisions to learn from, by number."""
        found = {}
        for decisions, reward in self.over:
            advantages = textbook_advantages([value for _, value in decisions], reward, gamma, gae_lambda)
            found |= {number: advantage for (number, _), advantage in zip(decisions, advantages, strict=True)}
        self.over = []
        return found


@pytest.mark.parametrize(("gamma", "gae_lambda"), [(1.0, 0.95), (0.9, 0.5), (1.0, 1.0), (0.99, 0.0)])
@pytest.mark.parametrize("stored", [False, True])
def test_the_buffer_is_the_textbooks(gamma: float, gae_lambda: float, stored: bool) -> None:
    """Long hands in a buffer that is far too small at first. stored: every rollout is in a new buffer."""
    rng, tables, seats = np.random.default_rng(0), 6, 4
    buffer, slow, number, rooms = RolloutBuffer(tables, seats, 1, 1, 1), SlowBuffer(), 0, set()
    learnt: list[int] = []
    for _ in range(30):
        for _ in range(15):
            rows = np.flatnonzero(rng.random(tables) < 0.8)
            acting = rng.integers(0, seats, len(rows))
            where = buffer.room_for(len(rows))
            values = rng.normal(size=len(rows)).astype(np.float32)
            buffer.observation[where, 0] = np.arange(number, number + len(rows))
            buffer.value[where] = values
            buffer.add(rows, acting)
            for row, seat, value in zip(rows.tolist(), acting.tolist(), values.tolist(), strict=True):
                slow.open.setdefault((row, seat), []).append((number, value))
                number += 1
            ended = np.flatnonzero(rng.random(tables) < 0.07)
            payoff = rng.normal(size=(tables, seats))  # rows behind the hands that ended are of earlier ones
            buffer.credit(ended, payoff, 0.5)
            for row, won in zip(ended.tolist(), payoff, strict=False):
                slow.pay(row, won, 0.5)
        buffer.finish(gamma, gae_lambda)
        expected = slow.learn(gamma, gae_lambda)
        numbers = buffer.observation[buffer.complete, 0].astype(int).tolist()
        learnt += numbers
        assert sorted(numbers) == sorted(expected)
        np.testing.assert_allclose(buffer.advantage[buffer.complete], [expected[n] for n in numbers], atol=1e-5)
        np.testing.assert_allclose(buffer.returns, buffer.advantage[buffer.complete] + buffer.value[buffer.complete])
        rooms.add(len(buffer.action))
        before = buffer.state()
        assert len(before["action"]) == sum(map(len, slow.open.values()))
        if stored:
            buffer = RolloutBuffer(tables, seats, 1, 1, 1)
            buffer.load_state(before)
        buffer.discard()
        for name, column in buffer.state().items():
            np.testing.assert_array_equal(column, before[name])
    waiting = sum(map(len, slow.open.values()))
    assert sorted(learnt) + sorted(n for hand in slow.open.values() for n, _ in hand) != []
    assert len(learnt) == len(set(learnt)) == number - waiting  # each once
    if not stored:
        assert len(rooms) > 1
        assert max(rooms) < 10 * tables * 15  # it does not grow for ever


def test_decisions_of_a_rollout_that_was_broken_off_are_learnt_after_the_next() -> None:
    """The hand was over, but its decisions had not been given out when the rollout ended."""
    buffer = RolloutBuffer(1, 2, 4, 1, 1)
    for seat in (0, 1, 0):
        buffer.value[buffer.room_for(1)] = 0
        buffer.add(np.zeros(1, np.int64), np.array([seat]))
    buffer.credit(np.zeros(1, np.int64), np.array([[3.0, -3.0]]), 1.0)
    buffer.discard()
    again = RolloutBuffer(1, 2, 4, 1, 1)
    again.load_state(buffer.state())
    for each in (buffer, again):
        assert each.count == 3
        each.finish(1.0, 1.0)
        assert each.complete.tolist() == [0, 1, 2]
        assert each.advantage[:3].tolist() == [3, -3, 3]
        each.discard()
        assert each.count == 0


@pytest.mark.parametrize("spread", [0.1, 3.0])
def test_the_loss_is_that_of_the_single_file(spread: float) -> None:
    single, size, width = example("ppo_single_file"), 500, 7
    torch.manual_seed(1)
    logits, offered, actions = spread * torch.randn(size, width), torch.rand(size, width) < 0.6, torch.arange(size) % 7
    offered[:20] = False  # but for the action taken: nothing to choose
    offered[torch.arange(size), actions] = True
    log_probs = log_probabilities(logits, offered)
    wanted = logits.masked_fill(~offered, -torch.inf).log_softmax(dim=1)
    torch.testing.assert_close(log_probs[offered], wanted[offered])
    old = log_probs[torch.arange(size), actions] + 0.4 * torch.randn(size)
    given = torch.randn(size), actions, old, torch.randn(size), torch.randn(size)
    losses = ppo_losses(log_probs, *given, 0.2)
    _, parts = single.ppo_loss(log_probs, *given, single.Args(clip=0.2))
    for found, part in zip(losses, parts.values(), strict=False):  # in this order; it has no reference policy
        torch.testing.assert_close(found, part)
    assert 0.2 < losses.clip_fraction < 0.8
    assert losses.reference_kl is None


@pytest.mark.parametrize("kl_coef", [0.5, 3.0])
def test_the_gradient_is_zero_at_the_policy_of_magnetic_mirror_descent(kl_coef: float) -> None:
    """Sokota et al. 2023: pi is in proportion to (pi_t rho^(eta alpha) e^(eta A))^(1 / (1 + eta alpha))."""
    rng, width, alpha, eta = np.random.default_rng(3), 5, 0.2, 1 / kl_coef
    advantages, old = rng.normal(size=width), rng.dirichlet(np.ones(width))
    unscaled = (old * np.exp(eta * advantages)) ** (1 / (1 + eta * alpha))  # the uniform rho is a constant factor
    wanted = unscaled / unscaled.sum()
    # A batch with every action once, as likely as the others when it was chosen, and nothing clipped: the mean of the
    # surrogate is E[A].
    logits, reference = (torch.from_numpy(np.log(each)).expand(width, -1) for each in (wanted, old))
    logits.requires_grad_()
    zeros, log_probs = torch.zeros(width), log_probabilities(logits, torch.ones(width, width, dtype=torch.bool))
    given = zeros, torch.arange(width), zeros - np.log(width), torch.from_numpy(advantages), zeros
    losses = ppo_losses(log_probs, *given, clip_range=1e6, reference_log_probs=reference)
    (losses.policy - alpha * losses.entropy + kl_coef * losses.reference_kl).backward()
    np.testing.assert_allclose(logits.grad.sum(dim=0), 0, atol=1e-6)
    assert losses.reference_kl.item() == pytest.approx((wanted * np.log(wanted / old)).sum(), abs=1e-6)


def test_a_reference_without_decay_is_the_policy_that_plays_the_rollout() -> None:
    learner = Trainee(
        configured(rules="kuhn", learner={"kl_coef": 0.1, "reference_decay": 0, "hidden": [8], "batch_size": 512})
    )
    played = []

    class Note:
        """Has one of the methods of a hook."""

        def goes_on(self) -> bool:
            played.append([weight.clone() for weight in learner.model.policy.parameters()])
            return True

    assert learner.reference
    loop.train(learner.model, [*learner.hooks(), Note()], decisions=1)
    for reference, weight in zip(learner.reference.policy.parameters(), played[-1], strict=True):
        torch.testing.assert_close(reference, weight)


def test_the_temperature_is_the_entropy_coefficient_times_the_deviation_in_chips() -> None:
    ppo = small(Rules.preset("leduc"), number=32, ent_coef=0.3, reward_scale=0.2)
    ppo.set_up()
    ppo.collect_rollouts()
    chips = ppo.rollout_buffer.advantage[ppo.rollout_buffer.complete] / 0.2
    assert ppo.train()["train/temperature"] == pytest.approx(0.3 * chips.std(), rel=1e-4)


def test_the_gradient_of_very_sure_policies_is_finite() -> None:
    logits = torch.tensor([[800.0, -800.0, 0.0], [-800.0, 800.0, 0.0], [0.0, 0.0, 1e30]], requires_grad=True)
    offered = torch.tensor([[True] * 3, [True] * 3, [True, True, False]])  # however high, the last is not offered
    reference, zeros = log_probabilities(-logits.detach(), offered), torch.zeros(3)
    for advantage in (1.0, -1.0):
        log_probs = log_probabilities(logits, offered)
        losses = ppo_losses(log_probs, zeros, zeros.long(), zeros, zeros + advantage, zeros, 0.2, reference)
        logits.grad = None
        (losses.policy - 0.01 * losses.entropy + 0.1 * losses.reference_kl).backward()
        assert logits.grad.isfinite().all()
        assert logits.grad[2, 2] == 0
        assert torch.stack(losses).isfinite().all()


def test_actions_are_drawn_as_often_as_the_policy_says() -> None:
    rng, width, times = np.random.default_rng(2), 5, 40_000
    logits = rng.normal(size=(1, width)).astype(np.float32).repeat(times, axis=0)
    choices = np.array([[10, NO_MOVE, 12, 13, NO_MOVE]]).repeat(times, axis=0)
    actions, moves, log_prob = np.empty(times, np.int64), np.empty(times, np.int64), np.empty(times, np.float32)
    sample(logits, choices, rng.random(times), actions, log_prob, moves)
    weights = np.exp(logits[0].astype(float)) * (choices[0] != NO_MOVE)
    probabilities = weights / weights.sum()
    counts = np.bincount(actions, minlength=width)
    assert counts[1] == counts[4] == 0
    sure = 4 * np.sqrt(probabilities * (1 - probabilities) / times)
    assert (np.abs(counts / times - probabilities) <= sure).all()
    np.testing.assert_allclose(log_prob, np.log(probabilities[actions]), atol=1e-6)
    np.testing.assert_array_equal(moves, choices[0][actions])


def test_the_ends_of_the_random_numbers_draw_offered_actions() -> None:
    logits = np.array([[0.0, -100.0, 0.0, 50.0]] * 2, np.float32)
    choices = np.array([[NO_MOVE, 1, 2, NO_MOVE]] * 2)
    actions, moves, log_prob = np.empty(2, np.int64), np.empty(2, np.int64), np.empty(2, np.float32)
    sample(logits, choices, np.array([0.0, 1 - 2.0**-53]), actions, log_prob, moves)
    assert actions.tolist() == moves.tolist() == [1, 2]
    np.testing.assert_allclose(log_prob, [-100, 0], atol=1e-5)


def by_argsort(observations: np.ndarray, places: list[int]) -> np.ndarray:
    """Suits in the order of their cards, largest first: all rows at once, with a sum and a sort."""
    rows = torch.from_numpy(observations)
    sets = [rows[:, at : at + 52].reshape(-1, 13, 4) for at in places]
    key = torch.zeros(len(rows), 4, dtype=torch.float64)
    for cards in sets:
        key = key * 2**13 + torch.einsum("brs,r->bs", cards.double(), 2 ** torch.arange(13, dtype=torch.float64))
    order = key.argsort(dim=1, descending=True, stable=True)[:, None, :].expand(-1, 13, -1)
    out = rows.clone()
    for at, cards in zip(places, sets, strict=True):
        out[:, at : at + 52] = cards.gather(2, order).reshape(-1, 52)
    return out.numpy()


@pytest.mark.parametrize("places", [[], [0], [3, 60], [0, 52, 110, 162]])
@pytest.mark.parametrize("share", [0.0, 0.02, 0.1, 0.9])
def test_suits_are_sorted_as_by_an_argsort(places: list[int], share: float) -> None:
    rng = np.random.default_rng(3)
    observations = rng.random((300, 220)).astype(np.float32)
    for at in places:
        observations[:, at : at + 52] = rng.random((300, 52)) < share
    found = observations.copy()
    sort_suits(found, np.array(places, np.int64))
    np.testing.assert_array_equal(found, by_argsort(observations, places))


class Nobody(FileAgent):
    """Stands for the learner at the tables."""

    def __init__(self) -> None:
        self.name = "self"

    def check_rules(self, rules: Rules) -> None:
        """It plays any game."""


def small(
    rules: Rules = HEADS_UP,
    others: tuple[Any, ...] = (),
    number: int = 16,
    tables: Callable[..., SelfPlayTables] = SelfPlayTables,
    seed: int = 0,
    **settings: Any,
) -> PPO:
    """A PPO with a small network that plays itself and these others."""
    torch.manual_seed(seed)
    observation, actions = get_observation("flat"), get_actions(None, rules)
    network = new_network(observation, actions.size(rules), rules, [16], is_canonical=False)
    me = Nobody()
    made = tables(rules, number, [me, *others], observation, actions, itself=me)
    return PPO(network, made, **({"n_steps": 8, "batch_size": 64, "seed": seed} | settings))


def weights(ppo: PPO) -> dict[str, torch.Tensor]:
    return {name: tensor.clone() for name, tensor in ppo.policy.state_dict().items()}


def assert_equal_weights(one: PPO, two: PPO) -> None:
    for name, tensor in one.policy.state_dict().items():
        assert torch.equal(tensor, two.policy.state_dict()[name]), name


class Ledger(SelfPlayTables):
    """Tables that write down every decision of the learner, and what every seat won in every hand."""

    def reset(self, seed: int | None = None) -> None:
        self.decided: list[tuple[int, int, int]] = []
        self.won: dict[tuple[int, int], list[float]] = {}
        super().reset(seed)

    def step(self, moves: np.ndarray) -> None:
        hands = self.records["hand"].tolist()
        turns = zip(self.turn.tolist(), self.seats_to_act.tolist(), strict=True)
        self.decided += [(table, hands[table], seat) for table, seat in turns]
        super().step(moves)
        for table, payoff in zip(self.ended.tolist(), self.value.tolist(), strict=False):
            self.won[table, hands[table]] = payoff


@pytest.mark.parametrize("rules", [SIX, Rules.preset("leaflet"), Rules.preset("kuhn")], ids=["six", "ten", "kuhn"])
@pytest.mark.parametrize("others", [(), ("calling_station", ("always_fold", 3))], ids=["alone", "with others"])
def test_every_decision_is_learnt_once_and_paid_what_its_own_seat_won(rules: Rules, others: tuple[Any, ...]) -> None:
    """Rollouts are short: most hands begin in one and end in another."""
    ppo = small(rules, others, tables=Ledger, n_steps=4)
    tables, given = ppo.tables, 0

    def numbered(observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Equal logits, and the decision's number as its value. Rows after the decisions fill up the batch."""
        nonlocal given
        numbers = torch.arange(given, given + len(observations), dtype=torch.float32)
        given += len(tables.turn)
        assert len(tables.turn) <= len(observations)
        return torch.zeros(len(observations), tables.num_actions), numbers

    ppo.policy.logits_and_values = numbered  # type: ignore[method-assign]
    ppo.set_up()
    learnt: list[int] = []
    for _ in range(12):
        before = given
        assert ppo.collect_rollouts()
        assert 4 * 16 <= given - before < 5 * 16
        assert ppo.decisions == given == len(tables.decided)
        buffer = ppo.rollout_buffer
        numbers = buffer.value[buffer.complete].astype(int).tolist()
        ends = buffer.following[buffer.complete] < 0
        for number, reward, is_last in zip(numbers, buffer.rewards, ends, strict=True):
            table, hand, seat = tables.decided[number]
            paid = tables.won[table, hand][seat] * 0.05 / rules.unit
            assert reward == pytest.approx(paid if is_last else 0, abs=1e-6)
        learnt += numbers
    assert len(learnt) == len(set(learnt))
    over = [number for number, place in enumerate(tables.decided) if place[:2] in tables.won]
    assert sorted(learnt) == over
    last = Counter(tables.decided[number] for number in learnt)
    assert len(last) > 100
    if not others:
        assert {seat for *_, seat in last} == set(range(rules.seats))


class Notes:
    """Notes when it is called; ends training after this many moves. at_end: called after each update."""

    def __init__(self, most: int = 10**9, at_end: Callable[[PPO, dict[str, Any]], object] = lambda *_: None) -> None:
        self.most, self.at_end, self.called = most, at_end, list[str]()

    def begin(self, model: PPO) -> None:
        self.model = model
        self.called.append("begin")

    def before_step(self, stats: dict[str, Any]) -> None:
        self.called.append("before")

    def goes_on(self) -> bool:
        self.called.append("move")
        return self.called.count("move") < self.most

    def after_step(self, stats: dict[str, Any]) -> None:
        self.called.append("after")
        self.at_end(self.model, stats)

    def end(self) -> None:
        self.called.append("end")


def test_hooks_are_called_in_order() -> None:
    notes, ppo = Notes(), small(n_steps=4)
    loop.train(ppo, [notes], decisions=100)  # every move is 16 decisions, and it is asked before the step, too
    step = ["before", *["move"] * 5, "after"]
    assert notes.called == ["begin", *step, *step, "end"]
    assert ppo.decisions == 128
    loop.train(ppo, [notes], decisions=64)
    assert ppo.decisions == 192
    ppo.learn(64)
    assert ppo.decisions == 256
    assert ppo.updates == 4


def test_a_step_that_a_hook_breaks_off_loses_nothing() -> None:
    """What goes on in the same object is what goes on from its state."""
    one = small(SIX, ("maniac",), n_steps=6)
    one.learn(300)
    loop.train(one, [Notes(4)], decisions=300)
    two = small(SIX, ("maniac",), n_steps=6, seed=1)
    two.load_state(stored(one.state()))
    waiting = one.rollout_buffer.count
    assert waiting > 0
    for ppo in (one, two):
        torch.manual_seed(7)
        ppo.learn(200)
    assert one.decisions == two.decisions
    assert_equal_weights(one, two)


def stored(state: dict[str, Any]) -> dict[str, Any]:
    """A state as a checkpoint has it: a copy, without any code in it."""
    file = BytesIO()
    torch.save(state, file)
    return torch.load(BytesIO(file.getvalue()), weights_only=True)


@pytest.mark.parametrize("rules", [SIX, Rules.preset("leduc")], ids=["six", "leduc"])
def test_a_resumed_algorithm_is_the_uninterrupted_one(rules: Rules) -> None:
    whole, first, second = (small(rules, ("calling_station",), n_epochs=2) for _ in range(3))
    torch.manual_seed(5)
    whole.learn(600)
    torch.manual_seed(5)
    first.learn(300)
    state, generator = stored(first.state()), torch.get_rng_state()
    torch.manual_seed(99)
    second.load_state(state)
    torch.set_rng_state(generator)
    second.learn(600 - second.decisions)
    assert second.decisions == whole.decisions
    assert second.updates == whole.updates
    assert_equal_weights(whole, second)


def test_asking_for_the_state_changes_nothing() -> None:
    made = []
    for at_end in (lambda *_: None, lambda ppo, _: ppo.state()):
        ppo = small(SIX)
        torch.manual_seed(3)
        loop.train(ppo, [Notes(at_end=at_end)], decisions=400)
        made.append(ppo)
    assert_equal_weights(*made)


def test_rollouts_in_which_no_hand_is_over_teach_nothing_and_do_no_harm(recwarn: pytest.WarningsRecorder) -> None:
    ppo = small(Rules.preset("leaflet"), n_steps=1, batch_size=4)
    before = weights(ppo)
    ppo.learn(16)
    assert not len(ppo.rollout_buffer.complete)
    assert all(torch.equal(tensor, before[name]) for name, tensor in weights(ppo).items())
    for _ in range(20):
        ppo.learn(16)
    assert any(not torch.equal(tensor, before[name]) for name, tensor in weights(ppo).items())
    assert not recwarn.list


def test_a_gradient_that_is_no_number_ends_training_and_leaves_the_weights() -> None:
    ppo = small()
    ppo.learn(128)
    before = weights(ppo)
    ppo.collect_rollouts()
    ppo.rollout_buffer.advantage[:] = np.nan
    mentions(complaint(ppo.train), 256, "learning_rate")
    assert all(torch.equal(tensor, before[name]) for name, tensor in weights(ppo).items())


def test_a_game_in_which_the_learner_never_decides_is_called_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdem_agents.ppo.algorithm.MAX_IDLE_STEPS", 50)
    ppo = small(number=1)
    ppo.tables.set_opponents(["always_fold"])
    ppo.tables.learner_seats[:] = 9  # nobody's
    ppo.tables._seat_agents()
    ppo.tables.reset(seed=0)
    ppo._begun = True
    ppo.tables._owners[:] = 0
    ppo.tables._find_turns()
    mentions(complaint(ppo.collect_rollouts, kind=RuntimeError), 50)


def configured(**changes: Any) -> Training:
    learner = {"n_steps": 8, "batch_size": 128, "hidden": [16], "threads": 1}
    fields: dict[str, Any] = {"rules": HEADS_UP, "budget": {"decisions": 600}, "tables": 32, "learner": learner}
    return Training(**(fields | {"opponents": {"latest_self": 0.5, "maniac": 0.5}} | changes))


def test_a_budget_in_decisions_ends_with_the_rollout_that_spends_it() -> None:
    learner, sizes = Trainee(configured()), []
    loop.train(learner.model, [*learner.hooks(), Notes(at_end=lambda ppo, _: sizes.append(ppo.decisions))])
    assert sizes[-2] < 600 <= sizes[-1] == learner.model.decisions


def test_hands_that_it_plays_with_itself_alone_are_in_no_win_rate() -> None:
    found = []
    for opponents in ({"latest_self": 1.0}, {"latest_self": 0.5, "maniac": 0.5}):
        learner, logged = Trainee(configured(opponents=opponents)), {}
        noted = Notes(at_end=lambda _, stats, logged=logged: logged.update(stats))
        loop.train(learner.model, [*learner.hooks(), noted], decisions=256)
        found.append(logged)
    (alone, with_others), rate = found, "holdem/bb_per_100_in_training"
    assert rate not in alone
    assert "holdem/return" in alone
    assert with_others[rate] == pytest.approx(with_others["training_bb_per_100/maniac"])


@pytest.mark.parametrize(
    ("rules", "observation"), [("pluribus-6max", "flat"), ("leaflet", "planes"), ("leduc", "tokens")]
)
def test_every_observation_and_game_trains(observation: str, rules: str, tmp_path: Any) -> None:
    learner = Trainee(configured(rules=rules, observation=observation))
    before = learner.model.policy.state_dict()["policy.0.weight"].clone()
    loop.train(learner.model, learner.hooks(), decisions=512)
    assert not torch.equal(before, learner.model.policy.state_dict()["policy.0.weight"])
    learner.save(tmp_path / "a.safetensors")


def test_the_kl_penalty_keeps_the_policy_near_the_reference() -> None:
    """The same decisions, learnt once freely and once with a large penalty."""
    moved = []
    for kl_coef in (0.0, 100.0):
        ppo = small(Rules.preset("leduc"), number=64, kl_coef=kl_coef, n_epochs=10, learning_rate=1e-2)
        ppo.reference_policy = deepcopy(ppo.policy)
        ppo.set_up()
        ppo.collect_rollouts()
        seen = torch.from_numpy(ppo.rollout_buffer.observation[: ppo.rollout_buffer.count].copy())
        before = ppo.policy(seen).detach().exp()
        ppo.train()
        moved.append(float((ppo.policy(seen).detach().exp() - before).abs().mean()))
    assert 0 < moved[1] < 0.5 * moved[0]


@pytest.mark.slow
def test_kuhns_poker_is_learnt() -> None:
    """The uniform policy is 0.458 exploitable. Without averaged weights and a KL penalty self-play goes in circles."""
    torch.set_num_threads(1)
    steadying = {"average": 0.98, "kl_coef": 0.2, "gae_lambda": 1.0, "entropy": [0.05, 0.02]}
    speed = {"hidden": [32], "n_steps": 8, "batch_size": 512, "epochs": 3, "learning_rate": [2e-3, 5e-4], "threads": 1}
    budget = {"budget": {"decisions": 300_000}, "tables": 256, "reward_scale": 1.0}
    learner = Trainee(configured(rules="kuhn", opponents={"latest_self": 1.0}, learner=steadying | speed, **budget))
    assert exploitability(learner.final_agent, learner.config.rules) > 0.4
    loop.train(learner.model, learner.hooks())
    assert exploitability(learner.final_agent, learner.config.rules) < 0.1

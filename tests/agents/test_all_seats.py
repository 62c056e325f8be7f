"""Self-play in one command: every decision is paid what its own seat won, every seat learns, something is learnt."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from stable_baselines3.common.callbacks import BaseCallback

from differential.small_games import exploitability_by_openspiel
from holdem_agents import all_seats
from holdem_agents.all_seats import SMALL_GAMES, Learner, Settings
from holdem_agents.model_files import FileAgent, load
from holdem_agents.ppo import update_average
from holdem_env import Rules
from holdem_env.arena import exploitability, play_match
from holdem_env.engine.record import NOBODY
from holdem_env.testing import check_agent

TINY = Settings(tables=8, steps=4, hidden=16, batch=16)


class Rounds(BaseCallback):
    """Ends training after some updates."""

    def __init__(self, updates: int) -> None:
        super().__init__()
        self._left = updates + 1

    def _on_rollout_start(self) -> None:
        self._left -= 1

    def _on_step(self) -> bool:
        return self._left > 0


class Ledger(BaseCallback):
    """Writes down who decided in which hand, and what every hand paid; checks what the decisions were paid.

    The learner's moves, their order in the buffer, and the tables' results are all seen from outside.
    """

    def __init__(self, learner: Learner) -> None:
        super().__init__()
        self.tables, self.buffer = learner.ppo.tables, learner.ppo.rollout_buffer
        self.decided: list[tuple[int, int, int]] = []  # table, hand and seat of each decision, in order
        self.payoffs: dict[tuple[int, int], list[float]] = {}
        self.paid: list[tuple[int, int, int]] = []
        self.scale = 1 / learner.settings.unit / learner.rules.unit
        self._step = self.tables.step
        self.tables.step = self._write  # type: ignore[method-assign]

    def _write(self, moves: np.ndarray) -> None:
        hands = self.tables.records["hand"].tolist()
        turn, seats = self.tables.turn.tolist(), self.tables.seats_to_act.tolist()
        self.decided += [(table, hands[table], seat) for table, seat in zip(turn, seats, strict=True)]
        self._step(moves)
        ended, worth = self.tables.ended.tolist(), self.tables.worth.tolist()
        for table, won in zip(ended, worth[: len(ended)], strict=True):
            self.payoffs[table, hands[table]] = won

    def _on_rollout_end(self) -> None:
        """What waited comes first in the buffer, then the decisions of this rollout."""
        buffer = self.buffer
        assert buffer.count == len(self.decided)
        last = {entry: k for k, entry in enumerate(self.decided)}
        for k, (table, hand, seat) in enumerate(self.decided):
            is_over = (table, hand) in self.payoffs
            assert buffer.is_over[k] == is_over
            if is_over:
                is_last = last[table, hand, seat] == k
                reward = self.payoffs[table, hand][seat] * self.scale if is_last else 0
                assert buffer.reward[k] == pytest.approx(reward, rel=1e-6)
                won = buffer.advantage[k] + buffer.value[k]  # gae_lambda is 1: the return of every decision
                assert won == pytest.approx(self.payoffs[table, hand][seat] * self.scale, abs=1e-4)
                self.paid.append((table, hand, seat))
        self.decided = [entry for entry in self.decided if entry[:2] not in self.payoffs]

    def _on_step(self) -> bool:
        return True


@pytest.mark.parametrize("seats", [2, 4])
def test_every_decision_is_paid_what_its_own_seat_won_in_its_own_hand(seats: int) -> None:
    """Rollouts of seven steps: most hands begin in one and end in another, and wait until then."""
    learner = Learner(Rules(seats=seats, blinds=(50, 100)), Settings(tables=20, steps=7, hidden=8, batch=70), seed=3)
    ledger = Ledger(learner)
    learner.ppo.learn(12 * 7 * 20, [ledger])
    assert len(ledger.payoffs) > 40
    assert len(ledger.paid) + len(ledger.decided) == 12 * 7 * 20  # each decision is learnt once, or waits
    assert {seat for _, _, seat in ledger.paid} == set(range(seats))
    assert all(sum(payoffs) == 0 for payoffs in ledger.payoffs.values())


def test_all_seats_are_the_learners() -> None:
    learner = Learner(Rules(seats=4, blinds=(50, 100)), TINY)
    tables = learner.ppo.tables
    learner.learn(Rounds(4))
    assert (tables.played_by[: len(tables.ended)] == NOBODY).all()
    assert learner.decisions == 4 * TINY.tables * TINY.steps


def test_it_runs(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch, "set_num_threads", lambda _: None)
    monkeypatch.setattr(all_seats, "HANDS", 100)
    all_seats.main(["--seconds", "0.2", "--tables", "32", "--rules", "heads-up-limit"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("seconds  decisions  entropy")
    assert len(lines) >= 2
    assert lines[1].count("±") == 3


def test_reports_come_at_even_parts_of_training(capsys: pytest.CaptureFixture[str]) -> None:
    all_seats.train(Rules.preset("kuhn"), None, TINY, updates=8)
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[1:]]
    assert [int(row[1].replace(",", "")) for row in rows] == [0, 64, 128, 192, 256]
    assert rows[0][2] == "nan"
    assert all(0 < float(row[2]) < 0.7 for row in rows[1:])


def learnt(preset: str, updates: int, settings: Settings) -> FileAgent:
    learner = Learner(Rules.preset(preset), settings, seed=1)
    learner.learn(Rounds(updates))
    return learner.agent()


@pytest.mark.slow
def test_kuhns_poker_is_learnt() -> None:
    """Uniform is 0.458 exploitable. Some 6 s on one core."""
    torch.set_num_threads(1)
    agent, rules = learnt("kuhn", 120, replace(SMALL_GAMES, hidden=64)), Rules.preset("kuhn")
    assert exploitability(agent, rules) < 0.05
    assert exploitability_by_openspiel(agent, "kuhn") == pytest.approx(exploitability(agent, rules), abs=1e-4)


@pytest.mark.slow
def test_leduc_poker_is_learnt() -> None:
    """Uniform is 2.37 exploitable."""
    torch.set_num_threads(1)
    agent, rules = learnt("leduc", 150, SMALL_GAMES), Rules.preset("leduc")
    assert exploitability(agent, rules) < 0.5
    assert exploitability_by_openspiel(agent, "leduc") == pytest.approx(exploitability(agent, rules), abs=1e-4)


def test_the_same_seed_learns_the_same() -> None:
    torch.set_num_threads(1)
    learnt_weights = []
    for seed in (3, 3, 4):
        learner = Learner(Rules.preset("leduc"), TINY, seed)
        learner.learn(Rounds(2))
        learnt_weights.append(learner.agent().policy.state_dict())
    one, two, other = learnt_weights
    assert all(torch.equal(one[name], two[name]) for name in one)
    assert not all(torch.equal(one[name], other[name]) for name in one)


def test_copies_follow() -> None:
    learner = Learner(Rules.preset("kuhn"), replace(TINY, pull=0.1, averaging=0.8))
    expected = Learner(Rules.preset("kuhn"), TINY).average.policy
    seen = []

    class Follow(BaseCallback):
        def _on_rollout_start(self) -> None:
            update_average(expected, learner.current.policy, 0.2)
            for ours, theirs in zip(learner.average.policy.parameters(), expected.parameters(), strict=True):
                torch.testing.assert_close(ours, theirs)
            seen.append(True)

        def _on_step(self) -> bool:
            return len(seen) < 8

    learner.learn(Follow())
    weights = [policy.state_dict()["policy.0.weight"] for policy in (learner.magnet.policy, learner.average.policy)]
    assert not torch.equal(*weights)


def test_the_pull_keeps_the_policy_near_the_magnet() -> None:
    """The same decisions, learnt once freely and once pulled hard to where it began."""
    moved = []
    for pull in (0.0, 100.0):
        settings = Settings(tables=64, steps=8, batch=512, pull=pull, epochs=10, learning_rate=1e-2, following=1e-9)
        learner = Learner(Rules.preset("leduc"), settings)
        learner.ppo.set_up()
        learner.ppo.collect()
        seen = torch.from_numpy(learner.ppo.rollout_buffer.observation[: 64 * 8].copy())
        before = learner.current.policy(seen).detach().exp()
        learner.ppo.train()
        moved.append(float((learner.current.policy(seen).detach().exp() - before).abs().mean()))
    assert 0 < moved[1] < 0.5 * moved[0]


def test_the_agent_is_saved_and_plays(tmp_path: Path) -> None:
    rules = Rules.preset("heads-up-limit")
    learner = Learner(rules, TINY, seed=7)
    learner.learn(Rounds(2))
    learner.agent().save(tmp_path / "mine.safetensors")
    again = load(tmp_path / "mine.safetensors")
    assert again.training == {"decisions": 64, "seed": 7}
    assert again.algorithm == "PPO of all_seats"
    check_agent(again, games=[rules])
    assert play_match(again, "random", rules, hands=100, num_tables=50).hands == 100
    with pytest.raises(ValueError, match="trained for fixed_limit with 2 seats; this game is no_limit"):
        exploitability(again, Rules.preset("kuhn", structure="no_limit", small_bet=None))


def test_a_file_of_another_kind_is_refused_before_training(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        all_seats.main(["--rules", "kuhn", "--save", "mine.pt"])
    said = capsys.readouterr()
    assert "--save: mine.pt does not end in .safetensors" in said.err
    assert not said.out


def test_small_games_are_measured_exactly(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "kuhn.safetensors"
    all_seats.main(["--updates", "2", "--tables", "32", "--rules", "kuhn", "--save", str(path)])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "seconds  decisions  entropy  exploitability"
    assert float(lines[-1].split()[-1]) == pytest.approx(exploitability(load(path), Rules.preset("kuhn")), abs=1e-3)


@pytest.mark.slow
def test_something_is_learnt() -> None:
    """650,000 decisions, heads-up: an untrained network loses to wild players, a trained one beats them.

    By the newest weights: the average still holds much of the untrained ones.
    """
    torch.set_num_threads(1)
    rules = Rules.preset("heads-up-no-limit")
    learner = Learner(rules, Settings())
    assert play_match(learner.current, "maniac", rules, hands=10_000).mean < 0
    learner.learn(Rounds(20))
    for opponent in ("random", "maniac"):
        result = play_match(learner.current, opponent, rules, hands=10_000)
        assert result.mean - 1.5 * result.half_width > 0, opponent  # three standard errors


def test_ctrl_c_keeps_and_saves_what_was_learnt(monkeypatch, capsys, tmp_path: Path) -> None:
    train, updates = all_seats.PPO.train, []

    def interrupted_after_two(self) -> None:
        if len(updates) == 2:
            raise KeyboardInterrupt
        updates.append(train(self))

    monkeypatch.setattr(all_seats.PPO, "train", interrupted_after_two)
    path = tmp_path / "kuhn.safetensors"
    all_seats.main(["--updates", "50", "--tables", "32", "--rules", "kuhn", "--save", str(path)])
    assert "interrupted: the agent has learnt from" in capsys.readouterr().out
    assert load(path).trained_on == Rules.preset("kuhn")

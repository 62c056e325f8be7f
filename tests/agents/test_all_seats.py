"""The worked example on Tables: every decision is paid what its own seat won, and something is learnt."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from differential.small_games import exploitability_by_openspiel
from holdem_agents import all_seats
from holdem_agents.all_seats import (
    SMALL_GAMES,
    AllSeats,
    Collector,
    Learner,
    Network,
    Settings,
    ends_of_hands,
    load,
    measure,
    ppo_update,
    update_average,
)
from holdem_agents.digests import write_with_digest
from holdem_env import Rules, Tables
from holdem_env.arena import exploitability, play_match


def test_ends_of_hands() -> None:
    done = np.array([[0, 1], [1, 0], [0, 0], [1, 0]], bool)
    assert ends_of_hands(done).T.tolist() == [[1, 1, 3, 3], [0, 4, 4, 4]]


class Scribe:
    """Plays anything that is offered, and writes down as values which hand of the table it is."""

    def __init__(self, tables: Tables) -> None:
        self.tables, self.asked = tables, 0

    def decide(self, observation: np.ndarray, mask: np.ndarray) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        self.asked += 1
        actions = (np.random.default_rng(self.asked).random(mask.shape) * mask).argmax(axis=1)
        hands = self.tables.records["hand"].astype(np.float32)
        return torch.from_numpy(actions), torch.zeros(len(mask)), torch.from_numpy(hands)


class Ledger(Tables):
    """Tables that write down what every hand paid, and who decided in it."""

    payoffs: dict[tuple[int, int], list[int]]
    decided: list[tuple[int, int, int]]

    def step(self, actions: np.ndarray) -> None:
        hands = self.records["hand"].tolist()
        self.decided += [(table, hands[table], seat) for table, seat in enumerate(self.actor.tolist())]
        super().step(actions)
        for table in np.flatnonzero(self.done).tolist():
            self.payoffs[table, hands[table]] = self.reward[table].tolist()


@pytest.mark.parametrize("seats", [2, 4])
def test_every_decision_is_paid_what_its_own_seat_won_in_its_own_hand(seats: int) -> None:
    """Rounds of seven steps: most hands begin in one and end in another."""
    tables = Ledger(Rules(seats=seats, blinds=(50, 100)), num_tables=20, seed=3)
    tables.payoffs, tables.decided = {}, []
    collector = Collector(tables, Scribe(tables))  # type: ignore[arg-type]
    paid = []
    for _ in range(12):
        decisions, won = collector.collect(steps=7)
        for table, hand, seat, big_blinds in zip(decisions.table, decisions.value, decisions.seat, won, strict=True):
            assert round(100 * big_blinds) == tables.payoffs[table, int(hand)][seat]
            paid.append((table, int(hand), seat))
    assert sorted(paid) == sorted(entry for entry in tables.decided if entry[:2] in tables.payoffs)
    assert len({entry[2] for entry in paid}) == seats
    assert all(sum(payoffs) == 0 for payoffs in tables.payoffs.values())


def test_it_runs(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch, "set_num_threads", lambda _: None)
    all_seats.main(["--seconds", "0.2", "--tables", "32", "--rules", "heads-up-limit"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("seconds  decisions  entropy")
    assert len(lines) >= 2
    assert lines[1].count("±") == 3


def learnt(preset: str, updates: int, settings: Settings) -> AllSeats:
    learner = Learner(Rules.preset(preset), settings, seed=1)
    for _ in range(updates):
        learner.update()
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
    rules = Rules.preset("leduc")
    one, two = (Learner(rules, SMALL_GAMES, seed=3) for _ in range(2))
    for learner in (one, two):  # one after the other: they draw from the same generator
        torch.manual_seed(3)
        learner.update()
    for ours, theirs in zip(one.average.parameters(), two.average.parameters(), strict=True):
        assert torch.equal(ours, theirs)


def test_copies_follow() -> None:
    slow, fast = Network(3, 2, 4), Network(3, 2, 4)
    before = slow.policy.bias.detach().clone()
    update_average(slow, fast, 0.25)
    assert torch.allclose(slow.policy.bias, 0.75 * before + 0.25 * fast.policy.bias)


def test_the_pull_keeps_the_policy_near_the_magnet() -> None:
    """The same decisions, learnt once freely and once pulled hard to where it began."""
    rules = Rules.preset("leduc")
    moved = []
    for pull in (0.0, 100.0):
        learner = Learner(rules, Settings(tables=64, steps=8, pull=pull, epochs=10, learning_rate=1e-2), seed=0)
        decisions, won = learner.collector.collect(8)
        seen, offered = torch.from_numpy(decisions.observation), torch.from_numpy(decisions.mask)
        before = learner.network(seen, offered)[0].exp().detach()
        magnet = learner.magnet if pull else None
        ppo_update(learner.network, learner.optimizer, decisions, won, learner.settings, magnet)
        after = learner.network(seen, offered)[0].exp().detach()
        moved.append(float((after - before).abs().mean()))
    assert moved[1] < 0.5 * moved[0]


def test_the_agent_is_saved_and_plays(tmp_path: Path) -> None:
    rules = Rules.preset("heads-up-limit")
    agent = Learner(rules, Settings(tables=8, steps=4, hidden=16)).agent()
    agent.save(tmp_path / "mine.pt")
    again = load(tmp_path / "mine.pt")
    assert again.name == str(tmp_path / "mine.pt")
    tables = Tables(rules, 50)
    rows = np.arange(50)
    for ours, theirs in zip(
        agent.probabilities(tables.records, rules, rows), again.probabilities(tables.records, rules, rows), strict=True
    ):
        assert np.array_equal(ours, theirs)
    assert play_match(agent, "random", rules, hands=100, num_tables=50).hands == 100


def test_bad_files_and_games(tmp_path: Path) -> None:
    agent = Learner(Rules.preset("heads-up-limit"), Settings(tables=8, steps=4, hidden=16)).agent()
    with pytest.raises(ValueError, match=r"ends in \.pt"):
        agent.save(tmp_path / "mine.zip")
    (tmp_path / "other.pt").write_text("nothing of the kind")
    with pytest.raises(ValueError, match="not an agent"):
        load(tmp_path / "other.pt")
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "none.pt")
    with pytest.raises(ValueError, match="trained for fixed_limit with 2 seats; this game is no_limit"):
        exploitability(agent, Rules.preset("kuhn", structure="no_limit", small_bet=None))


def test_a_training_checkpoint_is_told_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.pt"
    write_with_digest(path, b"\xff" * 100_000)
    with pytest.raises(ValueError, match="this is a training checkpoint; the run writes its agent to final") as told:
        load(path)
    assert len(str(told.value)) < 300
    (tmp_path / "final.safetensors").touch()
    with pytest.raises(ValueError, match=r"this is a training checkpoint; the agent is .*final\.safetensors$"):
        load(path)


def test_an_error_does_not_repeat_the_content_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "other.pt"
    path.write_bytes(b"\x80\x02X\x10\x27\x00\x00" + b"\xff" * 100_000)
    with pytest.raises(ValueError, match="not an agent that") as told:
        load(path)
    assert len(str(told.value)) < 300


def test_small_games_are_measured_exactly(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    arguments = ["--updates", "2", "--tables", "32", "--rules", "kuhn", "--save", str(tmp_path / "kuhn.pt")]
    all_seats.main(arguments)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "seconds  decisions  entropy  exploitability"
    assert float(lines[-1].split()[-1]) == pytest.approx(
        exploitability(load(tmp_path / "kuhn.pt"), Rules.preset("kuhn")), abs=1e-3
    )


@pytest.mark.slow
def test_something_is_learnt() -> None:
    """650,000 decisions, heads-up: an untrained network loses to wild players, a trained one beats them."""
    torch.manual_seed(0)
    rules, settings = Rules.preset("heads-up-no-limit"), Settings()
    tables = Tables(rules, settings.tables)
    network = Network(tables.observation.shape[1], tables.mask.shape[1], settings.hidden)
    optimizer = torch.optim.Adam(network.parameters(), settings.learning_rate)
    collector = Collector(tables, network)
    assert measure(network, rules, "maniac")[0] < 0
    for _ in range(20):
        ppo_update(network, optimizer, *collector.collect(settings.steps), settings)
    for opponent in ("random", "maniac"):
        mean, error = measure(network, rules, opponent)
        assert mean - 3 * error > 0, opponent


def test_ctrl_c_keeps_and_saves_what_was_learnt(monkeypatch, capsys, tmp_path: Path) -> None:
    update = Learner.update

    def interrupted_after_two(self):
        if self.decisions and self.updates_seen == 2:
            raise KeyboardInterrupt
        self.updates_seen = getattr(self, "updates_seen", 0) + 1
        return update(self)

    monkeypatch.setattr(Learner, "update", interrupted_after_two)
    path = tmp_path / "kuhn.pt"
    all_seats.main(["--updates", "50", "--tables", "32", "--rules", "kuhn", "--save", str(path)])
    assert "interrupted: the agent has learnt from" in capsys.readouterr().out
    assert load(path).trained_on == Rules.preset("kuhn")

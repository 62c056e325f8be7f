"""The worked example on Tables: every decision is paid what its own seat won, and something is learnt."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from holdem_agents import all_seats
from holdem_agents.all_seats import Collector, Network, Settings, ends_of_hands, improve, measure
from holdem_env import Rules, Tables


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
        improve(network, optimizer, *collector.collect(settings.steps), settings)
    for opponent in ("random", "maniac"):
        mean, error = measure(network, rules, opponent)
        assert mean - 3 * error > 0, opponent

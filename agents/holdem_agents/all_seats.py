"""PPO in plain PyTorch on `Tables`, where every seat learns at once: one readable file, to copy and to change.

    python -m holdem_agents.all_seats --seconds 60

One network plays all seats of all tables. `Tables` always waits for the seat in `tables.actor`, so a step is one
decision at each table, by whoever is to act there. Credit is the point of this example: a decision is paid what its own
seat won in its own hand, not what happened next at the table. Decisions of hands that are still running are kept until
they can be paid. Prints how the network does against scripted opponents, and with what standard error.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import gymnasium
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from holdem_env import Rules, Tables

BIG_BLINDS = 20  # that one unit of the learner's reward is worth: results stay near 1
NEVER = -1e9


@dataclass(frozen=True)
class Settings:
    """What can be tuned."""

    tables: int = 512
    steps: int = 64  # of all tables between two updates
    hidden: int = 128
    epochs: int = 3
    batch: int = 2048
    learning_rate: float = 1e-3
    clip: float = 0.2
    entropy: float = 0.01
    value: float = 0.5


class Network(nn.Module):
    """Two layers that policy and value share."""

    def __init__(self, inputs: int, actions: int, hidden: int) -> None:
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.policy, self.worth = nn.Linear(hidden, actions), nn.Linear(hidden, 1)

    def forward(self, observation: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """(B, D) float32 and (B, A) int8 to log-probabilities (B, A), next to nothing for what is masked, and values
        (B,).
        """
        features = self.trunk(observation)
        logits = self.policy(features).masked_fill(mask == 0, NEVER)
        return torch.log_softmax(logits, dim=1), self.worth(features)[:, 0]

    @torch.no_grad()
    def decide(self, observation: NDArray[Any], mask: NDArray[Any]) -> tuple[Tensor, Tensor, Tensor]:
        """An action drawn for each row, its log-probability, and the value; (B,) each."""
        log_probs, value = self(torch.from_numpy(observation), torch.from_numpy(mask))
        action = torch.multinomial(log_probs.exp(), 1)[:, 0]
        return action, log_probs.gather(1, action[:, None])[:, 0], value


@dataclass(frozen=True)
class Decisions:
    """M decisions: what was seen, offered, done and expected, and where."""

    observation: NDArray[np.float32]  # (M, D)
    mask: NDArray[np.int8]  # (M, A)
    action: NDArray[np.int64]
    log_prob: NDArray[np.float32]
    value: NDArray[np.float32]
    table: NDArray[np.int64]
    seat: NDArray[np.int64]
    step: NDArray[np.int64]  # of the round; 0 for those that an earlier round left open

    def where(self, chosen: NDArray[np.bool_]) -> Decisions:
        """Some of them."""
        return Decisions(**{name: values[chosen] for name, values in vars(self).items()})

    @staticmethod
    def join(parts: Sequence[Decisions]) -> Decisions:
        """All of them."""
        names = vars(parts[0])
        return Decisions(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in names})


def look(tables: Tables, network: Network, step: int) -> Decisions:
    """One decision at each table. `Tables` updates its arrays in place: what is kept is copied."""
    action, log_prob, value = network.decide(tables.observation, tables.mask)
    return Decisions(
        observation=tables.observation.copy(),
        mask=tables.mask.copy(),
        action=action.numpy(),
        log_prob=log_prob.numpy(),
        value=value.numpy(),
        table=np.arange(tables.num_tables),
        seat=tables.actor.copy(),
        step=np.full(tables.num_tables, step),
    )


def ends_of_hands(done: NDArray[np.bool_]) -> NDArray[np.int64]:
    """For each step and table, (T, N), the step in which the running hand ends; T where none does."""
    ends = np.empty(done.shape, np.int64)
    end = np.full(done.shape[1], len(done))
    for step in reversed(range(len(done))):
        end = np.where(done[step], step, end)
        ends[step] = end
    return ends


class Collector:
    """Plays all seats, and pays every decision what its seat won in its hand."""

    def __init__(self, tables: Tables, network: Network) -> None:
        self.tables, self.network = tables, network
        self.open: list[Decisions] = []  # of hands that are not over

    def collect(self, steps: int) -> tuple[Decisions, NDArray[np.float32]]:
        """Decisions of finished hands, and what each won, in big blinds."""
        played, done, rewards = self.open, [], []
        for step in range(steps):
            played.append(look(self.tables, self.network, step))
            self.tables.step(played[-1].action)
            done.append(self.tables.done.copy())
            rewards.append(self.tables.reward.copy())
        decisions = Decisions.join(played)
        end = ends_of_hands(np.array(done))[decisions.step, decisions.table]
        over = end < steps
        left = decisions.where(~over)
        self.open = [replace(left, step=np.zeros_like(left.step))]
        paid = decisions.where(over)
        won = np.array(rewards)[end[over], paid.table, paid.seat]
        return paid, (won / self.tables.rules.unit).astype(np.float32)


def improve(
    network: Network,
    optimizer: torch.optim.Optimizer,
    decisions: Decisions,
    won: NDArray[np.float32],
    settings: Settings,
) -> float:
    """A few epochs of PPO; returns the policy's entropy in nats."""
    target = torch.from_numpy(won / BIG_BLINDS)
    columns = (decisions.observation, decisions.mask, decisions.action, decisions.log_prob, decisions.value)
    observation, mask, action, old, value = map(torch.from_numpy, columns)
    advantage = target - value
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    entropies = []
    for _ in range(settings.epochs):
        for rows in torch.randperm(len(target)).split(settings.batch):  # type: ignore[no-untyped-call]
            log_probs, worth = network(observation[rows], mask[rows])
            ratio = (log_probs.gather(1, action[rows, None])[:, 0] - old[rows]).exp()
            clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
            gain = torch.minimum(ratio * advantage[rows], clipped * advantage[rows]).mean()
            entropy = -(log_probs.exp() * log_probs).sum(dim=1).mean()
            loss = settings.value * (worth - target[rows]).square().mean() - gain - settings.entropy * entropy
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()
            entropies.append(entropy.item())
    return float(np.mean(entropies))


def measure(network: Network, rules: Rules, opponent: str, steps: int = 40) -> tuple[float, float]:
    """What the network wins in one seat against an opponent in the others, and the standard error of that: big blinds
    per 100 hands.
    """
    envs = gymnasium.make_vec("holdem_env/HoldemSeat-v0", num_envs=512, rules=rules, opponents=opponent)
    observation, infos = envs.reset(seed=1)
    won = []
    for _ in range(steps):
        action, _, _ = network.decide(observation, infos["action_mask"])
        observation, rewards, over, _, infos = envs.step(action.numpy())
        won.append(rewards[over])
    hands = 100 * np.concatenate(won)
    return float(hands.mean()), float(hands.std() / len(hands) ** 0.5)


def train(rules: Rules, seconds: float, settings: Settings, seed: int = 0, reports: int = 4) -> Network:
    """Train for a while, and print progress so many times."""
    torch.manual_seed(seed)
    tables = Tables(rules, num_tables=settings.tables, seed=seed)
    network = Network(tables.observation.shape[1], tables.mask.shape[1], settings.hidden)
    optimizer = torch.optim.Adam(network.parameters(), settings.learning_rate)
    collector = Collector(tables, network)
    begun, reported, count, entropy = time.perf_counter(), 0, 0, float("nan")
    print("seconds  decisions  entropy  bb/100 against random, calling_station, maniac")
    while True:
        elapsed = time.perf_counter() - begun
        if elapsed >= seconds * reported / reports:
            scores = [measure(network, rules, opponent) for opponent in ("random", "calling_station", "maniac")]
            words = ", ".join(f"{mean:+.0f} ± {error:.0f}" for mean, error in scores)
            print(f"{elapsed:7.0f} {count:10,}  {entropy:7.2f}  {words}", flush=True)
            reported += 1
        if elapsed >= seconds:
            return network
        decisions, won = collector.collect(settings.steps)
        entropy = improve(network, optimizer, decisions, won, settings)
        count += len(won)


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="PPO on Tables in plain PyTorch: every seat learns at once.")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rules", default="heads-up-no-limit", help="a preset: " + ", ".join(Rules.presets()))
    parser.add_argument("--tables", type=int, default=Settings.tables)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1, help="of PyTorch")
    given = parser.parse_args(arguments)
    torch.set_num_threads(given.threads)
    train(Rules.preset(given.rules), given.seconds, Settings(tables=given.tables), given.seed)


if __name__ == "__main__":
    main()

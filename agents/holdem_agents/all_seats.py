"""PPO in plain PyTorch on `Tables`, where every seat learns at once: one readable file, to copy and to change.

    python -m holdem_agents.all_seats --seconds 60

One network plays all seats of all tables. `Tables` always waits for the seat in `tables.actor`, so a step is one
decision at each table, by whoever is to act there. Credit is the point of this example: a decision is paid what its own
seat won in its own hand, not what happened next at the table. Decisions of hands that are still running are kept until
they can be paid. Prints how the network does against scripted opponents, and with what standard error; in games small
enough to be walked whole, how exploitable it is:

    python -m holdem_agents.all_seats --rules leduc --updates 150

A learner that only improves against itself turns in circles: the best answer to a strategy is not the best strategy.
Two things slow that down. The policy may be pulled to a copy of itself that follows slowly, as in magnetic mirror
descent (Sokota et al. 2023), and what is handed over is a running average of the weights.
"""

from __future__ import annotations

import argparse
import pickle
import time
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from holdem_env import Rules, Tables
from holdem_env.agents.known_strategy import KnownStrategy
from holdem_env.arena import exploitability, why_not_exact
from holdem_env.compiled.records import Records
from holdem_env.encoders import get_actions, get_observation
from holdem_env.engine.batch import NO_MOVE
from holdem_env.utils.atomic import whole_file

from .same_game import check_same_game

NEVER = -1e9
ANCHORS = ("random", "calling_station", "maniac")


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
    unit: float = 20.0  # big blinds that one of the learner's reward is worth: results stay near 1
    pull: float = 0.0  # of the slow copy
    following: float = 0.02  # how far the slow copy goes to the network with each update
    averaging: float = 0.05  # and how far the average that is handed over


SMALL_GAMES = Settings(tables=256, steps=16, batch=1024, entropy=0.05, unit=5.0, pull=0.1, averaging=0.03)
"""For Kuhn's and Leduc poker, found by trying."""


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
    magnet: Network | None = None,
) -> float:
    """A few epochs of PPO; returns the policy's entropy in nats. magnet: what the policy is pulled to."""
    target = torch.from_numpy(won / np.float32(settings.unit))
    columns = (decisions.observation, decisions.mask, decisions.action, decisions.log_prob, decisions.value)
    observation, mask, action, old, value = map(torch.from_numpy, columns)
    advantage = target - value
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    with torch.no_grad():
        pulling = None if magnet is None else magnet(observation, mask)[0]
    entropies = []
    for _ in range(settings.epochs):
        for rows in torch.randperm(len(target)).split(settings.batch):  # type: ignore[no-untyped-call]
            log_probs, worth = network(observation[rows], mask[rows])
            ratio = (log_probs.gather(1, action[rows, None])[:, 0] - old[rows]).exp()
            clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
            gain = torch.minimum(ratio * advantage[rows], clipped * advantage[rows]).mean()
            entropy = -(log_probs.exp() * log_probs).sum(dim=1).mean()
            loss = settings.value * (worth - target[rows]).square().mean() - gain - settings.entropy * entropy
            if pulling is not None:
                loss = loss + settings.pull * (log_probs.exp() * (log_probs - pulling[rows])).sum(dim=1).mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()
            entropies.append(entropy.item())
    return float(np.mean(entropies))


@torch.no_grad()
def follow(copy: Network, network: Network, part: float) -> None:
    """Bring a copy's weights so far to those of the network."""
    for slow, fast in zip(copy.parameters(), network.parameters(), strict=True):
        slow.lerp_(fast, part)


class Learner:
    """A network that learns from all seats of its tables, the slow copy that it is pulled to, and its average."""

    def __init__(self, rules: Rules, settings: Settings, seed: int = 0) -> None:
        torch.manual_seed(seed)
        self.rules, self.settings = rules, settings
        tables = Tables(rules, num_tables=settings.tables, seed=seed)
        self.network = Network(tables.observation.shape[1], tables.mask.shape[1], settings.hidden)
        self.magnet, self.average = deepcopy(self.network), deepcopy(self.network)
        self.optimizer = torch.optim.Adam(self.network.parameters(), settings.learning_rate)
        self.collector = Collector(tables, self.network)
        self.decisions = 0

    def update(self) -> float:
        """Play, learn, and let the copies follow; returns the policy's entropy in nats."""
        decisions, won = self.collector.collect(self.settings.steps)
        self.decisions += len(won)
        magnet = self.magnet if self.settings.pull else None
        entropy = improve(self.network, self.optimizer, decisions, won, self.settings, magnet)
        follow(self.magnet, self.network, self.settings.following)
        follow(self.average, self.network, self.settings.averaging)
        return entropy

    def agent(self) -> AllSeats:
        """The average as it is now, to play with."""
        return AllSeats(deepcopy(self.average), self.rules)


class AllSeats(KnownStrategy):
    """Plays a network that was trained here, and tells its probabilities.

    trained_on: the rules; other structures and numbers of seats are refused. seed: with the same seed it plays the same
    at the same hand of the same table.
    """

    name = "all_seats"

    def __init__(self, network: Network, trained_on: Rules, seed: int = 0) -> None:
        super().__init__(seed)
        self.network, self.trained_on = network, trained_on
        self._watch, self._move = get_observation("flat"), get_actions(None, trained_on)

    @torch.no_grad()
    def probabilities(
        self, tables: Records, rules: Rules, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        check_same_game(self.name, self.trained_on, rules)
        observation = np.empty((len(rows), self._watch.size(rules)), np.float32)
        self._watch.observe(tables, rules.record, rows, tables["actor"][rows].astype(np.int64), observation)
        moves = np.empty((len(rows), self._move.size(rules)), np.int64)
        self._move.choose(tables, rules.record, rows, moves)
        offered = moves != NO_MOVE
        log_probs, _ = self.network(torch.from_numpy(observation), torch.from_numpy(offered.astype(np.int8)))
        chances = log_probs.double().exp().numpy() * offered
        return moves, chances / chances.sum(axis=1, keepdims=True)

    def save(self, path: str | Path) -> None:
        """Write network and rules to a .pt file, which `make_agent` reads; it is there only when it is whole."""
        path = Path(path)
        if path.suffix != ".pt":
            raise ValueError(f"{path}: give a file that ends in .pt")
        about = {"rules": self.trained_on.model_dump_json(), "weights": self.network.state_dict()}
        with whole_file(path) as file:
            torch.save(about, file)


def load(path: str | Path, seed: int = 0) -> AllSeats:
    """The agent in a file that `AllSeats.save` has written. Raises ValueError for any other file."""
    try:
        about = torch.load(path, weights_only=True)
        rules, weights = Rules.model_validate_json(about["rules"]), about["weights"]
        hidden, inputs = weights["trunk.0.weight"].shape
        network = Network(inputs, len(weights["policy.bias"]), hidden)
        network.load_state_dict(weights)
    except FileNotFoundError:
        raise
    except (KeyError, TypeError, ValueError, RuntimeError, OSError, EOFError, pickle.UnpicklingError) as error:
        raise ValueError(f"{path}: not an agent that holdem_agents.all_seats has saved ({error!r})") from None
    if inputs != get_observation("flat").size(rules):
        raise ValueError(f"{path}: it was trained with another version of the observation 'flat'")
    agent = AllSeats(network, rules, seed)
    agent.name = str(path)
    return agent


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


def scores(learner: Learner) -> str:
    """How good it is, in words: how exploitable where that can be known, else against scripted opponents."""
    if why_not_exact(learner.rules) is None:
        return f"{exploitability(learner.agent(), learner.rules):.3f}"
    results = [measure(learner.average, learner.rules, opponent) for opponent in ANCHORS]
    return ", ".join(f"{mean:+.0f} ± {error:.0f}" for mean, error in results)


def train(
    rules: Rules,
    seconds: float | None,
    settings: Settings,
    seed: int = 0,
    reports: int = 4,
    updates: int | None = None,
) -> Learner:
    """Train for so many seconds or updates, and print progress so many times. By updates, and on one thread, the same
    seed gives the same network.
    """
    learner = Learner(rules, settings, seed)
    begun, reported, done, entropy = time.perf_counter(), 0, 0, float("nan")
    exact = why_not_exact(rules) is None
    print("seconds  decisions  entropy  " + ("exploitability" if exact else f"bb/100 against {', '.join(ANCHORS)}"))
    while True:
        elapsed = time.perf_counter() - begun
        part = elapsed / seconds if seconds is not None else done / (updates or 1)
        if part * reports >= reported:
            print(f"{elapsed:7.0f} {learner.decisions:10,}  {entropy:7.2f}  {scores(learner)}", flush=True)
            reported += 1
        if part >= 1:
            return learner
        entropy = learner.update()
        done += 1


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="PPO on Tables in plain PyTorch: every seat learns at once.")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--updates", type=int, help="train for so many updates instead of seconds")
    parser.add_argument("--rules", default="heads-up-no-limit", help="a preset: " + ", ".join(Rules.presets()))
    parser.add_argument("--tables", type=int, help="by default 512, of small games 256")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1, help="of PyTorch")
    parser.add_argument("--save", help="a .pt file for the agent: `holdem match FILE random` plays it")
    given = parser.parse_args(arguments)
    torch.set_num_threads(given.threads)
    rules = Rules.preset(given.rules)
    settings = Settings() if why_not_exact(rules) else SMALL_GAMES
    if given.tables:
        settings = replace(settings, tables=given.tables)
    learner = train(rules, None if given.updates else given.seconds, settings, given.seed, updates=given.updates)
    if given.save:
        learner.agent().save(given.save)


if __name__ == "__main__":
    main()

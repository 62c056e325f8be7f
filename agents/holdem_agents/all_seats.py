"""PPO in plain PyTorch on `Tables`, where every seat learns at once: one readable file to copy and change.

    python -m holdem_agents.all_seats --seconds 60

One network plays all seats of all tables. `Tables` always waits for the seat in `tables.actor`, so one step is one
decision at each table. The example shows how to assign credit: the reward of a decision is what its own seat won in its
own hand, not what happened next at the table. Decisions of unfinished hands wait until their reward is known.

The program prints the network's win rates against scripted opponents with their standard errors. In games with a small
enough tree it prints the exact exploitability instead:

    python -m holdem_agents.all_seats --rules leduc --updates 150

A learner that only improves against itself goes in circles: the best response to a strategy is not the best strategy.
Two remedies are here. A KL penalty can pull the policy toward a slow copy of itself, as in magnetic mirror descent
(Sokota et al. 2023). And the agent that training delivers has a moving average of the weights.
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
from holdem_env.agents.registry import FINAL, MODEL_SUFFIX
from holdem_env.arena import exploitability, why_not_exact
from holdem_env.compiled.records import Records
from holdem_env.encoders import get_actions, get_observation
from holdem_env.engine.batch import NO_MOVE
from holdem_env.game.given_rules import as_rules
from holdem_env.utils.atomic import whole_file

from .digests import has_digest
from .model_files import FileAgent
from .policy_network import PolicyNetwork
from .same_game import check_same_game

MASKED_LOGIT = -1e9
ANCHORS = ("random", "calling_station", "maniac")


@dataclass(frozen=True)
class Settings:
    """Hyperparameters.

    steps: of all tables, between two updates. unit: the big blinds that one unit of reward is worth, so that results
    stay near 1. pull: the weight of the KL penalty toward the slow copy. following, averaging: the rates at which the
    slow copy and the average move toward the network.
    """

    tables: int = 512
    steps: int = 64
    hidden: int = 128
    epochs: int = 3
    batch: int = 2048
    learning_rate: float = 1e-3
    clip: float = 0.2
    entropy: float = 0.01
    value: float = 0.5
    unit: float = 20.0
    pull: float = 0.0
    following: float = 0.02
    averaging: float = 0.05


SMALL_GAMES = Settings(tables=256, steps=16, batch=1024, entropy=0.05, unit=5.0, pull=0.1, averaging=0.03)
"""For Kuhn and Leduc poker, found by trial."""


class Network(nn.Module):
    """Two hidden layers that policy and value share."""

    def __init__(self, inputs: int, actions: int, hidden: int) -> None:
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.policy, self.worth = nn.Linear(hidden, actions), nn.Linear(hidden, 1)

    def forward(self, observation: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """(B, D) float32 observations and (B, A) int8 masks to log-probabilities (B, A) and values (B,).

        Masked actions have a probability of practically 0.
        """
        features = self.trunk(observation)
        logits = self.policy(features).masked_fill(mask == 0, MASKED_LOGIT)
        return torch.log_softmax(logits, dim=1), self.worth(features)[:, 0]

    @torch.no_grad()
    def decide(self, observation: NDArray[Any], mask: NDArray[Any]) -> tuple[Tensor, Tensor, Tensor]:
        """A sampled action for each row, its log-probability, and the value; (B,) each."""
        log_probs, value = self(torch.from_numpy(observation), torch.from_numpy(mask))
        action = torch.multinomial(log_probs.exp(), 1)[:, 0]
        return action, log_probs.gather(1, action[:, None])[:, 0], value


@dataclass(frozen=True)
class Decisions:
    """M decisions with what the network saw, did and expected, and where they were made.

    step: the step of the rollout, 0 for decisions from an earlier rollout.
    """

    observation: NDArray[np.float32]  # (M, D)
    mask: NDArray[np.int8]  # (M, A)
    action: NDArray[np.int64]
    log_prob: NDArray[np.float32]
    value: NDArray[np.float32]
    table: NDArray[np.int64]
    seat: NDArray[np.int64]
    step: NDArray[np.int64]

    def where(self, chosen: NDArray[np.bool_]) -> Decisions:
        """The decisions that the boolean array chooses."""
        return Decisions(**{name: values[chosen] for name, values in vars(self).items()})

    @staticmethod
    def join(parts: Sequence[Decisions]) -> Decisions:
        """All decisions of the parts, in order."""
        names = vars(parts[0])
        return Decisions(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in names})


def decide_everywhere(tables: Tables, network: Network, step: int) -> Decisions:
    """One decision at each table. It copies the arrays of `tables`, because they are updated in place."""
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
    """(T, N): for each step and table the step in which the current hand ends, or T if it does not end."""
    ends = np.empty(done.shape, np.int64)
    end = np.full(done.shape[1], len(done))
    for step in reversed(range(len(done))):
        end = np.where(done[step], step, end)
        ends[step] = end
    return ends


class Collector:
    """Plays all seats and rewards every decision with what its seat won in its hand.

    unfinished: the decisions of hands that are not over.
    """

    def __init__(self, tables: Tables, network: Network) -> None:
        self.tables, self.network = tables, network
        self.unfinished: list[Decisions] = []

    def collect(self, steps: int) -> tuple[Decisions, NDArray[np.float32]]:
        """Decisions of finished hands, and what the seat of each won in big blinds."""
        played, done, rewards = self.unfinished, [], []
        for step in range(steps):
            played.append(decide_everywhere(self.tables, self.network, step))
            self.tables.step(played[-1].action)
            done.append(self.tables.done.copy())
            rewards.append(self.tables.reward.copy())
        decisions = Decisions.join(played)
        end = ends_of_hands(np.array(done))[decisions.step, decisions.table]
        is_over = end < steps
        unfinished = decisions.where(~is_over)
        self.unfinished = [replace(unfinished, step=np.zeros_like(unfinished.step))]
        finished = decisions.where(is_over)
        won = np.array(rewards)[end[is_over], finished.table, finished.seat]
        return finished, (won / self.tables.rules.unit).astype(np.float32)


def ppo_update(
    network: Network,
    optimizer: torch.optim.Optimizer,
    decisions: Decisions,
    won: NDArray[np.float32],
    settings: Settings,
    magnet: Network | None = None,
) -> float:
    """Some epochs of PPO; returns the policy's mean entropy in nats. magnet: the target of the KL penalty."""
    target = torch.from_numpy(won / np.float32(settings.unit))
    columns = (decisions.observation, decisions.mask, decisions.action, decisions.log_prob, decisions.value)
    observation, mask, action, old, value = map(torch.from_numpy, columns)
    advantage = target - value
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    with torch.no_grad():
        magnet_log_probs = None if magnet is None else magnet(observation, mask)[0]
    entropies = []
    for _ in range(settings.epochs):
        for rows in torch.randperm(len(target)).split(settings.batch):  # type: ignore[no-untyped-call]
            log_probs, worth = network(observation[rows], mask[rows])
            ratio = (log_probs.gather(1, action[rows, None])[:, 0] - old[rows]).exp()
            clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
            gain = torch.minimum(ratio * advantage[rows], clipped * advantage[rows]).mean()
            entropy = -(log_probs.exp() * log_probs).sum(dim=1).mean()
            loss = settings.value * (worth - target[rows]).square().mean() - gain - settings.entropy * entropy
            if magnet_log_probs is not None:
                divergence = (log_probs.exp() * (log_probs - magnet_log_probs[rows])).sum(dim=1).mean()
                loss = loss + settings.pull * divergence
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()
            entropies.append(entropy.item())
    return float(np.mean(entropies))


@torch.no_grad()
def update_average(average: Network, network: Network, rate: float) -> None:
    """average = (1 - rate) * average + rate * network, weight by weight."""
    for mean, newest in zip(average.parameters(), network.parameters(), strict=True):
        mean.lerp_(newest, rate)


class Learner:
    """A network that learns from all seats of its tables, with its slow copy (magnet) and its moving average."""

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
        """Play, train, and update both copies; returns the policy's entropy in nats."""
        decisions, won = self.collector.collect(self.settings.steps)
        self.decisions += len(won)
        magnet = self.magnet if self.settings.pull else None
        entropy = ppo_update(self.network, self.optimizer, decisions, won, self.settings, magnet)
        update_average(self.magnet, self.network, self.settings.following)
        update_average(self.average, self.network, self.settings.averaging)
        return entropy

    def agent(self) -> AllSeats:
        """An agent with the averaged weights as they are now."""
        return AllSeats(deepcopy(self.average), self.rules)


class AllSeats(KnownStrategy):
    """An agent that plays such a network and knows its own probabilities.

    trained_on: the rules of training; the agent refuses other structures and numbers of seats. seed: with the same seed
    it plays the same at the same hand of the same table.
    """

    name = "all_seats"

    def __init__(self, network: Network, trained_on: Rules, seed: int = 0) -> None:
        super().__init__(seed)
        self.network, self.trained_on = network, trained_on
        self._observation, self._actions = get_observation("flat"), get_actions(None, trained_on)

    @torch.no_grad()
    def probabilities(
        self, tables: Records, rules: Rules, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        check_same_game(self.name, self.trained_on, rules)
        observation = np.empty((len(rows), self._observation.size(rules)), np.float32)
        self._observation.observe(tables, rules.record, rows, tables["actor"][rows].astype(np.int64), observation)
        moves = np.empty((len(rows), self._actions.size(rules)), np.int64)
        self._actions.choose(tables, rules.record, rows, moves)
        offered = moves != NO_MOVE
        log_probs, _ = self.network(torch.from_numpy(observation), torch.from_numpy(offered.astype(np.int8)))
        chances = log_probs.double().exp().numpy() * offered
        return moves, chances / chances.sum(axis=1, keepdims=True)

    def save(self, path: str | Path) -> None:
        """Write network and rules to a .safetensors or .pt file for `make_agent`. It appears only when it is whole."""
        path = Path(path)
        if path.suffix == MODEL_SUFFIX:
            self._played().save(path)
            return
        if path.suffix != ".pt":
            raise ValueError(f"{path}: give a file that ends in .pt or {MODEL_SUFFIX}")
        about = {"rules": self.trained_on.model_dump_json(), "weights": self.network.state_dict()}
        with whole_file(path) as file:
            torch.save(about, file)

    def _played(self) -> FileAgent:
        """The agent that `make_agent` makes of its model file: the same strategy, drawn with other random numbers."""
        network, moves = self.network, self._actions.size(self.trained_on)
        inputs = self._observation.size(self.trained_on)
        layers = PolicyNetwork.of([*network.trunk], [network.policy], [network.worth], [inputs], moves)
        return FileAgent(layers, self._observation, self._actions, self.trained_on, algorithm="PPO of all_seats")


def load(path: str | Path, seed: int = 0) -> AllSeats:
    """The agent in a .pt file that `AllSeats.save` wrote. Raises ValueError for any other file, and says so if it is a
    checkpoint of a training run."""
    try:
        about = torch.load(path, weights_only=True)
        rules, weights = Rules.model_validate_json(about["rules"]), about["weights"]
        hidden, inputs = weights["trunk.0.weight"].shape
        network = Network(inputs, len(weights["policy.bias"]), hidden)
        network.load_state_dict(weights)
    except FileNotFoundError:
        raise
    except (KeyError, TypeError, ValueError, RuntimeError, OSError, EOFError, pickle.UnpicklingError) as error:
        raise ValueError(f"{path}: {_why_no_agent(Path(path), error)}") from None
    if inputs != get_observation("flat").size(rules):
        raise ValueError(f"{path}: it was trained with another version of the observation 'flat'")
    agent = AllSeats(network, rules, seed)
    agent.name = str(path)
    return agent


def _why_no_agent(path: Path, error: Exception) -> str:
    """What is wrong with a .pt file, without its content, which some errors carry along."""
    if not has_digest(path):
        return f"not an agent that holdem_agents.all_seats has saved ({type(error).__name__})"
    final = path.with_name(FINAL)
    found = f"the agent is {final}" if final.is_file() else f"the run writes its agent to {FINAL} when it ends"
    return f"this is a training checkpoint; {found}"


def measure(network: Network, rules: Rules, opponent: str, steps: int = 40) -> tuple[float, float]:
    """The network's win rate in one seat against an opponent in the others, and its standard error, in bb/100."""
    envs = gymnasium.make_vec("holdem_env/HoldemSeat-v0", num_envs=512, rules=rules, opponents=opponent)
    observation, infos = envs.reset(seed=1)
    won = []
    for _ in range(steps):
        action, _, _ = network.decide(observation, infos["action_mask"])
        observation, rewards, terminated, _, infos = envs.step(action.numpy())
        won.append(rewards[terminated])
    hands = 100 * np.concatenate(won)
    return float(hands.mean()), float(hands.std() / len(hands) ** 0.5)


def score_text(learner: Learner) -> str:
    """The exploitability of the average if the game is small enough, else its win rates against the anchors."""
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
    """Train for a number of seconds or updates, and print a report this many times, besides one at the start.

    Ctrl-C ends training and returns the learner with what it has learnt; its training cannot be continued later.
    With a number of updates and one thread, the same seed gives the same network.
    """
    learner = Learner(rules, settings, seed)
    begun, reported, updated, entropy = time.perf_counter(), 0, 0, float("nan")
    is_exact = why_not_exact(rules) is None
    print("seconds  decisions  entropy  " + ("exploitability" if is_exact else f"bb/100 against {', '.join(ANCHORS)}"))
    try:
        while True:
            elapsed = time.perf_counter() - begun
            part = elapsed / seconds if seconds is not None else updated / (updates or 1)
            if part * reports >= reported:
                print(f"{elapsed:7.0f} {learner.decisions:10,}  {entropy:7.2f}  {score_text(learner)}", flush=True)
                reported += 1
            if part >= 1:
                return learner
            entropy = learner.update()
            updated += 1
    except KeyboardInterrupt:
        print(
            f"interrupted: the agent has learnt from {learner.decisions:,} decisions; its training cannot go on later"
        )
        return learner


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="PPO on Tables in plain PyTorch: every seat learns at once.")
    parser.add_argument("--seconds", type=float, default=60, help="training time (default: %(default)s)")
    parser.add_argument("--updates", type=int, help="number of updates, instead of --seconds")
    presets = ", ".join(Rules.presets())
    parser.add_argument("--rules", default="heads-up-no-limit", help=f"the game: a YAML file, or a preset: {presets}")
    parser.add_argument("--tables", type=int, help="number of tables (default: 512; 256 for small games)")
    parser.add_argument("--seed", type=int, default=0, help="random seed (default: %(default)s)")
    parser.add_argument("--threads", type=int, default=1, help="threads for PyTorch (default: %(default)s)")
    parser.add_argument("--save", help="write the agent to this .safetensors file: `holdem match FILE random` plays it")
    given = parser.parse_args(arguments)
    torch.set_num_threads(given.threads)
    rules = as_rules(given.rules)
    settings = Settings() if why_not_exact(rules) else SMALL_GAMES
    if given.tables:
        settings = replace(settings, tables=given.tables)
    learner = train(rules, None if given.updates else given.seconds, settings, given.seed, updates=given.updates)
    if given.save:
        learner.agent().save(given.save)


if __name__ == "__main__":
    main()

"""Self-play in which every seat learns, in one command: a small face of `holdem_agents.ppo`.

    python -m holdem_agents.all_seats --seconds 60
    python -m holdem_agents.all_seats --rules leduc --updates 150

One network plays all seats of all tables, and learns from all of their decisions. The program prints its agent's win
rates against scripted opponents with 95 % intervals, or in games with a small enough tree the exact exploitability.

A learner that only improves against itself goes in circles: the best response to a strategy is not the best strategy.
Two remedies are here: the pull toward a slow copy of the policy, and the average of the weights, which is the agent
that training delivers (`ppo/averages.py`).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from stable_baselines3.common.callbacks import BaseCallback

from holdem_env import Rules
from holdem_env.agents.registry import MODEL_SUFFIX
from holdem_env.arena import exploitability, play_match, why_not_exact
from holdem_env.encoders import get_actions, get_observation
from holdem_env.envs.self_play import SelfPlayTables
from holdem_env.game.given_rules import as_rules

from .model_files import FileAgent
from .old_pt_files import AllSeats as AllSeats
from .old_pt_files import load as load
from .policy_network import PolicyNetwork
from .ppo import PPO, WeightAverageCallback, new_network

NAME = "all_seats"
ANCHORS = ("random", "calling_station", "maniac")
HANDS = 10_000
NO_LIMIT = 10**15
"""Decisions for `PPO.learn`: the callback ends training."""


@dataclass(frozen=True)
class Settings:
    """Hyperparameters.

    steps: decisions of each table between two updates. unit: the big blinds that one unit of reward is worth, so that
    results stay near 1. pull: the weight of the penalty toward the slow copy. following, averaging: the rates at which
    the slow copy and the average move toward the network.
    """

    tables: int = 512
    steps: int = 64
    hidden: int = 128
    epochs: int = 3
    batch: int = 2048
    learning_rate: float = 1e-3
    entropy: float = 0.01
    unit: float = 20.0
    pull: float = 0.0
    following: float = 0.02
    averaging: float = 0.05


SMALL_GAMES = Settings(tables=256, steps=16, batch=1024, entropy=0.05, unit=5.0, pull=0.1, averaging=0.03)
"""For Kuhn and Leduc poker, found by trial."""


class Learner:
    """A network that learns from all seats of its tables, with its slow copy (magnet) and its average.

    current: the agent with the newest weights. decisions: how many have been made.
    """

    def __init__(self, rules: Rules, settings: Settings, seed: int = 0) -> None:
        torch.manual_seed(seed)
        self.rules, self.settings = rules, settings
        self._encoders = observation, actions = get_observation("flat"), get_actions(None, rules)
        network = new_network(observation, actions.size(rules), rules, 2 * (settings.hidden,), is_canonical=False)
        self.current = self._agent(network)
        self.ppo = PPO(
            network,
            SelfPlayTables(rules, settings.tables, [self.current], observation, actions, itself=self.current),
            n_steps=settings.steps,
            n_epochs=settings.epochs,
            batch_size=settings.batch,
            gae_lambda=1.0,
            ent_coef=settings.entropy,
            learning_rate=settings.learning_rate,
            reward_scale=1 / settings.unit,
            seed=seed,
        )
        self.magnet = WeightAverageCallback(network, 1 - settings.following, warm_up=False)
        self.average = WeightAverageCallback(network, 1 - settings.averaging, warm_up=False)
        if settings.pull:
            network.regularize_toward(self.magnet.policy)
            network.kl_per_entropy = settings.pull / settings.entropy

    @property
    def decisions(self) -> int:
        """The decisions made so far, in all seats."""
        return self.ppo.num_timesteps

    def learn(self, callback: BaseCallback) -> None:
        """Learn until the callback's `on_step` says to end."""
        self.ppo.learn(NO_LIMIT, [self.magnet, self.average, callback])

    def agent(self) -> FileAgent:
        """An agent with the averaged weights as they are now."""
        return self._agent(deepcopy(self.average.policy), decisions=self.decisions, seed=self.ppo.seed)

    def _agent(self, policy: PolicyNetwork, **training: int) -> FileAgent:
        return FileAgent(policy, *self._encoders, self.rules, name=NAME, algorithm=f"PPO of {NAME}", training=training)


def score_text(learner: Learner) -> str:
    """The exploitability of the average if the game is small enough, else its win rates against the anchors."""
    if why_not_exact(learner.rules) is None:
        return f"{exploitability(learner.agent(), learner.rules):.3f}"
    results = [play_match(learner.agent(), opponent, learner.rules, HANDS) for opponent in ANCHORS]
    return ", ".join(f"{result.mean:+.0f} ± {result.half_width:.0f}" for result in results)


class Reports(BaseCallback):
    """Prints reports on the way, and ends training after a number of seconds, or of updates if that is given."""

    def __init__(self, learner: Learner, seconds: float | None, reports: int, updates: int | None) -> None:
        super().__init__()
        self._learner, self._seconds, self._reports, self._updates = learner, seconds, reports, updates
        self._begun, self._reported, self._updated, self._is_over = time.perf_counter(), 0, 0, False

    def _on_rollout_start(self) -> None:
        elapsed = time.perf_counter() - self._begun
        part = elapsed / self._seconds if self._seconds is not None else self._updated / (self._updates or 1)
        if part * self._reports >= self._reported:
            entropy = -self.logger.name_to_value.get("train/entropy_loss", float("nan"))
            score = score_text(self._learner)
            print(f"{elapsed:7.0f} {self._learner.decisions:10,}  {entropy:7.2f}  {score}", flush=True)
            self._reported += 1
        self._updated += 1
        self._is_over = part >= 1

    def _on_step(self) -> bool:
        return not self._is_over


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
    is_exact = why_not_exact(rules) is None
    print("seconds  decisions  entropy  " + ("exploitability" if is_exact else f"bb/100 against {', '.join(ANCHORS)}"))
    try:
        learner.learn(Reports(learner, seconds, reports, updates))
    except KeyboardInterrupt:
        known = f"the agent has learnt from {learner.decisions:,} decisions"
        print(f"interrupted: {known}; its training cannot go on later")
    return learner


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="PPO in self-play: every seat learns at once.")
    parser.add_argument("--seconds", type=float, default=60, help="training time (default: %(default)s)")
    parser.add_argument("--updates", type=int, help="number of updates, instead of --seconds")
    presets = ", ".join(Rules.presets())
    parser.add_argument("--rules", default="heads-up-no-limit", help=f"the game: a YAML file, or a preset: {presets}")
    parser.add_argument("--tables", type=int, help="number of tables (default: 512; 256 for small games)")
    parser.add_argument("--seed", type=int, default=0, help="random seed (default: %(default)s)")
    parser.add_argument("--threads", type=int, default=1, help="threads for PyTorch (default: %(default)s)")
    parser.add_argument("--save", help="write the agent to this .safetensors file: `holdem match FILE random` plays it")
    given = parser.parse_args(arguments)
    if given.save and Path(given.save).suffix != MODEL_SUFFIX:
        parser.error(f"--save: {given.save} does not end in {MODEL_SUFFIX}")
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

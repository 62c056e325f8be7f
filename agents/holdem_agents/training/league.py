"""The league: learners with different encoders, actions and networks train in turns against each other.

They also train against snapshots of all of them. After every round, matches rate the learners and the kept snapshots.

    folder = train_league(load_any_config("configs/league.yaml"), new_folder("runs", "league"))
    agent = make_agent(folder / "final.safetensors")  # the best-rated snapshot
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from holdem_env.agents.protocol import Agent
from holdem_env.agents.registry import MODEL_SUFFIX

from .checkpoint import (
    InterruptCallback,
    load_checkpoint,
    random_state,
    set_random_state,
)
from .config import LATEST_OTHERS, ConfigError, League
from .interrupts import outcome, resume_command, tell
from .league_books import LeagueBooks, LeagueProgressBar, report, snapshot_name, worst_rated
from .league_books import snapshot_file as snapshot_file
from .opponent_pool import OpponentPool, copy_weights
from .ppo_learner import PPOLearner
from .run_config import check_resumable, load_run_config
from .run_folder import (
    CONFIG,
    DECISIONS,
    PROGRESS,
    SNAPSHOTS,
    check_restart,
    prepare,
    truncate_csv,
    write_setup,
)
from .run_logs import make_logger
from .torch_settings import torch_settings


class LeagueLearner(PPOLearner):
    """A learner in a league. It trains against the others only after `meet`."""

    adds_snapshots = False

    def __init__(self, league: League, name: str) -> None:
        self.others: list[PPOLearner] = []
        self.name = name
        super().__init__(league.training(name))

    def meet(self, learners: Mapping[str, PPOLearner]) -> None:
        """Train against these learners from now on, and against their snapshots."""
        kinds = {name: learner.agent for name, learner in learners.items()}
        self.pool = OpponentPool.of(kinds, self.config.past_selves, self.config.seed)
        self.others = [learner for learner in learners.values() if learner is not self]
        self.env.set_opponents(self.opponents())

    def opponents(self) -> list[Any]:
        """The weighted opponents of the configuration; the other learners share the weight of latest_others."""
        if not self.others:  # the others do not exist yet
            return [self.agent]
        weighted: list[Any] = []
        configured: list[Any] = super().opponents()
        for opponent, weight in configured:
            if opponent == LATEST_OTHERS:
                weighted += [(other.agent, weight / len(self.others)) for other in self.others]
            else:
                weighted.append((opponent, weight))
        return weighted


class LeagueRun(LeagueBooks):
    """A league in training, one learner after the other in this process.

    learners: by name. turn_began: the decisions with which the learner began the turn under way; None between two
    turns. The rest is as in LeagueBooks.
    """

    def __init__(self, league: League, folder: Path) -> None:
        super().__init__(league, folder)
        self.learners = {name: LeagueLearner(league, name) for name in league.learners}
        for learner in self.learners.values():
            learner.meet(self.learners)
            learner.final_agent.name = learner.name
            learner.model.set_logger(make_logger(log_folder(folder, learner.name), league.tensorboard))
            learner.set_up()
        self.turn_began: int | None = None

    def learners_except(self, snapshot: str) -> list[Agent]:
        """The learners with their current weights, except the one that is this snapshot."""
        return [
            learner.final_agent
            for name, learner in self.learners.items()
            if snapshot_name(name, learner.model.num_timesteps) != snapshot
        ]

    @property
    def decisions(self) -> int:
        """The decisions of all learners so far."""
        return sum(learner.model.num_timesteps for learner in self.learners.values())

    def state(self) -> dict[str, Any]:
        """The state between two turns, for a checkpoint."""
        learners = {name: learner.state() for name, learner in self.learners.items()}
        return {**self.books(), "random": random_state(), "turn_began": self.turn_began, "learners": learners}

    def load_state(self, state: dict[str, Any]) -> None:
        """Restore a state that `state` returned."""
        self.load_books(state)
        self.turn_began = state.get("turn_began")
        for name, learner in self.learners.items():
            learner.load_state(state["learners"][name])
        self.saved = self.decisions
        set_random_state(state["random"])

    def run(self, show: bool) -> None:
        """Train the turns that are left, or until the user interrupts."""
        with LeagueProgressBar(self, show) as bar, self.interrupts:
            while self.turns < self.total_turns:
                learner = list(self.learners.values())[self.turns % len(self.learners)]
                bar.show_turn(learner.name)
                if not self.train_turn(learner, bar):
                    break
                self.turns += 1
                if self.turns % len(self.learners) == 0:
                    self._rate()
                # Only a saved checkpoint makes old snapshots unnecessary: the one before it may still name them.
                if self.save_checkpoint():
                    self._remove_old_snapshots()

    def train_turn(self, learner: LeagueLearner, bar: LeagueProgressBar) -> bool:
        """Train one learner for what is left of its turn, then add a snapshot of it to the pools of all.

        Returns False if the user interrupted the turn; the checkpoint then has its beginning.
        """
        if self.turn_began is None:
            self.turn_began = learner.model.num_timesteps
        left = self.league.turn - (learner.model.num_timesteps - self.turn_began)
        interruption = InterruptCallback(self.interrupts, self.save_checkpoint)
        with self._turn_clock():
            learner.model.learn(left, [interruption, *learner.callbacks(), bar], reset_num_timesteps=False)
        if interruption.ends:
            return False
        self.turn_began = None
        decisions, weights = learner.model.num_timesteps, copy_weights(learner.final_agent.policy)
        learner.model.logger.record(DECISIONS, decisions)
        learner.model.logger.dump(decisions)  # SB3 would log the last update only after another rollout
        for other in self.learners.values():
            other.pool.add(weights, decisions, learner.name)
        return True

    def _save_snapshots(self) -> dict[str, Agent]:
        """Save every learner with its current weights, and return the learners by the names of their snapshots."""
        folder = self.folder / SNAPSHOTS
        folder.mkdir(exist_ok=True)
        agents: dict[str, Agent] = {}
        for name, learner in self.learners.items():
            snapshot = snapshot_name(name, learner.model.num_timesteps)
            learner.save(folder / f"{snapshot}{MODEL_SUFFIX}")
            agents[snapshot] = learner.final_agent
        return agents

    def _limit_pools(self, rates: dict[str, float]) -> None:
        """Remove the worst-rated snapshots from full pools. All pools hold the same snapshots."""
        while len(pool := next(iter(self.learners.values())).pool) > self.league.pool:
            worst = worst_rated([(snapshot.kind, snapshot.decisions) for snapshot in pool.snapshots], rates)
            for learner in self.learners.values():
                learner.pool.remove(worst)


def log_folder(folder: Path, name: str) -> Path:
    """The folder of a learner's logs, which is made if it is not there."""
    logs = folder / name
    logs.mkdir(parents=True, exist_ok=True)
    return logs


def train_league(league: League, folder: Path, show: bool = True, overwrite: bool = False) -> Path:
    """Train a league, write a run folder, and return it.

    The folder gets config.yaml, versions.json, a folder of logs for each learner, ratings.csv (after every round),
    snapshots/ (the best rated), crosstable.csv, model_card.md, final.safetensors (the best-rated snapshot), and a
    checkpoint after every turn. Ctrl-C, show and overwrite are as in `run.train`. An interrupted league has a
    final.safetensors if a round was rated; else this raises KeyboardInterrupt after it has said how to go on.
    """
    prepare(folder, overwrite)
    write_setup(league, folder)
    return _run(league, folder, None, show)


def resume_league(folder: Path, show: bool = True, overwrite: bool = False) -> Path:
    """Continue a killed league from the end of its last turn, an interrupted one from where it was.

    Raises as `run.resume` does.
    """
    state = load_checkpoint(folder)
    league = load_run_config(folder / CONFIG, state and state["config"])
    if not isinstance(league, League):
        raise ConfigError(f"{folder / CONFIG}: not a league")
    if state:
        check_resumable(league, state["config"], folder / CONFIG)
        _check_between_rounds(state, folder)
    else:
        check_restart(folder, overwrite)
    for name in league.learners:
        done = state["learners"][name]["decisions"] if state else -1
        truncate_csv(folder / name / PROGRESS, DECISIONS, done)
    return _run(league, folder, state, show)


def _check_between_rounds(state: dict[str, Any], folder: Path) -> None:
    """Raise ConfigError if learners in workers were in the middle of a round: here they train one after the other."""
    members = state.get("members", {}).values()
    if any(member["began"] is not None or member["is_played"] for member in members):
        raise ConfigError(
            f"{folder}: this league was interrupted while its learners trained at the same time, in the middle of a "
            f"round, so it can only go on like that: {resume_command(folder, '--jobs 2')}, or with --ray"
        )


def _run(league: League, folder: Path, state: dict[str, Any] | None, show: bool) -> Path:
    learners = [member.learner for member in league.learners.values()]
    threads = min([learner.threads for learner in learners if learner.threads != "auto"], default=1)
    is_exact = any(learner.matmul_precision == "highest" for learner in learners)
    with torch_settings(threads, "highest" if is_exact else "medium"):
        run = LeagueRun(league, folder)
        if state:
            run.load_state(state)
        run.run(show)
        if run.interrupts.asked and run.turns < run.total_turns:
            tell(outcome(folder, run.saved))
            if run.interrupts.stopped_at_once or not run.kept:
                raise KeyboardInterrupt
        report(run)
    return folder

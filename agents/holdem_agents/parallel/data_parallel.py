"""One learner over several workers: each plays its part of the tables and computes gradients, which are averaged.

    train(load_config("headsup_nolimit_100bb"), new_folder("runs", "fast"), Machines(jobs=2))

Worker 0 is the run in this process: it evaluates, checkpoints and writes the run folder. The recipe stays the same: the
workers share the configuration's tables and minibatches, and all of them make each step of the optimizer with the mean
of their gradients, so their weights stay equal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

import torch
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger

from ..training.budget_clock import BudgetClock
from ..training.checkpoint import load_checkpoint
from ..training.code_loading import load_code_if_timed
from ..training.config import Budget, ConfigError, Training, load_config
from ..training.interrupts import resume_command
from ..training.opponent_pool import Snapshot
from ..training.ppo_learner import PPOLearner, load_run_state, run_state
from ..training.run import NO_LIMIT, train_until
from ..training.run import resume as resume_run
from ..training.run_folder import CONFIG, LATEST
from ..training.team import check_team
from ..training.torch_settings import torch_settings
from .group import LOCALHOST, Group, new_store
from .machines import Machines
from .workers import Place, Worker, WorkerLost

SEEDS_APART = 1_000_003
"""Between the seeds of two workers, so that no two of them deal the same hands."""
GO, STATE, NEWS, END = 0.0, 1.0, 2.0, 3.0
SECONDS_TO_SAY = 20.0
"""So long the run waits for the word of a worker whose connection is gone."""


def train(config: Training, folder: Path, machines: Machines, show: bool = True, overwrite: bool = False) -> Path:
    """Train one learner with as many workers as `machines.workers` says, write a run folder, and return it.

    As `training.run.train` otherwise. Raises ConfigError if the workers cannot share the configuration, what
    `Machines.place` raises, and WorkerLost if a worker is lost; its message says how the run goes on.
    """
    share_of(config, machines.workers, 0)
    with machines.place() as place:
        train_until(config, folder, show, overwrite, team=Workers(config, folder, machines, place))
    return folder


def resume(folder: Path, machines: Machines, show: bool = True, overwrite: bool = False) -> Path:
    """Continue such a run from its latest checkpoint, with as many workers as before, here or elsewhere.

    Raises as `run.resume` and `train`.
    """
    if not (folder / CONFIG).is_file():
        raise FileNotFoundError(f"{folder}: no run to resume; there is no {CONFIG} in it")
    config = load_config(folder / CONFIG)
    check_team(load_checkpoint(folder), machines.workers, folder)
    share_of(config, machines.workers, 0)
    with machines.place() as place:
        return resume_run(folder, show, overwrite, team=Workers(config, folder, machines, place))


def share_of(config: Training, count: int, rank: int) -> Training:
    """The configuration of one of `count` workers: its tables, minibatches and seed. Raises ConfigError."""
    if config.learner.kind != "ppo":
        raise ConfigError("--jobs, --ray: only learner.kind: ppo trains with several workers; give that, or one job")
    if count < 2:
        raise ConfigError("--ray: one learner needs the number of its workers, too, such as --jobs 4")
    for name, number in (("tables", config.tables), ("learner.batch_size", config.learner.batch_size)):
        if number % count:
            near = max(number - number % count, count)
            raise ConfigError(f"{name}: {number} cannot be shared by {count} workers; --set {name}={near} can")
    settings = {"batch_size": config.learner.batch_size // count, "threads": 1}
    seed = (config.seed + rank * SEEDS_APART) % 2**32
    learner = config.learner.model_copy(update=settings)
    return config.model_copy(update={"tables": config.tables // count, "seed": seed, "learner": learner})


class SharedClock(BudgetClock):
    """A clock that says what worker 0's said at the last meeting (spent_by_all), so that all workers do the same."""

    def __init__(self, budget: Budget) -> None:
        super().__init__(budget)
        self.spent_by_all: float | None = None

    def spent(self, decisions: int) -> float:
        """The fraction of the budget that was spent at the last meeting."""
        return super().spent(decisions) if self.spent_by_all is None else self.spent_by_all

    def now(self, decisions: int) -> float:
        """The fraction that is spent after so many decisions of all."""
        return super().spent(decisions)


class Meetings(BaseCallback):
    """Lets the workers meet before and after each rollout: equal counts, equal schedules, an end for all.

    Worker 0 says what the others do before a rollout: GO and play it, send their STATE, hear NEWS (an exploiter for
    their pools), END. ends: at worker 0, whether its checkpoints end training.
    """

    def __init__(
        self, group: Group, learner: PPOLearner, clock: SharedClock, ends: Callable[[], bool] = lambda: False
    ) -> None:
        super().__init__()
        self._group, self._learner, self._clock, self._ends = group, learner, clock, ends
        self._before = 0
        self._is_over = False
        self._told = len(self._exploiters())

    def _exploiters(self) -> list[Snapshot]:
        return [snapshot for snapshot in self._learner.pool.snapshots if snapshot.is_exploiter]

    def _on_training_start(self) -> None:
        self._before = self.model.num_timesteps
        self._meet()

    def _on_rollout_start(self) -> None:
        if self._group.rank:
            return self._obey()
        group, exploiters = self._group, self._exploiters()
        for exploiter in exploiters[self._told :]:
            group.numbers([NEWS])
            group.news(vars(exploiter))
        self._told = len(exploiters)
        self._is_over = self._ends() or self._clock.spent(self.num_timesteps) >= 1
        group.numbers([END if self._is_over else GO])

    def _obey(self) -> None:
        while (command := self._group.numbers([GO])[0]) in (STATE, NEWS):
            if command == STATE:
                self._group.send_state(run_state(self._learner))
            else:
                self._learner.pool.snapshots.append(Snapshot(**self._group.news()))
        self._is_over = command == END

    def _on_step(self) -> bool:
        return not self._is_over

    def _on_rollout_end(self) -> None:
        self._meet()

    def _meet(self) -> None:
        """Count the decisions of all, and take the time of worker 0."""
        made = torch.tensor([float(self.model.num_timesteps - self._before)], dtype=torch.float64)
        self._group.sum(made)
        self._before += int(made)
        self.model.num_timesteps = self.num_timesteps = self._before
        self._clock.spent_by_all = self._group.numbers([self._clock.now(self._before)])[0]


class LearnerWorker:
    """One of the other workers. It trains until worker 0 says that training is over."""

    def __init__(self, config: Training, rank: int, count: int, is_far: bool, state: Any) -> None:
        self._rank, self._count, self._is_far = rank, count, is_far
        self._precision = config.learner.matmul_precision
        load_code_if_timed(config)
        with torch_settings(precision=self._precision):
            self._learner = PPOLearner(share_of(config, count, rank), is_resumed=state is not None)
            self._learner.clock = self._clock = SharedClock(config.budget)
            self._learner.model.set_logger(Logger(None, []))
            self._is_resumed = state is not None
            if state is not None:
                load_run_state(self._learner, state)

    def prepare(self) -> None:
        """Say that the learner is made, which takes some seconds."""

    def train(self, store: tuple[str, int]) -> dict[str, torch.Tensor]:
        """Train, and return the weights at the end."""
        host = _address() if self._is_far else LOCALHOST
        group = Group(store, self._rank, self._count, host)
        try:
            with torch_settings(precision=self._precision):
                _connect(self._learner, group)
                callbacks = [Meetings(group, self._learner, self._clock), *self._learner.callbacks()]
                self._learner.model.learn(NO_LIMIT, callbacks, reset_num_timesteps=not self._is_resumed)
        finally:
            group.leave()
        return dict(self._learner.model.policy.state_dict())


class Workers:
    """The workers besides worker 0, which is the run. It is a `training.team.Team`.

    started: called with each worker when all are ready. ended: their weights at the end.
    """

    started: Callable[[list[Worker]], None] | None = None

    def __init__(self, config: Training, folder: Path, machines: Machines, place: Place) -> None:
        self.size, self.options = machines.workers, machines.options
        self.ended: list[dict[str, torch.Tensor]] = []
        self._config, self._folder, self._place = config, folder, place
        self._is_far = machines.ray not in (None, "local")
        self._workers: list[Worker] = []
        self._group: Group | None = None
        self._clock = SharedClock(config.budget)
        self._learner: PPOLearner

    def share(self, config: Training) -> Training:
        return share_of(config, self.size, 0)

    def join(self, learner: PPOLearner, states: Sequence[Any] | None) -> None:
        given = states or [None] * (self.size - 1)
        for rank, state in enumerate(given, 1):
            arguments = self._config, rank, self.size, self._is_far, state
            self._workers.append(self._place.start(LearnerWorker, *arguments))
        self._ask("prepare")
        if self.started:
            self.started(self._workers)
        host = _address() if self._is_far else LOCALHOST
        store = new_store(host)
        for worker in self._workers:
            worker.begin("train", (host, store.port))
        self._group = group = self._safely(lambda: Group(store, 0, self.size, host))
        elapsed = learner.clock.elapsed(), learner.clock.cpu_elapsed()
        learner.clock = self._clock
        self._clock.set_elapsed(*elapsed)
        self._learner = learner
        self._safely(lambda: _connect(learner, group))
        averaging = learner.model.reduce_gradients
        learner.model.reduce_gradients = lambda parameters: self._safely(lambda: averaging(parameters))

    def states(self) -> list[Any]:
        group = self._joined()

        def ask() -> list[Any]:
            group.numbers([STATE])
            return group.receive_states()

        return list(self._safely(ask))

    def callback(self, ends: Callable[[], bool]) -> BaseCallback:
        safely = self._safely

        class SafeMeetings(Meetings):
            def _on_training_start(self) -> None:
                safely(super()._on_training_start)

            def _on_rollout_start(self) -> None:
                safely(super()._on_rollout_start)

            def _on_rollout_end(self) -> None:
                safely(super()._on_rollout_end)

        return SafeMeetings(self._joined(), self._learner, self._clock, ends)

    def leave(self) -> None:
        self.ended = self._answers()
        self._joined().leave()
        for worker in self._workers:
            worker.close()
        self._workers = []

    def _joined(self) -> Group:
        if self._group is None:
            raise RuntimeError("the workers have not joined")
        return self._group

    def _ask(self, method: str) -> list[Any]:
        for worker in self._workers:
            worker.begin(method)
        return self._answers()

    def _answers(self) -> list[Any]:
        left = list(self._workers)
        answers = {}
        while left:
            for worker in self._place.wait(left):
                left.remove(worker)
                answers[worker.index] = self._answer(worker)
        return [answers[worker.index] for worker in self._workers]

    def _answer(self, worker: Worker) -> Any:
        try:
            return worker.answer()
        except WorkerLost as error:
            command = resume_command(self._folder, self.options)
            begun = "this goes on from the last checkpoint" if self._has_checkpoint() else "this begins the run again"
            raise WorkerLost(worker.index + 1, f"{error.how}, which ended the run; {begun}: {command}") from None

    def _has_checkpoint(self) -> bool:
        return (self._folder / LATEST).exists()

    def _safely(self, exchange: Callable[[], Any]) -> Any:
        """What the exchange with the others gives. If one of them is gone, its own error or WorkerLost is raised."""
        try:
            return exchange()
        except RuntimeError as error:
            left, end = list(self._workers), monotonic() + SECONDS_TO_SAY
            while left and monotonic() < end:
                for worker in self._place.wait(left, 1.0):
                    left.remove(worker)
                    try:
                        self._answer(worker)
                    except RuntimeError as theirs:  # others only lost the connection to the one that is gone, too
                        if "gloo" not in str(theirs):
                            raise
            raise WorkerLost(0, f"a worker does not answer any more: {error}") from None


def _connect(learner: PPOLearner, group: Group) -> None:
    """Give the learner worker 0's weights, and let it average its gradients with the others."""
    learner.set_up()
    networks = [learner.model.policy, *(each.policy for each in (learner.average, learner.reference) if each)]
    for network in networks:
        group.share(network.state_dict().values())
    learner.model.reduce_gradients = group.average_gradients


def _address() -> str:
    """The address of this machine in its Ray cluster."""
    import ray

    util: Any = ray.util
    return str(util.get_node_ip_address())

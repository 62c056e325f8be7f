"""A team: workers that train one learner together with a run. The run is worker 0, which evaluates and writes files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from stable_baselines3.common.callbacks import BaseCallback

from .config import ConfigError, Training
from .interrupts import resume_command
from .ppo_learner import PPOLearner

WORKERS = "workers"
"""The states of the others in a run's checkpoint."""


class Team(Protocol):
    """The others that a run trains with.

    size: how many they are together with the run. options: of the command that goes on with such a run.
    """

    size: int
    options: str

    def share(self, config: Training) -> Training:
        """The configuration of worker 0: its part of the tables and of the minibatches."""

    def join(self, learner: PPOLearner, states: Sequence[Any] | None) -> None:
        """Start the others, with these states if the run goes on, and connect the learner with them."""

    def states(self) -> list[Any]:
        """The states of the others between two rollouts, for a checkpoint."""

    def callback(self, ends: Callable[[], bool]) -> BaseCallback:
        """Keeps the others in step. It comes after the checkpoints. ends: whether these end training."""

    def leave(self) -> None:
        """Wait until the others have ended, too, and let go of them."""


def check_team(state: dict[str, Any] | None, now: int, folder: Path) -> None:
    """Raise ConfigError if a run does not go on with as many workers as its checkpoint has states of. now: how many."""
    if state is None:
        return
    before = 1 + len(state.get(WORKERS, ()))
    if before != now:
        command = resume_command(folder, f"--jobs {before}" if before > 1 else "")
        count = f"{before} worker{'s' * (before > 1)}"
        raise ConfigError(f"{folder}: this run has {count}, not {now}, and only as many can go on with it: {command}")

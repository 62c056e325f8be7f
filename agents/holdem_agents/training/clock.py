"""How much of a budget is spent, and what follows from it: falling rates, the end of training, the progress bar."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.utils import FloatSchedule

from .config import Budget, Learner


class Clock:
    """Tells which part of a budget is spent, 0 to 1. Time runs from the first question."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self._start: float | None = None

    def elapsed(self) -> float:
        """Seconds since the first question."""
        if self._start is None:
            self._start = monotonic()
        return monotonic() - self._start

    def go_on_from(self, seconds: float) -> None:
        """So much time is spent already."""
        self._start = monotonic() - seconds

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """What is done inside takes no time of the budget: evaluations, say."""
        seconds = self.elapsed()
        try:
            yield
        finally:
            self.go_on_from(seconds)

    def spent(self, decisions: int) -> float:
        """The part of the budget that is spent after so many decisions."""
        elapsed = self.elapsed()
        done = decisions / self.budget.decisions if self.budget.decisions else elapsed / (self.budget.seconds or 1)
        return min(done, 1.0)


class KeepToBudget(BaseCallback):
    """Lowers learning rate and entropy over the budget, and ends training when it is spent."""

    def __init__(self, clock: Clock, learner: Learner) -> None:
        super().__init__()
        self._clock, self._learner = clock, learner
        self._over = False

    def _on_rollout_start(self) -> None:
        self._over = self._clock.spent(self.num_timesteps) >= 1

    def _on_step(self) -> bool:
        return not self._over

    def _on_rollout_end(self) -> None:
        spent = self._clock.spent(self.num_timesteps)
        self.model.lr_schedule = FloatSchedule(between(self._learner.learning_rate, spent))
        entropy = between(self._learner.entropy, spent)
        self.model.ent_coef = entropy  # type: ignore[attr-defined]
        if self._learner.pull:
            policy: Any = self.model.policy
            policy.pull_per_entropy = self._learner.pull / entropy
        self.logger.record("holdem/budget_spent", spent)


def between(ends: tuple[float, float], part: float) -> float:
    """The value at a part of the way from the first to the second."""
    return ends[0] + (ends[1] - ends[0]) * part


class ShowProgress(BaseCallback):
    """A bar with the time left and decisions per second."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock, self._begun, self._before = clock, 0.0, 0
        columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn()
        self._bar = Progress(*columns, TextColumn("{task.fields[note]}"))
        self._task = self._bar.add_task("training", total=1.0, note="")

    def _on_training_start(self) -> None:
        self._begun, self._before = self._clock.elapsed(), self.num_timesteps
        self._bar.start()

    def _on_step(self) -> bool:
        self._bar.update(self._task, completed=self._clock.spent(self.num_timesteps))
        return True

    def _on_rollout_end(self) -> None:
        speed = (self.num_timesteps - self._before) / max(self._clock.elapsed() - self._begun, 1e-9)
        self._bar.update(self._task, note=f"{self.num_timesteps:,} decisions, {speed:,.0f}/s")

    def close(self) -> None:
        """Leave the terminal as it was."""
        self._bar.stop()

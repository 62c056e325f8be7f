"""Callbacks of every run: statistics of each rollout, falling rates, the end of the budget, the progress bar."""

from __future__ import annotations

from typing import Any

from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.utils import FloatSchedule

from .budget_clock import Clock
from .config import Learner
from .training_env import KINDS, STREETS, TrainingEnv


class Watch(BaseCallback):
    """Logs returns, entropy, win rates in training against each opponent and frequencies of moves, by rollout.

    It must come after the callbacks that read what the environment has counted: it makes it forget.
    """

    def __init__(self, env: TrainingEnv, big_blind: float) -> None:
        super().__init__()
        self._env, self._big_blind = env, big_blind

    def _on_rollout_end(self) -> None:
        buffer = self.model.rollout_buffer  # type: ignore[attr-defined]
        hands = max(float(buffer.episode_starts.sum()), 1.0)
        rate = 100 * float(buffer.rewards.sum()) / self._big_blind / hands
        self.logger.record("holdem/bb_per_100_in_training", rate)
        self.logger.record("holdem/return", float(buffer.returns.mean()))
        self.logger.record("holdem/entropy", -float(buffer.log_probs.mean()))  # its mean, as the actions were drawn
        for agent, won, count in zip(self._env.tables.agents, self._env.won, self._env.hands, strict=True):
            if count:
                self.logger.record(f"training_bb_per_100/{agent.name.replace(' ', '_')}", 100 * won / count)
        for street, made in zip(STREETS, self._env.moves_made, strict=True):
            for kind, count in zip(KINDS, made, strict=True):
                self.logger.record(f"moves/{street}_{kind}", count / max(made.sum(), 1))
        self._env.forget()

    def _on_step(self) -> bool:
        return True


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

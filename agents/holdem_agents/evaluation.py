"""What an agent is worth: matches by duplicate deals against others, as a table and as lines of a CSV file."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from rich.table import Table
from stable_baselines3.common.callbacks import BaseCallback

from holdem_env.arena import MatchResult, play_match
from holdem_env.players import Agent
from holdem_env.rules import Rules

from .clock import Clock
from .config import Evaluation

COLUMNS = ("decisions", "seconds", "opponent", "bb_per_100", "half_width_95", "hands", "seed")


def evaluate(agent: Agent, opponents: Sequence[str], rules: Rules, hands: int, seed: int) -> list[MatchResult]:
    """A match against each opponent; the agent plays every deal from every seat."""
    return [play_match(agent, opponent, rules, hands, seed) for opponent in opponents]


def results_table(title: str, results: Sequence[MatchResult]) -> Table:
    """The results for a terminal: win rates in bb/100 with 95 % intervals."""
    table = Table(title=title, title_justify="left")
    table.add_column("against")
    for heading in ("bb/100", "95 % interval", "hands"):
        table.add_column(heading, justify="right")
    for result in results:
        low, high = result.interval
        table.add_row(result.opponent, f"{result.mean:+.0f}", f"{low:+.0f} to {high:+.0f}", f"{result.hands:,}")
    return table


def write_results(path: Path, decisions: int, seconds: float, seed: int, results: Sequence[MatchResult]) -> None:
    """Append a line for each result to a CSV file, headed by the names of the columns."""
    new = not path.exists()
    with path.open("a", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        if new:
            writer.writerow(COLUMNS)
        for result in results:
            numbers = f"{result.mean:.1f}", f"{result.half_width:.1f}", result.hands, seed
            writer.writerow((decisions, f"{seconds:.1f}", result.opponent, *numbers))


class EvaluateOnTheWay(BaseCallback):
    """Plays the evaluation matches `times` times during training, evenly spaced, and writes them to a CSV file."""

    def __init__(self, agent: Agent, rules: Rules, clock: Clock, settings: Evaluation, seed: int, path: Path) -> None:
        super().__init__()
        self._agent, self._rules, self._clock = agent, rules, clock
        self._settings, self._seed, self._path = settings, seed, path
        self._done = 0

    def _on_rollout_start(self) -> None:
        if self._done < self._clock.spent(self.num_timesteps) * (self._settings.times + 1) - 1:
            self._done += 1
            results = evaluate(self._agent, self._settings.opponents, self._rules, self._settings.hands, self._seed)
            write_results(self._path, self.num_timesteps, self._clock.elapsed(), self._seed, results)

    def _on_step(self) -> bool:
        return True


class LogWinRate(BaseCallback):
    """Logs the learner's win rate in training, bb/100, against the opponents that it meets there."""

    def __init__(self, big_blind: float) -> None:
        super().__init__()
        self._big_blind = big_blind

    def _on_rollout_end(self) -> None:
        buffer = self.model.rollout_buffer  # type: ignore[attr-defined]
        hands = max(float(buffer.episode_starts.sum()), 1.0)
        self.logger.record("holdem/bb_per_100_in_training", 100 * float(buffer.rewards.sum()) / self._big_blind / hands)

    def _on_step(self) -> bool:
        return True

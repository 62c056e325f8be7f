"""Evaluation matches: an agent against its anchors on duplicate deals, during training and at its end."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from stable_baselines3.common.callbacks import BaseCallback

from holdem_env.agents.protocol import Agent
from holdem_env.agents.registry import make_agent
from holdem_env.arena import MatchResult, SavedHands, play_match, play_sittings
from holdem_env.game.rules import Rules
from holdem_env.history import HandWriter, HistoryError
from holdem_env.utils.shown_names import in_cell, shown_name

from ..config import Evaluation
from ..learners.callbacks import BudgetClock
from ..learners.torch_settings import matrix_products
from ..run_folder.files import rows_of
from ..run_folder.logs import warn_not_written

# Evaluation and training use different decks.
EVALUATION_SEED = 10**9
SAVED_HANDS = 200
"""The hands of each final match against an anchor that are kept to be replayed."""
COLUMNS = ("decisions", "seconds", "opponent", "bb_per_100", "half_width_95", "hands", "seed")


def evaluate(
    agent: Agent,
    opponents: Sequence[str],
    rules: Rules,
    hands: int,
    seed: int,
    saved: Path | None = None,
    sitting: int = 1,
) -> list[MatchResult]:
    """A match against each opponent; the agent plays every deal, or every sitting, from every seat.

    saved: a history file for the first hands of each match, which replaces one that is there; none is written in games
    that the file's format cannot express.
    """
    if saved is None:
        return [play(agent, opponent, rules, hands, seed, sitting) for opponent in opponents]
    saved.unlink(missing_ok=True)
    try:
        with HandWriter(saved) as writer:
            made = [_opponent(opponent) for opponent in opponents]
            first = [_first_hands(writer, agent, opponent, rules) for opponent in made]
            pairs = zip(made, first, strict=True)
            return [play(agent, opponent, rules, hands, seed, sitting, kept) for opponent, kept in pairs]
    except HistoryError:
        return evaluate(agent, opponents, rules, hands, seed, sitting=sitting)


def play(
    agent: Agent,
    opponent: str | Agent,
    rules: Rules,
    hands: int,
    seed: int,
    sitting: int = 1,
    finished: SavedHands | None = None,
) -> MatchResult:
    """A match as the training plays: of deals that stand alone, or in sittings of several hands.

    Matrices are multiplied as outside of training, so that `holdem match` finds the same.
    """
    opponent = _opponent(opponent) if isinstance(opponent, str) else opponent
    with matrix_products(None):
        if sitting == 1:
            return play_match(agent, opponent, rules, hands, seed, finished=finished)
        return play_sittings(agent, opponent, rules, hands, sitting, seed, finished=finished)


def _opponent(name: str) -> Agent:
    """An agent that remembers nothing yet."""
    return _made(name).clone()


@cache
def _made(name: str) -> Agent:
    """An agent that plays plainly, made once: to unpack a blueprint takes half a second."""
    return make_agent(name).plain()


def _first_hands(writer: HandWriter, agent: Agent, opponent: Agent, rules: Rules) -> SavedHands:
    names = agent.name, opponent.name
    return SavedHands(writer, names, rules, event=f"final match against {names[1]}", most=SAVED_HANDS)


def write_results(path: Path, decisions: int, seconds: float, seed: int, results: Sequence[MatchResult]) -> None:
    """Append a line for each result to a CSV file. A new file gets a header."""
    is_new = not path.exists()
    with path.open("a", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        if is_new:
            writer.writerow(COLUMNS)
        for result in results:
            numbers = f"{result.mean:.1f}", f"{result.half_width:.1f}", result.hands, seed
            writer.writerow((decisions, f"{seconds:.1f}", in_cell(shown_name(result.opponent, None)), *numbers))


class EvaluationCallback(BaseCallback):
    """Plays the evaluation matches `times` times, evenly spaced over the budget; logs them and writes a CSV file."""

    def __init__(
        self, agent: Agent, rules: Rules, clock: BudgetClock, settings: Evaluation, path: Path, sitting: int = 1
    ) -> None:
        super().__init__()
        self._sitting = sitting
        self._agent, self._rules, self._clock = agent, rules, clock
        self._settings, self._path = settings, path
        self._done = count_evaluations(path)  # a resumed run already has some

    def _on_rollout_start(self) -> None:
        if self._done < self._clock.spent(self.num_timesteps) * (self._settings.times + 1) - 1:
            self._done += 1
            opponents, hands = self._settings.opponents, self._settings.hands_on_the_way
            with self._clock.paused():
                results = evaluate(self._agent, opponents, self._rules, hands, EVALUATION_SEED, sitting=self._sitting)
            try:
                write_results(self._path, self.num_timesteps, self._clock.elapsed(), EVALUATION_SEED, results)
            except OSError as error:
                warn_not_written(self._path, error)
            for result in results:
                self.logger.record(f"evaluation_bb_per_100/{result.opponent}", result.mean)

    def _on_step(self) -> bool:
        return True


def count_evaluations(path: Path) -> int:
    """The number of evaluations in a CSV file that `write_results` wrote; 0 if there is no file."""
    return len({row["decisions"] for row in rows_of(path)})

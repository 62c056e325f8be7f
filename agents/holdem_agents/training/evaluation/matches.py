"""Evaluation matches: an agent against its anchors on duplicate deals, during training and at its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from time import monotonic
from typing import TypeVar

from holdem_env.agents.protocol import Agent
from holdem_env.agents.registry import make_agent, without_search
from holdem_env.arena import MatchResult, SavedHands, play_match, play_sittings
from holdem_env.game.rules import Rules
from holdem_env.game.units import BIG_BLINDS
from holdem_env.history import HandWriter, HistoryError
from holdem_env.utils.shown_names import in_cell, shown_name

from ...progress import VisibleProgress, counting
from ...runs.files import HALF_WIDTH, append_rows, rows_of
from ...runs.interrupts import Interrupts
from ...runs.logs import warn_not_written
from ..config import LEAST_HANDS, MAX_HANDS
from ..learners.hooks import Hook, Stats
from ..learners.torch_settings import matrix_products
from ..learners.trainee import Trainee

Results = TypeVar("Results")
ON_THE_WAY, AT_THE_END, MISTAKES_AT_THE_END = 0.15, 0.45, 0.3
"""How long evaluation takes, in parts of the training's time, where no number of hands is given: the evaluations during
training together, the final matches, and the judging of decisions."""
ROUND = 500
# Evaluation and training use different decks.
EVALUATION_SEED = 10**9
SAVED_HANDS = 200
"""The hands of each final match against an anchor that are kept to be replayed."""


def evaluate(
    agent: Agent,
    opponents: Sequence[str],
    rules: Rules,
    hands: int,
    seed: int,
    saved: Path | None = None,
    sitting: int = 1,
    progress: Callable[[int], None] | None = None,
) -> list[MatchResult]:
    """A match against each opponent; the agent plays every deal, or every sitting, from every seat.

    saved: a history file for the first hands of each match, which replaces one that is there; none is written in games
    that the file's format cannot express. progress: is called with how many more hands are played.
    """
    if saved is None:
        return [play(agent, opponent, rules, hands, seed, sitting, progress=progress) for opponent in opponents]
    saved.unlink(missing_ok=True)
    try:
        with HandWriter(saved) as writer:
            made = [_opponent(opponent) for opponent in opponents]
            first = [_first_hands(writer, agent, opponent, rules) for opponent in made]
            pairs = zip(made, first, strict=True)
            return [play(agent, one, rules, hands, seed, sitting, kept, progress) for one, kept in pairs]
    except HistoryError:
        return evaluate(agent, opponents, rules, hands, seed, sitting=sitting, progress=progress)


def play(
    agent: Agent,
    opponent: str | Agent,
    rules: Rules,
    hands: int,
    seed: int,
    sitting: int = 1,
    finished: SavedHands | None = None,
    progress: Callable[[int], None] | None = None,
) -> MatchResult:
    """A match as the training plays: of deals that stand alone, or in sittings of several hands.

    Matrices are multiplied as outside of training, so that `holdem match` finds the same.
    """
    opponent = _opponent(opponent) if isinstance(opponent, str) else opponent
    with matrix_products(None):
        if sitting == 1:
            return play_match(agent, opponent, rules, hands, seed, progress=progress, finished=finished)
        return play_sittings(agent, opponent, rules, hands, sitting, seed, progress=progress, finished=finished)


def fitting(play_all: Callable[[int], Results], hands: int | None, seconds: float) -> Results:
    """What `play_all` returns, the results of some matches with this number of hands each.

    Without a number, with as many as take about this many seconds, LEAST_HANDS to MAX_HANDS: matches of LEAST_HANDS
    show how long a hand takes, and are the results if there is no time for more than twice as many.
    """
    if hands is not None:
        return play_all(hands)
    begun = monotonic()
    results = play_all(LEAST_HANDS)
    took = max(monotonic() - begun, 1e-9)
    more = min(MAX_HANDS, int(LEAST_HANDS * (seconds - took) / took) // ROUND * ROUND)
    return play_all(more) if more > 2 * LEAST_HANDS else results


def _opponent(name: str) -> Agent:
    """An agent that remembers nothing yet."""
    return _made(name).clone()


@cache
def _made(name: str) -> Agent:
    """An agent that plays plainly, made once: to unpack a blueprint takes half a second."""
    return without_search(make_agent(name))


def _first_hands(writer: HandWriter, agent: Agent, opponent: Agent, rules: Rules) -> SavedHands:
    names = agent.name, opponent.name
    return SavedHands(writer, names, rules, event=f"final match against {names[1]}", most=SAVED_HANDS)


def write_results(path: Path, decisions: int, seconds: float, seed: int, results: Sequence[MatchResult]) -> None:
    """Append a line for each result to a CSV file. A new file gets a header."""
    unit, rows = results[0].unit if results else BIG_BLINDS, []
    for result in results:
        numbers = *result.unit.numbers(result.mean, result.half_width), result.hands, seed
        rows.append((decisions, f"{seconds:.1f}", in_cell(shown_name(result.opponent, None)), *numbers))
    append_rows(path, ("decisions", "seconds", "opponent", unit.key, HALF_WIDTH, "hands", "seed"), rows)


class _AbandonedError(Exception):
    """The user has interrupted an evaluation."""


class EvaluationHook(Hook):
    """Plays the evaluation matches `times` times, evenly spaced over the budget; logs them and writes a CSV file.

    interrupts: an evaluation under way ends without results when the user interrupts. bar: where it shows.
    """

    def __init__(
        self, learner: Trainee, path: Path, interrupts: Interrupts, bar: VisibleProgress | None = None
    ) -> None:
        self._interrupts, self._bar = interrupts, bar
        self._learner, self._clock, self._settings = learner, learner.clock, learner.config.evaluation
        self._path = path
        self._done = count_evaluations(path)  # a resumed run already has some

    def before_step(self, stats: Stats) -> None:
        spent = self._clock.spent(self.model.decisions)
        if self._interrupts.asked or self._done >= spent * (self._settings.times + 1) - 1:
            return
        seconds = ON_THE_WAY * self._clock.elapsed() / spent / self._settings.times
        try:
            with self._clock.paused():
                results = fitting(self._play, self._settings.hands_on_the_way, seconds)
        except _AbandonedError:
            return
        self._done += 1
        try:
            write_results(self._path, self.model.decisions, self._clock.elapsed(), EVALUATION_SEED, results)
        except OSError as error:
            warn_not_written(self._path, error)
        for result in results:
            stats[f"evaluation_{result.unit.key}/{result.opponent}"] = result.mean

    def _play(self, hands: int) -> list[MatchResult]:
        opponents = self._settings.opponents
        with counting(self._bar, "evaluation", len(opponents) * hands, "hands") as count:

            def progress(played: int) -> None:
                count(played)
                if self._interrupts.asked:
                    raise _AbandonedError

            agent, config = self._learner.final_agent, self._learner.config
            return evaluate(
                agent, opponents, config.rules, hands, EVALUATION_SEED, sitting=config.sitting, progress=progress
            )


def count_evaluations(path: Path) -> int:
    """The number of evaluations in a CSV file that `write_results` wrote; 0 if there is no file."""
    return len({row["decisions"] for row in rows_of(path)})

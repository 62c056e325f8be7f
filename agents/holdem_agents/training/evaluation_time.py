"""How long the evaluation of a run takes: estimated before training from short trial matches, measured at its end."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

from holdem_env.agents.protocol import Agent
from holdem_env.game.rules import Rules

from .config import Budget, Evaluation
from .evaluation_matches import play
from .run_folder import CONFIG

TRIAL_HANDS = 1024
TRIAL_SEED = 2 * 10**9  # decks of neither training nor evaluation
MODES = 2  # the final agent samples its actions, and plays greedily


def estimated_seconds(agent: Agent, rules: Rules, settings: Evaluation, done: int = 0, sitting: int = 1) -> float:
    """An estimate of the seconds that all evaluation matches of a run take, during training and after it.

    A short match against each opponent is timed, with the agent as it is before training, and scaled to the hands of
    the real matches. done: how many of the evaluations during training a resumed run has behind it.
    """
    seconds = sum(_match_seconds(agent, opponent, rules, settings.hands, sitting) for opponent in settings.opponents)
    part = settings.hands_on_the_way / settings.hands
    total = seconds * (max(settings.times - done, 0) * part + MODES)
    if settings.past_selves:
        total += MODES * settings.past_selves * _match_seconds(agent, agent, rules, settings.hands, sitting)
    return total


def _match_seconds(agent: Agent, opponent: str | Agent, rules: Rules, hands: int, sitting: int) -> float:
    play(agent, opponent, rules, 1, TRIAL_SEED, sitting)  # the first one loads compiled code
    begun = perf_counter()
    played = play(agent, opponent, rules, min(hands, TRIAL_HANDS), TRIAL_SEED, sitting).hands
    return (perf_counter() - begun) * hands / played


def plan(budget: Budget, settings: Evaluation, seconds: float, spent: float = 0.0, done: int = 0) -> str:
    """What a run is going to take, as a line for the user.

    seconds: of evaluation. spent: the fraction of the budget that is spent already. done: as in `estimated_seconds`.
    """
    anchors, times = len(settings.opponents), max(settings.times - done, 0)
    on_the_way, at_the_end = times * anchors, MODES * (anchors + settings.past_selves)
    matches = f"{on_the_way + at_the_end} matches of {settings.hands:,} hands"
    if on_the_way and settings.hands_on_the_way != settings.hands:
        matches = f"{on_the_way} matches of {settings.hands_on_the_way:,} hands, {at_the_end} of {settings.hands:,}"
    evaluation = f"evaluation adds about {duration(seconds)} ({matches})"
    if budget.seconds is None:
        return f"training: {budget.decisions:,} decisions; {evaluation}"
    left = budget.seconds * (1 - spent)
    return f"training: {duration(left)}; {evaluation}; in all about {duration(left + seconds)}"


def spent_budget(budget: Budget, folder: Path) -> str:
    """What the user of a finished run is told, and how it trains on."""
    size = f"{budget.decisions:,} decisions" if budget.seconds is None else duration(budget.seconds)
    return (
        f"the budget of {size} is spent, so only the final matches are played, again; to train on, raise "
        f"the budget in {folder / CONFIG}, then --resume again"
    )


def total(training: float, evaluation: float, everything: float) -> str:
    """What a run has taken, in seconds, as a line for the user; the rest is compiling, loading and writing."""
    return (
        f"took {duration(everything)}: {duration(training)} of training, {duration(evaluation)} of evaluation, "
        f"{duration(max(everything - training - evaluation, 0.0))} of everything else"
    )


def duration(seconds: float) -> str:
    """Seconds as text.

    >>> duration(8.31), duration(128), duration(7265)
    ('8.3 s', '2 min 8 s', '2 h 1 min')
    """
    if seconds < 10:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if minutes else f"{rest} s"
    return f"{minutes // 60} h {minutes % 60} min"

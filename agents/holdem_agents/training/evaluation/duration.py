"""How long the evaluation of a run takes: estimated before training from short trial matches, measured at its end."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

from holdem_env.agents.protocol import Agent
from holdem_env.game.rules import Rules

from ..config import Budget, Evaluation, Exploiters
from ..run_folder.files import CONFIG
from .matches import play

TRIAL_HANDS = 256
TRIAL_SECONDS = 0.25
"""A trial match takes at least as long, or has all the hands."""
TRIAL_SEED = 2 * 10**9  # decks of neither training nor evaluation
MODES = 2  # the final agent samples its actions, and plays greedily


def estimated_seconds(agent: Agent, rules: Rules, settings: Evaluation, done: int = 0, sitting: int = 1) -> float:
    """An estimate of the seconds that all evaluation matches of a run take, during training and after it.

    Short matches against each opponent are timed, with the agent as it is before training; what a further hand takes
    in the longest of them, every hand of the real matches does. done: how many of the evaluations during training a
    resumed run has behind it.
    """
    seconds = sum(_match_seconds(agent, opponent, rules, settings.hands, sitting) for opponent in settings.opponents)
    part = settings.hands_on_the_way / settings.hands
    total = seconds * (max(settings.times - done, 0) * part + MODES)
    if settings.past_selves:
        total += MODES * settings.past_selves * _match_seconds(agent, agent, rules, settings.hands, sitting)
    return total


def _match_seconds(agent: Agent, opponent: str | Agent, rules: Rules, hands: int, sitting: int) -> float:
    def trial(hands: int) -> tuple[float, int]:
        begun = perf_counter()
        played = play(agent, opponent, rules, hands, TRIAL_SEED, sitting).hands
        return perf_counter() - begun, played

    trial(TRIAL_HANDS)  # loads compiled code and makes the opponent
    less, few = trial(TRIAL_HANDS)
    more, many = trial(2 * TRIAL_HANDS)
    while more < TRIAL_SECONDS and many < hands:
        (less, few), (more, many) = (more, many), trial(2 * many)
    each = max(more - less, 0.0) / (many - few) if many > few else more / many
    return max(more + each * (hands - many), 0.0)


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
        return f"training: {budget_text(budget)}; {evaluation}"
    left = budget.seconds * (1 - spent)
    return f"training: {duration(left)}; {evaluation}; in all about {duration(left + seconds)}"


def plan_of_exploiters(settings: Exploiters) -> str:
    """What training exploiters are going to take, as a line for the user.

    >>> plan_of_exploiters(Exploiters(every=0.1))
    'training exploiters: 400,000 decisions each, after every 10 % of the budget, on top of the budget'
    """
    every = f"{settings.every:,.0f} decisions" if settings.every > 1 else f"{100 * settings.every:g} % of the budget"
    return f"training exploiters: {settings.decisions:,} decisions each, after every {every}, on top of the budget"


def spent_budget(budget: Budget, folder: Path) -> str:
    """What the user of a finished run reads, and how it trains on."""
    return (
        f"the budget of {budget_text(budget)} is spent, so only the final matches are played, again; to train on, "
        f"raise the budget in {folder / CONFIG}, then --resume again"
    )


def total(training: float, evaluation: float, everything: float, exploiters: float = 0.0) -> str:
    """What a run has taken, in seconds, as a line for the user; the rest is compiling, loading and writing.

    exploiters: what training exploiters took.
    """
    on_the_way = f"{duration(exploiters)} of training exploiters, " if exploiters else ""
    return (
        f"took {duration(everything)}: {duration(training)} of training, {duration(evaluation)} of evaluation, "
        f"{on_the_way}{duration(max(everything - training - evaluation - exploiters, 0.0))} of everything else"
    )


def budget_text(budget: Budget) -> str:
    """A budget in words.

    >>> budget_text(Budget(decisions=30_000)), budget_text(Budget(seconds=60)), budget_text(Budget(cpu_seconds=90))
    ('30,000 decisions', '1 min 0 s', '1 min 30 s of processor time')
    """
    if budget.decisions is not None:
        return f"{budget.decisions:,} decisions"
    if budget.cpu_seconds is not None:
        return f"{duration(budget.cpu_seconds)} of processor time"
    return duration(budget.seconds or 0.0)


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

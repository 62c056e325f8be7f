"""How long a run takes: what is known before training, and what it has taken."""

from __future__ import annotations

from holdem_env.utils.counting import duration

from ..config import Budget, Evaluation, Exploiters
from .matches import AT_THE_END, MISTAKES_AT_THE_END, ON_THE_WAY

MODES = 2  # the final agent samples its actions, and plays greedily


def plan(budget: Budget, settings: Evaluation, spent: float = 0.0, done: int = 0) -> str:
    """What a run is going to do, as a line for the user: how long it evaluates, or how many matches it plays if the
    configuration says of how many hands.

    spent: the fraction of the budget that is spent already. done: how many of the evaluations during training a resumed
    run has behind it.
    """
    training = budget.text if budget.seconds is None else duration(budget.seconds * (1 - spent))
    if settings.hands is None:
        parts = AT_THE_END + (ON_THE_WAY if settings.times else 0) + (MISTAKES_AT_THE_END if settings.mistakes else 0)
        known = budget.seconds or budget.cpu_seconds
        about = f"about {duration(parts * known)}" if known else f"about {100 * parts:.0f} % of the time of training"
        return f"training: {training}; besides, evaluation: {about}"
    anchors, times = len(settings.opponents), max(settings.times - done, 0)
    on_the_way, at_the_end = times * anchors, MODES * (anchors + settings.past_selves)
    matches = f"{on_the_way + at_the_end} matches of {settings.hands:,} hands"
    if on_the_way and settings.hands_on_the_way != settings.hands:
        matches = f"{on_the_way} matches of {settings.hands_on_the_way:,} hands, {at_the_end} of {settings.hands:,}"
    if settings.mistakes:
        about = f"{100 * MISTAKES_AT_THE_END:.0f} % of the time of training"
        matches += f", and judging the decisions of up to {settings.mistakes:,} hands, at most {about}"
    return f"training: {training}; besides, evaluation: {matches}"


def plan_of_exploiters(settings: Exploiters) -> str:
    """What training exploiters are going to take, as a line for the user.

    >>> plan_of_exploiters(Exploiters(every=0.1))
    'training exploiters: 400,000 decisions each, after every 10 % of the budget, on top of the budget'
    """
    every = f"{settings.every:,.0f} decisions" if settings.every > 1 else f"{100 * settings.every:g} % of the budget"
    return f"training exploiters: {settings.decisions:,} decisions each, after every {every}, on top of the budget"


def total(training: float, evaluation: float, everything: float, exploiters: float = 0.0) -> str:
    """What a run has taken, in seconds, as a line for the user; the rest is compiling, loading and writing.

    exploiters: what training exploiters took.
    """
    on_the_way = f"{duration(exploiters)} of training exploiters, " if exploiters else ""
    return (
        f"took {duration(everything)}: {duration(training)} of training, {duration(evaluation)} of evaluation, "
        f"{on_the_way}{duration(max(everything - training - evaluation - exploiters, 0.0))} of everything else"
    )

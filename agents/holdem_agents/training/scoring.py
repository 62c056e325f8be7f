"""The measure `exploiter` of `holdem score`: a learner trains against the agent for some seconds, then plays it."""

from __future__ import annotations

import json

from holdem_env.agents.names import register_agent
from holdem_env.arena.scoring.findings import BB100, Clock, Figure, Found, NotMeasured, Point
from holdem_env.arena.scoring.part import Part
from holdem_env.arena.scoring.task import Exploiter

from ..runs.exploiter_results import WARM, Row
from ..runs.files import CROSSTABLE, CURVE, rows_of
from ..runs.run import finish
from .config import Budget, Training
from .exploiters.settings import check_victim, exploiter, warm_exploiter

VICTIM = "scored_agent"
"""What the agent is registered as, if its name alone does not make it."""
ON_THE_WAY = 10
"""A match in training has the final match's hands divided by this."""


def measure_exploiter(part: Part) -> Found:
    """What an exploiter wins from the agent, sampling and greedy, in bb/100: lower bounds.

    part.amount: seconds of training by the wall clock. A training that was killed goes on from its checkpoint. Raises
    NotMeasured for an agent that no exploiter can train against, or that has no weights to begin with.
    """
    clock, folder, measure = Clock(), part.folder / part.name.replace(" ", "-"), part.measure
    assert isinstance(measure, Exploiter)
    with part.agent() as agent:
        config = _config(part, measure)
        check_victim(agent, config)
        against = "" if agent.plain() is agent else ", without search"
        if measure.start == WARM:
            warmed = warm_exploiter(config, agent)
            if isinstance(warmed, str):
                raise NotMeasured(warmed)
            config = warmed
        finish(config, folder, show=False, report_interrupted=False)
    results = rows_of(folder / CROSSTABLE)
    if not results:
        raise KeyboardInterrupt  # ended the training, which goes on the next time
    points = rows_of(folder / CURVE)
    return part.found(
        clock,
        *(_figure(part, row, against) for row in results),
        decisions=int(points[-1]["decisions"]) if points else 0,
        hands=sum(int(row["hands"]) for row in results),
        curve=[_point(row) for row in points],
    )


def _config(part: Part, measure: Exploiter) -> Training:
    """The exploiter's configuration, with random weights."""
    hands = measure.hands.of(part.budget)
    config = exploiter(_victim(part), part.task.rules, Budget(seconds=part.amount), part.seed % 2**32, hands)
    fewer = {"hands_in_training": max(hands // ON_THE_WAY, 1)}
    changes = {"actions": measure.actions or config.actions, "evaluation": config.evaluation.model_copy(update=fewer)}
    return config.model_copy(update=changes)


def _victim(part: Part) -> str:
    """A name that makes the agent in this process."""
    made = json.loads(part.entrant.made_of)
    if part.entrant.limits is None and set(made) == {"agent"}:
        return str(made["agent"])
    register_agent(VICTIM, part.entrant.agent)
    return VICTIM


def _figure(part: Part, row: Row, against: str) -> Figure:
    return Figure(
        name=f"{part.name}, {row['plays']}{against}",
        says="lower bound",
        value=float(row["bb_per_100"]),
        half_width=float(row["half_width_95"]),
        unit=BB100,
        samples=int(row["hands"]) // part.task.rules.seats,
    )


def _point(row: Row) -> Point:
    return Point(
        decisions=int(row["decisions"]), value=float(row["bb_per_100"]), half_width=float(row["half_width_95"])
    )

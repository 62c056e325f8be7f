"""The measure `exploiter` of `holdem score`: a learner trains against the agent for some seconds, then plays it."""

from __future__ import annotations

import json
from typing import Literal

from holdem_env.agents.names import register_agent
from holdem_env.agents.protocol import Agent
from holdem_env.arena.scoring.findings import Figure, Found, NotMeasured, Point
from holdem_env.arena.scoring.measure import Amounts, Budget, Measure, Part, Parts
from holdem_env.game.units import unit_in
from holdem_env.utils.extras import explain_missing_extra

from ..runs.exploiter_results import WARM, Row
from ..runs.files import CROSSTABLE, CURVE, rows_of
from .config import Budget as Seconds
from .config import Training

VICTIM = "scored_agent"
"""What the agent is registered as, if its name alone does not make it."""
ON_THE_WAY = 10
"""A match in training has the final match's hands divided by this."""


class Exploiter(Measure):
    """A learner that trains against the agent alone, then plays it, sampling and greedy, in bb/100: lower bounds.

    start: "fresh" with random weights, or "warm" with the agent's. actions: of a fresh one. seconds: of training, by
    the wall clock. hands: of the match after it. A training that was killed goes on from its checkpoint.
    """

    start: Literal["fresh", "warm"]
    actions: str | None = None
    seconds: Amounts
    hands: Amounts

    def parts(self, budget: Budget) -> Parts:
        seconds, hands = self.seconds.of(budget), self.hands.of(budget)
        yield f"{self.start} exploiter", seconds if hands else 0, ()

    def measure(self, part: Part) -> Found:
        with explain_missing_extra(f"measure {self.kind!r}"):
            from ..runs.run import finish  # with PyTorch, which a task is read without

        folder = part.folder / part.name.replace(" ", "-")
        with part.agent() as agent:
            finish(self._training(part, agent), folder, show=False, report_interrupted=False)
            against = ", without search" if agent.facts.searches else ""
        results = rows_of(folder / CROSSTABLE)
        if not results:
            raise KeyboardInterrupt  # ended the training, which goes on the next time
        points = rows_of(folder / CURVE)
        return part.found(
            *(_figure(part, row, against) for row in results),
            decisions=int(points[-1]["decisions"]) if points else 0,
            hands=sum(int(row["hands"]) for row in results),
            curve=[_point(row) for row in points],
        )

    def _training(self, part: Part, agent: Agent) -> Training:
        """The exploiter's configuration. Raises ValueError for an agent that no exploiter can train against, and
        NotMeasured for one that has no weights to begin with."""
        from .exploiters.settings import check_victim, exploiter, warm_exploiter

        hands = self.hands.of(part.budget)
        config = exploiter(_victim(part), part.rules, Seconds(seconds=part.amount), part.seed % 2**32, hands)
        fewer = {"hands_in_training": max(hands // ON_THE_WAY, 1)}
        changes = {"actions": self.actions or config.actions, "evaluation": config.evaluation.model_copy(update=fewer)}
        config = config.model_copy(update=changes)
        check_victim(agent, config)
        warmed = warm_exploiter(config, agent) if self.start == WARM else config
        if isinstance(warmed, str):
            raise NotMeasured(warmed)
        return warmed


measure_exploiter = Exploiter
"""As pyproject.toml names it."""


def _victim(part: Part) -> str:
    made = json.loads(part.entrant.made_of)
    if part.entrant.limits is None and set(made) == {"agent"}:
        return str(made["agent"])
    register_agent(VICTIM, part.entrant.agent)
    return VICTIM


def _figure(part: Part, row: Row, against: str) -> Figure:
    unit = unit_in(row)
    return Figure(
        name=f"{part.name}, {row['plays']}{against}",
        says="lower bound",
        value=float(row[unit.key]),
        half_width=float(row["half_width_95"]),
        unit=unit.name,
        samples=int(row["hands"]) // part.rules.seats,
    )


def _point(row: Row) -> Point:
    return Point(
        decisions=int(row["decisions"]), value=float(row[unit_in(row).key]), half_width=float(row["half_width_95"])
    )

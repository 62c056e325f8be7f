"""A part of a task, as a measure gets it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...agents.protocol import Agent
from ..isolation.isolated_agent import IsolatedAgent
from ..tournaments.entrants import Entrant
from .findings import Clock, Figure, Found
from .task import Budget, Measure, Task


@dataclass(frozen=True)
class Part:
    """A part of a task. name: its own in the task. measure: what is to be measured. detail: which opponent, or which
    setting. amount: how much of it; 0 measures nothing. folder: where it may keep files."""

    name: str
    task: Task
    measure: Measure
    detail: tuple[str, ...]
    amount: int
    budget: Budget
    entrant: Entrant
    folder: Path

    @property
    def seed(self) -> int:
        """Of its decks."""
        return self.task.seed

    @contextmanager
    def agent(self) -> Iterator[Agent]:
        """The agent; one in a process of its own ends with the block. Raises as `Entrant.agent`."""
        agent = self.entrant.agent()
        try:
            yield agent
        finally:
            if isinstance(agent, IsolatedAgent):
                agent.close()  # it starts again when it is asked

    def found(self, clock: Clock, *figures: Figure, decisions: int = 0, hands: int = 0, **more: Any) -> Found:
        """What it has found since a clock was started."""
        spent = clock.spent(decisions, hands)
        return Found(part=self.name, measure=self.measure.kind, figures=figures, spent=spent, **more)

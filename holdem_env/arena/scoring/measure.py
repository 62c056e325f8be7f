"""What a measure is: a class with its settings, its parts, and how a part is measured."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, process_time
from typing import Annotated, Any, Literal, TypeAlias, get_args

from pydantic import Field

from ...agents.protocol import Agent
from ...game.rules import Rules
from ...utils.validation import Validated
from ..tournaments.entrants import Entrant, ending
from .findings import Figure, Found, Spent

Budget: TypeAlias = Literal["quick", "standard", "long"]
BUDGETS: tuple[Budget, ...] = get_args(Budget)  # about 2 minutes, 30 minutes and 4 hours of two cores
Amount = Annotated[int, Field(ge=0)]
Names = Annotated[tuple[str, ...], Field(min_length=1)]
Parts: TypeAlias = Iterable[tuple[str, int, tuple[str, ...]]]
"""Of each part its name, how much of it, and which opponent or setting it has."""


class Amounts(Validated):
    """How much of something each budget has; 0 leaves it out."""

    quick: Amount
    standard: Amount
    long: Amount

    def of(self, budget: Budget) -> int:
        amount: int = getattr(self, budget)
        return amount


class Measure(Validated, ABC):
    """Base of measures; its fields are the settings that a task gives it.

    Attributes:
        kind: The measure's name.
    """

    kind: str

    @abstractmethod
    def parts(self, budget: Budget) -> Parts:
        """What is measured one by one, in any process. An amount of 0 measures nothing."""

    @abstractmethod
    def measure(self, part: Part) -> Found:
        """Return what a part finds, as `Part.found` makes it.

        If any other error is raised, the card gives it as the reason why nothing was measured.

        Raises:
            NotMeasured: If this agent cannot be measured.
        """

    def files(self) -> tuple[str, ...]:
        """The files beside the task's that are part of the measure."""
        return ()


@dataclass(frozen=True)
class Part:
    """A part of a task.

    Attributes:
        name: Its name in the task.
        measure: The measure.
        amount, detail: As in `Measure.parts`.
        budget: The budget.
        rules, seed: The task's.
        beside: The task's folder.
        entrant: The measured agent.
        folder: The folder for the part's files.
    """

    name: str
    measure: Measure
    amount: int
    detail: tuple[str, ...]
    budget: Budget
    rules: Rules
    seed: int
    beside: Path
    entrant: Entrant
    folder: Path

    @contextmanager
    def agent(self) -> Iterator[Agent]:
        """Yield the agent; one in a process of its own ends with the block.

        Raises:
            ValueError: If the agent's files have changed, as in `Entrant.agent`.
            AgentProcessError: If it exits in a process of its own.
            AgentError: If it cannot be made in a process of its own.
        """
        agent = self.entrant.agent()
        with ending([agent]):
            yield agent

    def found(self, *figures: Figure, decisions: int = 0, hands: int = 0, **more: Any) -> Found:
        """Return what the part has found.

        Args:
            *figures: The figures.
            decisions, hands: As in `Spent`, whose seconds the caller counts.
            **more: Fields of `Found`.
        """
        spent = Spent(decisions=decisions, hands=hands)
        return Found(part=self.name, measure=self.measure.kind, figures=figures, spent=spent, **more)


def measured(part: Part) -> Found:
    """What a part has found. An error, whatever it is, becomes the reason why it has found nothing."""
    if not part.amount:
        return part.found(why_not=f"the {part.budget} budget has none of it")
    began = monotonic(), process_time()
    try:
        found = part.measure.measure(part)
        return found.model_copy(update={"spent": found.spent + _since(*began)})
    except (Exception, SystemExit) as error:
        says_why = isinstance(error, ValueError | ModuleNotFoundError)
        why = str(error) if says_why else f"{type(error).__name__}: {error}"
        failed = part.found(why_not=why or type(error).__name__)
        return failed.model_copy(update={"spent": _since(*began)})


def _since(wall: float, processor: float) -> Spent:
    return Spent(seconds=monotonic() - wall, processor_seconds=process_time() - processor)

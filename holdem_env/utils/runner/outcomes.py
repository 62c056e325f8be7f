"""What a runner reports of its tasks, and how a worker sends it."""

from __future__ import annotations

import pickle
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, Protocol, Self, TypeVar

R = TypeVar("R")
LATER: Any = object()
"""In place of a task: there is none now, but there may be later."""


class WorkerLost(ChildProcessError):
    """The worker of a task has ended without a result: it was killed, ran out of memory, or its machine is gone.

    index: which task. how: what is known of the end.
    """

    def __init__(self, index: int, how: str) -> None:
        super().__init__(f"worker {index} was lost: {how}")
        self.index, self.how = index, how

    def __reduce__(self) -> tuple[type[WorkerLost], tuple[int, str]]:
        return type(self), (self.index, self.how)


class Interrupted(KeyboardInterrupt):
    """After the first ctrl-C the running tasks have ended, and no others began."""


class Interruptible(Protocol):
    """A context in which the first ctrl-C asks what is running to end, and a second one raises KeyboardInterrupt and
    leaves the context. `holdem_agents.runs.interrupts.Interrupts` is one."""

    asked: bool
    """Whether the user has pressed ctrl-C."""
    stopped_at_once: bool
    """Whether a KeyboardInterrupt has ended the context."""

    @classmethod
    def ask_all(cls) -> bool:
        """Ask all that are entered in this process to end, from any thread. Returns whether there are any."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: Any) -> bool | None: ...


@dataclass(frozen=True)
class Outcome(Generic[R]):
    """The end of one task. index: its place among the tasks. error: what it raised, or WorkerLost; None if it returned
    `value`."""

    index: int
    task: Any
    value: R | None = None
    error: Exception | None = None

    def result(self) -> R:
        """What the task returned. Raises its error."""
        if self.error is not None:
            raise self.error
        return self.value  # type: ignore[return-value]


def in_order(outcomes: Iterable[Outcome[R]]) -> Iterator[Outcome[R]]:
    """Outcomes in the order of their tasks; those that come too early wait."""
    early: dict[int, Outcome[R]] = {}
    following = 0
    for outcome in outcomes:
        early[outcome.index] = outcome
        while following in early:
            yield early.pop(following)
            following += 1


Answer = tuple[str, Any]
RESULT, RAISED, ENDED = "result", "raised", "ended"


def answer_of(function: Callable[[Any], Any], task: Any) -> Answer:
    """Run a task: its result, the error that it raised, or that ctrl-C ended it."""
    try:
        return RESULT, function(task)
    except KeyboardInterrupt:
        return ENDED, None
    except Exception as error:
        return RAISED, _sendable(error)


def _sendable(error: Exception) -> Exception:
    """The error with its traceback as a note; a RuntimeError with its text if it cannot be pickled."""
    error.add_note("In the worker:\n" + "".join(traceback.format_exception(error)).rstrip())
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        text = RuntimeError(f"{type(error).__name__}: {error}")
        text.add_note(error.__notes__[-1])
        return text
    return error

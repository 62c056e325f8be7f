"""Workers: objects that live elsewhere and answer one call at a time, and the three places where they can live.

with ProcessPlace(2) as place:                          # or RayPlace("auto"), or HerePlace()
    worker = place.start(LeagueMember, league, "one")   # makes LeagueMember(league, "one") in a process of its own
    worker.begin("train")                               # calls its method and returns at once
    place.wait([worker])                                # until it has answered, or is lost
    print(worker.answer())                              # the result; raises what the method raised
"""

from __future__ import annotations

import pickle
import traceback
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Protocol, Self


class WorkerLost(ChildProcessError):
    """The process of a worker has ended without an answer: it was killed, ran out of memory, or its machine is gone.

    index: which task or worker it was. how: what is known of the end, such as "killed by signal 9".
    """

    def __init__(self, index: int, how: str) -> None:
        super().__init__(f"worker {index} was lost: {how}")
        self.index, self.how = index, how

    def __reduce__(self) -> tuple[type[WorkerLost], tuple[int, str]]:
        return type(self), (self.index, self.how)


class Interrupted(Exception):
    """The call was ended by ctrl-C before it had a result."""


class Worker(Protocol):
    """An object in another place. It answers one call at a time. index: its number, for messages."""

    index: int

    def begin(self, method: str, *arguments: Any) -> None:
        """Call a method of the object, and return at once. The object is made before its first call."""

    def answer(self) -> Any:
        """The result of the call, once `Place.wait` has returned this worker.

        Raises what the method raised, WorkerLost if the worker has ended, Interrupted if ctrl-C ended the call.
        """

    def interrupt(self) -> None:
        """Do in the worker what ctrl-C does: training ends after its rollout. Without a call under way, nothing."""

    def close(self) -> None:
        """End the worker at once, whatever it is doing."""


class Place(Protocol):
    """Where workers live. It is a context that closes what is left of them."""

    def start(self, make: Callable[..., Any], *arguments: Any) -> Worker:
        """A worker with the object `make(*arguments)`; both must be picklable, so `make` stands in a module."""

    def wait(self, workers: Sequence[Worker], seconds: float | None = None) -> list[Worker]:
        """Those of the workers that have an answer or are lost; waits this long for the first of them."""

    def room(self) -> int:
        """How many workers can work at the same time now."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None: ...


RESULT, RAISED, ENDED = "result", "raised", "ended"
Answer = tuple[str, Any]


def answered(call: Callable[[], Any]) -> Answer:
    """What a call gives, as it is sent back: its result, the error that it raised, or that ctrl-C ended it."""
    try:
        return RESULT, call()
    except KeyboardInterrupt:
        return ENDED, None
    except Exception as error:
        return RAISED, sendable(error)


def opened(answer: Answer) -> Any:
    """The result in an answer. Raises the error in it, or Interrupted."""
    kind, value = answer
    if kind == RAISED:
        raise value
    if kind == ENDED:
        raise Interrupted
    return value


def sendable(error: Exception) -> Exception:
    """The error with its traceback as a note; a RuntimeError with its text if it cannot be pickled."""
    error.add_note("In the worker:\n" + "".join(traceback.format_exception(error)).rstrip())
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        text = RuntimeError(f"{type(error).__name__}: {error}")
        text.add_note(error.__notes__[-1])
        return text
    return error


def use_one_thread() -> None:
    """Give PyTorch one thread in this worker: workers share the processors."""
    import torch

    torch.set_num_threads(1)

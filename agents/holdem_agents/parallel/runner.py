"""Independent tasks, several at a time: in this process, in processes of this machine, or on a Ray cluster.

    def play(seed: int) -> float: ...                       # in a module: workers import it

    found = {}
    is_whole = runner(jobs=2).run(play, range(10), found.__setitem__)        # or runner(ray="auto")

Each task runs in a worker of its own. One that fails or is killed does not disturb the others.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from ..training.interrupts import Interrupts
from .here import HerePlace
from .machines import Machines
from .processes import ProcessPlace
from .workers import Interrupted, Place, Worker, WorkerLost

__all__ = ["PlaceRunner", "ProcessRunner", "RayRunner", "Runner", "WorkerLost", "runner"]

T = TypeVar("T")
R = TypeVar("R")
Done = Callable[[int, R], None]
Failed = Callable[[int, Exception], None]

LOOK_EVERY = 0.5
"""Seconds after which a ctrl-C is noticed."""


class Runner(Protocol):
    """Runs independent tasks."""

    def run(self, function: Callable[[T], R], tasks: Sequence[T], done: Done[R], failed: Failed | None = None) -> bool:
        """Call the function with each of the tasks. Returns whether all were run, that is, whether nobody interrupted.

        done(index, result): called here after each task, in the order in which they end. failed(index, error): called
        for a task that raised, and with a WorkerLost for one whose worker was killed; without it, the first such error
        is raised after the tasks under way have ended, and no other task begins.

        The first ctrl-C begins no other task and is passed on to those under way: training ends after its rollout, with
        a checkpoint, and the task is then done. The second one kills them and raises KeyboardInterrupt.
        """


class PlaceRunner:
    """A runner with workers in a place of a kind. place: makes the place. jobs: so many tasks at most at a time."""

    def __init__(self, place: Callable[[], Place], jobs: int | None = None) -> None:
        self._place, self._jobs = place, jobs

    def run(self, function: Callable[[T], R], tasks: Sequence[T], done: Done[R], failed: Failed | None = None) -> bool:
        """As `Runner.run`."""
        errors: list[Exception] = []

        def report(index: int, error: Exception) -> None:
            if failed is None:
                errors.append(error)
            else:
                failed(index, error)

        before = Interrupts.presses
        waiting = deque(enumerate(tasks))
        with self._place() as place:
            if isinstance(place, HerePlace):
                while waiting and not errors and Interrupts.presses == before:
                    index, task = waiting.popleft()
                    worker = place.start(Task, function, task)
                    worker.begin("run")
                    if not _report(worker, index, done, report):
                        return False
                is_interrupted = Interrupts.presses > before
            else:
                is_interrupted = self._run_elsewhere(place, function, waiting, done, report, errors)
        if errors:
            raise errors[0]
        return not is_interrupted

    def _run_elsewhere(
        self,
        place: Place,
        function: Callable[[Any], Any],
        waiting: deque[tuple[int, Any]],
        done: Done[Any],
        report: Failed,
        errors: list[Exception],
    ) -> bool:
        """Run the waiting tasks in workers. Returns whether the user interrupted."""
        running: dict[Worker, int] = {}
        interrupts, is_told = Interrupts(), False
        with interrupts:
            while running or (waiting and not errors and not interrupts.asked):
                while waiting and len(running) < self._room(place) and not errors and not interrupts.asked:
                    index, task = waiting.popleft()
                    worker = place.start(Task, function, task)
                    running[worker] = index
                    worker.begin("run")
                if interrupts.asked and not is_told:
                    is_told = True
                    for worker in running:
                        worker.interrupt()
                for worker in place.wait(list(running), LOOK_EVERY):
                    # A worker may be told to end while it still begins, and then it is gone.
                    is_ending = interrupts.asked
                    _report(worker, running.pop(worker), done, _ignoring_lost(report) if is_ending else report)
                    worker.close()
        if interrupts.stopped_at_once:
            for worker in running:
                worker.close()
            raise KeyboardInterrupt
        return interrupts.asked

    def _room(self, place: Place) -> int:
        return place.room() if self._jobs is None else self._jobs


def _ignoring_lost(failed: Failed) -> Failed:
    return lambda index, error: None if isinstance(error, WorkerLost) else failed(index, error)


def _report(worker: Worker, index: int, done: Done[Any], failed: Failed) -> bool:
    """Report the answer of a worker. Returns False if ctrl-C ended the call."""
    try:
        result = worker.answer()
    except Interrupted:
        return False
    except WorkerLost as error:
        failed(index, WorkerLost(index, error.how))
    except Exception as error:
        failed(index, error)
    else:
        done(index, result)
    return True


class Task:
    """A function and what it is called with."""

    def __init__(self, function: Callable[[Any], Any], task: Any) -> None:
        self._function, self._task = function, task

    def run(self) -> Any:
        """Call it."""
        return self._function(self._task)


class ProcessRunner(PlaceRunner):
    """Runs so many tasks at a time, each in a process of its own with one thread."""

    def __init__(self, jobs: int) -> None:
        super().__init__(lambda: ProcessPlace(jobs), jobs)


class RayRunner(PlaceRunner):
    """Runs tasks on a Ray cluster, as many at a time as it has processors, or `jobs` of them at most.

    `run` raises ModuleNotFoundError if Ray is not installed, and ConnectionError if there is no cluster at the address.
    """

    def __init__(self, address: str, jobs: int = 1) -> None:
        machines = Machines(jobs, address)
        super().__init__(machines.place, machines.limit)


def runner(jobs: int = 1, ray: str | None = None) -> Runner:
    """A runner: in this process for one job, in processes for more, or on the Ray cluster at an address.

    jobs, ray: as in Machines. Raises ValueError for a number of jobs that is none; what RayRunner raises.
    """
    machines = Machines(jobs, ray)
    return PlaceRunner(machines.place, machines.limit)

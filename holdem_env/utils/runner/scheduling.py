"""The runner: which task goes to which worker, and what becomes of them."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Generic, Protocol, Self, TypeVar

from .outcomes import ENDED, LATER, RAISED, Answer, Interrupted, Interruptible, Outcome, WorkerLost
from .processes import Processes
from .ray_cluster import RayCluster

T = TypeVar("T")
R = TypeVar("R")
LOOK_EVERY = 0.5
"""Seconds after which a ctrl-C is noticed."""


class Worker(Protocol):
    """Runs one task at a time in another process."""

    lost: type[Exception] | tuple[type[Exception], ...]
    """What a future raises if the worker has ended."""

    def submit(self, function: Callable[[Any], Any], task: Any) -> Future[Answer]:
        """Begin a task."""

    def interrupt(self) -> None:
        """Do to the task that is running what ctrl-C does."""

    def is_waiting(self) -> bool:
        """Whether it has not begun to work yet: there is no room for it."""

    def close(self) -> None:
        """End the worker at once, whatever it is doing."""

    def how_lost(self, error: BaseException) -> str:
        """What is known of the end of a worker that is lost."""


class Backend(Protocol):
    """Where workers live."""

    def start(self, interrupts: type[Interruptible] | None) -> Worker:
        """A new worker."""

    def room(self) -> int:
        """How many workers can work at the same time now."""

    def close(self) -> None:
        """Called when all workers are closed."""


class Runner:
    """Runs independent tasks. It is a context: its workers are kept from one `run` to the next, and end with it.

    jobs: how many tasks at a time; -1 for as many as there are processors; 1 runs them in this process, or, on Ray, as
        many at a time as the cluster has processors.
    ray: the address of a Ray cluster: "auto", "HOST:PORT", "ray://HOST:PORT", or "local" for Ray on this machine alone.
    in_process: whether tasks run in this process; by default with one job and without Ray.
    interrupts: a class whose contexts tasks enter to hear of ctrl-C. With it the first ctrl-C begins no other task and
        is passed on to those that run, such as training, which ends after its rollout with a checkpoint; a second one
        kills them. Without it the first one kills them.

    Raises ValueError for an invalid number of jobs; ModuleNotFoundError if loky or Ray is needed and not
    installed; ConnectionError, within seconds, if no cluster answers at the address.
    """

    def __init__(
        self,
        jobs: int = 1,
        ray: str | None = None,
        in_process: bool | None = None,
        interrupts: type[Interruptible] | None = None,
    ) -> None:
        count = number_of_workers(jobs)
        is_here = jobs == 1 and ray is None if in_process is None else in_process
        self._interrupts = interrupts
        self._backend: Backend | None = None
        self._workers: set[Worker] = set()
        self._idle: list[Worker] = []
        if ray is not None:
            self._backend = RayCluster(ray, count if jobs > 1 else None)
        elif not is_here:
            self._backend = Processes(count)

    def run(self, function: Callable[[T], R], tasks: Iterable[T], retries: int = 0) -> Iterator[Outcome[R]]:
        """Call the function with each of the tasks, and yield the outcomes in the order in which they end.

        function, tasks: they are pickled, and the function must be importable where workers run on other machines.
            Tasks are taken one by one, each when a worker is free for it, so a generator may react to outcomes. After
            LATER it is asked again LOOK_EVERY seconds later, or after an outcome.
        retries: how often a task whose worker was lost begins again in another one before it is reported.

        A task that raises, or whose worker is killed, is an outcome with an error and disturbs no other. After the
        first ctrl-C, with `interrupts`, the last outcome is followed by Interrupted; after a second one
        KeyboardInterrupt is raised. To stop iterating ends the tasks that run.
        """
        if self._backend is None:
            return self._run_here(function, tasks)
        return _Run(self, self._backend, function, tasks, retries).outcomes()

    def _run_here(self, function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[Outcome[R]]:
        with self.hearing() as heard:
            for index, task in enumerate(_present(tasks)):
                try:
                    outcome = Outcome(index, task, function(task))
                except Exception as error:
                    outcome = Outcome(index, task, error=error)
                yield outcome
                if heard is not None and heard.asked:
                    break
        _raise_interrupt(heard)

    def hearing(self) -> AbstractContextManager[Interruptible | None]:
        """The context in which ctrl-C is heard; without `interrupts` one that does nothing."""
        return nullcontext() if self._interrupts is None else self._interrupts()

    def submit(self, function: Callable[[T], R], task: T) -> tuple[Worker, Future[Answer]]:
        """Begin a task in an idle worker, or in a new one if there is none or it was lost meanwhile."""
        assert self._backend is not None
        while self._idle:
            worker = self._idle.pop()
            try:
                return worker, worker.submit(function, task)
            except worker.lost:
                self.end(worker)
        worker = self._backend.start(self._interrupts)
        self._workers.add(worker)
        return worker, worker.submit(function, task)

    @property
    def has_idle_worker(self) -> bool:
        """Whether a worker could begin a task at once."""
        return bool(self._idle)

    def keep(self, worker: Worker) -> None:
        """A worker has no task any more."""
        self._idle.append(worker)

    def end(self, worker: Worker) -> None:
        """End a worker, whatever it is doing."""
        self._workers.discard(worker)
        worker.close()

    def close(self) -> None:
        self._idle.clear()
        while self._workers:
            self._workers.pop().close()
        if self._backend is not None:
            self._backend.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class _Run(Generic[T, R]):
    """One `Runner.run` in workers."""

    def __init__(
        self, runner: Runner, backend: Backend, function: Callable[[T], R], tasks: Iterable[T], retries: int
    ) -> None:
        self._runner, self._backend, self._function = runner, backend, function
        self._source, self._again = iter(tasks), deque[tuple[int, T]]()
        self._begun, self._is_over = 0, False
        self._retries = retries
        self._lost_before: dict[int, int] = {}
        self._running: dict[Future[Answer], tuple[Worker, int, T]] = {}

    def outcomes(self) -> Iterator[Outcome[R]]:
        heard = None
        try:
            with self._runner.hearing() as heard:
                is_interrupting = False
                while self._begin_tasks(is_ending=heard is not None and heard.asked):
                    if heard is not None and heard.asked and not is_interrupting:
                        is_interrupting = True
                        for worker, _, _ in self._running.values():
                            worker.interrupt()
                    if not self._running:
                        time.sleep(LOOK_EVERY)
                    ended, _ = wait(self._running, LOOK_EVERY, FIRST_COMPLETED)
                    for future in ended:
                        yield from self._outcome(future, is_ending=heard is not None and heard.asked)
        finally:
            for worker, _, _ in self._running.values():
                self._runner.end(worker)
        _raise_interrupt(heard)

    def _begin_tasks(self, is_ending: bool) -> bool:
        """Give tasks to all free workers. Returns whether any task is running, or may come later."""
        self._take_back_waiting()
        room = 0 if is_ending else self._backend.room()
        while len(self._running) < room:
            following = self._again.popleft() if self._again else self._following()
            if following is None:
                break
            index, task = following
            worker, future = self._runner.submit(self._function, task)
            self._running[future] = worker, index, task
        return bool(self._running) or not (self._is_over or is_ending)

    def _following(self) -> tuple[int, T] | None:
        """The next task, which did not begin yet; None if there is none now."""
        for task in self._source:
            if task is LATER:
                return None
            self._begun += 1
            return self._begun - 1, task
        self._is_over = True
        return None

    def _take_back_waiting(self) -> None:
        """Give up workers that wait for room while another one is idle: the processors of a machine that was lost still
        count for a while, and a worker that was placed there may wait for ever."""
        for future, (worker, index, task) in list(self._running.items()):
            if self._runner.has_idle_worker and worker.is_waiting():
                del self._running[future]
                self._runner.end(worker)
                self._again.append((index, task))

    def _outcome(self, future: Future[Answer], is_ending: bool) -> Iterator[Outcome[R]]:
        """The outcome of a task; none if ctrl-C has ended it, or if it begins again."""
        worker, index, task = self._running.pop(future)
        try:
            kind, value = future.result()
        except worker.lost as error:
            self._runner.end(worker)
            if is_ending:  # asked to end while it still began, it is gone
                return
            self._lost_before[index] = self._lost_before.get(index, 0) + 1
            if self._lost_before[index] <= self._retries:
                self._again.append((index, task))
                return
            yield Outcome(index, task, error=WorkerLost(index, worker.how_lost(error)))
            return
        except Exception as error:  # the task or its result cannot be sent
            kind, value = RAISED, error
        self._runner.keep(worker)
        if kind == ENDED:
            return
        yield Outcome(index, task, error=value) if kind == RAISED else Outcome(index, task, value)


def number_of_workers(jobs: int) -> int:
    """How many workers `jobs` stands for: -1 for one on each processor. Raises ValueError for an invalid number."""
    if jobs < 1 and jobs != -1:
        raise ValueError(f"jobs: {jobs}; give a whole number from 1 on, or -1 for as many as there are processors")
    if jobs > 0:
        return jobs
    try:
        from loky import cpu_count  # it knows what a container may use
    except ModuleNotFoundError:  # threads need no loky
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return int(cpu_count())


def _present(tasks: Iterable[T]) -> Iterator[T]:
    for task in tasks:
        if task is LATER:
            time.sleep(LOOK_EVERY)
        else:
            yield task


def _raise_interrupt(heard: Interruptible | None) -> None:
    if heard is not None and heard.stopped_at_once:
        raise KeyboardInterrupt
    if heard is not None and heard.asked:
        raise Interrupted

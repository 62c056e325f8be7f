"""Workers in processes of this machine, which are asked through pipes.

A worker's process ends with the process that started it, even if that one is killed. It has a process group of its own,
so ctrl-C in the terminal reaches only the parent, which decides what becomes of its workers.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from types import FrameType, TracebackType
from typing import Any, Self

from ..training.interrupts import Interrupts
from .workers import Worker, WorkerLost, answered, opened, use_one_thread

# A forked process would share the threads and locks of PyTorch and Numba, which is not safe.
CONTEXT = get_context("spawn")
SECONDS_TO_END = 5.0
"""So long a worker may take to end when it is told to, before it is killed."""


class ProcessWorker:
    """A worker in a process of its own."""

    def __init__(self, index: int, make: Callable[..., Any], arguments: Sequence[Any]) -> None:
        self.index = index
        self.pipe, theirs = CONTEXT.Pipe()
        self._process = CONTEXT.Process(target=_serve, args=(theirs, make, tuple(arguments)), daemon=False)
        self._process.start()
        theirs.close()  # so that the pipe says when the process has ended
        self._is_working = False

    @property
    def pid(self) -> int:
        """The number of the worker's process."""
        return self._process.pid or 0

    def begin(self, method: str, *arguments: Any) -> None:
        self._is_working = True
        with suppress(OSError):  # a lost worker is reported by `answer`
            self.pipe.send((method, arguments))

    def answer(self) -> Any:
        try:
            given = self.pipe.recv()
        except (EOFError, OSError):
            raise WorkerLost(self.index, self._end()) from None
        finally:
            self._is_working = False
        return opened(given)

    def _end(self) -> str:
        """How the process has ended. Its pipe is closed already, so it takes no time to end."""
        self._process.join(SECONDS_TO_END)
        code = self._process.exitcode
        if code is None:
            return "it does not answer any more"
        return f"killed by signal {-code}" if code < 0 else f"its process ended with status {code}"

    def interrupt(self) -> None:
        if self._is_working and self._process.is_alive():
            os.kill(self.pid, signal.SIGINT)

    def close(self) -> None:
        self.pipe.close()
        if self._is_working:
            self._process.kill()
        self._process.join(SECONDS_TO_END)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


class ProcessPlace:
    """The place of workers in processes of this machine. jobs: how many work at the same time."""

    def __init__(self, jobs: int) -> None:
        self._jobs, self._workers = jobs, list[ProcessWorker]()
        self._count = 0

    def start(self, make: Callable[..., Any], *arguments: Any) -> ProcessWorker:
        worker = ProcessWorker(self._count, make, arguments)
        self._count += 1
        self._workers = [*(each for each in self._workers if not each.pipe.closed), worker]
        return worker

    def wait(self, workers: Sequence[Worker], seconds: float | None = None) -> list[Worker]:
        by_pipe: dict[Any, Worker] = {worker.pipe: worker for worker in workers if isinstance(worker, ProcessWorker)}
        return [by_pipe[pipe] for pipe in wait(list(by_pipe), seconds)]

    def room(self) -> int:
        return self._jobs

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        for worker in self._workers:
            worker.close()
        self._workers = []


def _serve(pipe: Connection, make: Callable[..., Any], arguments: Sequence[Any]) -> None:
    """Answer the calls that come through the pipe, until it is closed."""
    if hasattr(os, "setpgrp"):
        os.setpgrp()
    signal.signal(signal.SIGINT, _hear)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    use_one_thread()
    served: Any = None

    def call(method: str, given: Sequence[Any]) -> Any:
        nonlocal served
        if served is None:
            served = make(*arguments)
        return getattr(served, method)(*given)

    while True:
        try:
            method, given = pipe.recv()
        except KeyboardInterrupt:  # nothing is under way
            continue
        except (EOFError, OSError):
            return
        pipe.send(answered(lambda method=method, given=given: call(method, given)))  # type: ignore[misc]


def _hear(number: int, frame: FrameType | None) -> None:
    """Ask training under way to end, without a word: the parent has said it. Other calls end at once."""
    if not Interrupts.ask_all():
        raise KeyboardInterrupt


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)

"""Workers in processes of this machine, started by loky.

Each worker is an executor with one process, so one that is killed takes no other task with it. Functions and tasks are
pickled by cloudpickle: those of a notebook or a script work, too. A worker ends with the process that started it, even
if that one is killed. It has a process group of its own, but on Windows, so ctrl-C in the terminal reaches only the
parent.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future
from contextlib import suppress
from types import FrameType
from typing import Any

from ..extras import explain_missing_extra
from .outcomes import Answer, Interruptible, answer_of

ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"
)
SIGNAL = re.compile(r"{(SIG\w+)\(-(\d+)\)}")
"""How loky says that a process was killed."""
LOOK_FOR_PARENT = 1.0
"""Seconds after which a worker notices that its parent was killed."""


class ProcessWorker:
    """A worker in a process of its own with one thread."""

    lost: type[Exception] | tuple[type[Exception], ...] = BrokenExecutor

    def __init__(self, interrupts: type[Interruptible] | None) -> None:
        from loky import ProcessPoolExecutor

        # loky starts a process that has grown again between tasks, and says so to users.
        warnings.filterwarnings("ignore", "A worker was restarted while some jobs", UserWarning)
        self._executor: Any = ProcessPoolExecutor(
            1, initializer=_begin, initargs=(interrupts, os.getpid()), env=ONE_THREAD
        )
        self._pid: Future[int] = self._executor.submit(os.getpid)

    def submit(self, function: Callable[[Any], Any], task: Any) -> Future[Answer]:
        given: Future[Answer] = self._executor.submit(answer_of, function, task)
        return given

    @staticmethod
    def is_waiting() -> bool:
        """Never: a process is there when it is started."""
        return False

    def interrupt(self) -> None:
        """Send ctrl-C to the task that is running. A console of Windows does so itself."""
        if sys.platform != "win32" and self._pid.done() and self._pid.exception() is None:
            with suppress(ProcessLookupError):
                os.kill(self._pid.result(), signal.SIGINT)

    def close(self) -> None:
        """End the process at once, whatever it is doing."""
        self._executor.shutdown(wait=True, kill_workers=True)

    @staticmethod
    def how_lost(error: BaseException) -> str:
        """What is known of the end of a process."""
        if killed := SIGNAL.search(str(error)):
            return f"killed by signal {killed[2]}"
        return str(error).partition(". ")[0]


class Processes:
    """The processes of this machine. jobs: how many work at the same time. Raises ModuleNotFoundError without loky."""

    def __init__(self, jobs: int) -> None:
        with explain_missing_extra("work on several processes"):
            import loky  # noqa: F401 - the workers need it
        self._jobs = jobs

    def start(self, interrupts: type[Interruptible] | None) -> ProcessWorker:
        return ProcessWorker(interrupts)

    def room(self) -> int:
        """How many workers can work at the same time."""
        return self._jobs

    def close(self) -> None:
        """Nothing is left when the workers are closed."""


def _begin(interrupts: type[Interruptible] | None, parent: int) -> None:
    """Set up the process of a worker, in its main thread."""
    if sys.platform != "win32":
        os.setpgrp()

    def hear(number: int, frame: FrameType | None) -> None:
        if interrupts is None or not interrupts.ask_all():
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, hear)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int, end: Callable[[int], None] = os._exit) -> None:
    """end: ends this process, also while `os._exit` is another function, which a task may have put there."""
    while os.getppid() == parent:
        time.sleep(LOOK_FOR_PARENT)
    end(1)

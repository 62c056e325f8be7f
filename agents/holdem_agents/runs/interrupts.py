"""Ctrl-C during training: a request to end after the rollout under way, and what the user reads about the run."""

from __future__ import annotations

import shlex
import shutil
import signal
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Any, ClassVar, Self

from rich.console import Console

NAME = "holdem"


class Interrupts:
    """A context in which the first ctrl-C asks training to end, and a second one ends it at once.

    Training can go on exactly where it was only between two rollouts. So the first ctrl-C sets `asked`, and training
    ends at the next such moment, after a checkpoint. A second one raises KeyboardInterrupt. Only Python's own handler
    of the signal is replaced, and only in the main thread; elsewhere ctrl-C means what it meant before.

    asked: whether the user has pressed ctrl-C. stopped_at_once: whether a KeyboardInterrupt has ended training.
    """

    WORDS: ClassVar[str] = "training ends after this rollout, with a checkpoint"
    """What the first ctrl-C leads to."""
    was_pressed: ClassVar[bool] = False
    """Whether ctrl-C has ended anything in this process since a command set it to False."""
    _entered: ClassVar[list[Interrupts]] = []

    def __init__(self) -> None:
        self.asked = False
        self.stopped_at_once = False
        self._before: Any = None

    @classmethod
    def ask_all(cls) -> bool:
        """Ask all training under way in this process to end, from any thread, as the first ctrl-C does.

        Returns whether there is any.
        """
        entered = list(cls._entered)
        for each in entered:
            each.asked = True
        return bool(entered)

    def __enter__(self) -> Self:
        self._entered.append(self)
        is_main = threading.current_thread() is threading.main_thread()
        if is_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._before = signal.signal(signal.SIGINT, self._ask)
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> bool:
        if self in self._entered:
            self._entered.remove(self)
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
            self._before = None
        if kind is not None and issubclass(kind, KeyboardInterrupt):
            self.asked = self.stopped_at_once = Interrupts.was_pressed = True
            return True
        return False

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        Interrupts.was_pressed = True
        self.ask_all()
        line = "\n" if sys.stderr.isatty() else ""  # there the cursor stands behind a progress bar
        report(f"{line}interrupted: {self.WORDS}; ctrl-C again ends it at once")


def report(message: str) -> None:
    """Print a line to stderr."""
    Console(stderr=True).print(message, soft_wrap=True, markup=False, highlight=False)


def holdem_command() -> str:
    """What to type for `holdem`: that, if the shell finds this one; else its path, or the module without a script."""
    script = Path(sys.executable).parent / NAME
    found = shutil.which(NAME)
    if found is not None and Path(found) == script:
        return NAME
    if not script.exists():
        return f"{shlex.quote(sys.executable)} -m holdem_agents.cli"
    here = Path.cwd()
    return shlex.quote(str(script.relative_to(here) if script.is_relative_to(here) else script))


def options_of(jobs: int, ray: str | None) -> str:
    """The options of `holdem train` that mean these workers, such as "--jobs 2"."""
    return " ".join([*([] if jobs == 1 else [f"--jobs {jobs}"]), *([] if ray is None else ["--ray", shlex.quote(ray)])])


def resume_command(folder: Path, options: str = "") -> str:
    """What to type to go on with the run in this folder. options: such as "--jobs 2"."""
    return " ".join([holdem_command(), "train --resume", shlex.quote(str(folder)), *([options] if options else [])])


def outcome(folder: Path, saved: int | None, unit: str = "decisions", options: str = "") -> str:
    """What an interrupted run keeps, and how to go on: a command on a line of its own, which terminals break last.

    saved: what the last checkpoint has, in `unit`, if there is one. options: of the command that goes on.
    """
    command = resume_command(folder, options)
    if saved is None:
        return f"interrupted before the first checkpoint; this begins the run again:\n{command} --overwrite"
    return f"interrupted; the checkpoint has {saved:,} {unit}, and this goes on from there:\n{command}"

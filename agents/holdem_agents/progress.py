"""Progress on the terminal, and in files and pipes: there a bar shows nothing, and a line now and then says how far."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from math import inf
from typing import Any

from rich.console import Console
from rich.progress import Progress, ProgressColumn, Task, TaskID

from holdem_env.utils.shown_names import shown_text

SECONDS = 10.0
"""Seconds between two lines."""


class VisibleProgress(Progress):
    """rich's Progress; where its console is no terminal, it prints plain lines to stderr instead, one every `seconds`
    (SECONDS) while something happens.

    disable: show neither. The other arguments are those of rich's Progress.
    """

    def __init__(
        self,
        *columns: str | ProgressColumn,
        console: Console | None = None,
        disable: bool = False,
        seconds: float | None = None,
        **options: Any,
    ) -> None:
        super().__init__(*columns, console=console, disable=disable, **options)
        self._has_lines = not disable and not (self.console.is_terminal or self.console.is_jupyter)
        self.disable = disable or self._has_lines
        self._seconds, self._last = SECONDS if seconds is None else seconds, self.get_time()

    def update(self, *given: Any, **changes: Any) -> None:
        super().update(*given, **changes)
        self._announce(given[0] if given else changes["task_id"])

    def advance(self, *given: Any, **changes: Any) -> None:
        super().advance(*given, **changes)
        self._announce(given[0] if given else changes["task_id"])

    def finish(self, number: TaskID, **changes: Any) -> None:
        """Show a task as complete, with a line of its own where there are lines. changes: of its fields."""
        self._last = -inf
        task = next(task for task in self.tasks if task.id == number)
        self.update(number, completed=task.total, **changes)

    def _announce(self, number: TaskID) -> None:
        if not self._has_lines or self.get_time() - self._last < self._seconds:
            return
        self._last = self.get_time()
        task = next(task for task in self.tasks if task.id == number)
        print(shown_text(line_of(task)), file=sys.stderr, flush=True)


@contextmanager
def counting(bar: VisibleProgress | None, words: str, total: int | None, unit: str) -> Iterator[Callable[[int], None]]:
    """A task of a bar while something is counted: what it yields is called with what is done. None shows nothing."""
    if bar is None:
        yield lambda count: None
        return
    task = bar.add_task(words, total=total, unit=unit, note="")
    try:
        yield lambda count: bar.advance(task, count)
    finally:
        bar.remove_task(task)


def line_of(task: Task) -> str:
    """How far a task is, in one line: "playing: 12,000 of 40,000 deals (30 %), about 0:01:20 left".

    A field `unit` of the task says what is counted, a field `note` is added."""
    unit = f" {task.fields['unit']}" if task.fields.get("unit") else ""
    words = [] if task.total else [f"{task.completed:,.0f}{unit}"]
    if task.total:
        share = f"{task.percentage:.0f} %"
        words.append(share if task.total <= 1 else f"{task.completed:,.0f} of {task.total:,.0f}{unit} ({share})")
    if note := task.fields.get("note"):
        words.append(str(note))
    if task.time_remaining:
        words.append(f"about {timedelta(seconds=round(task.time_remaining))} left")
    return f"{task.description}: {', '.join(words)}"

"""The loop of training: steps of a learner, hooks around them, and a row of the log for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from time import monotonic
from typing import Any

from ...runs.files import DECISIONS
from ...runs.logs import Log
from .hooks import Stats


def train(model: Any, hooks: Iterable[Any] = (), log: Log | None = None, decisions: int | None = None) -> None:
    """Train an algorithm until a hook ends it.

    Args:
        model: The algorithm (`learner.Algorithm`).
        hooks: Objects with any of the methods of `hooks.Hook`, called in this order.
        log: Gets a row for each step.
        decisions: How many more at most.
    """
    called = {name: _methods(hooks, name) for name in ("begin", "before_step", "goes_on", "after_step", "end")}
    begun, before = monotonic(), model.decisions

    def goes_on() -> bool:
        answers = [ask() for ask in called["goes_on"]]  # each hears of it
        return all(answers)

    model.set_up()
    for begin in called["begin"]:
        begin(model)
    while decisions is None or model.decisions < before + decisions:
        stats: Stats = {}
        for before_step in called["before_step"]:
            before_step(stats)
        if not goes_on() or (own := model.step(goes_on)) is None:
            break
        stats |= own
        for after_step in called["after_step"]:
            after_step(stats)
        seconds = max(monotonic() - begun, 1e-9)
        stats |= {"time/fps": int((model.decisions - before) / seconds), "time/time_elapsed": int(seconds)}
        if log is not None:
            log.write(stats | {DECISIONS: model.decisions}, model.decisions)
    for end in called["end"]:
        end()


def _methods(hooks: Iterable[Any], name: str) -> list[Callable[..., Any]]:
    return [method for hook in hooks if (method := getattr(hook, name, None)) is not None]

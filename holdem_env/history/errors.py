"""Errors and warnings of hand histories, and what to do with a malformed record (`on_error`)."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Literal, TypeAlias


class HistoryError(ValueError):
    """A record that cannot be read, replayed or written.

    Attributes:
        file: the path passed to `read`, or None when a table is written.
        hand: the hand's name in its file: the `[k]` of a `.phhs`, the hand number of an ACPC log.
        reason: what is wrong, in words.
        line: the line on which the hand begins, counted from 1.
        action_index: the index in `HandRecord.actions` of an illegal or unreadable action, counted from 0.
        action: the text of that action.
    """

    def __init__(
        self,
        file: str | None,
        hand: int | str | None,
        reason: str,
        line: int | None = None,
        action_index: int | None = None,
        action: str | None = None,
    ) -> None:
        super().__init__(file, hand, reason, line, action_index, action)
        self.file = file
        self.hand = hand
        self.reason = reason
        self.line = line
        self.action_index = action_index
        self.action = action

    def __str__(self) -> str:
        where = [self.file] if self.file is not None else []
        if self.line is not None:
            where.append(f"line {self.line}")
        if self.hand is not None:
            where.append(f"hand {self.hand}")
        what = self.reason
        if self.action is not None:
            what = f"actions[{self.action_index}] {self.action!r}: {what}"
        return f"{', '.join(where)}: {what}" if where else what


class HistoryWarning(UserWarning):
    """A malformed record was skipped while reading. The text names file, line, hand and reason."""


OnError: TypeAlias = Literal["warn", "raise", "skip"] | Callable[[HistoryError], object]


MANY = 10
"""If a file has more hands than this, and each is malformed, its problem is one sentence."""


def check_on_error(on_error: OnError) -> None:
    """Raise ValueError unless `on_error` is "warn", "raise", "skip" or callable."""
    if not callable(on_error) and on_error not in ("warn", "raise", "skip"):
        raise ValueError(f'on_error = {on_error!r}: choose "warn", "raise", "skip" or a function of the HistoryError')


def report(error: HistoryError, on_error: OnError) -> None:
    """Report a malformed record as the caller of `read` asked. Call it directly in the generator that the caller
    iterates, so that the warning points to the caller's line.
    """
    if callable(on_error):
        on_error(error)
    elif on_error == "raise":
        raise error
    elif on_error == "warn":
        warnings.warn(str(error), HistoryWarning, stacklevel=3)


def none_readable(file: str, count: int, first: HistoryError) -> HistoryError:
    """One sentence about a file of which every hand fails."""
    return HistoryError(
        file, None, f"none of its {count:,} hands can be read; of the first: {first.reason}", first.line
    )


def reason(problem: ValueError) -> str:
    """The message of a ValueError in one line. Errors of Rules lose the frame that pydantic puts around them."""
    details = getattr(problem, "errors", None)
    if not callable(details):
        return str(problem)
    parts = []
    for detail in details():
        field = ".".join(str(part) for part in detail["loc"])
        parts.append(f"{field}: {detail['msg']}" if field else detail["msg"].removeprefix("Value error, "))
    return "; ".join(parts)

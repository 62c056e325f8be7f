"""`AgentFacts`: what matches, estimators and reports need to know of an agent."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from ..game.rules import Rules

Clock = Literal["processor", "wall"]


@dataclass(frozen=True)
class AgentFacts:
    """What others need to know of an agent, stated by its class, or by its `__init__`.

    For an untrusted agent the organiser decides `clock` and `is_trusted`; the agent states `tables_at_once`,
    `answers_counted` and `trained_on`.

    Attributes:
        clock: The clock that limits of time go by. "processor": time computed in this process. "wall": for an agent
            that thinks elsewhere, behind a socket or in another process.
        is_trusted: Whether matches take the agent's word. AIVAT ignores the probabilities of an untrusted agent, and
            nobody at its table is dealt the same cards twice.
        tables_at_once: At how many tables it plays at once; None for any number.
        answers_counted: From how many answers for each decision its probabilities are counted; None if they are exact.
        trained_on: The game that it was trained on.
        files: Files that its config does not name; their content is part of its fingerprint.
        searches: Whether it searches unless told not to, so that `without_search` returns a faster agent.

    Raises:
        ValueError: For an unknown clock, or counts that are too small.
    """

    clock: Clock = "processor"
    is_trusted: bool = True
    tables_at_once: int | None = None
    answers_counted: int | None = None
    trained_on: Rules | None = None
    files: tuple[Path, ...] = ()
    searches: bool = False

    def __post_init__(self) -> None:
        if self.clock not in get_args(Clock):
            raise ValueError(f"`clock` must be 'processor' or 'wall', got {self.clock!r}")
        for name, least in (("tables_at_once", 1), ("answers_counted", 2)):
            given = getattr(self, name)
            if given is not None and (isinstance(given, bool) or given < least):
                raise ValueError(f"`{name}` must be at least {least} or None, got {given!r}")

"""A player behind a socket, as a dealer knows it: the version, states, answers, and the time that they take."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from .answers import Ruling
from .connection import Connection
from .errors import PlayerFailed

VERSION = re.compile(r"VERSION:(\d{1,9})\.(\d+)\.(\d+)")
MAJOR = 2
COMMENTS = ("#", ";")


@dataclass(frozen=True)
class Limits:
    """Time limits of a player, in seconds, and its limit of invalid answers.

    Attributes:
        response: For one answer.
        hand: For all answers of a hand.
        match: For all answers of the match.
        start: Until all players have connected; None waits for ever.
        invalid: How many answers may be no legal action; each is replaced by a call.
    """

    response: float = 600.0
    hand: float = 600.0
    match: float = float("inf")
    start: float | None = None
    invalid: int = 1000


class Remote:
    """A connected player.

    warn: called with what was wrong with an answer that did not end the match. Methods raise PlayerFailed.
    """

    def __init__(self, name: str, connection: Connection, limits: Limits, warn: Callable[[str], None]) -> None:
        self.name, self.limits = name, limits
        self._connection, self._warn = connection, warn
        self._hand_time = self._match_time = 0.0
        self._invalid, self._has_ignored = 0, False

    def check_version(self, seconds: float) -> None:
        """Read the first line, which has the protocol's version. Raises TimeoutError if it does not come in time."""
        line = self._connection.receive(seconds)
        if line is None:
            raise TimeoutError(f"sent no version within {seconds:g} s of connecting")
        found = VERSION.match(line)
        if found is None:
            raise PlayerFailed(self.name, f"began with {line[:40]!r}; the first line is VERSION:2.0.0")
        if int(found[1]) != MAJOR:
            raise PlayerFailed(self.name, f"speaks version {found[0][8:]} of the protocol; this dealer speaks 2.0.0")

    def new_hand(self) -> None:
        """The time of the hand starts over."""
        self._hand_time = 0.0

    def send_state(self, state: str) -> None:
        self._connection.send(state, self.limits.response)

    def ask(self, state: str, rule: Callable[[str], Ruling]) -> int:
        """The move that the player answers to a state, which was sent now. rule: what an action stands for."""
        self.send_state(state)
        sent = monotonic()
        while True:
            line = self._answer_line(sent)
            if line.startswith(COMMENTS):
                continue
            if line.startswith(f"{state}:"):
                self._hand_time += monotonic() - sent
                self._match_time += monotonic() - sent
                return self._ruled(rule(line[len(state) + 1 :]))
            if line.startswith("MATCHSTATE:"):
                if not self._has_ignored:  # some programs answer every state, so only the first is notified of
                    self._has_ignored = True
                    what = "an answer to another state was ignored, as all such will be"
                    self._warn(f"{self.name}: {what}: {line[:80]!r}")
            else:
                self._count(f"a line that is not an answer was ignored: {line[:80]!r}")

    def close(self) -> None:
        self._connection.close()

    def _answer_line(self, sent: float) -> str:
        used = monotonic() - sent
        left = {
            f"{self.limits.response:g} s for an answer": self.limits.response - used,
            f"{self.limits.hand:g} s for a hand": self.limits.hand - self._hand_time - used,
            f"{self.limits.match:g} s for the match": self.limits.match - self._match_time - used,
        }
        limit, seconds = min(left.items(), key=lambda item: item[1])
        line = self._connection.receive(seconds) if seconds > 0 else None
        if line is None:
            raise PlayerFailed(self.name, f"was too slow: the limit is {limit}")
        return line

    def _ruled(self, ruled: Ruling) -> int:
        if ruled.is_invalid:
            self._count(ruled.problem)
        elif ruled.problem:
            self._warn(f"{self.name}: {ruled.problem}")
        return ruled.move

    def _count(self, problem: str) -> None:
        self._warn(f"{self.name}: {problem}")
        self._invalid += 1
        if self._invalid > self.limits.invalid:
            raise PlayerFailed(self.name, f"was wrong more than {self.limits.invalid} times; the last time: {problem}")

"""What an agent in a process of its own may take, and what goes wrong there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

MEGABYTE = 2**20
FILES = "files"
"""The parameter by which a tournament's file declares files and folders that an agent needs besides its own."""
PROGRAMS = "programs"  # that by which it declares programs, such as node, or folders of programs
MEMORY_MB = 2_000
SECONDS_TO_START = 120.0
SECONDS_PER_CALL = 600.0  # unless the limits say otherwise: so that an endless loop ends
OVER_THE_LIMIT = 20  # a call may take this many times what the limit of time allows on average, before it is cut off
SECONDS_TO_WARM_UP = 60.0  # added to the limit of a call that may compile or load things


@dataclass(frozen=True)
class Limits:
    """What an agent in a process of its own may take.

    memory_mb: megabytes, 2**20 bytes, that its processes hold in memory together. seconds_per_call: wall time of one
    call, which asks for up to a few thousand decisions; None: 600 seconds, or, with a limit of time,
    SECONDS_TO_WARM_UP and OVER_THE_LIMIT times what the limit allows. seconds_to_start: for making the agent.
    ms_per_decision: the limit of time, or None. seconds: that of a whole match or shard, or None; no call may take more
    than SECONDS_TO_WARM_UP beyond it. clock: by which they count, as of `AgentFacts.clock`; with the network it is the
    wall's. network: whether it may use the network.
    """

    memory_mb: int = MEMORY_MB
    seconds_per_call: float | None = None
    seconds_to_start: float = SECONDS_TO_START
    ms_per_decision: float | None = None
    seconds: float | None = None
    clock: Literal["processor", "wall"] = "processor"
    network: bool = False

    def seconds_for(self, decisions: int) -> float:
        """The wall time after which a call for a number of decisions is cut off."""
        if self.seconds_per_call is not None:
            return self.seconds_per_call
        most = SECONDS_PER_CALL
        if self.ms_per_decision is not None:
            most = SECONDS_TO_WARM_UP + OVER_THE_LIMIT * self.ms_per_decision * decisions / 1000
        return most if self.seconds is None else min(most, SECONDS_TO_WARM_UP + self.seconds)


class AgentProcessError(RuntimeError):
    """An agent's process ended, used too much, did not answer, or sent an invalid answer; the message says which."""


class IsolationUnavailable(OSError):
    """This system cannot run agents in processes of their own; the message says what to do instead."""

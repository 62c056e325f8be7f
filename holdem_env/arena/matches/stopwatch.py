"""How long agents think, and when that is too long."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter, process_time
from typing import NamedTuple

from ...agents.protocol import Agent
from ...utils.hooks import register_hook

WALL = 10
"""An agent on the processor's clock may take this many times as long on the wall's, for those who wait or sleep."""
SPARE, STRANGERS_SPARE = 60.0, 5.0
"""Seconds in all that an agent may take beyond its limit, for what it compiles and loads when it is first asked: one
that one trusts, and one that one does not, which may do so while it is made."""
SMALL_CALL = 0.05
"""Seconds that a call may take besides if a rival plays at few tables at once, so that it asks for few decisions."""
COUNT_ELSEWHERE = "count_elsewhere"  # the hook by which agents that run programs count what these take
WAITED = "/proc/thread-self/schedstat"
"""Where Linux says for how long a thread was ready to run and waited for a processor, in nanoseconds."""


class Spent(NamedTuple):
    """Seconds by each clock, and decisions made in them. wall: without those in which a processor was waited for.
    small_calls: calls that asked for few decisions because of a rival. away: seconds for which a remote bot was gone
    while it was asked."""

    processor: float = 0.0
    wall: float = 0.0
    decisions: int = 0
    small_calls: int = 0
    away: float = 0.0

    def plus(self, more: Spent) -> Spent:
        return Spent._make(one + other for one, other in zip(self, more, strict=True))

    def by(self, clock: str) -> float:
        return self.processor if clock == "processor" else self.wall


_elsewhere = Spent()


def count_elsewhere(processor: float, wall: float = 0.0, away: float = 0.0) -> None:
    """Add seconds to the clocks of the agent that is being asked: the processor time that it took in another process,
    a correction of its wall time, and those for which it was gone."""
    global _elsewhere
    _elsewhere = _elsewhere.plus(Spent(processor, wall, away=away))


register_hook(COUNT_ELSEWHERE, f"{__name__}:{count_elsewhere.__name__}")


@dataclass(frozen=True)
class TimeLimit:
    """What an agent may take. ms_per_decision: milliseconds, on average, by its clock; seconds: in all, beside other
    agents in one match or shard. None: no limit."""

    ms_per_decision: float | None = None
    seconds: float | None = None

    def why_not(self, spent: Spent, clock: str, spare: float) -> str | None:
        """What is wrong if an agent takes too long, as a sentence; None if it does not. spare: free seconds."""
        for most, has_taken, limit, unit in self._limits(spent, clock, spare):
            if spent.by(clock) > most:
                return f"too slow: {has_taken(clock)} of {clock} time{unit}, the limit is {limit:g}"
            if spent.wall > WALL * most:
                much = f"the limit is {WALL * limit:g}, {WALL} times that of processor time"
                return f"too slow: {has_taken('wall')} of wall time{unit}, {much}"
        return None

    def _limits(
        self, spent: Spent, clock: str, spare: float
    ) -> Iterator[tuple[float, Callable[[str], str], float, str]]:
        if self.ms_per_decision is not None:
            each = 1000 / max(spent.decisions, 1)
            most = spare + self.ms_per_decision * spent.decisions / 1000 + SMALL_CALL * spent.small_calls
            yield most, lambda by: f"{spent.by(by) * each:.2f} ms", self.ms_per_decision, " a decision"
        if self.seconds is not None:
            yield self.seconds, lambda by: f"{spent.by(by):.1f} s", self.seconds, " in all"


@dataclass
class Stopwatch:
    """How long each agent has thought in a match, and whether that is too long.

    limits: of each agent. spent: by agent. All calls count: beyond its limit a decision an agent has SPARE seconds in
    all, one that is not trusted STRANGERS_SPARE.

    Processor time is that of the whole process, so the threads that an agent starts count, and other programs do not.
    An agent in another process tells what it takes there by `count_elsewhere`.
    """

    limits: Sequence[TimeLimit]
    spent: list[Spent] = field(init=False)

    def __post_init__(self) -> None:
        self.spent = [Spent()] * len(self.limits)

    @staticmethod
    def read() -> Spent:
        return _elsewhere.plus(Spent(process_time(), perf_counter() - waited_here()))

    def stop(self, number: int, agent: Agent, began: Spent, decisions: int, is_small: bool = False) -> str | None:
        """Count a call of an agent, the one of this number, that began at a reading. is_small: whether a rival made the
        call small.

        Returns what is wrong if the agent is too slow.
        """
        now = self.read()
        processor, wall = now.processor - began.processor, now.wall - began.wall
        used = Spent(max(0.0, processor), max(0.0, wall), decisions, int(is_small), now.away - began.away)
        self.spent[number] = self.spent[number].plus(used)
        spare = SPARE if agent.facts.is_trusted else STRANGERS_SPARE
        return self.limits[number].why_not(self.spent[number], agent.facts.clock, spare)


def waited_here() -> float:
    """Seconds for which this thread was ready to run and waited for a processor; 0 where the kernel does not say."""
    try:
        with open(WAITED, "rb") as file:
            return int(file.read().split()[1]) * 1e-9
    except OSError:
        return 0.0

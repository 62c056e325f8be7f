"""How long agents think, and when that is too long."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter, process_time
from typing import Literal, NamedTuple, get_args

from ...agents.asking import SealedAgent
from ...agents.protocol import Agent
from ...utils.hooks import register_hook

Clock = Literal["processor", "wall"]
"""Which clock tells how long an agent has thought; see `Agent.clock`."""
SPARE = 1.0
"""Seconds in all that an agent may take beyond its limit, for whatever happens once."""
WALL = 10
"""An agent on the processor's clock may take this many times as long on the wall's, for those who wait or sleep."""
WARMING_UP, STRANGER_WARMING_UP = 60.0, 5.0
"""Seconds that are forgiven in all in each process, in the first calls on its streets, for compiling and loading: an
agent that one trusts, and one that one does not, which may compile while it is made."""
SMALL_CALL = 0.05
"""Seconds that a call may take besides if a rival plays at few tables at once, so that it asks for few decisions."""
COUNT_ELSEWHERE = "count_elsewhere"
"""The hook by which agents that run programs count what these take."""


class Spent(NamedTuple):
    """Seconds by each clock, without those forgiven, and decisions made in them. small_calls: calls that asked for few
    decisions because of a rival."""

    processor: float = 0.0
    wall: float = 0.0
    decisions: int = 0
    small_calls: int = 0

    def plus(self, more: Spent) -> Spent:
        """The sum."""
        return Spent(
            self.processor + more.processor,
            self.wall + more.wall,
            self.decisions + more.decisions,
            self.small_calls + more.small_calls,
        )

    def by(self, clock: str) -> float:
        """The seconds by a clock."""
        return self.processor if clock == "processor" else self.wall


_elsewhere = Spent()


def count_elsewhere(processor: float, wall: float = 0.0) -> None:
    """Add seconds to the clocks of the agent that is being asked: the processor time that it took in another process,
    and a correction of its wall time."""
    global _elsewhere
    _elsewhere = _elsewhere.plus(Spent(processor, wall))


register_hook(COUNT_ELSEWHERE, f"{__name__}:{count_elsewhere.__name__}")


def clock_of(agent: Agent) -> Clock:
    """The clock of an agent. Raises ValueError for an unknown one."""
    clock: Clock = agent.clock
    if clock not in get_args(Clock):
        raise ValueError(f"the class has clock = {clock!r}; give one of {', '.join(map(repr, get_args(Clock)))}")
    return clock


def too_slow(spent: Spent, clock: str, limit: float | None, spare: float = SPARE) -> str | None:
    """What is wrong if an agent takes too long, as a sentence that names the clock. limit: milliseconds a decision on
    average, or None; spare: seconds in all that are free."""
    if limit is None:
        return None
    allowed = spare + limit * spent.decisions / 1000 + SMALL_CALL * spent.small_calls
    if spent.by(clock) > allowed:
        return f"too slow: {_each(spent, clock)} of {clock} time a decision, the limit is {limit:g}"
    if spent.wall > WALL * allowed:
        much = f"the limit is {WALL * limit:g}, {WALL} times that of processor time"
        return f"too slow: {_each(spent, 'wall')} of wall time a decision, {much}"
    return None


def _each(spent: Spent, clock: str) -> str:
    return f"{1000 * spent.by(clock) / max(spent.decisions, 1):.2f} ms"


@dataclass
class Stopwatch:
    """How long each agent has thought in a match, and whether that is too long.

    agents: how many. limit: milliseconds a decision on average, by the agent's clock, or None; SPARE seconds in all are
    free. spent: by agent. The first call of a player on each street may compile and load things: of these, WARMING_UP
    seconds do not count; of a player that is not trusted, STRANGER_WARMING_UP. All else does.

    Processor time is that of the whole process, so the threads that an agent starts count, and other programs do not.
    An agent in another process tells what it takes there by `count_elsewhere`.
    """

    agents: int
    limit: float | None = None
    spent: list[Spent] = field(init=False)

    def __post_init__(self) -> None:
        self.spent = [Spent()] * self.agents

    @staticmethod
    def read() -> Spent:
        """Both clocks now."""
        return _elsewhere.plus(Spent(process_time(), perf_counter()))

    def stop(
        self,
        agent: int,
        player: SealedAgent,
        clock: str,
        began: Spent,
        decisions: int,
        streets: set[int],
        is_small: bool = False,
    ) -> str | None:
        """Count a call of a player, who plays for an agent, that began at a reading. streets: of the tables at which it
        was asked. is_small: whether a rival made the call small.

        Returns what is wrong if the agent is too slow.
        """
        now, forgiven = self.read(), 0.0
        processor, wall = now.processor - began.processor, now.wall - began.wall
        if streets - player.streets:
            player.streets |= streets
            most = WARMING_UP if player.agent.is_trusted else STRANGER_WARMING_UP
            forgiven = min(most - player.forgiven, max(processor, wall))
            player.forgiven += forgiven
        used = Spent(max(0.0, processor - forgiven), max(0.0, wall - forgiven), decisions, int(is_small))
        self.spent[agent] = self.spent[agent].plus(used)
        return too_slow(self.spent[agent], clock, self.limit)

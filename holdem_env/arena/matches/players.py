"""Players: agents and their clones at the tables of a match. All rotations of a deal have the same cards, so an agent
that remembered another rotation would know its opponents' cards: each rotation is played by clones of its own, and an
agent that has several seats at one table has a clone in each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from ...agents.error_places import with_place
from ...agents.protocol import Agent
from ...agents.queries import SealedAgent

FAILURES = (Exception, SystemExit)  # what an agent may raise: one that exits fails alone
MACHINE_ERRORS = (MemoryError, RecursionError, OSError)
"""What is not the fault of an agent in a process of its own: what that one raises comes as AgentError."""
ANY = 2**31  # more tables than anybody plays at once


class AgentFailed(ValueError):
    """An agent raised an error, gave invalid moves, took too long, or cheated.

    The cause is chained.

    Args:
        agent: The agent's number in the line-up.
        name: The agent's name.
        reason: A sentence for reports.
    """

    def __init__(self, agent: int, name: str, reason: str) -> None:
        super().__init__(f"agent {name!r}: {reason}")
        self.agent, self.name, self.reason = agent, name, reason

    @classmethod
    def by_error(cls, number: int, agent: Agent, error: BaseException, doing: str = "") -> AgentFailed:
        """Return the failure for an error raised while an agent was asked.

        Args:
            number: The agent's number in the line-up.
            agent: The agent.
            error: The error. It is raised as it is if it is not the agent's fault.
            doing: What the agent was asked for, ending in ": ".
        """
        if isinstance(error, MACHINE_ERRORS) and not agent.facts.is_trusted:
            raise error
        prefix = f"agent {agent.name!r}"
        reason = with_place(agent, error)
        if reason.startswith(prefix):
            reason = reason.removeprefix(prefix).lstrip(":, ")
        return cls(number, agent.name, doing + ": ".join(filter(None, [type(error).__name__, reason])))

    def __reduce__(self) -> tuple[type[AgentFailed], tuple[int, str, str]]:
        return AgentFailed, (self.agent, self.name, self.reason)


class Players:
    """Who sits at the tables of a match. An agent plays itself in the first rotation of a deal; in the others, and in
    further seats that it has at the same table, clones of it play. For an agent that holds anything, such as a process
    (its class defines `close`), only clones play, which are closed when the match is over.

    Clones are made before the agent plays, when it remembers nothing yet of these deals. An agent that cannot be cloned
    plays all rotations itself if its class defines `reset`, which is called between them.
    """

    def __init__(self, agents: Sequence[Agent]) -> None:
        self.agents = list(agents)
        self._seated: dict[tuple[int, int, int], SealedAgent] = {}

    def seat(self, rotations: Iterable[int], copies: NDArray[np.int64]) -> None:
        """Make the clones that these rotations need. copies: (agents,), how many seats each agent has at one table.

        Raises AgentFailed if an agent can neither be cloned nor reset.
        """
        for rotation in rotations:
            for number, agent in enumerate(self.agents):
                for copy in range(int(copies[number])):
                    place = rotation, number, copy
                    if place not in self._seated:
                        itself = place == (0, number, 0) and not _holds_anything(agent)
                        self._seated[place] = SealedAgent(agent if itself else self._clone(number))

    def of(self, rotation: int, number: int, copy: int) -> SealedAgent:
        """Who plays for an agent in a rotation. copy: 0, or 1 and more for its further seats at the same table."""
        return self._seated[rotation, number, copy]

    @property
    def hold_anything(self) -> bool:
        """Whether one of the agents holds something that is closed, such as a process."""
        return any(map(_holds_anything, self.agents))

    def start(self, rotation: int) -> None:
        """Begin to start what the clones of a rotation hold, such as processes. Raises AgentFailed."""
        for (turn, number, _), player in self._seated.items():
            if turn == rotation and _holds_anything(player.agent):
                try:
                    player.agent.start()
                except FAILURES as error:
                    raise AgentFailed.by_error(number, self.agents[number], error, "start: ") from error

    def reset(self, rotation: int) -> None:
        """Reset the agents before a batch, so that they carry nothing to other deals. Raises AgentFailed."""
        for (turn, number, _), player in self._seated.items():
            if turn == rotation:
                try:
                    player.agent.reset()
                except FAILURES as error:
                    raise AgentFailed.by_error(number, self.agents[number], error, "reset: ") from error

    def end(self, rotation: int | None = None) -> None:
        """Close the clones of a rotation, or of all, that hold anything; the others stay for the next match."""
        for place, player in list(self._seated.items()):
            if rotation in (None, place[0]) and _holds_anything(player.agent):
                del self._seated[place]
                if player.agent is not self.agents[place[1]]:
                    with suppress(Exception):  # what it still holds on to is its own affair
                        player.agent.close()

    def _clone(self, number: int) -> Agent:
        agent = self.agents[number]
        try:
            return agent.clone()
        except FAILURES as error:
            if type(agent).reset is not Agent.reset:
                return agent
            raise AgentFailed.by_error(number, agent, error, "clone: ") from error


def _holds_anything(agent: Agent) -> bool:
    return type(agent).close is not Agent.close


def most_tables(agents: Sequence[Agent]) -> int:
    """At how many tables all of the agents can play at once."""
    return min((agent.facts.tables_at_once or ANY for agent in agents), default=ANY)


def copies_in(seating: NDArray[np.int64]) -> NDArray[np.int64]:
    """Which of its agent's seats each seat is. seating: (N, seats), which agent sits where.

    Returns (N, seats): 0 for an agent's first seat at a table, 1 for its second.
    """
    copies = np.zeros_like(seating)
    for seat in range(1, seating.shape[1]):
        copies[:, seat] = (seating[:, :seat] == seating[:, seat, None]).sum(axis=1)
    return copies


def copies_each(seating: NDArray[np.int64], agents: int) -> NDArray[np.int64]:
    """How many seats each agent has at one table, at most: (agents,). seating: (N, seats)."""
    most = np.zeros(agents, np.int64)
    np.maximum.at(most, seating, copies_in(seating) + 1)
    return most

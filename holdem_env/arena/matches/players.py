"""Players: the clones of agents that sit at tables, so that no memory meets the same cards twice.

All rotations of a deal have the same cards. Whoever remembered, in one rotation, what it held in another would know
its opponents' cards. So each rotation is played by clones of its own, and an agent that has several seats at one table
has a clone in each.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from ...agents.asking import SealedAgent
from ...agents.error_places import with_place
from ...agents.protocol import Agent


class AgentFailed(ValueError):
    """An agent raised an error, gave moves that are none, took too long, or cheated. agent: its number in the line-up.

    `reason` is a sentence for reports; the cause is chained.
    """

    def __init__(self, agent: int, name: str, reason: str) -> None:
        super().__init__(f"agent {name!r}: {reason}")
        self.agent, self.name, self.reason = agent, name, reason

    @classmethod
    def by_error(cls, number: int, agent: Agent, error: Exception, doing: str = "") -> AgentFailed:
        """Of an error that was raised while an agent was asked. doing: what for, ending in ": "."""
        told = f"agent {agent.name!r}"
        reason = with_place(agent, error)
        if reason.startswith(told):
            reason = reason.removeprefix(told).lstrip(":, ")
        return cls(number, agent.name, f"{doing}{type(error).__name__}: {reason}")

    def __reduce__(self) -> tuple[type[AgentFailed], tuple[int, str, str]]:
        return AgentFailed, (self.agent, self.name, self.reason)


class Players:
    """Who sits at the tables of a match: clones of its agents, made when they are first needed.

    An agent that cannot be cloned plays itself if it has a method `reset`, which is called between the rotations.
    """

    def __init__(self, agents: Sequence[Agent]) -> None:
        self.agents = list(agents)
        self._made: dict[tuple[int, int, int], SealedAgent] = {}

    def of(self, rotation: int, number: int, copy: int) -> SealedAgent:
        """Who plays for an agent in a rotation. copy: 0, or 1 and more for its further seats at the same table.

        Raises AgentFailed if the agent can neither be cloned nor reset.
        """
        place = rotation, number, copy
        if place not in self._made:
            self._made[place] = SealedAgent(self._clone(number))
        return self._made[place]

    def start_anew(self, rotation: int, copies: NDArray[np.int64]) -> None:
        """Before a batch: who remembers (has a method `reset`) forgets, as it must not carry anything to other deals.
        copies: (agents,), how many seats each has at one table. Raises AgentFailed."""
        for number, agent in enumerate(self.agents):
            for copy in range(int(copies[number])):
                player = self.of(rotation, number, copy).agent
                if callable(reset := getattr(player, "reset", None)):
                    try:
                        reset()
                    except Exception as error:
                        raise AgentFailed.by_error(number, agent, error, "reset: ") from error

    def close(self) -> None:
        """Close the clones."""
        for (_, number, _), player in self._made.items():
            if player.agent is not self.agents[number]:
                with suppress(Exception):  # the match is over; what an agent holds on to then is its own affair
                    player.agent.close()
        self._made.clear()

    def _clone(self, number: int) -> Agent:
        agent = self.agents[number]
        try:
            return agent.clone()
        except Exception as error:
            if callable(getattr(agent, "reset", None)):
                return agent
            raise AgentFailed.by_error(number, agent, error, "clone: ") from error


def tables_for(agents: Sequence[Agent], tables: int) -> int:
    """At how many tables to play at once, if some agents can play only at a few."""
    return min([tables, *(agent.tables_at_once for agent in agents if agent.tables_at_once is not None)])


def copies_in(seating: NDArray[np.int64]) -> NDArray[np.int64]:
    """Which of its agent's seats each seat is. seating: (N, seats), which agent sits where.

    Returns (N, seats): 0 for an agent's first seat at a table, 1 for its second.
    """
    copies = np.zeros_like(seating)
    for seat in range(1, seating.shape[1]):
        copies[:, seat] = (seating[:, :seat] == seating[:, seat, None]).sum(axis=1)
    return copies

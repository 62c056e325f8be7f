"""What has happened since a learner was asked: what rewards are made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..agents.protocol import Agent
from ..agents.queries import SealedAgent
from ..compiled.records import Records
from ..engine.record import new_log
from ..game.rules import Rules
from .table import Answered

Again = Callable[[int], Records]


@dataclass(frozen=True, slots=True, eq=False)
class Ended:
    """A hand that is over.

    Attributes:
        rules: The game.
        tables: (1,) TABLE, with all cards.
        seat: The learner's seat.
        agents: The agents by seat; in the learner's seat its stand-in, the agent that plays there in `again`.
        again: Plays the same deal N times more with the stand-in, (N,) TABLE.
    """

    rules: Rules
    tables: Records
    seat: int
    agents: tuple[Agent, ...]
    again: Again

    @property
    def chips(self) -> int:
        t = self.tables[0]
        return int(t["seats"]["stack"][self.seat] - t["start_stack"][self.seat])


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """The events after an answer.

    Attributes:
        rules: The game.
        answered: The decision; None if the answer was rejected.
        hands: Hands that ended before the learner's next decision, none or one. In sessions, hands without a decision
            of the learner count too.
    """

    rules: Rules
    answered: Answered | None
    hands: tuple[Ended, ...] = ()


def played_out(tables: Records, rules: Rules, agents: Sequence[Agent]) -> Records:
    """Hands played by agents, by seat, from where they stand to their end: the same records."""
    log, asked = new_log(listening=False), {id(agent): SealedAgent(agent) for agent in agents}
    while (rows := np.flatnonzero(tables["over"] == 0)).size:
        playing = np.array([id(agents[seat]) for seat in tables["actor"][rows]])
        for one in np.unique(playing):
            asked[int(one)].play(tables, rules, log, rows[playing == one])
    return tables


def played_again(start: Records, rules: Rules, agents: Sequence[Agent], times: int) -> Records:
    """(times,) TABLE: one hand, (1,), played a number of times with the same cards."""
    tables = np.repeat(start, times)
    tables["table_id"] = np.arange(times)  # agents draw by it
    return played_out(tables, rules, agents)

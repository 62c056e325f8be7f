"""Who plays the seats of a person's opponents, and what everybody at the table is called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Literal, NamedTuple

import numpy as np

from holdem_env.agents.error_places import with_place, wrong_signature
from holdem_env.agents.protocol import Agent
from holdem_env.agents.queries import SealedAgent
from holdem_env.agents.short_names import short_names
from holdem_env.agents.table_agent import DecisionError
from holdem_env.table.table import Table

SEARCHES: dict[str, Literal["river", "turn", "flop"] | None] = {
    "river": "river",
    "turn": "turn",
    "flop": "flop",
    "none": None,
}
"""Where a blueprint may begin to search, in the words of `holdem play --search`."""
SEARCH, SECONDS = "flop", 2.0
"""Where it begins unless it is asked for another street, and how long a decision may take with a person waiting."""
ONE_ROW = np.zeros(1, np.int64)
YOU = "you"  # what the person is called unless the game is given other names


class AgentFailure(NamedTuple):
    """What went wrong with an agent in a hand: who raised an error or made an illegal move, where it sits, and a
    sentence that names the agent, the error, and the line of the agent's file if it has one."""

    agent: Agent
    seat: int
    text: str


def seated(opponents: Sequence[Agent], seats: int, seat: int) -> dict[int, Agent]:
    """Who plays each seat but the person's.

    opponents: one for all other seats, or one for each, clockwise from seat 0. Where an agent has several seats and one
    of it cannot play them, clones of it sit in the others.

    Raises ValueError for another number of opponents, TypeError for an agent that would have to be cloned and cannot.
    """
    others = [other for other in range(seats) if other != seat]
    if len(opponents) not in (1, len(others)):
        raise ValueError(
            f"opponents: {len(opponents)} for {len(others)} other seats; give one for all of them, or one for each"
        )
    agents = list(opponents) * (len(others) if len(opponents) == 1 else 1)
    found: dict[int, Agent] = {}
    for other, agent in zip(others, agents, strict=True):
        has_one_seat = agent.facts.tables_at_once is not None or agent.wants_hand_over
        is_taken = any(agent is one for one in found.values())
        found[other] = agent.clone() if has_one_seat and is_taken else agent
    return found


def searching_from(street: str, agent: Agent) -> Agent:
    """The agent, searching from this street on, at most SECONDS a decision, if it can and its file or config says
    nothing else; then all that this needs is compiled.

    Raises ValueError unless the street is "river", "turn", "flop" or "none".
    """
    if street not in SEARCHES:
        raise ValueError(f"--search must be one of {', '.join(SEARCHES)}, got {street!r}")
    from holdem_env.solvers.blueprints.agent import BlueprintAgent  # 0.15 s that other agents' tables need not wait

    if not isinstance(agent, BlueprintAgent) or agent.options.search != "auto":
        return agent
    found = agent.searching(SEARCHES[street], SECONDS)
    if found.resolver is not None:
        found.resolver.prepare()
    return found


def seat_names(agents: Mapping[int, Agent], seats: int, person: str = YOU) -> list[str]:
    """Names by seat: the person's, and short names of the agents, numbered where several are called the same."""
    short = short_names({agent.name for agent in agents.values()})
    names = [short[agents[seat].name] if seat in agents else "" for seat in range(seats)]
    total, so_far = Counter([*names, person]), Counter([person])
    for seat, name in enumerate(names):
        if total[name] > 1:
            so_far[name] += 1
            names[seat] = f"{name} {so_far[name]}"
    return [name or person for name in names]


def notify_hand_over(agent: Agent, table: Table, seat: int) -> None:
    """Tell an agent that wants to know it how the hand ended, as its seat saw it. Raises whatever the agent raises."""
    if agent.wants_hand_over and table.records["was_dealt"][0, seat]:
        SealedAgent(agent).report_finished_hands(table.records, table.rules, ONE_ROW, np.array([seat]))


def failure_text(agent: Agent, error: Exception) -> str:
    """What an agent's error was, and where, as a sentence."""
    if isinstance(error, DecisionError):
        return str(error)  # it says so itself
    wrong = wrong_signature(agent) if isinstance(error, TypeError) else None
    return str(wrong or f"agent {agent.name!r}: {type(error).__name__}: {with_place(agent, error)}")


def close_all(agents: Mapping[int, Agent]) -> None:
    """Let all agents give back what they hold. What one of them raises keeps no other from it."""
    for agent in agents.values():
        with suppress(Exception):
            agent.close()

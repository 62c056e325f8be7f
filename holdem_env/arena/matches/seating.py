"""Who sits where: rotations of a line-up, and line-ups that are fair to everybody."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ...agents.protocol import Agent


def rotations(lineup: Sequence[int] | NDArray[np.int64], seats: int) -> NDArray[np.int64]:
    """Return all rotations of line-ups.

    Args:
        lineup: (seats,) or (D, seats), the agent in each seat of the first rotation.
        seats: Seats at a table.

    Returns:
        (..., seats, seats) int64. Rotation r moves every agent by r seats, so each agent has every seat once.
    """
    lineup = np.asarray(lineup, np.int64)
    places = (np.arange(seats)[None, :] - np.arange(seats)[:, None]) % seats
    return lineup[..., places]


def plays_duplicates(agents: Iterable[Agent]) -> bool:
    """Trusted agents play each deal from every seat; others could remember a deal, and know their opponents' cards."""
    return all(agent.facts.is_trusted for agent in agents)


def seated(lineups: NDArray[np.int64], turns: NDArray[np.int64], duplicate: bool) -> NDArray[np.int64]:
    """Who sits where in each rotation that is played, (D, R, seats): all of them, or one, and they take turns.

    lineups: (D, seats). turns: (D,), which rotation if one is played: that of the remainder by the seats.
    """
    turned = rotations(lineups, lineups.shape[1])
    if duplicate:
        return turned
    chosen: NDArray[np.int64] = turned[np.arange(len(lineups)), turns % lineups.shape[1]]
    return chosen[:, None]


def one_against_all(seats: int) -> NDArray[np.int64]:
    """The line-up of a match: agent 0 in one seat, agent 1 in all the others."""
    lineup = np.ones(seats, np.int64)
    lineup[0] = 0
    return lineup


def balanced_lineups(agents: int, seats: int, numbers: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """Line-ups for deals at tables of several seats, (D, seats): `agents` deals in a row are a round, for which the
    agents are shuffled into a circle; each deal takes the next `seats` of it, from another beginning.

    So in every round everybody plays as often as everybody else, and over the rounds with everybody else, in every
    order. With fewer agents than seats some sit there more than once. Deal d has its line-up whatever else is played.
    """
    if agents < 2:
        raise ValueError(f"a table needs two agents or more, not {agents}")
    rounds = np.unique(numbers // agents)
    circles = np.stack([np.random.default_rng([seed, int(number)]).permutation(agents) for number in rounds])
    which = np.searchsorted(rounds, numbers // agents)
    places = (numbers[:, None] % agents + np.arange(seats)[None, :]) % agents
    lineups: NDArray[np.int64] = circles[which[:, None], places]
    return lineups

"""A small two-player game walked deal by deal, in plain NumPy: the oracle of the sweeps over public trees.

The walk goes move by move through all deals at once. A node is one deal with one sequence of moves; nodes that look the
same to the seat to act make up its information set: own cards, board, and all moves so far.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from arena.all_deals import all_deals, deals
from holdem_env.agents.protocol import Agent
from holdem_env.agents.queries import asked_probabilities
from holdem_env.engine import batch, record
from holdem_env.game.rules import Rules

FIRST_RAISE = 2  # place among a node's moves: fold, check or call, then raises from the least to the greatest


@dataclass(frozen=True)
class Level:
    """All N nodes after this many moves. Of the first level parent is -1 and probability 1.

    parent: (N,) its place in the level before. place: (N,) the parent's move that led here. probability: (N,) of
    that move, by the agent in the parent's seat. actor: (N,) the seat to act, -1 at the end of the hand.
    information: (N,) number of the information set, -1 at the end. payoff: (N, 2) chips, zero before the end.
    """

    parent: NDArray[np.int64]
    place: NDArray[np.int64]
    probability: NDArray[np.float64]
    actor: NDArray[np.int64]
    information: NDArray[np.int64]
    payoff: NDArray[np.float64]


class Deals:
    """All deals of a game: each seat's cards, and the board of each street, as numbers."""

    def __init__(self, rules: Rules) -> None:
        sizes = (rules.hole_cards, rules.hole_cards, *rules.board_cards)
        groups = list(deals(rules.deck, sizes))
        self.hands = np.stack([_numbered([deal[seat] for deal in groups]) for seat in range(2)], axis=1)
        boards = [_numbered([deal[2 : 3 + street] for deal in groups]) for street in range(rules.streets)]
        self.boards = np.stack(boards, axis=1)


def _numbered(things: list[tuple[object, ...]]) -> NDArray[np.int64]:
    """Equal things get equal numbers."""
    numbers: dict[tuple[object, ...], int] = {}
    return np.array([numbers.setdefault(thing, len(numbers)) for thing in things], np.int64)


@dataclass
class _Front:
    """The nodes that were reached last: their records, deals and histories."""

    tables: record.Records
    deal: NDArray[np.int64]
    history: NDArray[np.int64]


def walk(agents: Sequence[Agent], rules: Rules, button: int) -> list[Level]:
    """The whole tree, agents[seat] asked for its probabilities at every decision of its seat."""
    deals = Deals(rules)
    count = len(deals.hands)
    front = _Front(all_deals(rules, button), np.arange(count), np.zeros(count, np.int64))
    nobody, one = np.full(count, -1), np.ones(count)
    levels = [_level(front, deals, nobody, nobody, one)]
    while (levels[-1].actor != record.NOBODY).any():
        front, parent, place, probability = _one_more_move(front, levels[-1], agents, rules)
        levels.append(_level(front, deals, parent, place, probability))
    return levels


def _level(
    front: _Front, deals: Deals, parent: NDArray[np.int64], place: NDArray[np.int64], probability: NDArray[np.float64]
) -> Level:
    tables = front.tables
    actor = tables["actor"].astype(np.int64)
    over = actor == record.NOBODY
    seen = deals.hands[front.deal, actor], deals.boards[front.deal, tables["street"]], front.history
    information = np.full(len(tables), -1)
    if not over.all():
        keys = np.stack(seen, axis=1)[~over]
        information[~over] = np.unique(keys, axis=0, return_inverse=True)[1].reshape(-1)
    payoff = (tables["seats"]["stack"] - tables["start_stack"])[:, :2] * over[:, None]
    return Level(parent, place, probability, actor, information, payoff.astype(np.float64))


def _one_more_move(
    front: _Front, level: Level, agents: Sequence[Agent], rules: Rules
) -> tuple[_Front, NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Every legal move at every node of the front: what follows, from where, by which move, and how likely it is."""
    nodes = np.flatnonzero(level.actor != record.NOBODY)
    least, most = (front.tables[name][nodes] for name in ("raise_min", "raise_max"))
    raises = np.where(most > 0, (most - least) // rules.smallest_chip + 1, 0)
    counts = FIRST_RAISE + raises
    total = int(counts.sum())
    which = np.repeat(np.arange(len(nodes)), counts)
    place = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
    moves = np.where(
        place >= FIRST_RAISE, least[which] + (place - FIRST_RAISE) * rules.smallest_chip, place + record.FOLD
    )
    probability = _probability_rows(front.tables, level, nodes, counts, agents, rules)[which, place]
    parent = nodes[which]
    after = np.take(front.tables, parent)
    batch.play_moves(after, rules.record, record.new_log(listening=False), np.arange(total), moves)
    histories = np.unique(np.stack([front.history[parent], moves], axis=1), axis=0, return_inverse=True)[1].reshape(-1)
    return _Front(after, front.deal[parent], histories), parent, place, probability


def _probability_rows(
    tables: record.Records,
    level: Level,
    nodes: NDArray[np.int64],
    counts: NDArray[np.int64],
    agents: Sequence[Agent],
    rules: Rules,
) -> NDArray[np.float64]:
    """How likely each move is at each node, (nodes, most moves), as the agents tell."""
    probabilities = np.zeros((len(nodes), int(counts.max())))
    for seat, agent in enumerate(agents):
        of_seat = np.flatnonzero(level.actor[nodes] == seat)
        if not of_seat.size:
            continue
        rows = nodes[of_seat]
        moves, likely = asked_probabilities(agent, tables, rules, rows)
        raised = FIRST_RAISE + (moves - tables["raise_min"][rows][:, None]) // rules.smallest_chip
        place = np.where(moves > record.CHECK_CALL, raised, moves - record.FOLD)
        for k in range(moves.shape[1]):
            given = moves[:, k] != batch.NO_MOVE
            probabilities[of_seat[given], place[given, k]] = likely[given, k]
    return probabilities


def expected_payoffs(levels: list[Level]) -> NDArray[np.float64]:
    """What each seat wins per hand, in chips, when the agents play as they tell. (2,)"""
    values = levels[-1].payoff
    for level, after in zip(reversed(levels[:-1]), reversed(levels[1:]), strict=True):
        values = level.payoff + _sum_of(after.parent, after.probability[:, None] * values, len(level.parent))
    mean: NDArray[np.float64] = values.mean(axis=0)
    return mean


def best_response_value(levels: list[Level], seat: int) -> float:
    """What a best response in `seat` wins per hand, in chips, against the other seat's agent."""
    reach = [np.full(len(levels[0].parent), 1 / len(levels[0].parent))]  # chance's and the opponent's part in it
    for level, after in pairwise(levels):
        own = level.actor[after.parent] == seat
        reach.append(reach[-1][after.parent] * np.where(own, 1.0, after.probability))
    value = reach[-1] * levels[-1].payoff[:, seat]  # of each node, times the reach
    for level, after, arrived in zip(reversed(levels[:-1]), reversed(levels[1:]), reversed(reach[:-1]), strict=True):
        own = level.actor[after.parent] == seat
        chosen = ~own | _is_best(level.information[after.parent], after.place, value, own)
        value = arrived * level.payoff[:, seat] + _sum_of(after.parent, value * chosen, len(level.parent))
    return float(value.sum())


def _is_best(
    information: NDArray[np.int64], place: NDArray[np.int64], value: NDArray[np.float64], own: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Whether a move is the one that is worth most over the whole information set it is made from."""
    sums = np.full((int(information.max()) + 1, int(place.max()) + 1), -np.inf)
    sums[information[own], place[own]] = 0.0
    np.add.at(sums, (information[own], place[own]), value[own])
    best: NDArray[np.bool_] = sums.argmax(axis=1)[information] == place
    return best & own


def _sum_of(parents: NDArray[np.int64], values: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    sums = np.zeros((count, *values.shape[1:]))
    np.add.at(sums, parents, values)
    return sums

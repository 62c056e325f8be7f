"""What an agent does before the flop with each hand, as charts: the tree of moves is walked one move at a time."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem_env.agents.protocol import Agent
from holdem_env.agents.queries import asked_range_probabilities, require_ranges
from holdem_env.agents.range_copies import check_two_cards
from holdem_env.cards.combos import COMBOS
from holdem_env.engine.batch import NO_MOVE
from holdem_env.engine.legality import IllegalMove
from holdem_env.engine.record import CHECK_CALL, FOLD
from holdem_env.game.rules import Rules
from holdem_env.render.hand_chart import Layout, cell_means, chart_svg
from holdem_env.solvers.charts import few_moves
from holdem_env.table.table import Table

from ...playing.moves import move_label

MAX_MOVES = 60  # before the flop: raises by the least amount could go on longer with deep stacks
OVER = "The betting before the flop is over here."
ROW = np.zeros(1, np.int64)


@dataclass(frozen=True)
class Answer:
    """What an agent does at one table. moves: engine moves. probabilities: (1326, moves), a row for each hand."""

    moves: tuple[int, ...]
    probabilities: NDArray[np.float64]

    def probability_of(self, move: int) -> NDArray[np.float64]:
        """(1326,) of a move; zeros for one that the agent does not make."""
        if move not in self.moves:
            return np.zeros(COMBOS)
        column: NDArray[np.float64] = self.probabilities[:, self.moves.index(move)]
        return column


class PreflopTree:
    """The moves before the flop of one agent in one game. What it answered is kept.

    Raises ValueError for a game whose hands are not two cards of the full deck, and StrategyUnknown for an agent that
    answers no range queries.
    """

    def __init__(self, agent: Agent, rules: Rules) -> None:
        require_ranges(agent, "charts")
        check_two_cards(rules)
        self.agent, self.rules = agent, rules
        self._answers: dict[tuple[int, ...], Answer] = {}
        self._lock = Lock()

    def first(self) -> Table:
        return Table(self.rules, seed=0)

    def walk(self, line: Sequence[int]) -> tuple[Table, list[dict[str, Any]], NDArray[np.float64]]:
        """Play the moves of a line from the beginning: the table then, the steps in words, and how likely each of the
        1,326 hands of the player to act has made that seat's earlier moves.

        Raises IllegalMove for a move that the rules do not allow there, or that comes after the betting.
        """
        if len(line) > MAX_MOVES:
            raise IllegalMove(f"{len(line)} moves before the flop; at most {MAX_MOVES} are shown")
        table, steps = self.first(), []
        reaches = {seat: np.ones(COMBOS) for seat in range(self.rules.seats)}
        for number, move in enumerate(line):
            seat = table.actor
            if seat is None or table.street:
                raise IllegalMove(f"move {number + 1}: {OVER}")
            label = move_label(table, move)
            played = table.copy()
            played.play(move)
            if move != FOLD:  # who folds is not asked again
                reaches[seat] = reaches[seat] * self.answer(table, line[:number]).probability_of(move)
            steps.append({"seat": seat, "position": position(table, seat), "move": move, "label": label})
            table = played
        reach = reaches[table.actor] if is_open(table) and table.actor is not None else np.ones(COMBOS)
        return table, steps, reach

    def answer(self, table: Table, line: Sequence[int]) -> Answer:
        """What the agent does at the end of a line."""
        key = tuple(line)
        with self._lock:  # an agent answers one question at a time
            if key not in self._answers:
                moves, probabilities = asked_range_probabilities(self.agent, table.records, self.rules, ROW)
                named = [column for column in range(moves.shape[1]) if moves[0, column] != NO_MOVE]
                named.sort(key=lambda column: int(moves[0, column]))
                self._answers[key] = Answer(tuple(int(moves[0, k]) for k in named), probabilities[0][:, named])
            return self._answers[key]


def is_open(table: Table) -> bool:
    """Whether somebody is to act before the flop."""
    return table.actor is not None and table.street == 0 and not table.is_showing


def position(table: Table, seat: int) -> str:
    """The position's name."""
    return table.positions[seat].name


def node(tree: PreflopTree, line: Sequence[int], title: str, layout: Layout = "wide") -> dict[str, Any]:
    """What a page shows at the end of a line: who is to act, the moves with their shares, and the chart.

    Shares are over the hands with which the seat gets there. Raises as `PreflopTree.walk` does.
    """
    table, steps, reach = tree.walk(line)
    found: dict[str, Any] = {"line": steps, "pot": table.pot, "unit": tree.rules.unit, "stacks": table.stacks}
    if not is_open(table) or table.actor is None:
        return {**found, "over": OVER, "actor": None, "moves": [], "svg": None, "opening": []}
    answer = tree.answer(table, line)
    share_of_hands = float(reach.mean())
    weights = reach if share_of_hands > 0 else np.ones(COMBOS)
    shares = {move: float(weights @ answer.probabilities[:, k] / weights.sum()) for k, move in enumerate(answer.moves)}
    who = position(table, table.actor)
    return {
        **found,
        "over": None,
        "actor": {"seat": table.actor, "position": who, "bet": table.bets[table.actor]},
        "to_call": table.legal.call,
        "moves": _moves(table, shares),
        "raise_min": table.legal.raise_min,
        "raise_max": table.legal.raise_max,
        "opening": opening_lines(tree.first()),
        "reach": share_of_hands,
        "note": "" if share_of_hands > 0 else "It never plays so: the chart shows what it would do with every hand.",
        "svg": _chart(table, answer, weights, f"{title}, {who}", layout),
    }


def _moves(table: Table, shares: dict[int, float]) -> list[dict[str, Any]]:
    """The moves that a page offers: those that the agent makes, and whatever else the rules allow at the least."""
    legal = table.legal
    offered = {move for move, share in shares.items() if share > 0} | {CHECK_CALL}
    offered |= {FOLD} if legal.call else set()
    offered |= {total for total in (legal.raise_min, legal.raise_max) if total is not None}
    return [
        {"move": move, "label": move_label(table, move), "share": shares.get(move, 0.0)} for move in sorted(offered)
    ]


def _chart(table: Table, answer: Answer, weights: NDArray[np.float64], title: str, layout: Layout) -> str:
    """Each move that the agent makes has its colour: a fold, a check or call, and each size of a raise."""
    made = [k for k, move in enumerate(answer.moves) if move <= CHECK_CALL or answer.probability_of(move).any()]
    labels = [move_label(table, answer.moves[k]) for k in made]
    words, parts, colours = few_moves(labels, answer.probabilities[:, made] * weights[:, None])
    means, total = cell_means(parts), weights.sum()
    legend = [f"{word}: {100 * parts[:, k].sum() / total:.0f} %" for k, word in enumerate(words)]
    share = weights.mean()
    note = "all hands" if share > 0.9995 else f"{100 * share:.1f} % of hands get here"
    filled = np.clip(means / np.maximum(means.sum(axis=-1, keepdims=True), 1.0), 0, 1)
    return chart_svg(filled, title, note, legend, layout=layout, colours=colours)


def opening_lines(table: Table) -> list[dict[str, Any]]:
    """For each position the line in which everybody before it folds."""
    found: list[dict[str, Any]] = []
    line: list[int] = []
    while is_open(table) and table.actor is not None and len(found) < table.rules.seats:
        found.append({"position": position(table, table.actor), "line": [*line]})
        line.append(FOLD)
        table.fold()
    return found


def charted_rules(rules: Rules, seats: int | None, stack_bb: float | None) -> Rules:
    """A game with other seats and stacks, one hand at a time. Raises ValueError for what the game does not allow."""
    changes: dict[str, Any] = {} if rules.session is None else {"session": None}
    if seats is not None and seats != rules.seats:
        changes["seats"] = seats
    if stack_bb is not None:
        chips = round(stack_bb * rules.unit)
        if chips < 1:
            raise ValueError(f"stacks: {stack_bb:g} big blinds; give more than none")
        changes["stacks"] = chips
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of deep stacks
        return rules.replace(**changes) if changes else rules

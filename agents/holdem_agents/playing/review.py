"""A finished hand looked at again: every decision, what it was worth, and what an agent would have done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from holdem_env.agents.protocol import Agent
from holdem_env.cards.text import Cards
from holdem_env.equities.live_shares import LiveShares, why_no_shares
from holdem_env.game.street_names import street_name
from holdem_env.table.table import Table

from .hints import Advised, advice
from .moves import decisions, move_label
from .results import FinishedHand


class ReviewedDecision(NamedTuple):
    """One decision of a hand.

    board, pot: as they were then. label: the move in words. equity: of the person's decisions, if folded cards were
    asked for, its share of the pot, 0 to 1, against the hands that the others really had; None otherwise, and in games
    where shares are not counted. advice: what the given agent would have done; None without one, and where it could not
    say.
    """

    street: str
    seat: int
    board: Cards
    pot: int
    move: int
    label: str
    equity: float | None
    advice: list[Advised] | None


def review(
    finished: FinishedHand, seat: int, agents: Agent | Mapping[int, Agent] | None = None, cards: bool = False
) -> list[ReviewedDecision]:
    """The decisions of a finished hand, of all seats, in order.

    seat: the person's. agents: who says what it would have done: one agent about the person's decisions, or a mapping
        from seats to agents. What agents say about others' decisions depends on their cards, so it needs cards=True.
    cards: whether what depends on others' hidden cards may be shown.
    """
    advisers = {seat: agents} if isinstance(agents, Agent) else dict(agents or {})
    found = []
    for before, move in decisions(finished.table):
        who = before.actor
        assert who is not None
        is_open = who == seat or cards
        equity = _equity(before, seat) if cards and who == seat else None
        said = _said(advisers.get(who), before) if is_open else None
        street = street_name(before.game, before.street)
        label = move_label(before, move)
        found.append(ReviewedDecision(street, who, before.board, before.pot, move, label, equity, said))
    return found


def cards_of(finished: FinishedHand, seat: int, cards: bool = False) -> list[Cards | None]:
    """The hole cards by seat that the person may see after a hand: its own, and those that were shown; with cards=True
    all that were dealt. None for the others."""
    table = finished.table
    dealt = table.records["was_dealt"][0]
    may_see = [
        bool(dealt[each]) and (cards or each == seat or table.is_shown(each)) for each in range(table.rules.seats)
    ]
    return [table.hole_cards(each) if seen else None for each, seen in enumerate(may_see)]


def _equity(table: Table, seat: int) -> float | None:
    """The share of a seat against the hands that are really there."""
    if why_no_shares(table.game):
        return None
    known = np.array([len(table.board)])
    return float(LiveShares(table.rules)(table.records, known)[0, seat])


def _said(agent: Agent | None, table: Table) -> list[Advised] | None:
    if agent is None:
        return None
    try:
        return advice(agent, table)
    except ValueError:
        return None

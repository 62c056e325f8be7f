"""Which hands an opponent may have, by its own strategy and what it has done in the hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from holdem_env.agents.protocol import Agent
from holdem_env.agents.queries import asked_range_probabilities
from holdem_env.cards.combos import COMBO_CARDS, possible_combos
from holdem_env.cards.ranges import Range
from holdem_env.cards.text import cards_text
from holdem_env.table.table import Table

from .moves import ONE_ROW, decisions

LEAST = 0.0005  # of the likeliest hand's weight: hands that are rarer are left out


def ranges_after_a_raise(table: Table, seat: int, agents: Mapping[int, Agent]) -> dict[int, Range]:
    """The hands that each opponent in the hand may have, once one of them has bet or raised, by the answers of their
    agents to range queries; of opponents that answer none, nothing. Empty before a raise, and in games that are not
    Texas hold'em.

    seat: whose hints these are; its cards, and the board, are in nobody else's hand. agents: by seat.
    """
    live = {each for each in range(table.rules.seats) if each != seat and table.records["in_hand"][0][each]}
    asked = {each: agents[each].clone() for each in live if each in agents and agents[each].gives_ranges}
    played = list(decisions(table)) if table.rules.is_texas_holdem else []
    if not any(move > 0 and before.actor in live for before, move in played):
        return {}
    return ranges_after(played, asked, [*table.hole_cards(seat), *table.board])


def ranges_after(
    played: Iterable[tuple[Table, int]], asked: Mapping[int, Agent], seen: Iterable[int]
) -> dict[int, Range]:
    """The hands that seats may have after these moves, by the answers of their agents, which must know the game; of a
    seat that has made no move which its agent knows, or that its agent would have made with no hand, nothing.

    played: each move, and the table before it. asked: by seat. seen: cards that are in nobody's hand.
    """
    possible = possible_combos(np.array([*seen], np.int64)).astype(np.float64)
    weights: dict[int, NDArray[np.float64]] = {}
    for before, move in played:
        who = before.actor
        assert who is not None  # somebody moves
        if who in asked and (probabilities := _probabilities_of_move(asked[who], before, move)) is not None:
            weights[who] = weights.get(who, possible) * probabilities
    return {each: _as_range(found) for each, found in weights.items() if found.any()}


def _probabilities_of_move(agent: Agent, before: Table, move: int) -> NDArray[np.float64] | None:
    """(1326,), how likely the agent makes a move with each hand; of a size that it never bets, how likely it raises at
    all. None of a move that it does not know."""
    moves, probabilities = asked_range_probabilities(agent, before.records, before.rules, ONE_ROW)
    named = moves[0] == move
    if move > 0 and not named.any():
        named = moves[0] > 0
    return probabilities[0][:, named].sum(axis=1) if named.any() else None


def _as_range(weights: NDArray[np.float64]) -> Range:
    shares = weights / weights.max()
    hands = np.flatnonzero(shares >= LEAST)
    return Range(", ".join(f"{cards_text(COMBO_CARDS[hand])}:{shares[hand]:.4f}" for hand in hands))

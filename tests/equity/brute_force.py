"""Equities counted the long way, with `evaluate` alone: what the tests of `equity` compare with."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np

from holdem_env import evaluate


def matchup(hole, board=(), dead=()):
    """(3, players): share of the pot, won alone, shared, of given hands on all boards."""
    gone = {*np.ravel(hole).tolist(), *board, *dead}
    rest = [card for card in range(52) if card not in gone]
    boards = np.array([[*board, *cards] for cards in combinations(rest, 5 - len(board))])
    values = np.stack([evaluate(np.hstack([np.tile(hand, (len(boards), 1)), boards])) for hand in hole])
    best = values == values.max(axis=0)
    winners = best.sum(axis=0)
    return np.stack(
        [(best / winners).mean(axis=1), (best & (winners == 1)).mean(axis=1), (best & (winners > 1)).mean(1)]
    )


def ranges(ranges, board=(), dead=()):
    """The same of ranges: each way to deal a hand of each counts with the product of the weights. And how many ways."""
    total, weight, ways = 0.0, 0.0, 0
    for deal in product(*(zip(each.cards.tolist(), each.weights.tolist(), strict=True) for each in ranges)):
        cards = [card for hand, _ in deal for card in hand]
        if len({*cards, *board, *dead}) < len(cards) + len(board) + len(dead):
            continue
        here = float(np.prod([part for _, part in deal]))
        total = total + here * matchup([hand for hand, _ in deal], board, dead)
        weight += here
        ways += 1
    return total / weight, ways


def against_all(hole, board):
    """The share of the pot against every other hand on the board as it is."""
    rest = [card for card in range(52) if card not in {*hole, *board}]
    others = np.array([[*other, *board] for other in combinations(rest, 2)])
    own, theirs = evaluate([*hole, *board]), evaluate(others)
    return float(np.mean((own > theirs) + 0.5 * (own == theirs)))

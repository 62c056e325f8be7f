"""A place in a solution as the page shows it: the moves, who makes them with which hands, and what hands are worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem_env.cards.combos import COMBO_CARDS
from holdem_env.cards.text import CARDS, cards_text
from holdem_env.render.hand_classes import DRAWS, IMPOSSIBLE, MADE, hand_classes
from holdem_env.solvers.charts import move_colours
from holdem_env.solvers.solution import Solution
from holdem_env.solvers.trees.walking import DECISION, FOLDED

from .chips import moves_of, node_at, parts_of, path_of, shown_chips
from .spots import KINDS, PLAYERS, cells_of, sizes_of

Numbers = NDArray[np.float64]


def summary(solution: Solution) -> dict[str, Any]:
    """What the page shows of a whole solution, and what its form is filled with."""
    rake, stack = solution.tree.rules.rake, stack_of(solution)
    cap = None if rake is None else rake.cap
    return {
        "board": cards_text(solution.board),
        "pot": shown_chips(solution, solution.pot),
        "stack": None if stack is None else shown_chips(solution, stack),
        "rake": 0 if rake is None else rake.percent,
        "cap": None if cap is None else shown_chips(solution, cap),
        "sizes": sizes_of(solution.tree),
        "cells": [cells_of(weights, solution.board) for weights in solution.ranges],
        "nodes": len(solution.tree),
        "iterations": solution.iterations,
        "seconds": solution.seconds,
        "percent": solution.exploitability_percent,
        "players": [
            {"ev": float(ev) / parts_of(solution), "equity": float(share)}
            for ev, share in zip(solution.values, solution.shares, strict=True)
        ],
    }


def stack_of(solution: Solution) -> int | None:
    """What the shorter stack has at the root, in the solution's chips; None if it is not known."""
    stacks = None if solution.spot is None else solution.spot.stacks
    each = stacks if isinstance(stacks, tuple) else (stacks,)
    known = [stack for stack in each if isinstance(stack, int)]
    return min(known) if len(known) == len(each) else None


def place(solution: Solution, path: list[str]) -> dict[str, Any]:
    """What is at the end of a path of moves and cards. Raises ValueError for a path that the tree does not have."""
    tree = solution.tree
    node, dealt = node_at(solution, path)
    board, stack = [*solution.board, *dealt], stack_of(solution)
    behind = None if stack is None else stack - int((tree.put_in[node] - tree.put_in[0]).max())
    there: dict[str, Any] = {
        "steps": _steps(solution, path),
        "board": cards_text(board),
        "pot": shown_chips(solution, int(tree.pot[node])),
        "stack": None if behind is None else shown_chips(solution, behind),
        "kind": "move",
    }
    if tree.kind[node] != DECISION:
        return {**there, "kind": "end", "sentence": _end(solution, node)}
    if _awaits_card(solution, node, dealt):
        return {**there, "kind": "deal"}
    player = int(tree.player[node])
    strategy, weights = solution.strategy(node, dealt), solution.reach(node, dealt)[player]
    shares = weights @ strategy / max(float(weights.sum()), 1e-300)
    first = int(tree.first_child[node])
    words = moves_of(solution, node)
    moves = [
        {
            "word": word,
            "share": float(share),
            "all_in": int(tree.put_in[first + k, player] - tree.put_in[0, player]) == stack,
            "percent": _percent(solution, node, first + k, player),
            "colour": colour,
        }
        for k, (word, share, colour) in enumerate(zip(words, shares, move_colours(words), strict=True))
    ]
    cells = _cells(weights, {"shares": strategy})
    there |= {"player": player, "lock": path_of(solution, node)}
    there |= {"classes": _classes(board) if len(solution.game.hands.deck) == CARDS else None}
    return {**there, "moves": moves, "cells": cells, "arrive": bool(weights.any())}


def _classes(board: list[int]) -> dict[str, Any]:
    """The names of classes of hands, and by hand the indices of its two."""
    found = np.stack(hand_classes(board), axis=1)
    hands = np.flatnonzero(found[:, 0] != IMPOSSIBLE)
    return {
        "made": MADE,
        "draws": DRAWS,
        "hands": {cards_text(COMBO_CARDS[hand]): found[hand].tolist() for hand in hands},
    }


def values_at(solution: Solution, path: list[str]) -> dict[str, Any] | None:
    """EV and equity of both players' hands that come to a place, and their means; None where a player has none. It
    takes seconds in the tree of a flop. Raises ValueError as `place`."""
    node, dealt = node_at(solution, path)
    reach = solution.reach(node, dealt)
    pairs = reach * solution.game.opponent_weights(reach)
    if not pairs.any(axis=1).all():
        return None
    ev, equity = solution.ev, solution.equity
    if node:
        ev, equity = solution.ev_at(node, dealt), solution.equity_at(node, dealt)
    values = {"ev": ev / parts_of(solution), "equity": equity}
    cells = [_cells(reach[p], {name: each[p] for name, each in values.items()}) for p in range(2)]
    return {"cells": cells, "means": _pair_means(pairs, values)}


def run_outs(solution: Solution, path: list[str]) -> dict[str, Any]:
    """Return both players' mean EV and equity, and the first decision's frequencies, for each card that may come next.

    Cards that leave a player no hand are left out. Raises ValueError as `place`, and if no card is dealt there.
    """
    node, dealt = node_at(solution, path)
    if solution.tree.kind[node] != DECISION or not _awaits_card(solution, node, dealt):
        raise ValueError("no card is dealt at this place")
    there = {*solution.board, *dealt}
    deck = [int(card) for card in solution.game.hands.deck if card not in there]
    cards = {cards_text([card]): found for card in deck if (found := _means(solution, node, [*dealt, card]))}
    return {"player": int(solution.tree.player[node]), "moves": moves_of(solution, node), "cards": cards}


def _awaits_card(solution: Solution, node: int, dealt: Sequence[int]) -> bool:
    return len(dealt) < int(solution.tree.street[node]) - int(solution.tree.street[0])


def _means(solution: Solution, node: int, dealt: list[int]) -> dict[str, list[float]] | None:
    """What both players' hands are worth at a node on average, and its decision's frequencies; None if no two hands
    come there."""
    reach = solution.reach(node, dealt)
    pairs = reach * solution.game.opponent_weights(reach)
    if not pairs.any(axis=1).all():
        return None
    ev = solution.ev_at(node, dealt) / parts_of(solution)
    means = _pair_means(pairs, {"ev": ev, "equity": solution.equity_at(node, dealt)})
    return means | {"shares": list(solution.frequencies(node, dealt).values())}


def _pair_means(pairs: Numbers, values: dict[str, Numbers]) -> dict[str, Any]:
    """Both players' means over the pairs of hands that meet, so that their EVs share the pot."""
    return {name: [_plain(_mean(each[p], pairs[p])) for p in range(2)] for name, each in values.items()}


def _cells(weights: Numbers, values: dict[str, Numbers]) -> dict[str, Any]:
    """By kind of hand: its weight, the values' means, and the same of each of its hands."""
    kinds: dict[str, list[int]] = {}
    for combo in np.flatnonzero(weights > 0).tolist():
        kinds.setdefault(KINDS[combo], []).append(combo)
    return {
        kind: {
            "weight": float(weights[combos].sum()),
            **{name: _plain(_mean(each[combos], weights[combos])) for name, each in values.items()},
            "combos": [_hand(combo, weights, values) for combo in combos],
        }
        for kind, combos in kinds.items()
    }


def _hand(combo: int, weights: Numbers, values: dict[str, Numbers]) -> dict[str, Any]:
    named = {"hand": cards_text(COMBO_CARDS[combo]), "weight": round(float(weights[combo]), 5)}
    return named | {name: _plain(each[combo]) for name, each in values.items()}


def _mean(values: Numbers, weights: Numbers) -> Any:
    known = np.isfinite(values).reshape(len(values), -1).all(axis=1)
    return np.average(values[known], axis=0, weights=weights[known]) if known.any() else np.nan


def _plain(value: Any) -> Any:
    """Numbers as JSON has them; null for none."""
    if np.ndim(value):
        return [round(float(each), 4) for each in value]
    return round(float(value), 4) if np.isfinite(value) else None


def _steps(solution: Solution, path: list[str]) -> list[dict[str, Any]]:
    """The path word by word, with who made each move, and how a lock of that decision is called; null for a
    card."""
    found, before = [], 0
    for count, word in enumerate(path, 1):
        node, _ = node_at(solution, path[:count])
        player = None if node == before else int(solution.tree.player[before])
        found.append({"word": word, "player": player, "lock": None if player is None else path_of(solution, before)})
        before = node
    return found


def _percent(solution: Solution, node: int, child: int, player: int) -> float | None:
    """A bet or raise in percent of the pot after a call; None of other moves."""
    put_in = solution.tree.put_in - solution.tree.put_in[0]  # an odd pot is not put in evenly
    price = int(put_in[node].max() - put_in[node, player])
    more = int(put_in[child, player]) - int(put_in[node].max())
    return 100 * more / (int(solution.tree.pot[node]) + price) if more > 0 else None


def _end(solution: Solution, node: int) -> str:
    tree = solution.tree
    pot = f"{shown_chips(solution, int(tree.pot[node])):,}"
    player = int(tree.player[tree.parent[node]])
    if tree.kind[node] == FOLDED:
        return f"The player {PLAYERS[player]} folds; the other wins the pot of {pot}."
    return f"Nobody acts any more: showdown for a pot of {pot}."

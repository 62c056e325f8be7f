"""Make the spots of the tasks river-v1 and turn-v1: lines of a blueprint's own play, and the hands it has there.

    python -m benchmarks.make_spots configs/tasks

The blueprint for 100 big blinds plays itself with real cards. Of the rivers and turns that it comes to, each kind of
board and each size of pot has a share. Ranges are its own, by Bayes' rule.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from itertools import count
from pathlib import Path

import numpy as np

from holdem_agents.training.values.played import ranges_at, rows_at
from holdem_env.agents import make_agent
from holdem_env.arena.scoring.spot_file import weights_text
from holdem_env.cards.combos import combo_number
from holdem_env.cards.text import CARDS, cards_text
from holdem_env.solvers.trees.walking import DECISION

BLUEPRINT = "blueprint_100bb"
SPOTS = {"river": (3, 40), "turn": (2, 12)}
"""Street, and how many: as many of each size of pot, and half more of a kind of board than of each at most."""
POTS = (9, 25, 60)
"""Chips that part small, middle, large and huge pots."""
MIN_HANDS = 40
"""Hands, weighed by the likeliest, that each range must have."""
SEED = 20


def kind_of(board: list[int]) -> str:
    """Paired, one suit of three or more cards, connected, or dry."""
    ranks, suits = [card // 4 for card in board], [card % 4 for card in board]
    if len(set(ranks)) < len(ranks):
        return "paired"
    if max(Counter(suits).values()) >= 3:
        return "suited"
    close = sum(b - a <= 2 for a, b in zip(sorted(ranks), sorted(ranks)[1:], strict=False))
    return "connected" if close >= 3 else "dry"


def spots(name: str) -> list[dict[str, object]]:
    """The spots of a street."""
    strategy = make_agent(BLUEPRINT).strategy
    tree, (street, wanted) = strategy.tree, SPOTS[name]
    found: list[list[dict[str, object]]] = [[] for _ in range(len(POTS) + 1)]
    share, kinds = wanted // len(found), Counter[str]()
    for hand in count():
        random = np.random.default_rng([SEED, street, hand])
        deal = random.permutation(CARDS)[:9].tolist()
        board = [*sorted(deal[4:7]), *deal[7:]]
        hands, node = [combo_number(*deal[:2]), combo_number(*deal[2:4])], 0
        moves: list[list[int]] = [[] for _ in range(street + 1)]
        while tree.kind[node] == DECISION and tree.street[node] < street:
            row = rows_at(strategy, node, tuple(board))[hands[tree.player[node]]]
            child = int(tree.first_child[node]) + int(random.choice(len(row), p=row / row.sum()))
            moves[tree.street[node]].append(int(tree.move[child]))
            node = child
        if tree.kind[node] != DECISION:
            continue
        board = board[: street + 2]
        kind, here = kind_of(board), found[int(np.searchsorted(POTS, tree.pot[node]))]
        ranges = ranges_at(strategy, node, tuple(board))
        is_narrow = (ranges.sum(axis=1) / ranges.max(axis=1)).min() < MIN_HANDS
        if is_narrow or len(here) == share or kinds[kind] == 3 * share // 2:
            continue
        kinds[kind] += 1
        text = [weights_text(weights) for weights in ranges]
        here.append({"board": cards_text(board), "moves": moves, "ranges": text})
        if sum(map(len, found)) == wanted:
            mixed = [spot for each in zip(*found, strict=True) for spot in each]
            return [{"name": f"{name}-{k:02}"} | spot for k, spot in enumerate(mixed, 1)]
    raise AssertionError


def main(folder: Path) -> None:
    """Write both files."""
    for name in SPOTS:
        lines = ",\n".join(json.dumps(spot) for spot in spots(name))
        (folder / f"{name}-v1.spots.json").write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""Buckets of hands: `python -m benchmarks.card_tables [kind ...]`; processor time, so that other programs count little.

Fills the whole tables where they are not on the disk yet, which takes about a minute for each kind.
"""

from __future__ import annotations

import sys
from time import process_time

import numpy as np

from holdem_env.solvers.card_tables import CardAbstraction
from holdem_env.solvers.card_tables.boundaries import KINDS
from holdem_env.solvers.card_tables.dealing import deals_buckets

BOARDS, DEALS = 20, 20_000


def milliseconds(abstraction: CardAbstraction, street: int, boards: np.ndarray) -> float:
    began = process_time()
    for board in boards:
        abstraction.buckets(street, board)
    return (process_time() - began) / len(boards) * 1e3


def main(kinds: list[str]) -> None:
    cards = np.array([np.random.default_rng(seed).permutation(52)[:9] for seed in range(DEALS)])
    holes, boards = cards[:, :4].reshape(-1, 2, 2).copy(), cards[:, 4:].copy()
    out = np.empty((DEALS, 2, 4), np.int64)
    for kind in kinds or KINDS:
        lazy = CardAbstraction(kind, flop=199, turn=199)  # not those that are on the disk
        times = []
        for street, size in ((1, 3), (2, 4), (3, 5)):
            milliseconds(lazy, street, boards[-1:, :size])
            times.append(f"{milliseconds(lazy, street, boards[:BOARDS, :size]):.3f}")
        began = process_time()
        tables = CardAbstraction(kind).deal_tables()
        filled = process_time() - began
        deals_buckets(tables, holes, boards, out)
        began = process_time()
        deals_buckets(tables, holes, boards, out)
        deal = (process_time() - began) / DEALS * 1e6
        print(
            f"{kind}: flop, turn, river {', '.join(times)} ms a board; whole tables {filled:.1f} s; {deal:.2f} µs a deal"
        )


if __name__ == "__main__":
    main(sys.argv[1:])

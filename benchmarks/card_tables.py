"""Buckets of hands: `python -m benchmarks.card_tables [kind ...]`; processor time, so that other programs count little.

Deals need whole tables, which are filled where they are not on the disk yet: about a minute for each kind.
"""

from __future__ import annotations

import sys
from time import process_time

import numpy as np

from holdem_env.solvers.card_tables import CardAbstraction
from holdem_env.solvers.card_tables.boundaries import KINDS
from holdem_env.solvers.card_tables.dealing import deals_buckets

BOARDS, DEALS = 30, 20_000
SIZES = ((1, 3), (2, 4), (3, 5))


def milliseconds(abstraction: CardAbstraction, street: int, boards: np.ndarray) -> float:
    abstraction.buckets(street, boards[0])  # compiled by now
    began = process_time()
    for board in boards[1:]:
        abstraction.buckets(street, board)
    return (process_time() - began) / (len(boards) - 1) * 1e3


def main(kinds: list[str]) -> None:
    cards = np.array([np.random.default_rng(seed).permutation(52)[:9] for seed in range(DEALS)])
    holes, boards = cards[:, :4].reshape(-1, 2, 2).copy(), cards[:, 4:].copy()
    out = np.empty((DEALS, 2, 4), np.int64)
    for kind in kinds or KINDS:
        lazy = CardAbstraction(kind, flop=199, turn=199)  # not those that are on the disk
        flop, turn, river = (milliseconds(lazy, street, boards[:BOARDS, :size]) for street, size in SIZES)
        whole = (1_755 * flop + 16_432 * turn) / 1e3
        tables = CardAbstraction(kind).deal_tables()
        deals_buckets(tables, holes, boards, out)
        began = process_time()
        deals_buckets(tables, holes, boards, out)
        deal = (process_time() - began) / DEALS * 1e6
        print(f"{kind}: a flop {flop:.1f} ms, a turn {turn:.2f} ms, a river {1e3 * river:.0f} µs;", end=" ")
        print(f"whole tables {whole:.0f} s; a deal {deal:.2f} µs", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])

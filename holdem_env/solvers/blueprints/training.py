"""`Trainer`: a blueprint in the making, trained in rounds of some seconds by one thread or several."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from math import inf
from threading import Event
from time import monotonic
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...compiled.compiler import kernel
from ...compiled.scalars import Floats, Ints
from ..card_tables.abstraction import CardAbstraction
from ..trees.betting_tree import BettingTree
from .config import BlueprintConfig
from .mccfr import VISIT, new_work, train_holdem
from .strategy import Strategy, decision_rows, entries_of, quantised

CHUNK = 1_000  # deals that a thread trains at a time
UNIT_DEALS = 100_000.0  # the deal that counts once; the n-th counts n / UNIT_DEALS times
BYTES_PER_ENTRY = 8  # a regret and a sum of the strategy, float32 both
STRATEGY_BYTES = 21  # what making a strategy of them takes for a while, per entry
CARD_BYTES = 60 * 2**20  # of the card tables, about
GIB = 2**30

Progress = Callable[[int, int], None]


class Size(NamedTuple):
    """How large training gets. nodes, decisions: of the tree. entries: probabilities of the strategy. bytes: memory."""

    nodes: int
    decisions: int
    entries: int
    bytes: int

    def __str__(self) -> str:
        return (
            f"{self.nodes:,} nodes, {self.decisions:,} decisions, {self.entries:,} probabilities, "
            f"{self.bytes / GIB:.2f} GiB of memory"
        )


def size_of(tree: BettingTree, buckets: tuple[int, ...], threads: int) -> Size:
    """What training on a tree takes."""
    entries, visits = entries_of(tree, buckets), threads * len(tree) * VISIT.itemsize
    peak = entries * (BYTES_PER_ENTRY + STRATEGY_BYTES)
    return Size(len(tree), tree.decisions, entries, peak + visits + tree.memory + CARD_BYTES)


def check_config(config: BlueprintConfig) -> None:
    """Raise ValueError for a blueprint that does not fit into this machine's memory."""
    buckets = tuple(int(count) for count in config.abstraction().bucket_counts)
    check_memory(size_of(BettingTree.from_rules(config.rules, config.bet_sizes), buckets, config.threads))


def check_memory(size: Size) -> None:
    """Raise ValueError if training would take more than nine tenths of this machine's memory."""
    if (most := _machine_memory()) and size.bytes > 0.9 * most:
        raise ValueError(
            f"this blueprint is too large for this machine's {most / GIB:.1f} GiB of memory: {size}. Give fewer bet "
            "sizes, a lower most_wagers, or fewer buckets"
        )


def _machine_memory() -> int | None:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None


class Trainer:
    """A blueprint in the making.

    config: what to train. tree, cards, buckets: the betting tree, the card abstraction and its buckets by street.
    size: how large it is. deals: how many have been trained. seconds: how long. nodes: how many were visited.
    value: player 0's (the button's) mean result so far, in `rules.unit`.

    Raises ValueError, before it takes the memory, for a blueprint that does not fit into this machine's.
    """

    def __init__(self, config: BlueprintConfig) -> None:
        self.config = config
        self.cards: CardAbstraction = config.abstraction()
        self.buckets = tuple(int(count) for count in self.cards.bucket_counts)
        self.tree = BettingTree.from_rules(config.rules, config.bet_sizes)
        self.size = size_of(self.tree, self.buckets, config.threads)
        check_memory(self.size)
        self.rows = decision_rows(self.tree, self.buckets)
        work = new_work(self.tree, self.rows, config.rules.unit)
        self.cumulative = work.cumulative
        self._work = [work._replace(visits=work.visits.copy()) for _ in range(config.threads)]
        self.deals, self.seconds = 0, 0.0
        self._totals = np.zeros(2)
        self._tables: Any = None

    @property
    def nodes(self) -> float:
        return float(self._totals[0])

    @property
    def value(self) -> float:
        """Player 0's mean result so far, in `rules.unit`; poor strategies of the beginning included."""
        return float(self._totals[1]) / max(self.deals, 1)

    def fill_tables(self, progress: Progress | None = None) -> None:
        """Compute the card tables, or read them from the disk; a round does it where it has not been done."""
        if self._tables is None:
            self._tables = self.cards.deal_tables(self.config.threads, progress)
            self.train_chunk(0, 0, 0, np.zeros(2))  # compiled now, so that the time of training is not spent on it

    def train(self, seconds: float | None = None, deals: int | None = None) -> None:
        """Train for `seconds`, or until `deals` in all have been trained, whichever comes first.

        With one thread, what is learned depends on the number of deals alone. After a KeyboardInterrupt, too, the
        trainer can go on.
        """
        self.fill_tables()
        start, threads = monotonic(), self.config.threads
        end = inf if seconds is None else start + seconds
        left = inf if deals is None else deals - self.deals
        chunks, stop = itertools.count(0, CHUNK), Event()  # counts cannot be divided between threads
        taken, totals = [0] * threads, np.zeros((threads, 2))

        def work(thread: int) -> None:
            try:
                while not stop.is_set() and monotonic() < end:
                    first = next(chunks)
                    if (count := int(min(CHUNK, left - first))) <= 0:
                        break
                    self.train_chunk(thread, self.deals + first, count, totals[thread])
                    taken[thread] += count
            finally:
                stop.set()

        with ThreadPoolExecutor(threads) as pool:
            others = [pool.submit(work, thread) for thread in range(1, threads)]
            try:
                work(0)  # in the caller's own thread, so that ctrl-C reaches it
            finally:
                wait(others)
                self.deals += sum(taken)
                self.seconds += monotonic() - start
                self._totals += totals.sum(axis=0)
        for other in others:
            other.result()

    def train_chunk(self, thread: int, first: int, count: int, totals: NDArray[np.float64]) -> None:
        train_holdem(self._work[thread], self._tables, first, count, self.config.seed, UNIT_DEALS, totals)

    def cumulative_strategy(self) -> NDArray[np.float32]:
        """The cumulative strategy, laid out as `Strategy.probability`; normalized, it is the average strategy."""
        out = np.empty(self.size.entries, np.float32)
        copy_cumulative_strategy(self.rows, self.cumulative, out)
        return out

    def strategy(self, **training: Any) -> Strategy:
        """The average strategy so far, quantised. training: further facts for the file."""
        config, probability = self.config, quantised(self.cumulative_strategy(), self.rows)
        facts = {"deals": self.deals, "minutes": round(self.seconds / 60, 2), "nodes_visited": self.nodes}
        facts |= {"threads": config.threads, "seed": config.seed, **training}
        return Strategy(
            config.rules, config.bet_sizes, self.tree, self.cards.config(), self.buckets, probability, facts
        )

    def state(self) -> dict[str, Any]:
        """What a checkpoint keeps: plain numbers, and the array `cumulative` itself, which is not copied."""
        kept = {"deals": self.deals, "seconds": self.seconds, "totals": self._totals.tolist()}
        return {"cumulative": self.cumulative, **kept}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state. Raises ValueError, and changes nothing, if it is another blueprint's."""
        cumulative = np.asarray(state["cumulative"], np.float32)
        if cumulative.shape != self.cumulative.shape:
            sizes = f"{cumulative.size:,} numbers, and the blueprint {self.cumulative.size:,}"
            raise ValueError(f"this checkpoint has {sizes}")
        self.cumulative[:] = cumulative
        self.deals, self.seconds = int(state["deals"]), float(state["seconds"])
        self._totals[:] = state["totals"]


@kernel
def copy_cumulative_strategy(rows: Ints, cumulative: Floats, out: Floats) -> None:
    """Take the cumulative strategy out of `cumulative`. rows: `decision_rows`.

    A bucket that never came to a decision by its own play has no strategy there, but often regrets, as the traverser
    tries all its moves: then the current strategy stands for it.
    """
    for d in range(rows.shape[1]):
        first, children, buckets = rows[0, d], rows[1, d], rows[2, d]
        for bucket in range(buckets):
            at = first + bucket * children
            total = np.float32(0)
            for k in range(children):
                out[at + k] = cumulative[2 * at + children + k]
                total += out[at + k]
            if total == 0:
                for k in range(children):
                    out[at + k] = max(cumulative[2 * at + k], np.float32(0))

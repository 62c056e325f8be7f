"""`Trainer`: a blueprint in the making, trained in rounds of some seconds by one thread or several."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from threading import Thread
from time import monotonic
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...compiled.compiler import kernel
from ...compiled.scalars import Floats, Ints
from ..card_tables.abstraction import CardAbstraction
from ..trees.betting_tree import BettingTree
from .config import BlueprintConfig
from .mccfr import VISIT, TreeArrays, train_holdem, tree_arrays
from .strategy import Strategy, decision_rows, entries_of, quantised

CHUNK = 1_000
"""Deals that a thread trains at a time."""
UNIT_DEALS = 100_000.0
"""The deal that counts once; the n-th counts n / UNIT_DEALS times."""
BYTES_PER_ENTRY = 8
"""A regret and a sum of the strategy, float32 both."""
STRATEGY_BYTES = 21
"""What making a strategy of them takes for a while, per entry."""
CARD_BYTES = 60 * 2**20
"""Of the card tables, about."""
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
    entries = entries_of(tree, buckets)
    peak = entries * (BYTES_PER_ENTRY + STRATEGY_BYTES)
    visits = threads * len(tree) * VISIT.itemsize
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
    """Bytes of physical memory; None where the system does not tell."""
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
        self.tree_arrays: TreeArrays = tree_arrays(self.tree, self.rows[0], config.rules.unit)
        self.cumulative: NDArray[np.float32] = np.zeros(2 * self.size.entries, np.float32)
        self.deals, self.seconds = 0, 0.0
        self._totals = np.zeros(2)
        self._visits = [np.zeros(len(self.tree), VISIT) for _ in range(config.threads)]
        self._tables: Any = None

    @property
    def nodes(self) -> float:
        """How many nodes have been visited."""
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
        last = None if deals is None else max(deals - self.deals, 0)
        current = _Round(self, seconds, last)
        start = monotonic()
        try:
            current.run()
        finally:
            self.deals += current.taken
            self.seconds += monotonic() - start
            self._totals += current.totals.sum(axis=0)

    def train_chunk(self, thread: int, first: int, count: int, totals: NDArray[np.float64]) -> None:
        """Train `count` deals from number `first` on."""
        nodes, payoffs = self.tree_arrays
        visits, seed = self._visits[thread], self.config.seed
        train_holdem(nodes, payoffs, self.cumulative, visits, self._tables, first, count, seed, UNIT_DEALS, totals)

    def cumulative_strategy(self) -> NDArray[np.float32]:
        """The cumulative strategy, laid out as `Strategy.probability`; normalized, it is the average strategy."""
        out = np.empty(self.size.entries, np.float32)
        copy_cumulative_strategy(self.rows, self.cumulative, out)
        return out

    def strategy(self, **training: Any) -> Strategy:
        """The average strategy so far, quantised. training: further facts for the file."""
        facts = {
            "deals": self.deals,
            "minutes": round(self.seconds / 60, 2),
            "nodes_visited": self.nodes,
            "threads": self.config.threads,
            "seed": self.config.seed,
            **training,
        }
        return Strategy(
            rules=self.config.rules,
            sizes=self.config.bet_sizes,
            tree=self.tree,
            cards_config=self.cards.config(),
            buckets=self.buckets,
            probability=quantised(self.cumulative_strategy(), self.rows),
            training=facts,
        )

    def state(self) -> dict[str, Any]:
        """What a checkpoint keeps: plain numbers, and the array `cumulative` itself, which is not copied."""
        return {
            "cumulative": self.cumulative,
            "deals": self.deals,
            "seconds": self.seconds,
            "totals": self._totals.tolist(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state. Raises ValueError, and changes nothing, if it is another blueprint's."""
        cumulative = np.asarray(state["cumulative"], np.float32)
        if cumulative.shape != self.cumulative.shape:
            raise ValueError(
                f"this checkpoint has {cumulative.size:,} numbers, and the blueprint {self.cumulative.size:,}"
            )
        self.cumulative[:] = cumulative
        self.deals, self.seconds = int(state["deals"]), float(state["seconds"])
        self._totals[:] = state["totals"]


class _Round:
    """One call of `train`: threads take chunks of deals, one after the other, until the time or the deals are over."""

    def __init__(self, trainer: Trainer, seconds: float | None, deals: int | None) -> None:
        self._trainer, self._deals = trainer, deals
        self._end = None if seconds is None else monotonic() + seconds
        self._next: Iterator[int] = itertools.count(0, CHUNK)  # whose steps cannot be divided between threads
        self._stopped = False
        threads = trainer.config.threads
        self.totals = np.zeros((threads, 2))
        self._taken = [0] * threads
        self._errors: list[BaseException] = []

    @property
    def taken(self) -> int:
        """How many deals were trained."""
        return sum(self._taken)

    def run(self) -> None:
        """Train until the round is over. The first thread is the caller's own, so that ctrl-C reaches it."""
        others = [Thread(target=self._work_in_thread, args=(number,)) for number in range(1, len(self._taken))]
        for thread in others:
            thread.start()
        try:
            self._work(0)
        except BaseException:
            self._stopped = True
            raise
        finally:
            for thread in others:
                thread.join()
        if self._errors:
            raise self._errors[0]

    def _work_in_thread(self, number: int) -> None:
        try:
            self._work(number)
        except BaseException as error:  # the caller's thread raises it
            self._errors.append(error)
            self._stopped = True

    def _work(self, number: int) -> None:
        while not self._stopped and (self._end is None or monotonic() < self._end):
            first = next(self._next)
            count = CHUNK if self._deals is None else min(CHUNK, self._deals - first)
            if count <= 0:
                return
            self._trainer.train_chunk(number, self._trainer.deals + first, count, self.totals[number])
            self._taken[number] += count


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

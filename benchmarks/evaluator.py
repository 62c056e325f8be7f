"""Seven-card hands evaluated per second: `evaluate` on a million random hands against loops of eval7 and phevaluator.

The others evaluate hand by hand, so they get fewer hands, and we get
ours ten times; eval7's Card objects are made beforehand. Before the race all must agree which hand is better and which
tie.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from holdem_env import evaluate
from holdem_env.cards.evaluator import evaluate_batch
from holdem_env.cards.text import NAMES

from .measure import Contestant, Options, on_one_core, race

HANDS, PEERS_HANDS = 1_000_000, 100_000
REPEATS = 10


def random_hands(count: int, cards: int = 7) -> NDArray[np.int8]:
    """Different cards in each row, as a shuffled deck would give them."""
    decks = np.random.default_rng(0).permuted(np.tile(np.arange(52, dtype=np.int8), (count, 1)), axis=1)
    return np.ascontiguousarray(decks[:, :cards])


def batch(hands: NDArray[np.integer]) -> Contestant:
    """The public function: cards are checked."""

    def work() -> int:
        for _ in range(REPEATS):
            evaluate(hands)
        return REPEATS * len(hands)

    return work


def kernel(hands: NDArray[np.int8]) -> Contestant:
    """The compiled loop alone, without checks, into an array that is there already."""
    values = np.empty(len(hands), np.int64)

    def work() -> int:
        for _ in range(REPEATS):
            evaluate_batch(hands, values)
        return REPEATS * len(hands)

    return work


def eval7_loop(hands: NDArray[np.int8]) -> Contestant:
    """eval7, a hand at a time."""
    import eval7

    theirs = [[eval7.Card(NAMES[card]) for card in hand] for hand in hands.tolist()]
    return checked("eval7", hands, lambda: [eval7.evaluate(hand) for hand in theirs])


def phevaluator_loop(hands: NDArray[np.int8]) -> Contestant:
    """phevaluator, a hand at a time; its numbers are the better the smaller."""
    import phevaluator

    numbers = hands.tolist()
    return checked("phevaluator", hands, lambda: [-phevaluator.evaluate_cards(*hand) for hand in numbers])


def checked(name: str, hands: NDArray[np.int8], loop: Callable[[], list[int]]) -> Contestant:
    """A loop that returns a number for each hand, the better the bigger, as a contestant. It and `evaluate` rank the
    hands alike, or there is no race."""
    for (low, their_low), (high, their_high) in pairwise(
        sorted(set(zip(evaluate(hands).tolist(), loop(), strict=True)))
    ):
        if low == high or their_low >= their_high:
            raise AssertionError(f"{name} and holdem_env rank hands differently")
    return lambda: len(loop())


@on_one_core()
def main(options: Options) -> None:
    """Run the race and print it."""
    hands = random_hands(HANDS)
    makers = {
        "eval7, loop": partial(eval7_loop, hands[:PEERS_HANDS]),
        "phevaluator, loop": partial(phevaluator_loop, hands[:PEERS_HANDS]),
        "evaluate_batch, int8": partial(kernel, hands),
        "evaluate, int8": partial(batch, hands),
        "evaluate, int64": partial(batch, hands.astype(np.int64)),
    }
    race("seven-card hands, one core", "hands/s", makers, options)

"""Seven-card hands evaluated per second: `evaluate` on a million random hands against loops of eval7 and phevaluator.

`python -m benchmarks.evaluator` runs it alone. The others evaluate hand by hand, so they get fewer hands, and we get
ours ten times; eval7's Card objects are made beforehand. Before the race all must agree which hand is better and which
tie. Ratios are to the first of the others that is installed.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from holdem_env import evaluate
from holdem_env.cards.evaluator import evaluate_batch
from holdem_env.cards.text import NAMES

from .measure import Contestant, machine, on_one_core, print_rates, rates

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


def peers(hands: NDArray[np.int8]) -> dict[str, Callable[[], list[int]]]:
    """The installed ones: name -> a loop over the hands that returns numbers, the better the bigger."""
    found: dict[str, Callable[[], list[int]]] = {}
    if find_spec("eval7"):
        import eval7

        theirs = [[eval7.Card(NAMES[card]) for card in hand] for hand in hands.tolist()]
        found["eval7, loop"] = lambda: [eval7.evaluate(hand) for hand in theirs]
    if find_spec("phevaluator"):
        import phevaluator

        numbers = hands.tolist()
        found["phevaluator, loop"] = lambda: [-phevaluator.evaluate_cards(*hand) for hand in numbers]
    return found


def check(name: str, ours: list[int], theirs: list[int]) -> None:
    """Both rank the hands alike, or there is no race."""
    for (low, their_low), (high, their_high) in pairwise(sorted(set(zip(ours, theirs, strict=True)))):
        if low == high or their_low >= their_high:
            raise AssertionError(f"{name} and holdem_env rank hands differently")


@on_one_core()
def main() -> None:
    """Run the race and print it."""
    hands = random_hands(HANDS)
    few = hands[:PEERS_HANDS]
    contestants = {
        "evaluate_batch, int8": kernel(hands),
        "evaluate, int8": batch(hands),
        "evaluate, int64": batch(hands.astype(np.int64)),
    }
    others = peers(few)
    for name, loop in others.items():
        check(name, evaluate(few).tolist(), loop())
        contestants[name] = lambda loop=loop: len(loop())  # type: ignore[misc]
    print(machine())
    print_rates("seven-card hands, one core", rates(contestants), next(iter([*others, *contestants])), "hands/s")


if __name__ == "__main__":
    main()

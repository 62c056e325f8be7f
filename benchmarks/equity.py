"""Equities per second: exact heads-up matchups before the flop, and Monte Carlo samples, against eval7 on the same job.

The jobs are a hand against a range (before the flop and on one), and all
hands of a range against a range, each with the same samples. Before the race both must agree. eval7's Card and
HandRange objects are made beforehand; we read our texts again in every call.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from holdem_env import Equity, Range, equity, equity_batch
from holdem_env.cards.text import cards_text

from .evaluator import random_hands
from .measure import Contestant, Options, on_one_core, race, spread

HAND, HANDS, VILLAIN, FLOP = "AsAh", "AQs+, KJo", "77+, AQs+, KJo", "Kh2c7d"
SAMPLES, SAMPLES_A_HAND = 2_000_000, 100_000
MATCHUPS = 200
PEERS_SHARE = 4  # eval7's samples, as a part of ours: rates do not depend on it


def exact_preflop() -> Contestant:
    """Random hands against random hands, all 1,712,304 boards each."""
    hole = random_hands(MATCHUPS, 4).reshape(MATCHUPS, 2, 2)

    def work() -> int:
        return len(equity_batch(hole))

    return work


def exact_call() -> Contestant:
    """The public function on two texts, as a user would call it."""

    def work() -> int:
        for _ in range(20):
            equity(["AsAh", "KdKc"])
        return 20

    return work


def hand_against_range(board: str) -> Contestant:
    def work() -> int:
        return equity([HAND, VILLAIN], board, samples=SAMPLES).samples

    return work


def hands_against_range() -> Contestant:
    hands = [cards_text(cards) for cards in Range(HANDS).cards.tolist()]

    def work() -> int:
        return sum(equity([hand, VILLAIN], samples=SAMPLES_A_HAND).samples for hand in hands)

    return work


def eval7_hand_against_range(board: str) -> Contestant:
    import eval7

    hand, villain, known = eval7_cards(HAND), eval7.HandRange(VILLAIN), list(eval7_cards(board))
    theirs = eval7.py_hand_vs_range_monte_carlo(hand, villain, known, SAMPLES)
    check(theirs, equity([HAND, VILLAIN], board), SAMPLES)
    samples = SAMPLES // PEERS_SHARE

    def work() -> int:
        eval7.py_hand_vs_range_monte_carlo(hand, villain, known, samples)
        return samples

    return work


def eval7_hands_against_range() -> Contestant:
    import eval7

    hands, villain = eval7.HandRange(HANDS), eval7.HandRange(VILLAIN)
    samples = SAMPLES_A_HAND // PEERS_SHARE

    def work() -> int:
        return samples * len(eval7.py_all_hands_vs_range(hands, villain, [], samples))

    return work


def eval7_cards(text: str) -> tuple[object, ...]:
    import eval7

    return tuple(eval7.Card(text[i : i + 2]) for i in range(0, len(text), 2))


def check(theirs: float, ours: Equity, samples: int) -> None:
    """Their sampled equity is ours, or there is no race."""
    if not ours.exact or abs(theirs - ours.equity[0]) > 5 * np.sqrt(0.25 / samples):
        raise AssertionError(f"eval7 says {theirs}, holdem_env {ours}")


@on_one_core()
def main(options: Options) -> None:
    """Run the races and print them."""
    exact = {"equity, one call each": exact_call, "equity_batch": exact_preflop}
    title = "exact heads-up equity before the flop, 1,712,304 boards, one core"
    if rates := race(title, "matchups/s", exact, options):
        times = spread(1e3 / rate for rate in rates["equity, one call each"])
        print(f"  equity(['AsAh', 'KdKc']) takes {times} ms")
    for title, ours, theirs in (
        (
            f"Monte Carlo: {HAND} against '{VILLAIN}'",
            partial(hand_against_range, ""),
            partial(eval7_hand_against_range, ""),
        ),
        (f"the same on {FLOP}", partial(hand_against_range, FLOP), partial(eval7_hand_against_range, FLOP)),
        (f"all hands of '{HANDS}' against '{VILLAIN}'", hands_against_range, eval7_hands_against_range),
    ):
        race(title, "samples/s", {"eval7": theirs, "holdem_env": ours}, options)

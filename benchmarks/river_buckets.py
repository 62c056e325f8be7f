"""What buckets lose on the river: `python -m benchmarks.river_buckets [story ...]`, some minutes for each story.

On random boards both players get ranges from a made-up story of bets and calls. One strategy for the river, whose
buckets all boards share, is solved by CFR+ and answered by the best response that knows every card: on the boards that
it was solved on, and on others.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from holdem_env.cards.combos import COMBOS
from holdem_env.compiled.compiler import compiled, kernel
from holdem_env.equities.all_hands import HAND_HIGH, HAND_LOW, PLACE, count_hands, value_hands
from holdem_env.equities.range_sweep import VALUE_SHIFT
from holdem_env.equities.strength import PREFLOP
from holdem_env.solvers.card_tables import CardAbstraction
from holdem_env.solvers.card_tables.features import LARGEST_MEAN, PARTS, board_features
from holdem_env.solvers.card_tables.isomorphism import PREFLOP_CLASS
from holdem_env.solvers.trees import BettingTree

POT, STACK = 100, 250
SIZES = "33%, 75%, 150%, all-in | 75%, all-in | 75%, all-in | all-in"
TRAINED, OTHERS, ROUNDS, SKIPPED = 100, 50, 100, 20
STORIES = ("bet", "two bets", "checks")
DECISION = 0


class Spots(NamedTuple):
    """Boards with both players' ranges."""

    boards: np.ndarray  # (N, 5)
    halves: np.ndarray  # (N, 1326), -1 where a hand is not possible
    items: np.ndarray  # (N, 1326), value << VALUE_SHIFT | combo, weakest first
    counts: np.ndarray  # (N,), how many of them
    weights: np.ndarray  # (N, 2, 1326)


# Ranges


def rises(x, middle, width):
    return 1 / (1 + np.exp(-(x - middle) / width))


def strengths(board):
    """Mean share of each hand, and the mean over its best quarter of run-outs."""
    means, profiles = np.empty(COMBOS, np.int32), np.empty((COMBOS, PARTS), np.int32)
    board_features(board, len(board), means, profiles)
    return means / LARGEST_MEAN, profiles[:, -2:].mean(axis=1) / 1980


def story_ranges(story: str, board: np.ndarray) -> np.ndarray:
    """(2, 1326): the raiser's and the caller's range after flop and turn."""
    (flop, flop_best), (turn, turn_best) = strengths(board[:3]), strengths(board[:4])
    place = np.argsort(np.argsort(PREFLOP[0, PREFLOP_CLASS // 13, PREFLOP_CLASS % 13], kind="stable")) / COMBOS
    raiser, caller = rises(place, 0.25, 0.05), rises(place, 0.4, 0.06) * (1 - 0.8 * rises(place, 0.9, 0.02))
    if story == "checks":
        raiser = (
            (1 - 0.7 * rises(place, 0.7, 0.05))
            * (1 - 0.8 * rises(flop, 0.6, 0.05))
            * (1 - 0.8 * rises(turn, 0.65, 0.05))
        )
        caller = (
            (1 - 0.6 * rises(place, 0.85, 0.04))
            * (1 - 0.7 * rises(flop, 0.6, 0.05))
            * (1 - 0.7 * rises(turn, 0.62, 0.05))
        )
        return np.stack([raiser, caller])
    raiser *= np.clip(rises(flop, 0.6, 0.06) + 0.6 * rises(flop_best - flop, 0.22, 0.04) + 0.15, 0, 1)
    caller *= np.clip(rises(flop, 0.45, 0.05) + 0.7 * rises(flop_best - flop, 0.24, 0.03), 0, 1)
    if story == "bet":
        raiser *= 1 - 0.7 * rises(turn, 0.72, 0.05)
        caller *= (1 - 0.6 * rises(flop, 0.85, 0.03)) * (1 - 0.3 * rises(turn, 0.85, 0.03))
    else:
        raiser *= np.clip(rises(turn, 0.7, 0.05) + 0.5 * rises(turn_best - turn, 0.25, 0.04) + 0.05, 0, 1)
        caller *= np.clip(rises(turn, 0.55, 0.05) + 0.7 * rises(turn_best - turn, 0.28, 0.03), 0, 1)
        caller *= 1 - 0.5 * rises(turn, 0.88, 0.03)
    return np.stack([raiser, caller])


def draw_spots(story: str, count: int, seed: int) -> Spots:
    rng = np.random.default_rng(seed)
    boards = np.array([rng.permutation(52)[:5] for _ in range(count)])
    halves, values = np.empty((2, count, COMBOS), np.int64)
    count_hands(boards, halves)
    value_hands(boards, values)
    order = np.argsort(values, axis=1, kind="stable")
    possible = (values > 0).sum(axis=1)
    items = np.zeros((count, COMBOS), np.int64)
    for i, many in enumerate(possible):
        items[i, :many] = (values[i] << VALUE_SHIFT | np.arange(COMBOS))[order[i, COMBOS - many :]]
    weights = np.array([story_ranges(story, board) for board in boards]) * (values > 0)[:, None]
    return Spots(boards, halves, items, possible, weights)


# The game: kind, player, parent, first child, children of each node; payoff (N, 3, 2)


@compiled
def showdown(items, count, reach, payoff, player, every, below, hand_values):
    """What each hand of a player gets at a showdown, against the other's reach."""
    every[:] = 0.0
    below[:] = 0.0
    for i in range(count):
        add(items[i] & PLACE, reach, every)
    first = 0
    while first < count:
        end = first
        while end < count and items[end] >> VALUE_SHIFT == items[first] >> VALUE_SHIFT:
            combo = items[end] & PLACE
            hand_values[combo] = without(below, combo)
            end += 1
        for i in range(first, end):
            add(items[i] & PLACE, reach, below)
        for i in range(first, end):
            combo = items[i] & PLACE
            won, not_lost = hand_values[combo], without(below, combo) + reach[combo]
            lost = without(every, combo) + reach[combo] - not_lost
            tied = not_lost - won
            hand_values[combo] = (
                won * payoff[player, player] + lost * payoff[1 - player, player] + tied * payoff[2, player]
            )
        first = end


@compiled
def add(combo, reach, by_card):
    by_card[HAND_HIGH[combo]] += reach[combo]
    by_card[HAND_LOW[combo]] += reach[combo]
    by_card[52] += reach[combo]


@compiled
def without(by_card, combo):
    return by_card[52] - by_card[HAND_HIGH[combo]] - by_card[HAND_LOW[combo]]


@compiled
def play(game, items, count, buckets, weights, player, strategy, gains, best, reach, hand_values, every, below):
    """What a player's range is worth on a board against the other's strategy; adds to gains (N, A, B) what each move
    would have brought. best: the player answers with the best moves instead."""
    kind, actor, parent, first, children, payoff = game
    reach[0] = weights[1 - player]
    for node in range(1, len(kind)):
        above = parent[node]
        reach[node] = reach[above]
        if actor[above] != player:
            for i in range(count):
                combo = items[i] & PLACE
                reach[node, combo] *= strategy[above, node - first[above], buckets[combo]]
    for node in range(len(kind) - 1, -1, -1):
        if kind[node] != DECISION:
            showdown(items, count, reach[node], payoff[node], player, every, below, hand_values[node])
            continue
        for i in range(count):
            combo = items[i] & PLACE
            bucket, value = buckets[combo], 0.0
            for move in range(children[node]):
                of_move = hand_values[first[node] + move, combo]
                if actor[node] != player:
                    value += of_move
                elif best:
                    value = of_move if move == 0 else max(value, of_move)
                else:
                    value += of_move * strategy[node, move, bucket]
            hand_values[node, combo] = value
            if actor[node] == player and not best:
                for move in range(children[node]):
                    gains[node, move, bucket] += weights[player, combo] * (
                        hand_values[first[node] + move, combo] - value
                    )
    total = 0.0
    for i in range(count):
        combo = items[i] & PLACE
        total += weights[player, combo] * hand_values[0, combo]
    return total


@compiled
def match(regrets, children, strategy):
    """Regret matching: (N, A, B)."""
    for node in range(len(children)):
        for bucket in range(regrets.shape[2]):
            total = 0.0
            for move in range(children[node]):
                total += regrets[node, move, bucket]
            for move in range(children[node]):
                even = 1.0 / children[node]
                strategy[node, move, bucket] = regrets[node, move, bucket] / total if total > 0 else even


@kernel
def solve(game, items, counts, buckets, weights, many, rounds):
    """The average strategy (N, A, many) of CFR+ with linear weights."""
    kind, actor, parent, first, children, _ = game
    nodes = len(kind)
    regrets, average = np.zeros((2, nodes, children.max(), many))
    strategy, gains = np.zeros((2, nodes, children.max(), many))
    reach, hand_values = np.zeros((2, nodes, COMBOS))
    every, below = np.zeros((2, 53))
    own = np.ones((nodes, many))
    for number in range(rounds):
        for player in range(2):
            match(regrets, children, strategy)
            gains[:] = 0.0
            for b in range(len(counts)):
                play(
                    game,
                    items[b],
                    counts[b],
                    buckets[b],
                    weights[b],
                    player,
                    strategy,
                    gains,
                    False,
                    reach,
                    hand_values,
                    every,
                    below,
                )
            for node in range(nodes):
                if kind[node] == DECISION and actor[node] == player:
                    regrets[node] = np.maximum(regrets[node] + gains[node], 0.0)
            match(regrets, children, strategy)
            for node in range(nodes):
                above = parent[node]
                if node > 0:
                    own[node] = own[above]
                    if actor[above] == player:
                        own[node] *= strategy[above, node - first[above]]
                if kind[node] == DECISION and actor[node] == player:
                    average[node] += max(number - SKIPPED, 0) * own[node] * strategy[node]
    match(average, children, strategy)
    return strategy


@kernel
def exploit(game, items, counts, buckets, weights, strategy, pot):
    """The mean gain of both best responses, as a share of the pot, over all boards."""
    nodes = len(game[0])
    reach, hand_values = np.zeros((2, nodes, COMBOS))
    every, below = np.zeros((2, 53))
    gained = deals = 0.0
    for b in range(len(counts)):
        for player in range(2):
            gained += play(
                game,
                items[b],
                counts[b],
                buckets[b],
                weights[b],
                player,
                strategy,
                strategy,
                True,
                reach,
                hand_values,
                every,
                below,
            )
        every[:] = 0.0
        for i in range(counts[b]):
            add(items[b, i] & PLACE, weights[b, 1], every)
        for i in range(counts[b]):
            combo = items[b, i] & PLACE
            deals += weights[b, 0, combo] * (without(every, combo) + weights[b, 1, combo])
    return gained / 2 / deals / pot


# Buckets


def shipped(kind: str, river: int) -> Callable[[Spots], np.ndarray]:
    cards = CardAbstraction(kind, river=river)
    return lambda spots: np.maximum([cards.buckets(3, board) for board in spots.boards], 0).astype(np.int64)


def main(stories: list[str]) -> None:
    tree = BettingTree.from_spot("heads-up-no-limit", SIZES, street="river", pot=POT, stacks=STACK)
    game = (tree.kind, tree.player, tree.parent, tree.first_child, tree.children, tree.payoff.astype(float))
    contestants = {f"strength, {count} buckets": shipped("strength", count) for count in (20, 50, 200)}
    contestants |= {f"ranges, {count} buckets": shipped("ranges", count) for count in (200, 400)}
    for story in stories or STORIES:
        trained, others = draw_spots(story, TRAINED, 1), draw_spots(story, OTHERS, 2)
        for name, buckets_of in contestants.items():
            here, there = buckets_of(trained), buckets_of(others)
            many = int(max(here.max(), there.max())) + 1
            strategy = solve(game, trained.items, trained.counts, here, trained.weights, many, ROUNDS)
            lost = [
                exploit(game, spots.items, spots.counts, buckets, spots.weights, strategy, POT)
                for spots, buckets in ((trained, here), (others, there))
            ]
            print(f"{story}: {name}: {100 * lost[0]:.1f} / {100 * lost[1]:.1f} % of the pot", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])

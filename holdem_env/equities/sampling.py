"""Equities by sampling: random hands out of ranges, random boards, and how far the averages may be off (hold'em).

A sample deals one hand out of each range on its own and starts again if two share a card: that makes all ways to deal
the ranges as likely as their weights say. Hands that may be any come last, with the board, from the cards that are
left. (weighted_sampling.py has a way for ranges that nearly always share a card.)

Random numbers are SplitMix64's, one counter a run: the same seed gives the same numbers.
"""

from __future__ import annotations

import numpy as np

from ..cards.evaluator import card_code, card_mask, start_code, value_of
from ..compiled.compiler import compiled, inline, kernel
from ..compiled.records import Records
from ..compiled.scalars import Floats, Ints, Word, int64
from ..engine.random_numbers import GOLDEN, S32, hand_stream, mix, random_below
from .exact import PART, POT, finish_two, score
from .holdem import BOARD, DECK, HOLE
from .records import Deal

KNOWN, EVEN, WEIGHTED, ANY = 0, 1, 2, 3
UNIT_SHIFT = np.uint64(11)
UNIT = 1.0 / (1 << 53)


@inline
def unit(x: Word) -> float:
    """A float in 0..1, less than 1, from a random number."""
    return int64(x >> UNIT_SHIFT) * UNIT


@inline
def find_weighted(d: Deal, first: int, end: int, x: float) -> int:
    """The first place in first..end-1 up to which the weights are more than x."""
    while first < end - 1:
        middle = (first + end - 1) >> 1
        if d.range_upto[middle] > x:
            end = middle + 1
        else:
            first = middle + 1
    return first


@inline
def pick(d: Deal, player: int, x: Word) -> int:
    """A random hand of a player's range: its place in the lists."""
    first, end = d.first[player], d.first[player + 1]
    if d.kind[player] == WEIGHTED:
        return find_weighted(d, first, end, unit(x))
    return first + random_below(x, end - first)


@compiled
def list_pairs(d: Deal) -> None:
    """List the pairs of cards that may come: a random pair is drawn as quickly as a random card."""
    d.pair_count = 0
    for i in range(d.deck_count):
        for j in range(i):
            d.pair_code[d.pair_count] = card_code(d.deck[i]) + card_code(d.deck[j])
            d.pair_mask[d.pair_count] = card_mask(d.deck[i]) | card_mask(d.deck[j])
            d.pair_count += 1


@inline
def draw_pair(d: Deal, used: int, stream: Word) -> tuple[int, Word]:
    """Draw two cards that are not used: the place of the pair in its list, and the stream as it then is."""
    while True:
        stream = stream + GOLDEN
        i = random_below(mix(stream), d.pair_count)
        if used & d.pair_mask[i] == 0:
            return i, stream


@inline
def draw_two_pairs(d: Deal, used: int, stream: Word) -> tuple[int, int, Word]:
    """Draw four cards that are not used, as two pairs: one out of each half of a random number."""
    while True:
        stream = stream + GOLDEN
        x = mix(stream)
        i, j = random_below(x, d.pair_count), random_below(x << S32, d.pair_count)
        if (d.pair_mask[i] & d.pair_mask[j]) | (used & (d.pair_mask[i] | d.pair_mask[j])) == 0:
            return i, j, stream


@inline
def draw_card(d: Deal, used: int, stream: Word) -> tuple[int, Word]:
    """Draw a card that is not used, and the stream as it then is."""
    while True:
        stream = stream + GOLDEN
        card = d.deck[random_below(mix(stream), d.deck_count)]
        if used & card_mask(card) == 0:
            return card, stream


@inline
def draw_board(d: Deal, used: int, stream: Word) -> tuple[int, int, Word]:
    """Draw the missing board cards: sums over the whole board, and the stream as it then is."""
    code, mask = d.board_code, d.board_mask
    if d.missing == BOARD:
        i, j, stream = draw_two_pairs(d, used, stream)
        code += d.pair_code[i] + d.pair_code[j]
        mask |= d.pair_mask[i] | d.pair_mask[j]
    if d.missing == 2:
        i, stream = draw_pair(d, used, stream)
        code += d.pair_code[i]
        mask |= d.pair_mask[i]
    elif d.missing > 0:
        card, stream = draw_card(d, used | mask, stream)
        code += card_code(card)
        mask |= card_mask(card)
    return code, mask, stream


@inline
def score_sample(d: Deal) -> None:
    """Count a showdown, and the squares of shares, from which the error is estimated."""
    best, winners = score(d, d.value, 1)
    if winners > 1:
        for p in range(d.players):
            if d.value[p] == best:
                d.square[p] += PART[winners] ** 2


@inline
def finish_two_samples(d: Deal) -> None:
    """What follows for two players from the ties."""
    finish_two(d)
    if d.players == 2:
        d.square[0] = d.square[1] = d.tie[0] * (POT // 2) ** 2


@inline
def deal_ranges(d: Deal, used: int, stream: Word) -> tuple[int, Word]:
    """Deal one hand out of each range: the used cards, or -1 if two have a card in common; and the stream."""
    for p in range(d.players):
        if d.kind[p] == EVEN or d.kind[p] == WEIGHTED:
            stream = stream + GOLDEN
            i = pick(d, p, mix(stream))
            d.code[p] = d.range_code[i]
            d.mask[p] = d.range_mask[i]
            if used & d.mask[p]:
                return int64(-1), stream
            used |= d.mask[p]
    return used, stream


@inline
def finish_sample(d: Deal, used: int, stream: Word) -> Word:
    """Deal the hands that may be any, and the board, and see what all are worth. Returns the stream."""
    for p in range(d.players):
        if d.kind[p] == ANY:
            i, stream = draw_pair(d, used, stream)
            d.code[p] = d.pair_code[i]
            d.mask[p] = d.pair_mask[i]
            used |= d.mask[p]
    code, mask, stream = draw_board(d, used, stream)
    for p in range(d.players):
        d.value[p] = value_of(code + d.code[p], mask + d.mask[p])
    return stream


@inline
def load_known_hands(d: Deal) -> int:
    """Begin a run: give the players whose hands are known their cards, clear the counts, list the pairs that may come.
    Returns the used cards."""
    list_pairs(d)
    used = int64(d.board_mask)
    for p in range(d.players):
        d.win[p] = d.tie[p] = d.share[p] = d.square[p] = 0
        if d.kind[p] == KNOWN:
            d.code[p] = d.range_code[d.first[p]]
            d.mask[p] = d.range_mask[d.first[p]]
            used |= d.mask[p]
    return used


@compiled
def sample_run(d: Deal, stream: Word, samples: int, most_tries: int) -> int:
    """Sample until there are `samples`, but deal no more than most_tries times; returns how many there are."""
    known = load_known_hands(d)
    done = 0
    for _ in range(most_tries):
        used, stream = deal_ranges(d, known, stream)
        if used < 0:
            continue
        stream = finish_sample(d, used, stream)
        score_sample(d)
        done += 1
        if done == samples:
            break
    finish_two_samples(d)
    return done


@kernel
def sample_ranges(deals: Records, seed: Word, samples: int, most_tries: int) -> int:
    """`sample_run` for Python. deals: one DEAL record; seed: uint64."""
    return sample_run(deals[0], hand_stream(seed, 0, 0), samples, most_tries)


@inline
def load_matchup(d: Deal, hole: Ints, board: Ints, dead: Ints) -> None:
    """Write known hands on a board into a record. hole: (players, 2), board: (k,), dead: (D,)."""
    gone = int64(0)
    d.players = len(hole)
    for p in range(len(hole)):
        d.kind[p] = KNOWN
        d.first[p] = p
        d.range_code[p] = card_code(hole[p, 0]) + card_code(hole[p, 1])
        d.range_mask[p] = card_mask(hole[p, 0]) | card_mask(hole[p, 1])
        gone |= d.range_mask[p]
    for i in range(len(dead)):
        gone |= card_mask(dead[i])
    d.board_code, d.board_mask, d.missing = start_code(HOLE + BOARD), 0, BOARD - len(board)
    for i in range(len(board)):
        d.board_code += card_code(board[i])
        d.board_mask |= card_mask(board[i])
    gone |= d.board_mask
    d.deck_count = 0
    for card in range(DECK):
        if gone & card_mask(card) == 0:
            d.deck[d.deck_count] = card
            d.deck_count += 1


@kernel
def sample_batch(
    hole: Ints, boards: Ints, dead: Ints, deals: Records, seed: Word, samples: int, result: Floats
) -> None:
    """The equities of many matchups by sampling, each with a stream of its own.

    hole: (N, players, 2), boards: (N, k), dead: (D,) int64; deals: one DEAL record; seed: uint64; result:
    (N, players) float64, filled.
    """
    d = deals[0]
    for n in range(len(hole)):
        load_matchup(d, hole[n], boards[n], dead)
        sample_run(d, hand_stream(seed, n, 0), samples, samples)
        for p in range(d.players):
            result[n, p] = (d.win[p] + d.share[p] / POT) / samples

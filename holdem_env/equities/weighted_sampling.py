"""Equities by weighted samples, for ranges that nearly always share a card when each is dealt on its own.

Each hand is drawn from those of its range that are still possible. The sample's weight is the product of the weights
that were possible for each range: it makes up for the deals that this way of drawing prefers. A sample in which some
range has no hand left has weight 0.
"""

from __future__ import annotations

from ..compiled.compiler import compiled, inline, kernel
from ..compiled.records import Records
from ..compiled.scalars import Word, int64
from ..engine.random_numbers import GOLDEN, hand_stream, mix
from .exact import POT
from .records import Deal, Sums
from .sampling import ANY, KNOWN, finish_sample, finish_two_samples, load_known_hands, score_sample, unit


@inline
def possible_weight(d: Deal, player: int, used: int) -> float:
    """The weight of a player's hands that have no used card."""
    total = 0.0
    for i in range(d.first[player], d.first[player + 1]):
        if d.range_mask[i] & used == 0:
            total += d.range_weight[i]
    return total


@inline
def pick_possible(d: Deal, player: int, used: int, x: float) -> int:
    """The hand among those without a used card up to which their weights are more than x; the last if none is."""
    chosen = int64(-1)
    for i in range(d.first[player], d.first[player + 1]):
        if d.range_mask[i] & used == 0:
            chosen = i
            x -= d.range_weight[i]
            if x < 0:
                break
    return chosen


@inline
def deal_possible(d: Deal, used: int, stream: Word) -> tuple[int, float, Word]:
    """Deal all ranges one after the other: the used cards, the weight of the sample (0 if it failed), the stream."""
    weight = 1.0
    for k in range(d.players):
        p = d.order[k]
        if d.kind[p] == ANY or d.kind[p] == KNOWN:
            continue
        total = possible_weight(d, p, used)
        if total <= 0.0:
            return used, 0.0, stream
        stream = stream + GOLDEN
        i = pick_possible(d, p, used, unit(mix(stream)) * total)
        d.code[p] = d.range_code[i]
        d.mask[p] = d.range_mask[i]
        used |= d.mask[p]
        weight *= total
    return used, weight, stream


@inline
def add_sample(d: Deal, s: Sums, weight: float) -> None:
    """Add a showdown, just scored into the record's counts, to the sums."""
    s.w += weight
    s.ww += weight * weight
    for p in range(d.players):
        share = d.win[p] + d.share[p] / POT
        s.w_win[p] += weight * d.win[p]
        s.w_tie[p] += weight * d.tie[p]
        s.w_share[p] += weight * share
        s.ww_share[p] += weight * weight * share
        s.ww_square[p] += weight * weight * share * share


@compiled
def weighted_run(d: Deal, s: Sums, stream: Word, samples: int) -> None:
    """Add `samples` samples to the sums."""
    known = load_known_hands(d)
    for _ in range(samples):
        used, weight, stream = deal_possible(d, known, stream)
        if weight > 0.0:
            stream = finish_sample(d, used, stream)
            for p in range(d.players):
                d.win[p] = d.tie[p] = d.share[p] = d.square[p] = 0
            score_sample(d)
            finish_two_samples(d)
            add_sample(d, s, weight)


@kernel
def sample_weighted(deals: Records, sums: Records, seed: Word, samples: int) -> None:
    """`weighted_run` for Python. deals: one DEAL record, weights scaled so that each range's sum is about 1; sums:
    one SUMS record of zeros; seed: uint64."""
    weighted_run(deals[0], sums[0], hand_stream(seed, 0, 0), samples)

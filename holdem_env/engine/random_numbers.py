"""Random numbers as hashes (SplitMix64): every number belongs to a seed, a table, a hand and a place in it, so
nothing is carried from one hand to the next and the work can be divided in any way.
"""

from __future__ import annotations

import numpy as np

from ..compiled.compiler import inline
from ..compiled.scalars import Ints, Word, int64
from .record import TableRecord

# SplitMix64 (Steele, Lea and Flood 2014): a counter goes up by GOLDEN, and a bijective mix of it is the random number.
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
# A further odd number whose bits change often, to tell moves apart from hands in one sum.
MIX_3 = np.uint64(0xD6E8FEB86659FD93)
S11, TO_UNIT = np.uint64(11), 2.0**-53
S27, S30, S31, S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


@inline
def mix(x: Word) -> Word:
    """A bijective scramble of 64 bits."""
    x = (x ^ (x >> S30)) * MIX_1
    x = (x ^ (x >> S27)) * MIX_2
    return x ^ (x >> S31)


@inline
def hand_stream(seed: int | Word, table_id: int, hand: int) -> Word:
    """The random stream that belongs to one hand."""
    x = mix(np.uint64(seed) + GOLDEN)
    x = mix((x ^ np.uint64(table_id)) + GOLDEN)
    return mix((x ^ np.uint64(hand)) + GOLDEN)


@inline
def random_below(x: Word, bound: int | Word) -> int:
    """An integer in 0..bound-1 from a random number. The bias is below 2**-26 for a deck."""
    return int64(((x >> S32) * np.uint64(bound)) >> S32)


@inline
def draw_to(cards: Ints, place: int, count: int, stream: Word) -> Word:
    """Bring a random card of place..count-1 to `place`; returns the stream as it then is. Whatever order earlier draws
    left the cards in is as good as any."""
    stream = stream + GOLDEN
    other = place + random_below(mix(stream), count - place)
    cards[place], cards[other] = cards[other], cards[place]
    return stream


@inline
def decision_number(t: TableRecord, salt: int) -> Word:
    """A random number for the decision at hand, for agents that mix: independent of the deck, and of how the work
    is divided. In a view it is made of the word for the decision alone."""
    table = 0 if t.has_words else t.table_id
    return mix(hand_stream(t.seed ^ salt, table, t.hand) + MIX_2 * np.uint64(t.moves + 1))


@inline
def decision_fraction(t: TableRecord, salt: int) -> float:
    """`decision_number` as a number from 0 to below 1: its upper 53 bits, as many as a float has."""
    return np.int64(decision_number(t, salt) >> S11) * TO_UNIT


@inline
def action_number(t: TableRecord, salt: int) -> Word:
    """A random number for the decision at hand, as `decision_number` but cheaper: one mix of what identifies it."""
    x = np.uint64(t.seed ^ salt) * MIX_1 + np.uint64(t.table_id) * MIX_2 + np.uint64(t.hand) * GOLDEN
    return mix(x + np.uint64(t.moves + 1) * MIX_3)

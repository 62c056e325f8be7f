"""Random words for agents that mix, and opaque numbers of tables: what a view has in place of the seed and the numbers
of table and hand.

Both are a keyed hash (SipHash-1-3: Aumasson and Bernstein 2012) under a key made of the deal's seed. A player who sees
any number of them can compute neither the seed nor a card, nor which two tables have the same deck; the same decision
gets the same word in every repetition, however the work is divided.
"""

from __future__ import annotations

import numpy as np

from ..compiled.compiler import inline
from ..compiled.scalars import Word, int64
from .random_numbers import GOLDEN, MIX_1, MIX_2, MIX_3, mix
from .record import TableRecord

# The constants of SipHash, and by how much its rounds rotate.
SIP_0, SIP_1 = np.uint64(0x736F6D6570736575), np.uint64(0x646F72616E646F6D)
SIP_2, SIP_3 = np.uint64(0x6C7967656E657261), np.uint64(0x7465646279746573)
END, LENGTH = np.uint64(0xFF), np.uint64(16 << 56)  # of a message of two words
R13, R16, R17, R21, R32 = np.uint64(13), np.uint64(16), np.uint64(17), np.uint64(21), np.uint64(32)
ALL = np.uint64(64)
SEAT_BITS = np.uint64(4)  # the lowest bits of a message's second word
ONE_BIT = np.uint64(1)


@inline
def rotated(x: Word, bits: Word) -> Word:
    """64 bits rotated to the left."""
    return (x << bits) | (x >> (ALL - bits))


@inline
def sip_round(a: Word, b: Word, c: Word, d: Word) -> tuple[Word, Word, Word, Word]:
    """One round of SipHash on its state of four words."""
    a, c = a + b, c + d
    b, d = rotated(b, R13) ^ a, rotated(d, R16) ^ c
    a, c = rotated(a, R32) + d, c + b
    d, b = rotated(d, R21) ^ a, rotated(b, R17) ^ c
    return a, b, rotated(c, R32), d


@inline
def keyed_hash(key: Word, first: Word, second: Word) -> int:
    """A 63-bit number for two words under a key of 64 bits, as an int64."""
    return sip_hash(mix(key + GOLDEN), mix((key ^ MIX_1) + MIX_3), first, second)


@inline
def sip_hash(key_0: Word, key_1: Word, first: Word, second: Word) -> int:
    """A 63-bit number for two words under a key of 128 bits, as an int64."""
    a, b, c, d = key_0 ^ SIP_0, key_1 ^ SIP_1, key_0 ^ SIP_2, key_1 ^ SIP_3
    a, b, c, d = sip_round(a, b, c, d ^ first)
    a, b, c, d = sip_round(a ^ first, b, c, d ^ second)
    a, b, c, d = sip_round(a ^ second, b, c, d ^ LENGTH)
    a, b, c, d = sip_round(a ^ LENGTH, b, c ^ END, d)
    a, b, c, d = sip_round(a, b, c, d)
    a, b, c, d = sip_round(a, b, c, d)
    return int64((a ^ b ^ c ^ d) >> ONE_BIT)


@inline
def opaque_table(t: TableRecord, seat: int, rotation: int) -> int:
    """The number by which a seat knows its table: the same in all hands there, and another for every other seat and
    every rotation of a deal."""
    place = (np.uint64(rotation) << SEAT_BITS) | np.uint64(seat + 1)
    return keyed_hash(np.uint64(t.seed), np.uint64(t.table_id) ^ MIX_2, place)


@inline
def decision_word(t: TableRecord, seat: int) -> int:
    """The random word of the decision at hand, for agents that mix. The player in the seat in another rotation of the
    deal gets the same, so that an agent comes out even against itself."""
    place = (np.uint64(t.moves + 1) << SEAT_BITS) | np.uint64(seat + 1)
    return keyed_hash(np.uint64(t.seed), np.uint64(t.table_id) ^ (np.uint64(t.hand) * MIX_3), place)

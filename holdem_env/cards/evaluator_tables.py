"""How the evaluator's lookup tables are built: `python -m holdem_env.cards.evaluator_tables` writes evaluator.npz.

The evaluator adds up one code per card. Its low bits sum to a key that identifies the ranks of the hand, whatever the
suits; above them four counters tell whether some suit is there five times. A key without a flush is looked up in
`rank_value`; with a flush, the 13-bit mask of the ranks of that suit is looked up in `flush_value`. Both give the
hand's class: 1 is the worst five-card hand there is, bigger is better, equal hands have equal classes.

Keys lie scattered over 2**25 numbers, so `rank_value` is compressed by row displacement: the low bits of a key are a
row, the high bits a column, and the rows are pushed over one another so that no two entries meet; `row_offset` says how
far. (Rows of low bits pack more densely than rows of high bits, where the keys stand in clusters.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..utils.atomic import whole_file

TABLES_PATH = Path(__file__).with_name("evaluator.npz")

RANKS, SUITS = 13, 4
MIN_CARDS, MAX_CARDS = 5, 7  # cards in a hand
ACE = RANKS - 1
WHEEL = (ACE, 3, 2, 1, 0)  # A-2-3-4-5, R1

# The sum over any seven cards, at most four of a rank, tells how many there are of each rank. So it does for six and
# five cards: two different hands of six (five) hold at most twelve (ten) of the thirteen ranks between them. If their
# sums were equal, give both one (two) cards of a rank that neither holds: two different sevens with the same sum.
# Found by `find_rank_keys`.
RANK_KEYS = (0, 1, 5, 24, 112, 521, 2247, 9244, 30823, 103066, 250154, 667453, 1526359)

# Layout of a code: key in the low bits, of which the upper two say how many cards there are; suit counters from bit 32.
COUNT_SHIFT = 23
KEY_MASK = (1 << (COUNT_SHIFT + 2)) - 1
ROW_BITS = 12
ROW_MASK = (1 << ROW_BITS) - 1
SUIT_SHIFT, SUIT_BITS = 32, 4
# Counters start at 3, so that the fifth card of a suit sets the counter's top bit; seven make 10 and do not overflow.
SUIT_START = 3
FLUSH_BITS = sum(1 << (SUIT_SHIFT + SUIT_BITS * suit + 3) for suit in range(SUITS))
# Layout of a mask: one field of 16 bits per suit, of which the low 13 are the ranks.
MASK_SHIFT = 16
RANK_MASK = (1 << RANKS) - 1

Tables: TypeAlias = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Ranking:
    """An order of five-card hands.

    `strength(ranks, flush)` takes five ranks, highest first, and whether the cards are of one suit; it returns a tuple
    that begins with the number of the category. The bigger tuple is the better hand, equal tuples tie.
    A flush must beat straights, three of a kind and all that is less, because cards with a flush are looked up as
    nothing else. (Seven cards never hold a flush beside a full house or four of a kind: the order of these is free.)
    """

    categories: tuple[str, ...]  # weakest first
    strength: Callable[[tuple[int, ...], bool], tuple[int, ...]]


# What the five cards hold of their ranks, most numerous first -> category.
SHAPES = {(1, 1, 1, 1, 1): 0, (2, 1, 1, 1): 1, (2, 2, 1): 2, (3, 1, 1): 3, (3, 2): 6, (4, 1): 7}
STRAIGHT, FLUSH, STRAIGHT_FLUSH = 4, 5, 8


def holdem_strength(ranks: tuple[int, ...], flush: bool) -> tuple[int, ...]:
    """R1-R3: the category, then the ranks to compare, those that come more often first."""
    held = Counter(ranks)
    order = sorted(held, key=lambda rank: (held[rank], rank), reverse=True)
    category = SHAPES[tuple(held[rank] for rank in order)]
    if ranks == WHEEL or (category == 0 and ranks[0] - ranks[-1] == 4):
        category, order = STRAIGHT, [3 if ranks == WHEEL else ranks[0]]
    if flush:
        category = STRAIGHT_FLUSH if category == STRAIGHT else FLUSH
    return (category, *order)


HOLDEM = Ranking(
    categories=(
        "high card",
        "pair",
        "two pair",
        "three of a kind",
        "straight",
        "flush",
        "full house",
        "four of a kind",
        "straight flush",
    ),
    strength=holdem_strength,
)


def rank_multisets(count: int) -> Iterator[tuple[int, ...]]:
    """All ways to hold `count` ranks, at most four of each; highest first."""
    for ranks in combinations_with_replacement(range(RANKS - 1, -1, -1), count):
        if all(ranks[i] != ranks[i + SUITS] for i in range(count - SUITS)):
            yield ranks


def key_of(ranks: tuple[int, ...]) -> int:
    """The key that the codes of these ranks add up to, the start code of their number included."""
    return ((MAX_CARDS - len(ranks)) << COUNT_SHIFT) + sum(RANK_KEYS[rank] for rank in ranks)


def build_tables(ranking: Ranking = HOLDEM) -> Tables:
    """All arrays of evaluator.npz, by name."""
    plain = {ranks: ranking.strength(ranks, False) for ranks in rank_multisets(MIN_CARDS)}
    suited = {ranks: ranking.strength(ranks, True) for ranks in combinations(range(RANKS - 1, -1, -1), MIN_CARDS)}
    strengths = sorted({*plain.values(), *suited.values()})
    class_of = {strength: number for number, strength in enumerate(strengths, start=1)}
    first = [min(class_of[s] for s in strengths if s[0] == category) for category in range(len(ranking.categories))]
    row_offset, rank_value = _pack_rows(_rank_classes({ranks: class_of[s] for ranks, s in plain.items()}))
    return {
        **_card_tables(),
        "row_offset": row_offset,
        "rank_value": rank_value,
        "flush_value": _flush_classes({ranks: class_of[s] for ranks, s in suited.items()}),
        "category_first": np.array(first, np.int16),
    }


def _card_tables() -> Tables:
    """What to add up. The card tables have 64 entries, so that an index can be cut to six bits instead of checked."""
    code, mask, start = np.zeros(64, np.int64), np.zeros(64, np.int64), np.zeros(8, np.int64)
    for card in range(RANKS * SUITS):
        rank, suit = divmod(card, SUITS)
        code[card] = RANK_KEYS[rank] + (1 << (SUIT_SHIFT + SUIT_BITS * suit))
        mask[card] = 1 << (MASK_SHIFT * suit + rank)
    suits = sum(SUIT_START << (SUIT_SHIFT + SUIT_BITS * suit) for suit in range(SUITS))
    for count in range(MIN_CARDS, MAX_CARDS + 1):
        start[count] = suits + ((MAX_CARDS - count) << COUNT_SHIFT)
    return {"card_code": code, "card_mask": mask, "start_code": start}


def _rank_classes(five: dict[tuple[int, ...], int]) -> dict[int, int]:
    """Key -> class of the best five, for 5, 6 and 7 cards. A hand is as good as its best with one card less."""
    classes = {key_of(ranks): value for ranks, value in five.items()}
    fewer = five
    for count in range(MIN_CARDS + 1, MAX_CARDS + 1):
        fewer = {ranks: max(fewer[ranks[:i] + ranks[i + 1 :]] for i in range(count)) for ranks in rank_multisets(count)}
        classes |= {key_of(ranks): value for ranks, value in fewer.items()}
    return classes


def _flush_classes(five: dict[tuple[int, ...], int]) -> NDArray[np.int16]:
    """Mask of the ranks of one suit -> class of the best five among them; 0 where there are fewer."""
    table = np.zeros(1 << RANKS, np.int16)
    for ranks, value in five.items():
        table[sum(1 << rank for rank in ranks)] = value
    for mask in range(1 << RANKS):
        if mask.bit_count() > MIN_CARDS:
            table[mask] = max(table[mask ^ (1 << rank)] for rank in range(RANKS) if mask >> rank & 1)
    return table


def _pack_rows(entries: dict[int, int]) -> tuple[NDArray[np.uint32], NDArray[np.int16]]:
    """Row displacement: the fullest rows first, each to the first place where it fits between those laid before."""
    rows: dict[int, list[int]] = {}
    for key in sorted(entries):
        rows.setdefault(key & ROW_MASK, []).append(key >> ROW_BITS)
    columns = (KEY_MASK >> ROW_BITS) + 1
    offset = np.zeros(ROW_MASK + 1, np.uint32)
    table = np.zeros(4 * len(entries) + 2 * columns, np.int16)
    for row in sorted(rows, key=lambda row: (-len(rows[row]), row)):
        taken = np.array(rows[row])
        offset[row] = _first_fit(table, taken)
        table[offset[row] + taken] = [entries[column << ROW_BITS | row] for column in rows[row]]
    # Every row is followed by room for all columns, so that no key whatever can be looked up outside of the table.
    return offset, table[: int(offset.max()) + columns].copy()


def _first_fit(table: NDArray[np.int16], columns: NDArray[np.int64], step: int = 8192) -> int:
    """The least offset at which these columns of the table are all free."""
    last = len(table) - int(columns[-1])
    for begin in range(0, last, step):
        end = min(begin + step, last)
        busy = np.zeros(end - begin, bool)
        for column in columns:
            busy |= table[begin + column : end + column] != 0
        if not busy.all():
            return begin + int(np.argmin(busy))
    raise ValueError("the table is too small for its rows")


def find_rank_keys(cards: int = MAX_CARDS) -> tuple[int, ...]:
    """The greedy search for RANK_KEYS: rank by rank the least key that keeps all sums of up to `cards` cards apart.

    With `more` cards of the new rank in one hand than in the other, two sums are equal if more * key is the difference
    of a sum of at most `cards` older cards and one of at most `cards - more`. (Cases with the new rank in both hands
    are among these, with fewer older cards.) The first key is 0, so two hands may differ in how
    many cards count in their sums: that is why sums of different numbers of cards have to differ too.
    """
    keys = [0]
    while len(keys) < RANKS:
        sums = [np.unique(np.concatenate(_sums(keys[1:], cards)[: most + 1])) for most in range(cards + 1)]
        limit = cards * (max(keys) + 1)  # bigger than any sum: such a key surely does
        bad = np.zeros(limit + 1, bool)
        for more in range(1, SUITS + 1):
            for low in sums[cards - more]:
                difference = sums[cards][np.searchsorted(sums[cards], low) :] - low
                bad[difference[difference % more == 0] // more] = True
        keys.append(keys[-1] + 1 + int(np.argmin(bad[keys[-1] + 1 :])))
    return tuple(keys)


def _sums(keys: list[int], cards: int) -> list[NDArray[np.int64]]:
    """By the number of cards, 0 to `cards`: all sums of that many keys, at most four of a rank."""
    sums = [np.zeros(int(count == 0), np.int64) for count in range(cards + 1)]
    for key in keys:
        sums = [
            np.concatenate([sums[count - held] + held * key for held in range(min(count, SUITS) + 1)])
            for count in range(cards + 1)
        ]
    return sums


def load_tables(path: Path = TABLES_PATH) -> Tables:
    """The arrays of the shipped file, by name. Raises FileNotFoundError that says how to build it."""
    if not path.is_file():
        raise FileNotFoundError(
            f"{path} is missing, which belongs to the package: `python -m holdem_env.cards.evaluator_tables` builds it"
        )
    with np.load(path, allow_pickle=False) as file:
        return {name: file[name] for name in file.files}


def save_tables(tables: Tables, path: Path = TABLES_PATH) -> None:
    """Write the file; the same tables give the same bytes. Not compressed: it loads in a quarter of the time."""
    with whole_file(path) as file:
        np.savez(file, allow_pickle=False, **tables)


if __name__ == "__main__":
    save_tables(build_tables())

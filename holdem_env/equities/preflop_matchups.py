"""Two hands against each other before the flop, exactly: `python -m holdem_env.equities.preflop_matchups` writes
preflop.npz.

Matchups that differ by a renaming of suits, or by who is who, are one: 47,008 stand for all. The file has, for each,
the half wins of one hand on the 1,712,304 boards: a win counts two, a tie one. Counting takes a quarter of a minute.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..cards.combos import COMBO_CARDS, COMBO_OF, COMBOS, NO_COMBO
from ..cards.text import CARDS
from ..utils.atomic import whole_file
from .equity import equity_batch

TABLE_PATH = Path(__file__).with_name("preflop.npz")
SUITS = 4
HALVES = 2 * 1_712_304
"""Half wins of who always wins: two for each board of the 48 cards left."""
MATCHUPS_AT_ONCE = 4_000


@cache
def renamed_combos() -> NDArray[np.int64]:
    """(24, 1326): what each renaming of suits makes of each hand."""
    cards = np.arange(CARDS)
    suits = np.array(list(permutations(range(SUITS))))
    renamed = (cards - cards % SUITS + suits[:, cards % SUITS])[:, COMBO_CARDS]
    combos: NDArray[np.int64] = COMBO_OF[renamed[..., 0], renamed[..., 1]]
    return combos


@cache
def preflop_kinds() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The 169 kinds of hands: one hand of each, (169,); for each of the 1,326 hands its kind, and the number of a
    renaming of suits that makes it that one hand, (1326,) both."""
    renamed = renamed_combos()
    firsts, kinds = np.unique(renamed.min(axis=0), return_inverse=True)
    return firsts, kinds.reshape(-1), renamed.argmin(axis=0)


def matchup_codes() -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Of one hand of each kind against each of the 1,326: the number of the matchup that stands for theirs, and whether
    the two have changed places in it. (169, 1326) both; -1 where the two share a card."""
    renamed, (firsts, _, _) = renamed_combos(), preflop_kinds()
    large = np.iinfo(np.int64).max
    same, swapped = (np.full((len(firsts), COMBOS), large) for _ in range(2))
    for names in renamed:
        one, other = names[firsts][:, None], names[None, :]
        np.minimum(same, one * COMBOS + other, out=same)
        np.minimum(swapped, other * COMBOS + one, out=swapped)
    meet = (COMBO_CARDS[firsts][:, None, :, None] == COMBO_CARDS[None, :, None, :]).any(axis=(2, 3))
    return np.where(meet, NO_COMBO, np.minimum(same, swapped)), swapped < same


def build_half_wins() -> NDArray[np.uint32]:
    """(47008,): the half wins of the first hand of each matchup, in the order of their numbers."""
    codes = np.unique(matchup_codes()[0])
    codes = codes[codes != NO_COMBO]
    hands = COMBO_CARDS[np.stack([codes // COMBOS, codes % COMBOS], axis=1)]
    parts = np.array_split(hands, -(-len(hands) // MATCHUPS_AT_ONCE))
    shares = np.concatenate([equity_batch(part)[:, 0] for part in parts])
    halves: NDArray[np.float64] = shares * HALVES
    if np.abs(halves - halves.round()).max() > 1e-6:
        raise AssertionError("half wins must be whole numbers")
    return halves.round().astype(np.uint32)


def save_half_wins(halves: NDArray[np.uint32], path: Path = TABLE_PATH) -> None:
    """Write the file; the same numbers give the same bytes."""
    with whole_file(path) as file:
        np.savez_compressed(file, allow_pickle=False, half_wins=halves)


@cache
def preflop_shares(path: Path = TABLE_PATH) -> NDArray[np.float64]:
    """(169, 1326), read-only: the share of the pot, 0..1, of one hand of each kind (see `preflop_kinds`) against each
    hand; 0 where the two share a card. Read from the shipped file in a tenth of a second, once a process.

    Raises FileNotFoundError that says how to build the file.
    """
    if not path.is_file():
        raise FileNotFoundError(
            f"{path} is missing, which belongs to the package: "
            "`python -m holdem_env.equities.preflop_matchups` builds it"
        )
    with np.load(path, allow_pickle=False) as file:
        halves = file["half_wins"].astype(np.float64)
    codes, are_swapped = matchup_codes()
    every, which = np.unique(codes, return_inverse=True)  # the first is NO_COMBO
    if len(every) != len(halves) + 1:
        raise ValueError(f"{path} has {len(halves):,} matchups, not {len(every) - 1:,}: it belongs to another version")
    won = np.concatenate([[0.0], halves])[which.reshape(codes.shape)]
    shares: NDArray[np.float64] = np.where(are_swapped, HALVES - won, won) / HALVES
    shares[codes == NO_COMBO] = 0.0
    shares.flags.writeable = False
    return shares


def preflop_equities(hole: NDArray[np.integer]) -> NDArray[np.float64]:
    """The share of the pot, 0..1, that two cards can expect against each of the 1,326 hands before the flop, exactly:
    (1326,) float64, 0 against hands that share a card with them."""
    combo = COMBO_OF[hole[0], hole[1]]
    _, kinds, renamings = preflop_kinds()
    shares: NDArray[np.float64] = preflop_shares()[kinds[combo], renamed_combos()[renamings[combo]]]
    return shares


if __name__ == "__main__":
    save_half_wins(build_half_wins())

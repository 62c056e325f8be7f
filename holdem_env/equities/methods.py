"""How `equity` finds its answers: counted matchup by matchup, swept hand by hand, or sampled."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations
from math import comb, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..cards.combos import COMBO_CARDS, combo_number
from ..cards.evaluator import CARD_CODE, CARD_MASK, START_CODE
from ..cards.text import SUITS
from ..compiled.records import Records, new_records
from ..utils.frames import to_frame
from ..utils.hooks import hook
from .exact import POT, exact_batch
from .holdem import BOARD, COMBOS, DECK, HOLE
from .questions import Hand, Question
from .range_sweep import RangeArrays, list_deals, sweep
from .records import DEAL, MATCHUP, SUMS
from .sampling import ANY, EVEN, KNOWN, WEIGHTED, sample_ranges
from .weighted_sampling import sample_weighted

SAMPLES, WEIGHTED_SAMPLES = 1_000_000, 100_000  # where the caller gives no number
# About what counting takes, in nanoseconds: two players' matchup by the board cards missing; a range's hand on one
# board of a sweep; and how long all of it may take.
MATCHUP_TIME = {5: 200_000, 2: 1_000, 1: 200, 0: 100}
SWEEP_TIME = 30
EXACT_TIME = 1_000_000_000
MAX_DEALS, MAX_STEPS = 1_000_000, 20_000_000  # listed, and tried for the list
MAX_RENAMED = 6  # players whose hands fit into one code, see `list_deals`
TRIES, PILOT = 200, 1_000  # deals that may fail for each sample; samples that show whether they do


@dataclass(frozen=True)
class Equity:
    """What each player can expect. All tuples have one entry a player, in the order of the hands."""

    equity: tuple[float, ...]
    """The expected share of the pot, 0..1; they sum to 1."""
    win: tuple[float, ...]
    """The probability of winning the pot alone."""
    tie: tuple[float, ...]
    """The probability of sharing it."""
    standard_error: tuple[float, ...]
    """Of `equity`; zeros when exact."""
    boards: int
    """Number of showdowns counted, of all deals of hands from the ranges and all boards; 0 when sampled."""
    samples: int
    """Showdowns sampled; 0 when exact."""
    exact: bool

    def __str__(self) -> str:
        shares = ", ".join(f"{100 * share:.2f} %" for share in self.equity)
        if self.exact:
            return f"{shares} (exact, {self.boards:,} showdowns)"
        return f"{shares} (± {100 * max(self.standard_error):.2f}, {self.samples:,} samples)"

    def to_frame(self) -> Any:
        """Return a pandas.DataFrame with a row for each player: equity, win, tie, standard_error.

        Raises:
            ModuleNotFoundError: If pandas is not installed.
        """
        return to_frame({name: getattr(self, name) for name in ("equity", "win", "tie", "standard_error")})

    def _repr_html_(self) -> str:
        page: str = hook("equity_html")(self)
        return page


def count_exactly(question: Question) -> Equity | None:
    """The exact equities; None if that would take too long. Raises ValueError if hands share a card in every deal."""
    hands, missing = question.hands, question.missing
    deals = prod(len(hand.cards) for hand in hands)
    each = MATCHUP_TIME[missing] * len(hands) // 2
    if len(hands) == 2 and missing < BOARD:
        sweep_time = comb(len(question.deck), missing) * sum(len(hand.cards) for hand in hands) * SWEEP_TIME
        if sweep_time < deals * each:
            return _sweep(question)
    if deals > MAX_DEALS:
        return None
    rows, weights, listed = _list_deals(question)
    if len(rows) * each > EXACT_TIME:
        return None
    return _count_matchups(question, rows, weights, listed)


def check_possible(question: Question) -> None:
    """Raise ValueError if no way to deal all ranges is found to exist. (Undecided in rare cases: sampling will see.)"""
    ranges = sorted((hand for hand in question.hands if not hand.any), key=lambda hand: len(hand.cards))
    if ranges:
        found, finished, *_ = _run_list(ranges, _identity(), 1)
        if finished and not found:
            raise _impossible()


def _impossible() -> ValueError:
    return ValueError(
        "the ranges cannot be dealt together: in every way to choose a hand of each, a card is needed twice"
    )


def _list_deals(question: Question) -> tuple[NDArray[np.int64], NDArray[np.float64], int]:
    """The matchups that differ by more than suits' names, (deals, players) combos; their weights; how many in all."""
    if all(hand.known for hand in question.hands):
        return np.array([[combo_number(*hand.cards[0].tolist()) for hand in question.hands]]), np.ones(1), 1
    few = len(question.hands) <= MAX_RENAMED
    renamings = _renamings(question.board, question.dead) if few else _identity()
    most = prod(len(hand.cards) for hand in question.hands)
    found, _, rows, codes, weights = _run_list(question.hands, renamings, most)
    if found == 0:
        raise _impossible()
    if len(renamings) == 1:
        return rows[:found], weights[:found], found
    _, first, which = np.unique(codes[:found], return_index=True, return_inverse=True)
    return rows[first], np.bincount(which, weights[:found]).astype(np.float64), found


Listed = tuple[int, bool, NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]


def _run_list(hands: tuple[Hand, ...] | list[Hand], renamings: NDArray[np.int64], most: int) -> Listed:
    """Call `list_deals` with arrays for `most` deals."""
    ranges = [_range_arrays(hand) for hand in hands]
    starts = np.cumsum([0, *(len(each.combo) for each in ranges)])
    rows, codes, weights = np.empty((most, len(hands)), np.int64), np.empty(most, np.int64), np.empty(most)
    combo, mask, weight = (
        np.concatenate([getattr(each, name) for each in ranges]) for name in ("combo", "mask", "weight")
    )
    found, finished = list_deals(combo, mask, weight, starts, renamings, MAX_STEPS, rows, codes, weights)
    return int(found), bool(finished), rows, codes, weights


def _range_arrays(hand: Hand) -> RangeArrays:
    high, low = np.ascontiguousarray(hand.cards.T)
    code, mask = CARD_CODE[high] + CARD_CODE[low], CARD_MASK[high] | CARD_MASK[low]
    return RangeArrays(high * (high - 1) // 2 + low, high, low, code, mask, hand.weights.copy())


def _identity() -> NDArray[np.int64]:
    return np.arange(COMBOS)[np.newaxis]


@lru_cache(maxsize=64)
def _renamings(board: tuple[int, ...], dead: tuple[int, ...]) -> NDArray[np.int64]:
    """(R, 1326) combo -> combo: the renamings of suits that change neither the board nor the dead cards."""
    found = []
    suits = len(SUITS)
    for names in permutations(range(suits)):
        card = np.array([number - number % suits + names[number % suits] for number in range(DECK)])
        if all(set(card[list(cards)].tolist()) == set(cards) for cards in (board, dead)):
            both = card[COMBO_CARDS]
            high, low = both.max(axis=1), both.min(axis=1)
            found.append(high * (high - 1) // 2 + low)
    return np.array(found, np.int64)


def _count_matchups(question: Question, rows: NDArray[np.int64], weights: NDArray[np.float64], listed: int) -> Equity:
    """Count every board of every matchup."""
    hole = COMBO_CARDS[rows]
    board = np.array(question.board, np.int64)
    boards = np.ascontiguousarray(np.broadcast_to(board, (len(rows), len(board))))
    result = np.empty((3, *rows.shape))
    exact_batch(hole, boards, np.array(question.dead, np.int64), new_records(MATCHUP, 1), result)
    mean = np.einsum("knp,n->kp", result, weights) / weights.sum()
    return _exactly(question, mean, listed)


def _exactly(question: Question, mean: NDArray[np.float64], deals: int) -> Equity:
    players = len(question.hands)
    unseen = DECK - len(question.board) - len(question.dead) - HOLE * players
    share, win, tie = (tuple(row) for row in mean.tolist())
    boards = deals * comb(unseen, question.missing)
    return Equity(share, win, tie, (0.0,) * players, boards=boards, samples=0, exact=True)


def _sweep(question: Question) -> Equity:
    """Two ranges on all boards."""
    one, two = (_range_arrays(hand) for hand in question.hands)
    boards = [*combinations(question.deck.tolist(), question.missing)]
    cards = np.array(boards, np.int64).reshape(len(boards), question.missing)
    sums = np.zeros(4)
    sweep(one, two, np.array(question.board, np.int64), cards, sums)
    if sums[0] <= 0.0:
        raise _impossible()
    win_one, win_two, tie = sums[1:] / sums[0]
    mean = np.array([[win_one + tie / 2, win_two + tie / 2], [win_one, win_two], [tie, tie]])
    return _exactly(question, mean, _compatible(one, two))


def _compatible(one: RangeArrays, two: RangeArrays) -> int:
    """How many ways there are to deal a hand of each."""
    return int(sum(np.count_nonzero(two.mask & mask == 0) for mask in one.mask))


def sample(question: Question, number: int | None, seed: np.uint64) -> Equity:
    """The equities by sampling. Raises ValueError if no deal is found."""
    deals = _deal_record(question)
    pilot = sample_ranges(deals, seed, PILOT, PILOT * TRIES)
    if pilot == PILOT:
        wanted = number or SAMPLES
        done = int(sample_ranges(deals, seed, wanted, 2 * TRIES * wanted))
        if done == wanted:
            return _sampled(deals[0], len(question.hands), done)
    return _sampled_weighted(question, deals, number or WEIGHTED_SAMPLES, seed)


def _deal_record(question: Question) -> Records:
    """The question as a DEAL record."""
    deals = new_records(DEAL, 1)
    deal = deals[0]
    end = 0
    for player, hand in enumerate(question.hands):
        arrays = _range_arrays(hand)
        begin, end = end, end + len(arrays.code)
        even = bool((hand.weights == hand.weights[0]).all())
        deal["kind"][player] = KNOWN if hand.known else ANY if hand.any else EVEN if even else WEIGHTED
        deal["first"][player : player + 2] = begin, end
        deal["range_code"][begin:end] = arrays.code
        deal["range_mask"][begin:end] = arrays.mask
        deal["range_weight"][begin:end] = hand.weights / hand.weights.sum()
        deal["range_upto"][begin:end] = np.cumsum(deal["range_weight"][begin:end])
    board, deck = list(question.board), question.deck
    deal["players"] = len(question.hands)
    deal["order"][: len(question.hands)] = np.argsort([len(hand.cards) for hand in question.hands], kind="stable")
    deal["board_code"] = START_CODE[HOLE + BOARD] + CARD_CODE[board].sum()
    deal["board_mask"] = CARD_MASK[board].sum()
    deal["missing"] = question.missing
    deal["deck"][: len(deck)] = deck
    deal["deck_count"] = len(deck)
    return deals


def _sampled(deal: np.void, players: int, samples: int) -> Equity:
    """What the counts of a run say."""
    win, tie, share, square = (
        deal[name][:players].astype(float) / samples for name in ("win", "tie", "share", "square")
    )
    mean = win + share / POT
    variance = np.maximum(win + square / POT**2 - mean**2, 0.0)
    error = np.sqrt(variance / (samples - 1))
    return _estimate(mean, win, tie, error, samples)


def _sampled_weighted(question: Question, deals: Records, samples: int, seed: np.uint64) -> Equity:
    """By weighted samples. The error is that of a ratio of two sums."""
    sums = new_records(SUMS, 1)
    sample_weighted(deals, sums, seed, samples)
    players, weight = len(question.hands), float(sums[0]["w"])
    if weight <= 0.0:
        raise _impossible()
    s = {name: sums[0][name][:players] for name in SUMS.names or () if name not in ("w", "ww")}
    mean = s["w_share"] / weight
    spread = s["ww_square"] - 2 * mean * s["ww_share"] + mean**2 * sums[0]["ww"]
    error = np.sqrt(np.maximum(spread, 0.0)) / weight
    return _estimate(mean, s["w_win"] / weight, s["w_tie"] / weight, error, samples)


def _estimate(
    mean: NDArray[np.float64],
    win: NDArray[np.float64],
    tie: NDArray[np.float64],
    error: NDArray[np.float64],
    samples: int,
) -> Equity:
    share, won, tied, off = (tuple(map(float, column)) for column in (mean, win, tie, error))
    return Equity(share, won, tied, off, boards=0, samples=samples, exact=False)

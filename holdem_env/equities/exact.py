"""Exact equities of known hands: every board counts, though far fewer are looked at (hold'em, one deck).

Without flushes only ranks count: the missing cards of a board are a multiset of ranks (6,175 of five cards), dealt in
as many ways as its cards are unseen. Flushes are corrected suit by suit. Of the boards on which somebody has one, the
suit's cards are listed one by one and the others by rank; the result by ranks alone is subtracted, and the result with
the flush is added. At most one suit has three cards on a board, so no board is corrected twice. Before the flop,
heads-up, this looks at some 40,000 boards in place of 1,712,304.

Everything is counted in integers: wins, ties, and shares in 2,520ths of a pot, which can be split between 2 to 10.
Cards are trusted to be different and 0 to 51.
"""

from __future__ import annotations

import numpy as np

from ..cards.evaluator import FLUSH_VALUE, RANK_VALUE, ROW_OFFSET, card_code, card_mask, start_code
from ..cards.evaluator_tables import (
    KEY_MASK,
    MASK_SHIFT,
    RANK_KEYS,
    RANK_MASK,
    RANKS,
    ROW_BITS,
    ROW_MASK,
    SUIT_BITS,
    SUIT_SHIFT,
    SUITS,
)
from ..compiled.compiler import compiled, inline, kernel
from ..compiled.records import Records
from ..compiled.scalars import Floats, Ints, int64
from .against_random import FIELD, FIELD_MASK, seen_field, spread_ranks
from .holdem import BOARD, FLUSH, HOLE, MAX_PLAYERS
from .records import Deal, Matchup

KEYS = np.array(RANK_KEYS, np.int64)
CHOOSE = np.array([[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1]])
POT = 2520  # divided by 1 to 10 without a remainder
PART = np.array([0] + [POT // winners for winners in range(1, MAX_PLAYERS + 1)])


@inline
def rank_value(key: int) -> int:
    """The class of a hand of seven without a flush, from the sum of its cards' keys."""
    column = (key & KEY_MASK) >> ROW_BITS
    return int64(RANK_VALUE[int64(ROW_OFFSET[key & ROW_MASK]) + column])


@compiled
def list_ranks(m: Matchup, unseen: int, most: int) -> None:
    """List what up to `most` cards can be dealt, by rank. unseen: cards by rank, in fields of four bits."""
    m.rank_count[:] = 0
    m.rank_key[0, 0], m.rank_ways[0, 0], m.rank_count[0] = 0, 1, 1
    for rank in range(RANKS):
        many = (unseen >> (FIELD * rank)) & FIELD_MASK
        for cards in range(most, 0, -1):  # longest first: the shorter lists do not hold this rank yet
            end = m.rank_count[cards]
            for held in range(1, min(many, cards) + 1):
                for i in range(m.rank_count[cards - held]):
                    m.rank_key[cards, end] = m.rank_key[cards - held, i] + held * KEYS[rank]
                    m.rank_ways[cards, end] = m.rank_ways[cards - held, i] * CHOOSE[many, held]
                    end += 1
            m.rank_count[cards] = end


@compiled
def list_suit(m: Matchup, free: int, most: int) -> None:
    """List the sets of up to `most` cards of one suit. free: mask of its unseen ranks."""
    m.suit_count[:] = 0
    m.suit_key[0, 0], m.suit_ranks[0, 0], m.suit_count[0] = 0, 0, 1
    for rank in range(RANKS):
        if (free >> rank) & 1:
            for cards in range(most, 0, -1):
                end = m.suit_count[cards]
                for i in range(m.suit_count[cards - 1]):
                    m.suit_key[cards, end] = m.suit_key[cards - 1, i] + KEYS[rank]
                    m.suit_ranks[cards, end] = m.suit_ranks[cards - 1, i] | (1 << rank)
                    end += 1
                m.suit_count[cards] = end


@inline
def score_two(m: Matchup | Deal, one: int, two: int, weight: int) -> None:
    """Count a showdown of two, without branches; `finish_two` fills in what follows from these three."""
    m.win[0] += weight * (one > two)
    m.win[1] += weight * (one < two)
    m.tie[0] += weight * (one == two)


@inline
def finish_two(m: Matchup | Deal) -> None:
    """What follows for two players from the ties."""
    if m.players == 2:
        m.tie[1] = m.tie[0]
        m.share[0] = m.share[1] = m.tie[0] * (POT // 2)


@inline
def score(m: Matchup | Deal, values: Ints, weight: int) -> tuple[int, int]:
    """Count a showdown `weight` times. Returns the best value and how many have it; 0, 0 of two players, for whom
    `finish_two` fills in what follows from a tie."""
    if m.players == 2:
        score_two(m, values[0], values[1], weight)
        return int64(0), 0
    best, winners = values[0], 1
    for p in range(1, m.players):
        if values[p] > best:
            best, winners = values[p], 1
        elif values[p] == best:
            winners += 1
    if winners == 1:
        for p in range(m.players):
            m.win[p] += weight * (values[p] == best)
    else:
        for p in range(m.players):
            if values[p] == best:
                m.tie[p] += weight
                m.share[p] += weight * PART[winners]
    return int64(best), winners


@compiled
def count_by_rank(m: Matchup, cards: int) -> None:
    """Count all boards as if there were no flushes. cards: how many are missing."""
    for i in range(m.rank_count[cards]):
        for p in range(m.players):
            m.plain[p] = rank_value(m.key[p] + m.rank_key[cards, i])
        score(m, m.plain, m.rank_ways[cards, i])


@inline
def note_flushes(m: Matchup, suit: int, ranks: int, held: int) -> None:
    """Note each player's flush on a board with these ranks (a mask) of a suit, `held` of them."""
    for p in range(m.players):
        own = (m.code[p] >> (SUIT_SHIFT + SUIT_BITS * suit)) & FIELD_MASK
        m.flush[p] = 0
        if own + held >= FLUSH:
            m.flush[p] = FLUSH_VALUE[ranks | ((m.mask[p] >> (MASK_SHIFT * suit)) & RANK_MASK)]


@compiled
def correct_suit(m: Matchup, suit: int, on_board: int, held: int, suited: int, cards: int) -> None:
    """Correct the boards with `suited` more cards of a suit, of which `held` (mask on_board) are there already."""
    rest = cards - suited
    for i in range(m.suit_count[suited]):
        note_flushes(m, suit, on_board | m.suit_ranks[suited, i], held + suited)
        for j in range(m.rank_count[rest]):
            key = m.suit_key[suited, i] + m.rank_key[rest, j]
            for p in range(m.players):
                m.plain[p] = rank_value(m.key[p] + key)
                m.best[p] = m.flush[p] if m.flush[p] > 0 else m.plain[p]
            score(m, m.plain, -m.rank_ways[rest, j])
            score(m, m.best, m.rank_ways[rest, j])


@inline
def most_of_suit(m: Matchup, suit: int) -> int:
    """How many cards of a suit the player with the most of them holds."""
    most = int64(0)
    for p in range(m.players):
        most = max(most, (m.code[p] >> (SUIT_SHIFT + SUIT_BITS * suit)) & FIELD_MASK)
    return most


@inline
def correct_flushes(m: Matchup, code: int, mask: int, unseen: int, free: int, cards: int) -> None:
    """Correct what `count_by_rank` has counted on boards with flushes. free: mask of the unseen cards."""
    for suit in range(SUITS):
        held = (code >> (SUIT_SHIFT + SUIT_BITS * suit)) & FIELD_MASK
        fewest = max(FLUSH - held - most_of_suit(m, suit), 0)
        if fewest > cards:
            continue  # nobody can have a flush
        on_board = (mask >> (MASK_SHIFT * suit)) & RANK_MASK
        of_suit = (free >> (MASK_SHIFT * suit)) & RANK_MASK
        list_suit(m, of_suit, cards)
        list_ranks(m, unseen - spread_ranks(of_suit)[0], cards - fewest)
        for suited in range(fewest, cards + 1):
            correct_suit(m, suit, on_board, held, suited, cards)


@inline
def load_hands(m: Matchup, hole: Ints) -> None:
    """Add up each player's two cards, and clear the counts. hole: (players, 2)."""
    m.players = len(hole)
    for p in range(len(hole)):
        m.code[p] = card_code(hole[p, 0]) + card_code(hole[p, 1])
        m.mask[p] = card_mask(hole[p, 0]) + card_mask(hole[p, 1])
        m.win[p] = m.tie[p] = m.share[p] = 0


@inline
def boards_of(count: int, cards: int) -> int:
    """In how many ways `cards` cards can be dealt from `count`."""
    boards = 1
    for i in range(cards):
        boards = boards * (count - i) // (i + 1)
    return boards


@compiled
def count_matchup(m: Matchup, board: Ints, dead: Ints) -> int:
    """Count all boards for the hands loaded, into win, tie and share; returns how many boards there are.

    board: 0 to 5 known cards; dead: cards that cannot come.
    """
    code = mask = gone = int64(0)
    for i in range(len(board)):
        code += card_code(board[i])
        mask += card_mask(board[i])
    for i in range(len(dead)):
        gone |= card_mask(dead[i])
    gone |= mask
    for p in range(m.players):
        gone |= m.mask[p]
        m.key[p] = (start_code(HOLE + BOARD) + code + m.code[p]) & KEY_MASK
    free = unseen = int64(0)
    count = 0
    for card in range(RANKS * SUITS):
        if gone & card_mask(card) == 0:
            free |= card_mask(card)
            unseen += seen_field(card)
            count += 1
    cards = BOARD - len(board)
    list_ranks(m, unseen, cards)
    count_by_rank(m, cards)
    correct_flushes(m, code, mask, unseen, free, cards)
    finish_two(m)
    return boards_of(count, cards)


@kernel
def exact_batch(hole: Ints, boards: Ints, dead: Ints, matchups: Records, result: Floats) -> None:
    """The exact equities of many matchups, each with a board of its own.

    hole: (N, players, 2), boards: (N, k), dead: (D,) int64; matchups: one MATCHUP record to work in; result:
    (3, N, players) float64, filled with the expected share of the pot, the probability of winning alone and that of
    sharing.
    """
    m = matchups[0]
    for n in range(len(hole)):
        load_hands(m, hole[n])
        total = np.float64(count_matchup(m, boards[n], dead))
        for p in range(m.players):
            result[0, n, p] = (m.win[p] + m.share[p] / POT) / total
            result[1, n, p] = m.win[p] / total
            result[2, n, p] = m.tie[p] / total

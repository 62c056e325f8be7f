"""The kernels with which a blueprint answers for thousands of tables."""

from __future__ import annotations

from ...compiled.compiler import kernel
from ...engine.batch import NO_MOVE
from .consulting import consult, is_no_deeper
from .following import follow
from .off_tree import STRENGTH_MOVES, list_strength_moves, play_strength


@kernel
def answer_rows(book, tables, rules, rows, buckets, work, moves, chances):
    """What the seats to act at tables[rows] play with their hands. buckets: (K, streets, 1); work: for one hand; moves
    (K, MOST_CHOICES) and chances (K, 1, MOST_CHOICES) are written. Returns the most moves of a row."""
    most = 0
    for k in range(rows.size):
        t = tables[rows[k]]
        r = rules[t.stage]
        count = consult(book, t, r, work, buckets[k], moves[k], chances[k])
        if count == 0:
            count = list_strength_moves(t, r, moves[k])
            chances[k, 0, :] = 0.0
            play_strength(t, r, t.hole[t.actor], chances[k, 0, :STRENGTH_MOVES])
        most = max(most, count)
    return most


@kernel
def answer_ranges(book, tables, rules, rows, which, buckets, possible, hands, work, moves, chances):
    """What the seats to act at tables[rows] play with each of H hands. which: (K,), the place of each table's board in
    buckets (B, streets, H) and possible (K, H). hands: (H, 2) cards. moves (K, MOST_CHOICES) and chances
    (K, H, MOST_CHOICES) are written. Returns the most moves of a row."""
    most = 0
    for k in range(rows.size):
        t = tables[rows[k]]
        r = rules[t.stage]
        count = consult(book, t, r, work, buckets[which[k]], moves[k], chances[k])
        if count == 0:
            count = list_strength_moves(t, r, moves[k])
            chances[k, :, :] = 0.0
            for hand in range(hands.shape[0]):
                if possible[k, hand]:
                    play_strength(t, r, hands[hand], chances[k, hand, :STRENGTH_MOVES])
        for hand in range(hands.shape[0]):
            if not possible[k, hand]:
                chances[k, hand, :] = 0.0
        most = max(most, count)
    return most


@kernel
def tidy(moves, chances):
    """Take out moves that no hand plays: NO_MOVE in their place, behind the others. Returns how many are left at most.

    moves: (K, A). chances: (K, H, A)."""
    most = 0
    for k in range(moves.shape[0]):
        count = 0
        for a in range(moves.shape[1]):
            total = 0.0
            if moves[k, a] != NO_MOVE:
                for hand in range(chances.shape[1]):
                    total += chances[k, hand, a]
            move, moves[k, a] = moves[k, a], NO_MOVE
            if total > 0.0:
                moves[k, count] = move
                for hand in range(chances.shape[1]):
                    played = chances[k, hand, a]
                    chances[k, hand, a] = 0.0
                    chances[k, hand, count] = played
                count += 1
        most = max(most, count)
    return most


@kernel
def weigh_hands(book, tables, rules, row, end, buckets, work, weights):
    """How likely each seat's hands are after the first `end` moves of a hand, by the strategy: weights (2, H), of the
    seats, not normalised. buckets: (streets, H)."""
    t = tables[row]
    r = rules[t.stage]
    for seat in range(2):
        now = follow(book, t, r, work, buckets, 0, 0, is_no_deeper(book, t, r), seat, end)
        weights[seat, :] = 0.0
        for b in range(work.branches[now]):
            for hand in range(weights.shape[1]):
                weights[seat, hand] += work.weight[now, b, hand]

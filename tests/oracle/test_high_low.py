"""R32 against the oracle: random hands of hi-lo, settled and shown once more by plain functions from what was put in.

PokerKit, the other witness, puts odd chips elsewhere and halves pots together; here every chip is compared.
"""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from holdem_env import Rake, Rules, Table
from oracle.ranking import best_hand, short_deck_five
from oracle.showdown import build_pots, showing_order, split, take_rake, uncalled


def fives(hole, board, used):
    """All fives that may be made; None: any of the cards."""
    if used is None:
        return combinations([*hole, *board], 5)
    return ((*a, *b) for a in combinations(hole, used) for b in combinations(board, 5 - used))


def high(hole, board, used, value=best_hand):
    return max(value(five) for five in fives(hole, board, used))


def low(hole, board, used):
    """Ranks of the best low from the highest down, negative so that the best is the greatest; () if there is none."""
    best = ()
    for five in fives(hole, board, used):
        ranks = sorted({1 if card // 4 == 12 else card // 4 + 2 for card in five}, reverse=True)
        if len(ranks) == 5 and ranks[0] <= 8:
            best = max(best, tuple(-rank for rank in ranks))
    return best


def random_table(rng, preset):
    """A hand played to its end; stacks are short, so that there are side pots."""
    chip = rng.choice([1, 1, 5])
    seats = rng.randint(2, 7)
    rules = Rules.preset(
        preset,
        seats=seats,
        structure=rng.choice(["fixed_limit", "pot_limit", "no_limit"]),
        blinds=(rng.randint(0, 3) * chip, 5 * chip),
        ante=rng.choice([0, 0, chip, 2 * chip]),
        smallest_chip=chip,
        rake=rng.choice([None, None, Rake(percent=5, cap=3 * chip)]),
        stacks=tuple(chip * rng.randint(4, 60) for _ in range(seats)),
        face_up_all_in=False,
    )
    deck = rng.sample(range(52), 52)
    if rng.random() < 0.6:  # few ranks, so that many tie
        deck.sort(key=lambda card: card // 4 in (8, 9, 10, 11))
        few = deck[:30]
        rng.shuffle(few)
        deck[:30] = few
    table = Table(rules, button=rng.randrange(seats), deck=deck)
    while not table.is_over:
        draw, legal = rng.random(), table.legal
        if draw < 0.05:
            table.fold()
        elif draw < 0.3 and legal.raise_min is not None:
            table.raise_to(rng.choice([legal.raise_min, legal.raise_min, legal.raise_max]))
        else:
            table.check_call()
    return table


class River:
    """R21, R24: what is a full bet or raise on the river."""

    def __init__(self, rules):
        self.fixed = rules.structure == "fixed_limit"
        self.size = 2 * rules.big_blind if self.fixed else rules.big_blind
        self.bet = self.last_full = 0

    def is_full(self, total):
        added = total - (self.last_full if self.fixed else self.bet)
        full = 2 * added >= self.size if self.fixed else added >= self.size
        self.bet = total
        if full:
            self.last_full = total
            self.size = self.size if self.fixed else max(self.size, added)
        return full


def contributions(table):
    """What each seat put in, and who last bet or raised in full on the river, by the log alone."""
    put, street, rounds, aggressor = [0] * table.rules.seats, [0] * table.rules.seats, 0, None
    river = River(table.game)
    for operation in table.log:
        seat, amount = operation.seat, operation.amount
        if operation.kind in ("post_ante", "post_small_blind", "post_big_blind", "call"):
            put[seat] += amount
            street[seat] += amount if operation.kind != "post_ante" else 0
        elif operation.kind in ("bet", "raise"):
            put[seat] += amount - street[seat]
            street[seat] = amount
            if rounds == 3 and river.is_full(amount):
                aggressor = seat
        elif operation.kind == "deal_board":
            street, rounds, aggressor = [0] * table.rules.seats, rounds + 1, None
    return put, aggressor


def award(table):
    """Payoffs, who showed and who mucked, in order. In a session, by the game of the hand (R19)."""
    rules, seats = table.game, table.rules.seats
    put, aggressor = contributions(table)
    folded = [table.is_folded(seat) for seat in range(seats)]
    dealt = [seat for seat in range(seats) if table.starting_stacks[seat]]
    returned = uncalled(put)
    stacks = [start - chips for start, chips in zip(table.starting_stacks, put, strict=True)]
    if returned and not folded[returned[0]]:
        put[returned[0]] -= returned[1]
        stacks[returned[0]] += returned[1]
    all_in = {seat for seat in range(seats) if stacks[seat] == 0 and not folded[seat]}
    pots = build_pots(put, folded, 0)
    hands = {seat: (table.hole_cards(seat), table.board, rules.hole_cards_used) for seat in dealt}
    value = short_deck_five if rules.ranking == "short_deck" else best_hand
    highs = {seat: high(*hands[seat], value) for seat in dealt}
    lows = {seat: low(*hands[seat]) if rules.split == "high_low" else () for seat in dealt}
    shown = show(showing_order(pots, aggressor, table.button, seats), pots, highs, lows, all_in)
    if rules.rake:
        pots = take_rake(pots, rules.rake.percent, rules.rake.cap, rules.smallest_chip)[1]
    for amount, contestants in pots:
        units = amount // rules.smallest_chip
        low_units = units // 2 if any(lows[seat] for seat in contestants) else 0
        for values, part in ((highs, units - low_units), (lows, low_units)):
            best = max(values[seat] for seat in contestants)
            winners = [seat for seat in contestants if values[seat] == best]
            chips = part * rules.smallest_chip
            for seat, share in split(chips, winners, table.button, seats, rules.smallest_chip).items():
                stacks[seat] += share
    return [now - start for now, start in zip(stacks, table.starting_stacks, strict=True)], shown


def show(order, pots, highs, lows, all_in):
    """R29: who is beaten both ways by hands already shown, in every pot it contests, mucks."""
    shown: list[int] = []
    deeds = []
    for seat in order:
        own = [pot.contestants for pot in pots if seat in pot.contestants]
        hopes = any(
            highs[seat] >= max((highs[other] for other in shown if other in contestants), default=highs[seat])
            or (lows[seat] and lows[seat] >= max((lows[other] for other in shown if other in contestants), default=()))
            for contestants in own
        )
        if hopes or seat in all_in or not shown:
            shown.append(seat)
            deeds.append((seat, "show"))
        else:
            deeds.append((seat, "muck"))
    return deeds


@pytest.mark.fast_cases("holdem")
@pytest.mark.parametrize("preset", ["holdem-hi-lo", "omaha-hi-lo"])
def test_r32_r28_r29_hi_lo_is_settled_and_shown_as_by_the_oracle(preset):
    rng = random.Random(preset)
    showdowns = splits = mucks = side_pots = 0
    for _ in range(250):
        table = random_table(rng, preset)
        live = [seat for seat in range(table.rules.seats) if not table.is_folded(seat)]
        if len(live) < 2:
            continue
        payoffs, shown = award(table)
        assert table.payoffs == payoffs, table
        assert [(op.seat, op.kind) for op in table.log if op.kind in ("show", "muck")] == shown, table
        pushed = [op for op in table.log if op.kind == "push_pot"]
        showdowns += 1
        splits += len({op.seat for op in pushed}) > 1
        mucks += any(kind == "muck" for _, kind in shown)
        side_pots += any(op.pot for op in pushed)
    assert min(showdowns / 3, splits, mucks, side_pots) > 20, (showdowns, splits, mucks, side_pots)

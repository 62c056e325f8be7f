"""Chip flows between agents at tables of three or more that play with others does not explain: hints of collusion.

A loser's chips go to the winners of its hand in proportion to what they won. What one agent pays another is explained
by what both pay to others and win from them: quasi-independence (Goodman 1968). Agents that dump chips pay many times
that; scripted agents whose styles make big pots together paid up to 2.3 times that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import nan

import numpy as np
from numpy.typing import NDArray

from .deals import Deals
from .intervals import CONFIDENCE, Interval, check_confidence, fixed_interval

Matrix = NDArray[np.float64]
MIN_AGENTS = 4  # with three, what two of them do with the third says nothing of what they pay each other
HINT = 3.0  # a flow is a hint if it is surely more than this many times the explained flow
BLOCKS = 50  # of deals, for the jackknife
STEPS, FEWER_STEPS = 100, 20
TINY = 1e-12
Pair = tuple[int, int]


@dataclass(frozen=True)
class ChipFlow:
    """What an agent has paid another, in the unit of the deals a hand in which both sat at the table.

    explained: by their play with others; nan among fewer than four agents. excess: paid beyond that; the intervals of
    all flows hold together with the confidence. is_hint: whether it is surely more than HINT times the explained flow,
    which is a hint, not a proof.
    """

    payer: str
    receiver: str
    paid: float
    explained: float
    excess: Interval
    is_hint: bool


def chip_flows(deals: Deals, confidence: float = CONFIDENCE) -> list[ChipFlow]:
    """All flows between the agents of these deals, largest excess first; an empty list for two agents.

    Intervals are Student's, of jackknife pseudo-values over blocks of deals. Flows of a pair that is a hint are left
    out when others are explained. Raises ValueError for an invalid confidence.
    """
    check_confidence(confidence)
    count = len(deals.agents)
    if count < 3 or not len(deals):
        return []
    pairs = [(one, two) for one in range(count) for two in range(count) if one != two]
    together = 1 - (1 - confidence) / len(pairs)
    blocks = np.array_split(np.arange(len(deals)), min(BLOCKS, len(deals)))
    sums = [_paid(deals, block) for block in blocks]
    found = _Jackknife.of(sums, [])
    if count > MIN_AGENTS:
        hints: list[Pair] = []
        while len(hints) < count // 2:
            lows = {pair: found.beyond(pair, HINT, together).low for pair in pairs if not {pair, pair[::-1]} & {*hints}}
            clearest = max(lows, key=lambda pair: lows[pair])
            if lows[clearest] <= 0:
                break
            hints.append(clearest)
            found = _Jackknife.of(sums, hints)
    flows = [
        ChipFlow(
            deals.agents[pair[0]],
            deals.agents[pair[1]],
            float(found.rates[pair]),
            float(found.explained[pair]),
            found.beyond(pair, 1.0, together),
            found.beyond(pair, HINT, together).low > 0,
        )
        for pair in pairs
    ]
    return sorted(flows, key=lambda flow: -np.nan_to_num(flow.excess.mean))


def _paid(deals: Deals, block: NDArray[np.int64]) -> tuple[Matrix, Matrix]:
    """Of some deals, (n, n) each: what one agent paid another, and the hands in which both sat there."""
    count, seats = len(deals.agents), deals.seating.shape[2]
    seating = deals.seating[block].reshape(-1, seats).astype(np.int64)
    chips = deals.columns["chips"][block].reshape(-1, seats) / deals.unit.chips
    lost, won = np.maximum(-chips, 0), np.maximum(chips, 0)
    shares = lost / np.maximum(lost.sum(axis=1, keepdims=True), TINY)
    cells = (seating[:, :, None] * count + seating[:, None, :]).ravel()
    flows = (shares[:, :, None] * won[:, None, :]).ravel()
    paid = np.bincount(cells, flows, count * count).astype(np.float64).reshape(count, count)
    return paid, np.bincount(cells, minlength=count * count).reshape(count, count).astype(np.float64)


@dataclass(frozen=True)
class _Jackknife:
    """Rates and what explains them, (n, n), with their pseudo-values, (blocks, n, n)."""

    rates: Matrix
    explained: Matrix
    pseudo_rates: Matrix
    pseudo_explained: Matrix

    @classmethod
    def of(cls, sums: Sequence[tuple[Matrix, Matrix]], hints: Sequence[Pair]) -> _Jackknife:
        """From the sums of blocks. hints: pairs whose flows explain nothing about others."""
        paid, hands = (np.stack(each) for each in zip(*sums, strict=True))
        weights = _weights(paid.shape[1], hints)
        rates = paid.sum(axis=0) / np.maximum(hands.sum(axis=0), 1)
        explained, start = _explained(rates, weights, np.ones(weights.shape[:2]), STEPS)
        blocks = len(paid)
        without = (paid.sum(axis=0) - paid) / np.maximum(hands.sum(axis=0) - hands, 1)
        others = np.stack([_explained(each, weights, start, FEWER_STEPS)[0] for each in without])
        return cls(
            rates, explained, blocks * rates - (blocks - 1) * without, blocks * explained - (blocks - 1) * others
        )

    def beyond(self, pair: Pair, times: float, confidence: float) -> Interval:
        """What was paid beyond this many times what is explained."""
        place = (slice(None), *pair)
        values = self.pseudo_rates[place] - times * self.pseudo_explained[place]
        return replace(fixed_interval(values, confidence), mean=float(self.rates[pair] - times * self.explained[pair]))


def _weights(count: int, hints: Sequence[Pair]) -> Matrix:
    """(pairs, n, n) for the fit of each pair: 1 for the flows that explain it, those of other pairs."""
    own = list(combinations(range(count), 2))
    weights = np.tile(1 - np.eye(count), (len(own), 1, 1))
    for place, pair in enumerate(own):
        for one, two in [pair, *hints]:
            weights[place, one, two] = weights[place, two, one] = 0
    return weights


def _explained(rates: Matrix, weights: Matrix, receives: Matrix, steps: int) -> tuple[Matrix, Matrix]:
    """(n, n) what others explain, by iterative proportional fitting; (pairs, n) factors to start a similar fit from."""
    explained = np.full(rates.shape, nan)
    if len(rates) < MIN_AGENTS:
        return explained, receives
    known = rates * weights
    pays = receives
    for _ in range(steps):
        pays = known.sum(axis=2) / np.maximum((weights @ receives[:, :, None])[:, :, 0], TINY)
        receives = known.sum(axis=1) / np.maximum((pays[:, None, :] @ weights)[:, 0], TINY)
    for place, (one, two) in enumerate(combinations(range(len(rates)), 2)):
        explained[one, two] = pays[place, one] * receives[place, two]
        explained[two, one] = pays[place, two] * receives[place, one]
    return explained, receives

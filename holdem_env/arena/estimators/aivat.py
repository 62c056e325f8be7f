"""AIVAT: what a hand was worth without the luck of the cards and of known strategies' draws, after Burch, Schmid,
Moravčík, Morrill and Bowling (2018).

A value function says what a seat may expect at any point of a hand. Wherever something was drawn whose probabilities
are known, cards or a move, the mean of the values that could have come takes the place of the one that came. Each such
term is zero on average whatever the value function, so the estimate is unbiased; the better the function, the less luck
is left. The paper's imaginary observations are in `imaginary.py`. The values are linear in the share of the pot that
each live seat can expect at the showdown, which is the mean of what it is after the next card: no mean over cards has
to be counted out.

The weights are fitted to the match itself, block of deals by block, and fixed before a block's cards are dealt, as is
the choice between them, the plain value and no correction. So the terms of a block are increments of a martingale, and
nobody can play towards weights that favour it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import add
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ...agents.protocol import Agent
from ...agents.queries import asked_probabilities
from ...engine import batch, record
from ...equities.live_shares import LiveShares, why_no_shares
from ...game.rules import Rules
from ..matches.match import Column
from ..matches.players import AgentFailed

Rows = NDArray[np.int64]
Values = NDArray[np.float64]
FIRST_BLOCK = 8
"""Deals of the first block, which has the plain value; each later one has at most as many as were played before.
Small, because nothing is known yet of whether the plain value takes luck out or adds some."""
Played = Iterable[tuple[Rows, Rows]]
KINDS = 3
"""Features a street: the share's advantage times the pot, the same times a big blind, and the last wager's pot."""
RIDGE, PRIOR = 1e-3, 30.0
"""How strongly weights are held near those of the plain value: by a share of the deals, and by a number of them."""
OUTLIERS = 1.0  # how many of the largest deals so far the prior outweighs: one rare deal does not decide a weight
FLOOR_OF_POT, FLOOR_OF_UNIT = 0.005, 0.1
"""The least size that a fit assumes of terms made of pots, as a share of all chips at the table, and of terms made of
one big blind."""
MAX_POTS = 2.0
"""What an advantage in a pot may be worth at most, in such pots, as later bets make it grow. With few deals a fit finds
more: `python -m benchmarks luck`, six seats, had half-widths of up to 1.44 times those without AIVAT."""
SURELY = 1.5  # standard errors by which a correction must have narrowed intervals
TINY = 1e-9


class HeuristicValues(NamedTuple):
    """What tables are worth to each seat, in chips: `plain`, (K, seats), if nobody bet any more, and the features
    (K, seats, F) that a learnt value function weighs and adds to it."""

    plain: Values
    features: Values


class Aivat:
    """The AIVAT estimate as a column of deals: net chips by seat, (N, seats).

    By default, the weights of each block of deals are fitted to the blocks before it, to remove most luck from the
    first agent's results. If fitted weights did not surely narrow the intervals of earlier blocks, a block has the
    plain value or no correction. The first block has the plain value. One object belongs to one match; you may call
    `play_deals` again to play on.

    The sampling of agents that give no probabilities, or are not trusted (`AgentFacts.is_trusted`), stays in as luck. A
    trusted agent must play as it reports. The estimate is that of the reported strategy's mean, biased for any other.

    Args:
        weights: Weights of the value function, (1 + F,), that of the plain value first: the share of the pot as it
            stands. After `values`, the attribute holds the weights that were used.
    """

    name = "aivat"
    rank = 20
    summary = "AIVAT's estimates, in which cards are less luck"
    needs_pairs = True  # its weights are fitted to the first agent's results

    @classmethod
    def new(cls, columns: Sequence[Column]) -> Self:
        return cls()

    def __init__(self, weights: Sequence[float] | Values | None = None) -> None:
        self.weights = None if weights is None else np.asarray(weights, np.float64)
        self._played: Played | None = None
        self._learns = weights is None
        self._earlier: _EarlierBlocks | None = None

    def why_not(self, rules: Rules) -> str | None:
        if rules.dealer_errors is not None:
            return "AIVAT: a dealer who errs reshuffles, so the cards to come are not equally likely"
        if rules.session is not None:
            return "AIVAT: it is for hands that stand alone; in a session the stacks are worth more than chips"
        if why := why_no_shares(rules):
            return f"AIVAT: {why}"
        if self.weights is not None and self.weights.shape != (1 + KINDS * rules.streets,):
            return (
                f"AIVAT: {rules.streets} streets need {1 + KINDS * rules.streets} weights, "
                f"not {self.weights.shape}; learn them for this game"
            )
        return None

    @property
    def next_block(self) -> int | None:
        """The number of deals that may be dealt before weights are fitted again; None for any number."""
        return max(FIRST_BLOCK, self._earlier.deals if self._earlier else 0) if self._learns else None

    def values(self, tables: record.Records, rules: Rules, seating: Rows, agents: list[Agent]) -> Values:
        """Return net chips, (N, seats) float64, of tables whose hands are over: a block of deals in one rotation.

        Raises:
            AgentFailed: If an agent played a move that it gave probability 0, or gave invalid probabilities.
            ValueError: If a hand has more moves than its record holds.
        """
        played, self._played = self._played, None
        found = corrections(tables, rules, seating, agents, played)
        terms = np.concatenate([found.plain[:, :, None], found.features], axis=2)
        net = net_chips(tables, rules).astype(np.float64)
        if self._learns:
            self._earlier = self._earlier or _EarlierBlocks(_floors(tables, rules))
            in_blinds = terms / rules.unit, net / rules.unit
            self.weights = self._earlier.weights_for(int(tables["table_id"][0]), *in_blinds, seating == 0)
        return net + terms @ self.weights

    def take_moves(self, played: Played) -> None:
        """All moves of the hands that `values` is asked for next: of long hands the records hold only the last."""
        self._played = played


class _Moments(NamedTuple):
    """Sums over deals, in big blinds, from which weights are fitted."""

    deals: int
    terms: Values
    won: float
    squares: Values
    products: Values
    largest: Values

    @classmethod
    def of(cls, won: Values, terms: Values) -> _Moments:
        largest = (terms**2).max(axis=0, initial=0.0)
        return cls(len(won), terms.sum(axis=0), won.sum(), terms.T @ terms, terms.T @ won, largest)

    def plus(self, more: _Moments) -> _Moments:
        return _Moments._make([*map(add, self[:-1], more[:-1]), np.maximum(self.largest, more.largest)])

    def fitted(self, floors: Values) -> Values:
        """Return the weights that leave least luck in what was won: ridge regression towards the plain value.

        floors: (1 + F,) the least size of each term that the prior assumes. Terms that cancel over the rotations of a
        deal, or were near zero so far, keep small weights: their size so far says nothing about later deals.
        """
        plain = plain_weights(len(self.terms))
        own = np.diag(self.squares)
        prior = PRIOR * np.maximum(own / max(1, self.deals), floors**2)
        ridge = np.diag(RIDGE * own + np.maximum(prior, OUTLIERS * self.largest))
        products = self.products - self.terms * (self.won / max(1, self.deals))
        weights: Values = plain - np.linalg.solve(self.squares + ridge, self.squares @ plain + products)
        of_pots = np.arange(1, len(weights)) % KINDS != 2
        weights[1:][of_pots] = weights[1:][of_pots].clip(-MAX_POTS, MAX_POTS)
        return weights


class _EarlierBlocks:
    """The blocks of a match so far, and the weights that they give the next one. A block is played in one rotation
    after another, with the same cards and the same weights. Where all blocks are played before the next rotation, the
    first one alone teaches later blocks.

    The next block has fitted weights, the plain value or no correction: whichever would have left the narrowest
    intervals in the blocks so far, each weighed by what was known before it. Both intervals count, that of the deals
    and that of single rotations, and the one that is worse off decides. A correction must have narrowed them surely: by
    SURELY standard errors of what it gained deal by deal (all rotations of a deal together, as they share luck), which
    no few rare deals reach.
    """

    def __init__(self, floors: Values) -> None:
        terms, self._floors = len(floors), floors
        self._weights: dict[int, Values] = {}
        self._key: int | None = None
        self._known = _Moments.of(np.zeros(0), np.zeros((0, terms)))
        self._none, self._corrections = np.zeros(terms), [plain_weights(terms), plain_weights(terms)]
        # By interval, that of deals and that of single rotations: squares around the mean without a correction, and for
        # each correction by how much it lessened them, summed over deals, and the same squared.
        self._squares, self._gains = np.zeros(2), np.zeros((2, 2, 2))
        # The first agent's part in the latest block, by rotation: its seats, big blinds won and terms by deal.
        self._rotations: list[tuple[Values, Values, Values]] = []

    @property
    def deals(self) -> int:
        return self._known.deals + (len(self._rotations[0][0]) if self._rotations else 0)

    def weights_for(self, key: int, terms: Values, net: Values, theirs: NDArray[np.bool_]) -> Values:
        """Return the weights of a block, known by a number, that was played in a rotation; remember the block.

        terms and net are in big blinds.
        """
        if key not in self._weights:
            self._key, self._weights[key] = key, self._chosen()
        if key == self._key:
            part = theirs.sum(axis=1), (net * theirs).sum(axis=1), (terms * theirs[:, :, None]).sum(axis=1)
            self._rotations.append(part)
        return self._weights[key]

    def _chosen(self) -> Values:
        """Learn from the latest block, and return the weights of the next one."""
        if not self._rotations:
            return plain_weights(len(self._none))
        deal = np.arange(len(self._rotations[0][0]))
        seats, won, terms = (np.stack(part) for part in zip(*self._rotations, strict=True))
        deals = _of_a_seat(seats.sum(0), won.sum(0), terms.sum(0), deal)
        every = np.tile(deal, len(seats))
        single = _of_a_seat(np.concatenate(seats), np.concatenate(won), np.concatenate(terms), every)
        for interval, (won, terms, deal) in enumerate((deals, single)):
            self._squares[interval] += _squares(won).sum()
            for weights, gains in zip(self._corrections, self._gains[interval], strict=True):
                by_deal = np.bincount(deal, _squares(won) - _squares(won + terms @ weights))
                gains += by_deal.sum(), by_deal @ by_deal
        self._known, self._rotations = self._known.plus(_Moments.of(*deals[:2])), []
        self._corrections[0] = self._known.fitted(self._floors)
        gained = self._gains[:, :, 0] - SURELY * np.sqrt(self._gains[:, :, 1])
        shares = (self._gains[:, :, 0] / (self._squares[:, None] + TINY)).min(axis=0) * (gained > TINY).all(axis=0)
        return self._corrections[int(shares.argmax())] if shares.max() > 0 else self._none


def _of_a_seat(seats: Values, won: Values, terms: Values, deal: Rows) -> tuple[Values, Values, Rows]:
    """Return what an agent won in deals where it has these numbers of seats, (D,), and its terms: means over seats."""
    some = seats > 0
    return won[some] / seats[some], terms[some] / seats[some][:, None], deal[some]


def _squares(values: Values) -> Values:
    return (values - values.mean()) ** 2 if len(values) else values


def plain_weights(terms: int) -> Values:
    """Return the weights of the plain value: 1 for it, 0 for the features."""
    weights: Values = np.eye(1, terms)[0]
    return weights


def _floors(tables: record.Records, rules: Rules) -> Values:
    """Return the least size of each term that a fit assumes, in big blinds: of what it could be, not of what it was."""
    blind, pot = FLOOR_OF_UNIT, FLOOR_OF_POT * float(tables["start_stack"][0].sum()) / rules.unit
    return np.array([blind, *[pot, blind, pot] * rules.streets])


def net_chips(tables: record.Records, rules: Rules) -> NDArray[np.int64]:
    """What each seat won, (N, seats)."""
    net: NDArray[np.int64] = (tables["seats"]["stack"] - tables["start_stack"])[:, : rules.seats]
    return net


def corrections(
    tables: record.Records, rules: Rules, seating: Rows, agents: Sequence[Agent], played: Played | None = None
) -> HeuristicValues:
    """The sums of all terms that have mean zero, of finished hands: plain (N, seats) and features (N, seats, F).

    played: all moves in order, (rows, moves) pairs; by default those that stand in the records.
    """
    hands = Hands(tables, rules, seating, agents)
    for rows, moves in played if played is not None else moves_of(tables):
        hands.play(rows, moves)
    return HeuristicValues(hands.plain, hands.features)


def moves_of(tables: record.Records) -> Played:
    """Yield all moves of finished hands in order, from their records.

    Raises:
        ValueError: If a hand has more moves than its record holds.
    """
    if (too_long := tables["moves"] > record.MAX_MOVES).any():
        raise ValueError(
            f"AIVAT: the hand of table {int(too_long.argmax())} has {int(tables['moves'].max())} moves, its record "
            f"holds the last {record.MAX_MOVES}; give all that were played"
        )
    for step in range(int(tables["moves"].max(initial=0))):
        rows = np.flatnonzero(tables["moves"] > step)
        yield rows, tables["made"]["move"][rows, step]


class Hands:
    """Finished hands, played once more, the terms added up on the way."""

    def __init__(self, tables: record.Records, rules: Rules, seating: Rows, agents: Sequence[Agent]) -> None:
        self.rules, self.seating, self.agents = rules, seating, agents
        self.count_shares = LiveShares(rules)
        self._log = record.new_log(listening=False)
        self.tables = tables.copy()
        self.tables["seats"]["stack"] = tables["start_stack"]
        batch.start_hands(self.tables, rules.record, self._log)
        chips = np.empty((3, len(tables), rules.seats), np.int64)
        batch.posted_chips(self.tables, rules.record, *chips)
        self.dead = chips[2]
        self.plain = np.zeros((len(tables), rules.seats))
        self.features = np.zeros((len(tables), rules.seats, KINDS * rules.streets))
        self._deal()

    def _deal(self) -> None:
        every = np.arange(len(self.tables))
        nothing = np.zeros(len(every), np.int64)
        live = self.tables["in_hand"][:, : self.rules.seats] != 0
        before = live / live.sum(axis=1, keepdims=True)
        self.shares = self.count_shares(self.tables, nothing)
        self._add(every, self.values(self.tables, every, before), 1)
        self._add(every, self.values(self.tables, every, self.shares), -1)
        self._board_came(every, self.tables, nothing)

    def play(self, rows: NDArray[np.int64], taken: NDArray[np.int64]) -> None:
        """The next moves of the hands in `rows`, and the cards that came after them."""
        board = self.tables["board_count"][rows].astype(np.int64)
        after, shares = self._after(rows, taken, board)
        for number, agent in enumerate(self.agents):
            seats = self.tables["actor"][rows]
            own = np.flatnonzero(self.seating[rows, seats] == number)
            if agent.gives_probabilities and agent.facts.is_trusted and own.size:
                self._add(rows[own], self.values(np.take(after, own), rows[own], shares[own]), -1)
                self._add_mean(number, rows[own], taken[own], board[own])
        self.tables[rows] = after
        self.shares[rows] = shares
        self._board_came(rows, after, board)

    def _add_mean(self, number: int, rows: Rows, taken: Rows, board: Rows) -> None:
        agent = self.agents[number]
        try:
            moves, probabilities = asked_probabilities(agent, self.tables, self.rules, rows)
        except Exception as error:
            raise AgentFailed.by_error(number, agent, error, "AIVAT: ") from error
        never = ((moves == taken[:, None]) * probabilities).sum(axis=1) <= 0
        if never.any():
            at = int(never.argmax())
            raise AgentFailed(
                number,
                agent.name,
                f"AIVAT: it played {taken[at]} at table {rows[at]}, a move that it tells never to play; `act` and "
                "`probabilities` must be the same strategy",
            )
        for move, probability in zip(moves.T, probabilities.T, strict=True):
            can = np.flatnonzero(probability > 0)
            if can.size:
                after, shares = self._after(rows[can], move[can], board[can])
                self._add(rows[can], self.values(after, rows[can], shares), probability[can])

    def _after(self, rows: Rows, moves: Rows, board: Rows) -> tuple[record.Records, Values]:
        """The tables after these moves, and the shares of those left before any new card."""
        after = np.take(self.tables, rows)
        batch.play_moves(after, self.rules.record, self._log, np.arange(len(rows)), np.ascontiguousarray(moves))
        shares = self.shares[rows]
        fewer = np.flatnonzero((moves == record.FOLD) & (after["live"] > 1))
        if fewer.size:
            shares[fewer] = self.count_shares(np.take(after, fewer), board[fewer])
        return after, shares

    def _board_came(self, rows: NDArray[np.int64], after: record.Records, board: NDArray[np.int64]) -> None:
        """The term of board cards, where some came and two or more were left to play for the pot."""
        new = np.flatnonzero((after["board_count"] > board) & (after["live"] > 1))
        if not new.size:
            return
        tables, where = np.take(after, new), rows[new]
        self._add(where, self.values(tables, where, self.shares[where]), 1)
        self.shares[where] = self.count_shares(tables, tables["board_count"].astype(np.int64))
        self._add(where, self.values(tables, where, self.shares[where]), -1)

    def values(self, tables: record.Records, rows: NDArray[np.int64], shares: Values) -> HeuristicValues:
        """The values of tables that stand at `rows`, with these shares of the pot."""
        seats, streets = self.rules.seats, self.rules.streets
        paid = (tables["seats"]["total"][:, :seats] + self.dead[rows]).astype(np.float64)
        pot = paid.sum(axis=1, keepdims=True) - tables["rake"][:, None]
        plain = shares * pot - paid
        alone = tables["live"] == 1  # the hand is over, and what it paid is known
        plain[alone] = (tables["seats"]["stack"] - tables["start_stack"])[alone, :seats]
        live = tables["in_hand"][:, :seats] != 0
        even = live / live.sum(axis=1, keepdims=True)
        wagered = np.arange(seats) == tables["aggressor"][:, None]
        somebody = tables["aggressor"][:, None] != record.NOBODY
        edge = shares - even
        still_playing = (tables["actor"] != record.NOBODY)[:, None]
        kinds = np.stack([edge * pot, edge * self.rules.unit, (wagered - even * somebody) * pot], axis=2)
        features = np.zeros((len(rows), seats, streets, KINDS))
        features[np.arange(len(rows)), :, tables["street"]] = kinds * still_playing[:, :, None]
        return HeuristicValues(plain, features.reshape(len(rows), seats, -1))

    def _add(self, rows: NDArray[np.int64], values: HeuristicValues, times: int | Values) -> None:
        factor = np.asarray(times, np.float64).reshape(-1, 1)
        self.plain[rows] += factor * values.plain
        self.features[rows] += factor[:, :, None] * values.features

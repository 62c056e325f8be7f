"""AIVAT with imaginary observations: the hands that a known agent could have held count, too (Burch, Schmid, Moravčík,
Morrill and Bowling 2018; Bowling, Johanson, Burch and Szafron 2008).

What the others do does not depend on an agent's hidden hand. So each hand that it could have held would have led to
what was seen as often as the agent makes its moves with it, which range queries tell. The mean of AIVAT's estimate over
these hands is as unbiased, with less luck. It is computed for one seat at a time, and meant over those that answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ...agents.protocol import Agent
from ...agents.queries import asked_probabilities, asked_range_probabilities
from ...cards.combos import COMBO_CARDS, possible_combos
from ...engine import batch, record
from ...equities.against_hands import shares_against_hands
from ...equities.live_shares import LiveShares
from ...game.rules import Rules
from ..matches.match import Column
from ..matches.players import AgentFailed
from .aivat import KINDS, Aivat, Hands, Rows, Values, moves_of, net_chips, plain_weights

SEATS = 2
DRAWN = 0.5
MAX_HANDS = 20  # of games other than hold'em, whose hands are asked for and counted one by one


class ImaginaryAivat(Aivat):
    """The AIVAT estimate with imaginary observations, as a column of deals, for two seats.

    For agents that answer no range queries, only the hands they held count; if neither answers, the estimate is AIVAT.
    With agents that are asked hand by hand, a range query for each decision takes some milliseconds.

    Args:
        aivat: An earlier column whose weights it takes, block by block; None for the plain value.
    """

    name = "aivat_imaginary"
    rank = 30
    summary = "AIVAT's estimates, over all hands that an agent could have held"

    @classmethod
    def new(cls, columns: Sequence[Column]) -> Self:
        return cls(next((each for each in columns if isinstance(each, Aivat)), None))

    def __init__(self, aivat: Aivat | None = None) -> None:
        super().__init__()
        self._aivat, self._learns = aivat, False

    def why_not(self, rules: Rules) -> str | None:
        if rules.seats != SEATS:
            return f"AIVAT with imaginary observations: it is for two seats, not {rules.seats}"
        if rules.showing != "automatic":
            return "AIVAT with imaginary observations: who chooses to show says something of the hand by it"
        if not rules.has_holdem_showdowns and comb(len(rules.deck), rules.hole_cards) > MAX_HANDS:
            return "AIVAT with imaginary observations: it is for Texas hold'em and games of a few hands, such as leduc"
        return super().why_not(rules)

    def values(self, tables: record.Records, rules: Rules, seating: Rows, agents: list[Agent]) -> Values:
        played, self._played = self._played, None
        hands = Hands(tables, rules, seating, agents)
        answers = np.array([agent.gives_ranges and agent.facts.is_trusted for agent in agents], np.bool_)
        tells: NDArray[np.bool_] = answers[seating[:, :SEATS]]
        weights = plain_weights(1 + KINDS * rules.streets)
        if self._aivat is not None and self._aivat.weights is not None:
            weights = self._aivat.weights
        imagined = [_Imagined(hands, seat, tables, weights) for seat in range(SEATS) if tells[:, seat].any()]
        for rows, moves in played if played is not None else moves_of(tables):
            for each in imagined:
                some = tells[rows, each.seat]
                each.play(rows[some], moves[some])
            hands.play(rows, moves)
        plain: Values = net_chips(tables, rules) + weights[0] * hands.plain + hands.features @ weights[1:]
        found: Values = np.where(tells.any(axis=1, keepdims=True), 0.0, plain)
        for each in imagined:
            values = np.where(each.over[:, None], each.means(), plain)
            found += np.where(tells[:, each.seat, None], values, 0.0)
        found /= np.maximum(tells.sum(axis=1), 1)[:, None]
        return found


class _Imagined:
    """Finished hands, played once more with each hand that one seat could have held, beside `Hands`, which plays them
    with those that were held.

    reach: (N, H), probability of its moves with each hand, up to a factor. estimate: (N, 2, H), both seats'.
    over: (N,) bool, whether the end of the hand has been reached.
    """

    def __init__(self, hands: Hands, seat: int, finished: record.Records, weights: Values) -> None:
        self.hands, self.seat, self.other, self.weights = hands, seat, 1 - seat, weights
        self.range = _HoldemRange() if hands.rules.has_holdem_showdowns else _Range(hands.rules)
        self.reach = self.range.possible(finished, self.other)
        self.over = np.zeros(len(finished), np.bool_)
        self.estimate = np.zeros((len(finished), SEATS, self.reach.shape[1]))
        every, none = np.arange(len(finished)), np.zeros(len(finished), np.int64)
        self.shares = np.full(self.reach.shape, DRAWN)
        self._add(every, hands.tables, self.shares, 1)
        self.shares = self.range.shares(hands.tables, none, seat)
        self._add(every, hands.tables, self.shares, -1)
        self._board_came(every, hands.tables, none)

    def means(self) -> Values:
        means: Values = (self.estimate * self.reach[:, None]).sum(axis=2) / self.reach.sum(axis=1)[:, None]
        return means

    def play(self, rows: Rows, taken: Rows) -> None:
        """The next moves of the hands in `rows`, before `Hands` plays them, and the cards that came after them."""
        tables = np.take(self.hands.tables, rows)
        board = tables["board_count"].astype(np.int64)
        after = self._after(tables, taken)
        for number, agent in enumerate(self.hands.agents):
            its = self.hands.seating[rows, tables["actor"]] == number
            for seat in range(SEATS):
                acts = np.flatnonzero(its & (tables["actor"] == seat))
                if not acts.size or not agent.facts.is_trusted or not (agent.gives_probabilities or agent.gives_ranges):
                    continue
                moves, probabilities = self._probabilities(number, agent, tables[acts], rows[acts], seat)
                self._add_mean(rows[acts], tables[acts], moves, probabilities)
                self._add(rows[acts], after[acts], self.shares[rows[acts]], -1)
                if seat == self.seat:
                    reach = self.reach[rows[acts]] * (probabilities * (moves == taken[acts, None])[:, None]).sum(axis=2)
                    most = reach.max(axis=1, keepdims=True)
                    if not most.all():
                        move, where = taken[acts][most[:, 0] == 0][0], rows[acts][most[:, 0] == 0][0]
                        why = f"AIVAT: it played {move} at table {where}, a move that its ranges tell never to play"
                        raise AgentFailed(number, agent.name, why)
                    self.reach[rows[acts]] = reach / most  # products of hundreds of moves would vanish
        self._board_came(rows, after, board)
        over = after["actor"] == record.NOBODY
        if over.any():
            self._end(rows[over], tables[over], taken[over], after[over])

    def _probabilities(
        self, number: int, agent: Agent, tables: record.Records, rows: Rows, seat: int
    ) -> tuple[Rows, Values]:
        """The agent's moves, (K, A), and their probabilities with each hand of this seat's, (K, H or 1, A)."""
        try:
            if seat == self.seat:
                return self.range.probabilities(agent, tables, self.hands.rules, self.reach[rows] > 0)
            every = np.arange(len(rows))
            if agent.gives_probabilities:
                moves, probabilities = asked_probabilities(agent, tables, self.hands.rules, every)
                return moves, probabilities[:, None]
            could = self.range.holds(tables, seat)
            moves, probabilities = self.range.probabilities(agent, tables, self.hands.rules, could)
            return moves, probabilities.sum(axis=1, keepdims=True)
        except Exception as error:
            raise AgentFailed.by_error(number, agent, error, "AIVAT: ") from error

    def _add_mean(self, rows: Rows, tables: record.Records, moves: Rows, probabilities: Values) -> None:
        """What each move could have brought, weighted as it is reported."""
        for column in range(moves.shape[1]):
            can = np.flatnonzero((probabilities[:, :, column] > 0).any(axis=1))
            if can.size:
                after = self._after(tables[can], moves[can, column])
                self._add(rows[can], after, self.shares[rows[can]], probabilities[can, :, column])

    def _after(self, tables: record.Records, moves: Rows) -> record.Records:
        after = tables.copy()
        log, every = record.new_log(listening=False), np.arange(len(after))
        batch.play_moves(after, self.hands.rules.record, log, every, np.ascontiguousarray(moves))
        return after

    def _board_came(self, rows: Rows, after: record.Records, board: Rows) -> None:
        """The term of board cards, where some came and both were left to play for the pot."""
        new = np.flatnonzero((after["board_count"] > board) & (after["live"] > 1))
        if not new.size:
            return
        tables, where = np.take(after, new), rows[new]
        self._add(where, tables, self.shares[where], 1)
        self.shares[where] = self.range.shares(tables, tables["board_count"].astype(np.int64), self.seat)
        self._add(where, tables, self.shares[where], -1)

    def _end(self, rows: Rows, before: record.Records, taken: Rows, after: record.Records) -> None:
        """What both won: after a fold the same with every hand; at a showdown, what the engine gives one that wins."""
        self.over[rows] = True
        alone = after["live"] == 1
        self.estimate[rows[alone]] += net_chips(after[alone], self.hands.rules)[:, :, None]
        rows, before, taken = rows[~alone], before[~alone], taken[~alone]
        for share in (0.0, DRAWN, 1.0):
            like = (self.shares[rows] == share) & (self.reach[rows] > 0)
            some = np.flatnonzero(like.any(axis=1))
            if some.size:
                tables = self.range.with_hand(before[some], self.seat, like[some].argmax(axis=1))
                net = net_chips(self._after(tables, taken[some]), self.hands.rules)
                self.estimate[rows[some]] += net[:, :, None] * like[some][:, None]

    def _add(self, rows: Rows, tables: record.Records, shares: Values, times: int | Values) -> None:
        """Add the values of tables, which are linear in the seat's share of the pot, that many times."""
        lost, won = (self._value(tables, rows, share) for share in (0.0, 1.0))
        values = lost[:, :, None] + (won - lost)[:, :, None] * shares[:, None]
        factor = times if isinstance(times, int) else times[:, None]
        self.estimate[rows] += factor * values

    def _value(self, tables: record.Records, rows: Rows, share: float) -> Values:
        """(K, 2): the value of tables to both seats if the seat's share of the pot is this one."""
        shares = np.full((len(rows), SEATS), 1.0 - share)
        shares[:, self.seat] = share
        heuristic = self.hands.values(tables, rows, shares)
        value: Values = self.weights[0] * heuristic.plain + heuristic.features @ self.weights[1:]
        return value


class _Range:
    """All hands of a small game, and what there is to know of each of them. cards: (H, hole cards)."""

    def __init__(self, rules: Rules) -> None:
        self.cards = np.array(list(combinations(rules.deck, rules.hole_cards)), np.int64)
        self._count = LiveShares(rules)

    def possible(self, finished: record.Records, other: int) -> Values:
        """(N, H): 1 for the hands without a card of the other seat's hand or of the board."""
        hole, places = finished["hole"][:, other, : self.cards.shape[1]], np.arange(finished["board"].shape[1])
        board = np.where(places < finished["board_count"][:, None], finished["board"], -1)
        seen = np.concatenate([hole, board], axis=1)
        meets: NDArray[np.bool_] = (self.cards[None, :, :, None] == seen[:, None, None, :]).any(axis=(2, 3))
        return np.where(meets, 0.0, 1.0)

    def with_hand(self, tables: record.Records, seat: int | Rows, which: Rows) -> record.Records:
        """Copies of tables in which a seat, or one of each table, holds these hands, (K,)."""
        copies = tables.copy()
        copies["hole"][np.arange(len(which)), seat, : self.cards.shape[1]] = self.cards[which]
        return copies

    def holds(self, tables: record.Records, seat: int) -> NDArray[np.bool_]:
        """(K, H): whether this is the hand that the seat has."""
        own = np.sort(tables["hole"][:, seat, : self.cards.shape[1]], axis=1)
        same: NDArray[np.bool_] = (np.sort(self.cards, axis=1)[None] == own[:, None]).all(axis=2)
        return same

    def shares(self, tables: record.Records, board_known: Rows, seat: int) -> Values:
        """(N, H): the share of the pot that each hand can expect against the other seat's; 0 if it cannot be."""
        known = tables.copy()
        known["board_count"] = board_known
        rows, which = np.nonzero(self.possible(known, 1 - seat))
        shares = np.zeros((len(tables), len(self.cards)))
        shares[rows, which] = self._count(self.with_hand(tables[rows], seat, which), board_known[rows])[:, seat]
        return shares

    def probabilities(
        self, agent: Agent, tables: record.Records, rules: Rules, could: NDArray[np.bool_]
    ) -> tuple[Rows, Values]:
        """What the agent would do with each hand that it could have: (K, A) and (K, H, A)."""
        rows, which = np.nonzero(could)
        copies = self.with_hand(tables[rows], tables["actor"][rows], which)
        moves, probabilities = asked_probabilities(agent, copies, rules, np.arange(len(rows)))
        every = np.unique(moves[moves != batch.NO_MOVE])
        by_hand = np.zeros((*could.shape, len(every)))
        for column, move in enumerate(every):
            by_hand[rows, which, column] = (probabilities * (moves == move)).sum(axis=1)
        return np.tile(every, (len(tables), 1)), by_hand


class _HoldemRange(_Range):
    def __init__(self) -> None:
        self.cards = COMBO_CARDS

    def shares(self, tables: record.Records, board_known: Rows, seat: int) -> Values:
        boards = tables["board"]
        return np.array(
            [
                _shares_against(tuple(tables["hole"][k, 1 - seat, :2].tolist()), tuple(boards[k, :count].tolist()))
                for k, count in enumerate(board_known)
            ]
        )

    def probabilities(
        self, agent: Agent, tables: record.Records, rules: Rules, could: NDArray[np.bool_]
    ) -> tuple[Rows, Values]:
        return asked_range_probabilities(agent, tables, rules, np.arange(len(tables)), hands=could)


@lru_cache(maxsize=512)
def _shares_against(hole: tuple[int, ...], board: tuple[int, ...]) -> Values:
    """The shares of all hands against one; both rotations of a deal ask for them."""
    cards, seen = np.array(hole, np.int64), np.array(board, np.int64)
    possible = possible_combos(np.concatenate([cards, seen]))
    return np.where(possible, 1.0 - shares_against_hands(cards, seen), 0.0)

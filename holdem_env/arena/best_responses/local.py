"""Local best response: a lower bound on how exploitable a heads-up hold'em agent is (Lisý and Bowling 2017).

It keeps, by Bayes' rule, how likely each of the agent's 1,225 hands is by the moves it has made, and takes the move
with the highest expected value if from there on both only check and call, an opponent who folds to a raise apart
(algorithm 1 of the paper). What it wins, a best response wins at least.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...agents.protocol import Agent
from ...agents.queries import asked_range_probabilities, require_ranges
from ...agents.registry import make_agent
from ...agents.sampling import sampled_columns
from ...cards.combos import COMBO_OF, COMBOS, possible_combos
from ...encoders import ActionEncoder, get_actions
from ...engine import batch, record
from ...engine.legality import call_prices
from ...equities.against_hands import shares_against_hands
from ...game.rule_checks import check_automatic_showing
from ...game.rules import Rules
from ...game.rules_input import RulesLike, as_rules
from ...game.units import MILLI
from ...utils.shown_names import shown_name
from ..statistics.intervals import fixed_interval
from ..statistics.results import DuplicateResult

Rows = NDArray[np.int64]
Values = NDArray[np.float64]
FOLD_CALL = "fc"
SALT = 0x4C4252
PART_BITS = 32  # of a table's number, above which the part of a longer run stands


@dataclass(frozen=True)
class LocalBestResponse(DuplicateResult):
    """What local best response won from an agent, in mbb/h (thousandths of big blinds per hand): a lower bound of its
    exploitability. Fields as in `DuplicateResult`, and how it played: `actions`, `from_street`."""

    unit = MILLI
    agent: str
    actions: str
    from_street: int
    mean: float
    half_width: float
    hands: int
    deals: int

    @property
    def pairing(self) -> str:
        """Local best response, and how it played, against the agent."""
        how = f"{self.actions}, from street {self.from_street}"
        return f"local best response ({how}) against {shown_name(self.agent, None)}"


def local_best_response(
    agent: str | Agent,
    rules: RulesLike,
    hands: int = 1_000,
    actions: str | ActionEncoder | None = None,
    from_street: int = 0,
    seed: int = 0,
    num_tables: int = 32,
    progress: Callable[[int], None] | None = None,
) -> LocalBestResponse:
    """Play local best response against an agent, and report what it wins.

    The published settings are "fc" and "fcpa", from each street. A larger value is a better bound. None is an upper
    bound, and a value near zero does not show that an agent is safe.

    Args:
        agent: The agent, or its name or file.
        rules: The game.
        hands: Hands to play, at least. Each deal is played from both seats with the same cards.
        actions: What the response may do in addition to folding and calling: "fc" nothing else; "fcpa" raise the pot or
            all-in; or any other action encoder. By default "fcpa", in fixed limit "limit".
        from_street: The first street on which it plays freely; before, it checks and calls. 0 before the flop, 1 flop,
            2 turn, 3 river.
        seed: Seed of the decks and of the agent's sampling from its own probabilities.
        num_tables: Deals played at once. Apart from the agent's sampling, the result does not depend on it.
        progress: Called with the number of hands after each round.

    Raises:
        ValueError: If the game is not heads-up hold'em.
        StrategyUnknown: If the agent gives no probabilities.
    """
    rules, one = as_rules(rules), make_agent(agent)
    mbb = won_by_deal(one, rules, hands, actions, from_street, seed, num_tables, progress=progress)
    return summed_up(one.name, rules, mbb, actions, from_street)


def won_by_deal(
    agent: Agent,
    rules: Rules,
    hands: int,
    actions: str | ActionEncoder | None,
    from_street: int,
    seed: int,
    num_tables: int = 32,
    part: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Values:
    """What local best response wins in each deal, in mbb/h: the mean of both seats, (deals,). Arguments and errors as
    of `local_best_response`. part: the decks of each part of a longer run are others."""
    encoder = check_settings(agent, rules, hands, actions, from_street, num_tables)
    responder = Responder(agent, rules, encoder, from_street, min(num_tables, -(-hands // 2)), seed, part)
    deals: list[Values] = []
    while 2 * sum(map(len, deals)) < hands:
        payoffs = responder.play_hand()
        deals.append(payoffs.reshape(-1, 2).mean(axis=1) * MILLI.per / rules.big_blind)
        if progress:
            progress(len(payoffs))
    return np.concatenate(deals)


def check_settings(
    agent: Agent, rules: Rules, hands: int, actions: str | ActionEncoder | None, from_street: int, num_tables: int = 1
) -> ActionEncoder | None:
    """The encoder of the actions, None for "fc". Raises as `local_best_response` does."""
    check_holdem(rules)
    require_ranges(agent, "local best response")
    if not 0 <= from_street < rules.streets:
        raise ValueError(f"from_street: {from_street}; streets are 0 (before the flop) to {rules.streets - 1} (river)")
    for name, value in (("hands", hands), ("num_tables", num_tables)):
        if value < 1:
            raise ValueError(f"{name}: {value}; give 1 or more")
    return None if actions == FOLD_CALL else get_actions(actions or _usual(rules), rules)


def summed_up(
    agent: str, rules: Rules, mbb: Values, actions: str | ActionEncoder | None, from_street: int
) -> LocalBestResponse:
    """The result of deals in which so much was won, (deals,) in mbb/h."""
    found = fixed_interval(mbb)
    menu = actions or _usual(rules)
    name = menu if isinstance(menu, str) else menu.name
    return LocalBestResponse(agent, name, from_street, found.mean, found.half_width, 2 * len(mbb), len(mbb))


def _usual(rules: Rules) -> str:
    return "limit" if rules.structure == "fixed_limit" else "fcpa"


def check_holdem(rules: Rules) -> None:
    """Raises ValueError for games that local best response is not for, saying which they are and what else there is."""
    check_automatic_showing(rules, "local best response")
    if rules.seats != 2:
        raise ValueError(f"local best response is for two seats; here are {rules.seats}: the others' hands would mix")
    if other := rules.hand_differences():
        raise ValueError(
            "local best response is for Texas hold'em with two hole cards and the full deck; these rules differ in "
            f"{', '.join(other)}. Small games have an exact measure: exploitability"
        )
    if rules.session is not None or rules.dealer_errors is not None:
        raise ValueError("local best response plays single hands without dealer's errors; these rules have more")
    if not rules.big_blind:
        raise ValueError("local best response counts in thousandths of big blinds; these rules have no big blind")


class Responder:
    """Tables in pairs, the same deal twice: it sits in seat 0 of the first and in seat 1 of the second."""

    def __init__(
        self,
        agent: Agent,
        rules: Rules,
        encoder: ActionEncoder | None,
        from_street: int,
        deals: int,
        seed: int,
        part: int = 0,
    ) -> None:
        self.agent, self.rules, self.encoder, self.from_street = agent, rules, encoder, from_street
        self.tables = record.new_records(record.TABLE, 2 * deals)
        self.all = np.arange(len(self.tables))
        self.own = self.all % 2
        batch.number_tables(self.tables, seed, 0, rules.seats - 1)
        self.tables["table_id"] = self.all // 2 + (part << PART_BITS)
        self.generator = np.random.default_rng([SALT, seed] if part == 0 else [SALT, seed, part])
        self._log = record.new_log(listening=False)
        self._street = np.full(len(self.tables), -1)
        # Of each table and each hand of the agent's: its weight in the range; and what share of the pot its
        # own hand has against it.
        self.ranges = np.zeros((len(self.tables), COMBOS))
        self.equity = np.zeros((len(self.tables), COMBOS))

    def play_hand(self) -> Rows:
        """Deal and play one hand at every table; what it won at each, in chips, (N,)."""
        batch.deal_hands(self.tables, self.rules.record, self._log, self.all)
        self.ranges[:] = 1.0
        self._street[:] = -1
        self._look()
        while (waiting := self.all[self.tables["actor"] != record.NOBODY]).size:
            mine = self.tables["actor"][waiting] == self.own[waiting]
            for rows, moves in ((waiting[mine], self.respond), (waiting[~mine], self._let_act)):
                if rows.size:
                    chosen = moves(rows)
                    batch.play_moves(self.tables, self.rules.record, self._log, rows, chosen)
            self._look()
        won: Rows = (self.tables["seats"]["stack"] - self.tables["start_stack"])[self.all, self.own]
        return won

    def _look(self) -> None:
        """Where new cards have come, rule out the hands that hold them, and weigh the own hand again."""
        street = np.where(self.tables["actor"] == record.NOBODY, self._street, self.tables["street"])
        new = self.all[street > self._street]
        self._street = street
        for row in new.tolist():
            t = self.tables[row]
            hole, board = t["hole"][self.own[row], :2], t["board"][: t["board_count"]]
            self.ranges[row] *= possible_combos(np.concatenate([hole, board]))
            if t["street"] >= self.from_street:
                self.equity[row] = shares_against_hands(hole, board)

    def _let_act(self, rows: Rows) -> Rows:
        """The agent's moves at tables[rows], drawn from its probabilities, by which its ranges are updated."""
        could = self.ranges[rows] > 0
        moves, probabilities = asked_range_probabilities(self.agent, self.tables, self.rules, rows, hands=could)
        each, seats = np.arange(len(rows)), 1 - self.own[rows]
        hole = self.tables["hole"][rows, seats].astype(np.int64)
        drawn = sampled_columns(probabilities[each, COMBO_OF[hole[:, 0], hole[:, 1]]], self.generator)
        self.ranges[rows] *= probabilities[each, :, drawn]  # Bayes' rule, up to a factor
        return moves[each, drawn]

    def respond(self, rows: Rows) -> Rows:
        moves = np.full(len(rows), record.CHECK_CALL)
        thinks = self.tables["street"][rows] >= self.from_street
        if thinks.any():
            moves[thinks] = self._best(rows[thinks])
        return moves

    def _best(self, rows: Rows) -> Rows:
        """The moves of the highest value: fold 0, call wp * pot - (1 - wp) * asked, raise as in `_raise_values`."""
        tables, own = self.tables[rows], self.own[rows]
        best = np.full(len(rows), record.FOLD)
        asked = call_prices(tables, np.arange(len(rows)), own)
        values = np.where(asked > 0, 0.0, -np.inf)  # nobody folds where checking is free
        back = _of(tables, "total", 1 - own) - _of(tables, "total", own) - asked  # which a caller cannot match
        middle = tables["pot"] - np.maximum(back, 0)
        wins = _mean(self.equity[rows], self.ranges[rows])
        _take(best, values, np.full(len(rows), record.CHECK_CALL), wins * middle - (1 - wins) * asked)
        if self.encoder is not None:
            choices = np.empty((len(rows), self.encoder.size(self.rules)), np.int64)
            self.encoder.choose(tables, self.rules.record, np.arange(len(rows)), choices)
            for column in choices.T:
                if (raises := column > record.CHECK_CALL).any():
                    raised = np.full(len(rows), -np.inf)
                    raised[raises] = self._raise_values(rows[raises], column[raises])
                    _take(best, values, column, raised)
        return best

    def _raise_values(self, rows: Rows, targets: Rows) -> Values:
        """The expected values, in chips, of raises to these totals: who folds leaves the pot, the others call and never
        fold again. fp * pot + (1 - fp) * (wp * (pot + more) - (1 - wp) * risked), wp against the hands that call."""
        before, own = self.tables[rows], self.own[rows]
        after = before.copy()
        batch.play_moves(after, self.rules.record, self._log, np.arange(len(rows)), np.ascontiguousarray(targets))
        other, held = 1 - own, self.ranges[rows]
        every = np.arange(len(rows))
        moves, likely = asked_range_probabilities(self.agent, after, self.rules, every, hands=held > 0)
        folds: Values = (likely * (moves == record.FOLD)[:, None]).sum(axis=2)  # with each hand, (K, 1326)
        folded = _mean(folds, held)
        wins = _mean(self.equity[rows], held * (1 - folds))
        called = np.minimum(targets, _of(before, "bet", other) + _of(before, "stack", other))
        more = called - _of(before, "bet", other)  # what the opponent adds
        risked = called - _of(before, "bet", own)
        pot = before["pot"]
        values: Values = folded * pot + (1 - folded) * (wins * (pot + more) - (1 - wins) * risked)
        return values


def _of(tables: record.Records, field: str, seats: Rows) -> Rows:
    return record.column(tables, field)[np.arange(len(tables)), seats]


def _mean(values: Values, weights: Values) -> Values:
    mean: Values = (values * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1e-300)
    return mean


def _take(best: Rows, values: Values, moves: Rows, found: Values) -> None:
    better = found > values
    best[better], values[better] = moves[better], found[better]

"""A hand as steps: the table after each thing that happened, and what each live hand was worth then."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

import numpy as np

from ..cards.text import UNKNOWN, Cards
from ..engine import record
from ..equities.live_shares import LiveShares, why_no_shares
from ..game.rules import Rules
from ..table.parts import Operation
from ..table.state import TableState
from ..table.table import Table

MOVES = ("fold", "check", "call", "bet", "raise")
DEALER_ERRORS = record.OPERATIONS[record.EXPOSE : record.DRAW_BUTTON]
_ENDS_A_STEP = (*MOVES, "deal_board", "show", "muck")


class HandStep(TableState):
    """The table after one step of a hand; a read-only TableState, with `svg` and all that can be read from a table.

    Args:
        rules: The game.
        records: The table's records.
        log: The operations so far.
        operations: What happened in this step.
        before: The Table at the decision, if this step is a move; else None.

    Attributes:
        street: The betting round.
        moves: Number of moves up to and with this one.
    """

    def __init__(
        self,
        rules: Rules,
        records: record.Records,
        log: list[Operation],
        operations: Sequence[Operation],
        before: Table | None,
    ) -> None:
        self.rules, self.log, self._records = rules, log, records
        self.operations, self.before = tuple(operations), before

    @property
    def mover(self) -> int | None:
        """The seat whose move this step is, or None."""
        return next((operation.seat for operation in self.operations if operation.kind in MOVES), None)


def hand_steps(table: Table, known: Collection[int] | None = None) -> list[HandStep]:
    """Return the steps of a hand up to where the table is now.

    They are the deal, each move, the cards of each street, each hand that is shown, and the result. Cards of an all-in
    come street by street. Moves with a dealer's error (R33-R38) are one step each. The table stays as it is.

    Args:
        table: The table.
        known: The cards that a history tells (`HandRecord.known_cards`); all others lie face down. None if all are
            known.
    """
    moments = table.states()
    first = moments[0]
    steps = [HandStep(table.rules, first.records, first.log, first.log, None)]
    for before, after in pairwise(moments):
        steps += _steps_between(before, after)
    if known is not None:
        for step in steps:
            _hide(step, frozenset(known))
    return steps


def step_shares(
    steps: Sequence[HandStep], table: Table, known: Collection[int] | None = None
) -> list[list[float] | None]:
    """Return, for each step, the share of the pot that each seat could expect if all live hands went to the showdown.

    All boards to come are counted.

    Args:
        steps, table, known: The arguments and the result of `hand_steps`.

    Returns:
        For each step a list by seat that sums to 1, 0 for seats that are out. None if a live hand is not known, and for
        all steps in games where shares cannot be counted.
    """
    if why_no_shares(table.game) is not None:
        return [None] * len(steps)
    records = np.concatenate([step.records for step in steps])
    records["hole"], records["board"] = table.records["hole"], table.records["board"]
    shares = LiveShares(table.rules)(records, records["board_count"].astype(np.int64))
    known = known if known is None else frozenset(known)
    return [row.tolist() if _all_known(step, table, known) else None for step, row in zip(steps, shares, strict=True)]


def street_steps(steps: Sequence[HandStep]) -> list[int]:
    """The first step of each street that was dealt, before the flop first."""
    boards = [place for place, step in enumerate(steps) if any(each.kind == "deal_board" for each in step.operations)]
    return [0, *boards]


def _all_known(step: HandStep, table: Table, known: frozenset[int] | None) -> bool:
    live = [seat for seat in range(table.rules.seats) if not step.is_folded(seat)]
    if len(live) == 1 or known is None:
        return True
    return known.issuperset(step.board) and all(card in known for seat in live for card in table.hole_cards(seat))


def _steps_between(before: Table, after: Table) -> Iterator[HandStep]:
    new = after.log[len(before.log) :]
    groups = list(_groups(new))
    running = before.records.copy()
    running["actor"], running["showing"] = record.NOBODY, 0
    count = len(before.log)
    decision = None if before.is_showing else before
    for place, operations in enumerate(groups):
        count += len(operations)
        if place == len(groups) - 1:
            records = after.records
        else:
            for operation in operations:
                _apply(running, operation)
            records = running.copy()
        yield HandStep(after.rules, records, after.log[:count], operations, decision)
        decision = None


def _groups(operations: Sequence[Operation]) -> Iterator[list[Operation]]:
    """The operations of a move in steps: itself, each street's cards, each hand shown, and the rest."""
    if any(operation.kind in DEALER_ERRORS for operation in operations):
        yield list(operations)
        return
    group: list[Operation] = []
    for operation in operations:
        group.append(operation)
        if operation.kind in _ENDS_A_STEP:
            yield group
            group = []
    if group:
        yield group


def _apply(records: record.Records, operation: Operation) -> None:
    """Write what an operation of the engine's log says into a record, for what a drawing of it shows."""
    t, (kind, seat, amount, cards, _) = records[0], operation
    if kind == "deal_board":
        count = int(t["board_count"])
        t["board"][count : count + len(cards)] = cards
        t["board_count"] = count + len(cards)
        t["street"] += 1
        t["seats"]["bet"] = 0
    elif seat is None:
        return
    elif kind == "fold":
        t["in_hand"][seat] = 0
    elif kind in ("call", "bet", "raise"):
        _pay(t, seat, amount if kind == "call" else amount - int(t["seats"]["bet"][seat]))
    elif kind == "return_uncalled":
        _pay(t, seat, -amount)
    elif kind in ("show", "muck"):
        t["shown"][seat] = record.SHOWN if kind == "show" else record.MUCKED


def _pay(t: record.Records, seat: int, chips: int) -> None:
    line = t["seats"][seat]
    line["stack"] -= chips
    line["bet"] += chips
    line["total"] += chips
    t["pot"] += chips


def _hide(step: HandStep, known: frozenset[int]) -> None:
    """Turn cards face down that a history does not tell: hands, the board, and in the log."""
    cards = [*known, record.NO_CARD]
    if not (np.isin(step._records["hole"], cards).all() and np.isin(step._records["board"], cards).all()):
        step._records = step._records.copy()
        for name in ("hole", "board"):
            step._records[name] = np.where(np.isin(step._records[name], cards), step._records[name], record.NO_CARD)
    step.log = [_hidden(operation, known) for operation in step.log]
    step.operations = tuple(_hidden(operation, known) for operation in step.operations)


def _hidden(operation: Operation, known: frozenset[int]) -> Operation:
    """An operation with `??` for the cards that a history does not tell."""
    if known.issuperset(operation.cards):
        return operation
    return operation._replace(cards=Cards([card if card in known else UNKNOWN for card in operation.cards]))

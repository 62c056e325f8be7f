"""The moves of a bet abstraction at a table, in chips."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from ..encoders import ActionEncoder, BoxActionEncoder, PotFractions, get_actions
from ..encoders.bet_sizes import exceed_stack_at
from ..engine import batch, record
from ..game.rules import Rules

ONE_ROW = np.zeros(1, np.int64)
NO_SIZES, EVERY = "none", "every"
"""Menus without any raise, and of every legal one."""
PASSIVE_AND_LEAST_RAISE = "limit"


class SizesByStreet(Protocol):
    """Bet sizes that differ by street and player, such as `holdem_env.solvers.BetSizes`."""

    def menus(self, street: int, player: int) -> tuple[str, ...]:
        """The sizes of a street for its first, second, ... wager, the last one for all further ones. player: 0 acts
        last after the flop, 1 does not."""


AbstractSizes = str | ActionEncoder | SizesByStreet | None
"""What `abstract_moves` takes: bet sizes as text, with a vertical bar between those for the first, second, ... wager of
a street, an action encoder or its name, or sizes by street. None: the actions that an environment has by default."""


def abstract_moves(tables: record.Records, rules: Rules, sizes: AbstractSizes) -> list[int]:
    """The engine moves of the sizes at tables[0], in ascending order; none if nobody is to act. Raises ValueError for
    invalid sizes, and for actions that have no list of moves."""
    t = tables[0]
    if t["actor"] == record.NOBODY:
        return []
    actions = _actions(sizes, t)
    is_fixed = rules.stages[int(t["stage"])].structure == "fixed_limit"
    if actions in (NO_SIZES, EVERY):
        moves = _choices(get_actions(PASSIVE_AND_LEAST_RAISE, rules), tables, rules)
        passive = [move for move in moves if move <= record.CHECK_CALL]
        every = range(int(t["raise_min"]), int(t["raise_max"]) + 1, rules.smallest_chip) if t["raise_max"] > 0 else ()
        return moves if is_fixed else [*passive, *(every if actions == EVERY else ())]
    encoder = get_actions(actions, rules)
    if is_fixed and isinstance(encoder, PotFractions):  # whatever the sizes say, there is one raise
        encoder = get_actions(PASSIVE_AND_LEAST_RAISE, rules)
    moves = _choices(encoder, tables, rules)
    is_menu = isinstance(encoder, PotFractions) and encoder is not sizes and sizes is not None
    if is_menu and exceed_stack_at(tables, rules.record, 0, encoder.parameters) and t["raise_max"] not in moves:
        moves.append(int(t["raise_max"]))
    return moves


def _actions(sizes: AbstractSizes, t: np.void) -> str | ActionEncoder | None:
    """The sizes, or the encoder, for the player to act, the street and its number of wagers."""
    if sizes is None or isinstance(sizes, ActionEncoder):
        return sizes
    player = int(t["actor"] != _last_to_act(t))
    menus = tuple(sizes.split("|")) if isinstance(sizes, str) else sizes.menus(int(t["street"]), player)
    return menus[min(int(t["wagers"]), len(menus) - 1)].strip()


def _last_to_act(t: np.void) -> int:
    """Whose turn comes last after the flop: the button's, or that of the nearest before it who has not folded."""
    seats = range(int(t["button"]), int(t["button"]) - record.MAX_SEATS, -1)
    return next(seat % record.MAX_SEATS for seat in seats if t["in_hand"][seat])


def _choices(encoder: ActionEncoder, tables: record.Records, rules: Rules) -> list[int]:
    """What an encoder offers at tables[0]."""
    if isinstance(encoder, BoxActionEncoder):
        raise ValueError(f"abstract_moves: {encoder!r} has continuous actions; give bet sizes or another encoder")
    choices = np.empty((1, encoder.size(rules)), np.int64)
    encoder.choose(tables, rules.record, ONE_ROW, choices)
    return sorted({int(move) for move in choices[0] if move != batch.NO_MOVE})

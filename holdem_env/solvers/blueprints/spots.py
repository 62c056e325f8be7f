"""Where a street of a real hand began: what re-solving starts from."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...compiled.records import Records
from ...engine import batch, record
from ...engine.record import MAX_MOVES
from ...game.rules import Rules
from ..trees.roots import playable, whole_hand

SEATS = 2
ROW = np.zeros(1, np.int64)


class Spot(NamedTuple):
    """A hand as everybody saw it, by streets. Players: 0 has the button. Equal spots are the same to solve."""

    game: Rules
    stacks: tuple[int, ...]
    """Of the players when the hand began."""
    moves: tuple[tuple[int, ...], ...]
    """The engine moves of each street so far."""
    board: tuple[int, ...]
    """The cards that lie there; those of the flop in ascending order."""

    def beginning(self, street: int, cards: int) -> Spot:
        """The spot when a street began, with the first `cards` cards of the board."""
        return Spot(self.game, self.stacks, self.moves[:street], self.board[:cards])


def spot_of(tables: Records, rules: Rules, row: int) -> Spot | None:
    """The spot at a table; None in a hand of more moves than its record remembers."""
    t = tables[row]
    count = int(t["moves"])
    if count > MAX_MOVES:
        return None
    made, button = t["made"][:count], int(t["button"])
    moves = tuple(tuple(made["move"][made["street"] == street].tolist()) for street in range(int(t["street"]) + 1))
    stacks = tuple(int(t["start_stack"][(button + player) % SEATS]) for player in range(SEATS))
    board = t["board"][: t["board_count"]].tolist()
    stage = rules.stages[int(t["stage"])]
    game = playable(stage if stage.dealer_errors is None else stage.replace(dealer_errors=None))
    return Spot(game, stacks, moves, (*sorted(board[:3]), *board[3:]))


def is_complete(spot: Spot, tables: Records, row: int) -> bool:
    """Whether a spot has all of a hand's chips: not where anybody posted more than blinds and antes."""
    here = replayed(spot)
    return int(here["pot"][0]) == int(tables["pot"][row]) and int(here["street"][0]) == int(tables["street"][row])


def at_spot(spot: Spot) -> Records:
    """`replayed`, with the spot's cards on the board."""
    here = replayed(spot)
    here["board"][0, : len(spot.board)] = spot.board
    return here


def replayed(spot: Spot) -> Records:
    """(1,): a table record with the hand's moves played, the button in seat 0, and any cards."""
    here, log = whole_hand(spot.game, spot.stacks), record.new_log(listening=False)
    for street in spot.moves:
        for move in street:
            batch.play_moves(here, spot.game.record, log, ROW, np.array([move], np.int64))
    return here

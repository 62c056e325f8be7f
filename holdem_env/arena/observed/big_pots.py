"""The biggest pots of a match, as hands that can be replayed, read and written to history files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...compiled.records import Records
from ...engine.record import MAX_MOVES
from ...game.rules import Rules
from ...game.street_names import STREETS
from ...protocols.json_lines.situations import names_by_seat
from ...table.table import Table

KEPT = 10
BigPot = dict[str, Any]
"""deal, players (by seat), names (by seat, under which bots know the hand), pot (chips), button, stacks, deck, moves:
plain data."""


class BigPots:
    """Keeps the largest pots that it is shown."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self.pots: list[BigPot] = []

    def look(self, tables: Records, rules: Rules, seating: NDArray[np.int64], rotation: int) -> None:
        """Look at hands that are over, of one rotation of their deals. seating: (N, seats)."""
        chips = tables["seats"]["total"][:, : rules.seats].sum(axis=1)
        chips = np.where(tables["moves"] <= MAX_MOVES, chips, 0)
        order = np.lexsort((seating[:, 0], tables["table_id"], -chips))  # of equal pots that of the earlier deal
        rows = order[: KEPT * rules.seats]
        for row, names in zip(rows.tolist(), names_by_seat(tables[rows], rules, rotation), strict=True):
            self.pots.append({**self._pot(tables[row], rules, seating[row], int(chips[row])), "names": names})
        self.pots = largest(self.pots)

    def _pot(self, t: Any, rules: Rules, seating: NDArray[np.int64], chips: int) -> BigPot:
        return {
            "deal": int(t["table_id"]),
            "stage": int(t["stage"]),
            "players": [self.names[agent] for agent in seating.tolist()],
            "pot": chips,
            "button": int(t["button"]),
            "stacks": t["start_stack"][: rules.seats].tolist(),
            "deck": t["deck"][: len(rules.stages[t["stage"]].deck)].tolist(),
            "moves": t["made"]["move"][: t["moves"]].tolist(),
        }


def largest(pots: Sequence[BigPot], kept: int = KEPT) -> list[BigPot]:
    """The largest pots first; of equal ones that of the earlier deal, and only one of each deal and pair of players."""
    best: list[BigPot] = []
    seen = set()
    for pot in sorted(pots, key=lambda pot: (-pot["pot"], pot["deal"], pot["players"])):
        same = pot["deal"], tuple(sorted(pot["players"]))
        if same not in seen:
            seen.add(same)
            best.append(pot)
    return best[:kept]


def replayed(pot: BigPot, rules: Rules) -> Table:
    """The hand as a Table that is over."""
    game = rules.stages[pot["stage"]].replace(session=None)
    table = Table(game, stacks=pot["stacks"], button=pot["button"], deck=pot["deck"])
    for move in pot["moves"]:
        table.play(move)
    return table


def readable(pot: BigPot, rules: Rules) -> str:
    """The hand as a few lines that a person can read."""
    table = replayed(pot, rules)
    names = pot["players"]
    lines = [
        f"{name}{' (button)' * (seat == table.button)}: {table.hole_cards(seat)}, {table.starting_stacks[seat]} chips"
        for seat, name in enumerate(names)
    ]
    street = 0
    words = [STREETS[0]]
    for operation in table.log:
        if operation.kind == "deal_board":
            lines.append(", ".join(words))
            street += 1
            words = [f"{STREETS[street]} {operation.cards}"]
        elif operation.seat is not None and operation.kind not in ("deal_hole", "show", "muck", "push_pot"):
            amount = f" {operation.amount}" if operation.amount else ""
            words.append(f"{names[operation.seat]} {operation.words}{amount}")
    won = ", ".join(f"{name} {chips:+d}" for name, chips in zip(names, table.payoffs, strict=True))
    return "\n".join([*lines, ", ".join(words), won])

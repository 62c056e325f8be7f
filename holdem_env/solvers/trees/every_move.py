"""`every_move`: a betting tree of every legal move, found by playing them all in the engine.

Each line of play is played at once with one deal for every outcome that a showdown can have, so that the chips at its
end, with the rake and odd chips, are what the engine pays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...engine import batch, record
from ...game.rules import Rules
from .walking import DECISION, FOLDED, SHOWDOWN

MOST_NODES = 100_000
"""While it is made, a node takes three records of 2.7 kB."""
Deal = tuple[NDArray[np.int64], NDArray[np.int64], Sequence[int]]
"""Player 0's cards, player 1's cards, and the whole board in the order of the deals."""


@dataclass(frozen=True)
class EveryMove:
    """A `Betting` of every legal move. records: (N,) TABLE records of its nodes, if they were kept."""

    kind: NDArray[np.int8]
    street: NDArray[np.int8]
    player: NDArray[np.int8]
    parent: NDArray[np.int32]
    first_child: NDArray[np.int32]
    children: NDArray[np.int32]
    move: NDArray[np.int64]
    payoff: NDArray[np.int64]
    records: record.Records | None


class TooManyNodes(ValueError):
    """A betting tree has more nodes than allowed; the message says how many there are at least."""


def every_move(
    rules: Rules,
    deals: Sequence[Deal | None],
    button: int = 0,
    free_folds: bool = False,
    keep_records: bool = False,
    most_nodes: int = MOST_NODES,
) -> EveryMove:
    """The tree of every legal move, with the rules' stacks.

    deals: an example for each class of outcomes, from `example_deals`. button: the seat that has it. free_folds: also
    folds where checking is free, which nobody who wants to win makes (R14). Raises TooManyNodes.
    """
    seats = np.array([button, 1 - button])
    number_of = {seat: player for player, seat in enumerate(seats.tolist())}
    given = [number for number, deal in enumerate(deals) if deal is not None]
    tables = dealt_records(rules, button, [deal for deal in deals if deal is not None])
    levels: list[dict[str, Any]] = []
    front = {"parent": np.full(1, -1), "move": np.full(1, batch.NO_MOVE), "street": np.zeros(1, np.int64)}
    total = 0
    while len(front["move"]):
        by_node = tables.reshape(len(front["move"]), len(given))
        first = by_node[:, 0]
        over = first["actor"] == record.NOBODY
        won = (by_node["seats"]["stack"] - by_node["start_stack"])[:, :, seats] * over[:, None, None]
        payoff = np.zeros((len(over), len(deals), 2), np.int64)
        payoff[:, given] = won
        folded = over & (first["live"] == 1)
        payoff[folded] = won[folded, :1]  # the same for all classes, also for those that cannot come up
        counts, moves = _legal_moves(first, rules, free_folds, most_nodes - total)
        players = [number_of.get(seat, record.NOBODY) for seat in first["actor"].tolist()]
        levels.append(
            {
                "kind": np.where(over, np.where(folded, FOLDED, SHOWDOWN), DECISION),
                "street": np.where(over, front["street"], first["street"]),
                "player": np.array(players),
                "parent": front["parent"],
                "first_child": total + len(over) + np.cumsum(counts) - counts,
                "children": counts,
                "move": front["move"],
                "payoff": payoff,
                "records": first.copy() if keep_records else None,
            }
        )
        places = np.repeat(np.arange(len(over)), counts)
        front = {"parent": total + places, "move": moves, "street": first["street"][places].astype(np.int64)}
        tables = np.take(by_node, places, axis=0).reshape(-1)
        batch.play_moves(
            tables,
            rules.record,
            record.new_log(listening=False),
            np.arange(len(tables)),
            np.repeat(moves, len(given)),
        )
        total += len(over)
    return _joined(levels, keep_records)


def _legal_moves(
    tables: record.Records, rules: Rules, free_folds: bool, most: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How many moves there are at each table, and all of them in order: fold, check or call, raises upwards."""
    asked = tables["actor"] != record.NOBODY
    bets = np.take_along_axis(tables["seats"]["bet"], np.maximum(tables["actor"], 0)[:, None].astype(np.int64), 1)[:, 0]
    folds = asked & (free_folds | (tables["bet_to_match"] > bets))
    least, most_chips, step = tables["raise_min"], tables["raise_max"], rules.smallest_chip
    raises = np.where(asked & (most_chips > 0), (most_chips - least) // step + 1, 0)
    counts = folds.astype(np.int64) + asked + raises
    if (number := int(counts.sum())) > most:
        raise TooManyNodes(f"with every legal move the betting alone has more than {number + len(tables):,} nodes")
    table = np.repeat(np.arange(len(tables)), counts)
    place = np.arange(number) - np.repeat(np.cumsum(counts) - counts, counts) + record.FOLD + ~folds[table]
    return counts, np.where(place > record.CHECK_CALL, least[table] + (place - 1) * step, place)


def _joined(levels: list[dict[str, Any]], keep_records: bool) -> EveryMove:
    types = {"kind": np.int8, "street": np.int8, "player": np.int8, "move": np.int64, "payoff": np.int64}
    types |= {"parent": np.int32, "first_child": np.int32, "children": np.int32}
    arrays = {name: np.concatenate([level[name] for level in levels]).astype(kind) for name, kind in types.items()}
    return EveryMove(**arrays, records=np.concatenate([level["records"] for level in levels]) if keep_records else None)


def dealt_records(rules: Rules, button: int, deals: Sequence[Deal]) -> record.Records:
    """A TABLE record for each deal, posted and dealt. A deal: the button's cards, the other's, the whole board."""
    tables = record.new_records(record.TABLE, len(deals))
    batch.number_tables(tables, 0, 0, button)
    tables["seats"]["stack"][:, :2] = rules.starting_stacks
    tables["deck"][:, : len(rules.deck)] = [_deck(rules, deal) for deal in deals]
    tables["hand"] = 0
    batch.start_hands(tables, rules.record, record.new_log(listening=False))
    return tables


def _deck(rules: Rules, deal: Deal) -> list[int]:
    """The deck in dealing order that deals this (R4): one card at a time, the button last."""
    on_button, other, board = deal
    dealt = {*on_button, *other, *board}
    left = iter([card for card in rules.deck if card not in dealt])
    deck = [int(cards[k]) for k in range(rules.hole_cards) for cards in (other, on_button)]
    lying = iter(board)
    for street, count in enumerate(rules.board_cards):
        deck += [next(left) for _ in range(int(rules.record["burn_cards"][0, street]) if count else 0)]
        deck += [next(lying) for _ in range(count)]
    return [*deck, *left]

"""BettingTree: all that two players can do with given bet sizes, as flat arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from ...engine import batch, record
from ...engine.legality import check_move, move_text
from ...game.given_rules import RulesLike, as_rules
from ...game.rules import Rules
from ...table.starting import Stacks, checked_stacks, position_stacks
from .bet_sizes import STREETS, BetSizes, BetSizesLike
from .walking import DECISION, FOLDED, SHOWDOWN, TOO_DEEP, NodeArrays, new_nodes, walk_tree

MOST_NODES = 20_000_000
NODE_BYTES = 98
MOST_MOVES = 1_000
"""The longest sequence of moves that a tree may have."""


class BettingTree:
    """A betting tree of a game for two: every sequence of moves that bet sizes allow, with the chips in each.

    Make one with `from_rules`, `from_spot` or `from_record`. Player 0 has the button, player 1 is the other. Cards are
    not in the tree; a showdown has a payoff for each of its outcomes.

    N nodes; the root is node 0, a child's number is greater than its parent's, and children of a node are
    contiguous, in ascending order of their moves: fold, check or call, raises. Every array is read-only.

    kind: (N,) int8, DECISION, FOLDED or SHOWDOWN. street: (N,) int8; at an end that of the last decision.
    player: (N,) int8, who is to act, -1 at an end. wagers: (N,) int8, full bets and raises made on the street.
    parent: (N,) int32, -1 at the root. first_child: (N,) int32, -1 at an end. children: (N,) int8, how many.
    move: (N,) int64, the engine move that led here: -1 folds, 0 checks or calls, a positive one is the street total to
        raise to; NO_MOVE (-2) at the root.
    pot: (N,) int64, all chips in the middle; at an end without an uncalled bet. put_in: (N, 2) int64, how much of it
        each player has put in; their sum is the pot. Of chips that nobody in the record has put in, each player counts
        as having put in half, player 1 the odd chip.
    payoff: (N, 3, 2) int64: at an end, the chips that each player wins net of what it put in, if player 0 has the
        better hand, if player 1 has it, and if they tie; all three are equal after a fold. Rake and odd chips are the
        engine's.
    street_start: (N,) bool, whether cards were dealt between the parent and this node.
    decision: (N,) int32, the node's number among the decisions, -1 at an end.
    """

    kind: NDArray[np.int8]
    street: NDArray[np.int8]
    player: NDArray[np.int8]
    wagers: NDArray[np.int8]
    parent: NDArray[np.int32]
    first_child: NDArray[np.int32]
    children: NDArray[np.int8]
    move: NDArray[np.int64]
    pot: NDArray[np.int64]
    put_in: NDArray[np.int64]
    payoff: NDArray[np.int64]
    street_start: NDArray[np.bool_]
    decision: NDArray[np.int32]

    def __init__(self, rules: Rules, sizes: BetSizes, nodes: NodeArrays) -> None:
        self.rules = rules
        self.sizes = sizes
        decides = nodes.kind == DECISION
        arrays = {
            **nodes._asdict(),
            "street_start": decides & (nodes.parent >= 0) & (nodes.street > nodes.street[nodes.parent]),
            "decision": np.where(decides, np.cumsum(decides) - 1, -1).astype(np.int32),
        }
        for name, array in arrays.items():
            array.flags.writeable = False
            setattr(self, name, array)
        self._arrays = tuple(arrays.values())

    @classmethod
    def from_rules(
        cls, rules: RulesLike, sizes: BetSizesLike = None, stacks: Stacks | None = None, most_nodes: int = MOST_NODES
    ) -> BettingTree:
        """The tree of a whole hand; the button is seat 0.

        rules: a game for two seats. sizes: as `BetSizes` takes them. stacks: by default the rules' starting stacks.

        Raises ValueError for other games, for stacks that cannot be, and for a tree of more than `most_nodes` nodes,
        before it takes any memory.
        """
        game = _checked_rules(rules)
        records = _new_record(checked_stacks(game, stacks))
        batch.start_hands(records, game.record, record.new_log(listening=False))
        return _build(game, BetSizes.parse(sizes), records, [], most_nodes)

    @property
    def decisions(self) -> int:
        """The number of decisions."""
        return int(self.decision.max(initial=-1)) + 1

    @property
    def memory(self) -> int:
        """The bytes of the arrays."""
        return sum(array.nbytes for array in self._arrays)

    def __len__(self) -> int:
        return len(self.kind)

    def __repr__(self) -> str:
        return f"<BettingTree of {len(self):,} nodes, {self.decisions:,} decisions>"


def _checked_rules(rules: RulesLike) -> Rules:
    """Rules of a game that has a betting tree. Raises ValueError for others."""
    game = as_rules(rules)
    if game.seats != 2:
        raise ValueError(f"betting tree: it is for two seats, and these rules have {game.seats}; give seats=2")
    if game.session is not None:
        raise ValueError(
            "betting tree: it is for single hands, and these rules have a session; give the game of a hand, "
            "rules.stages[k], or rules.replace(session=None)"
        )
    if game.split != "high":
        raise ValueError(
            "betting tree: split pots (split='high_low') have more outcomes than who wins; give split='high'"
        )
    if game.dealer_errors is not None:
        raise ValueError(
            "betting tree: it knows no cards that the dealer's errors expose; give rules.replace(dealer_errors=None)"
        )
    # Who shows changes no chips, and the tree does not ask for it.
    return game if game.showing == "automatic" else game.replace(showing="automatic")


def _new_record(stacks: Sequence[int]) -> record.Records:
    """A record with stacks, in which no hand has begun; the button is seat 0."""
    records = record.new_records(record.TABLE, 1)
    batch.number_tables(records, 0, 0, 0)
    records["seats"]["stack"][0, :2] = stacks
    records["hand"] = 0
    return records


def _build(game: Rules, sizes: BetSizes, root: record.Records, played: Sequence[int], most_nodes: int) -> BettingTree:
    """The tree from a record on."""
    records = record.new_records(record.TABLE, MOST_MOVES)
    records[0] = root[0]
    dead, owed = _dead_money(root)
    menus = sizes.arrays(game, int(root["street"][0]))
    log = record.new_log(listening=False)
    moves = np.array(played, np.int64)

    def walk(nodes: NodeArrays, most: int) -> int:
        return int(walk_tree(records, game.record, log, menus, moves, dead, owed, nodes, most))

    count = walk(new_nodes(0), most_nodes)
    if count == TOO_DEEP:
        raise ValueError(f"betting tree: hands have more than {MOST_MOVES:,} moves; give larger sizes, or most_wagers")
    if count > most_nodes:
        raise ValueError(
            f"betting tree: it has more than {most_nodes:,} nodes ({most_nodes * NODE_BYTES / 2**30:.1f} GiB); give fewer "
            "sizes, most_wagers, or a larger most_nodes"
        )
    nodes = new_nodes(count)
    records[0] = root[0]
    walk(nodes, count)
    return BettingTree(game, sizes, nodes)


def _dead_money(root: record.Records) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """By player: the chips that it has put in, or counts as having put in, beyond its contribution; and how many of
    them are not out of its stack."""
    t = root[0]
    seats = [int(t["button"]), 1 - int(t["button"])]
    line = t["seats"]
    own = t["start_stack"][seats] - line["stack"][seats] - line["total"][seats]
    nobodys = int(t["dead"]) - int(own.sum())
    owed = np.array([nobodys // 2, nobodys - nobodys // 2], np.int64)
    return own + owed, owed

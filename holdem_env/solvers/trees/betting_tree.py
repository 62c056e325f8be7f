"""BettingTree: all that two players can do with given bet sizes, as flat arrays."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from math import log10
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from ...engine import record
from ...engine.legality import move_text
from ...game.rules import Rules
from ...game.rules_input import RulesLike
from ...game.street_names import street_name
from ...table.hand_setup import Stacks
from .bet_sizes import IN_POSITION, OUT_OF_POSITION, BetSizes, BetSizesLike, MenuArrays
from .roots import checked_moves, dead_money, from_table, outcomes_of, playable, spot, street_number, whole_hand
from .utility import Utility
from .walking import (
    DECISION,
    FOLDED,
    LEVEL,
    SEATS,
    SHOWDOWN,
    TOO_DEEP,
    NodeArrays,
    estimate_nodes,
    new_nodes,
    walk_tree,
)

MAX_NODES = 20_000_000
MAX_MOVES = 1_000  # the longest sequence of moves that a tree may have
NODE_BYTES = 101  # what a node takes in the arrays of a tree
PROBES = 300_000  # random ways down a tree that is too large to be counted; they take less than 0.1 s
UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB")


class BettingTree:
    """A betting tree of a game for two: every sequence of moves that bet sizes allow, with the chips in each.

    Make one with `from_rules`, `from_spot` or `from_record`. Player 0 has the button, player 1 is the other. Cards are
    not in the tree; a showdown has a payoff for each of its outcomes.

    A tree has N nodes; the root is node 0, and a child's number is greater than its parent's. Children of a node are
    contiguous, in ascending order of their moves: fold, check or call, raises. Every array is read-only.

    Attributes:
        kind: (N,) int8, DECISION, FOLDED or SHOWDOWN.
        street: (N,) int8; at an end that of the last decision.
        player: (N,) int8, the player to act, -1 at an end.
        wagers: (N,) int8, full bets and raises made on the street.
        parent: (N,) int32, -1 at the root.
        first_child: (N,) int32, -1 at an end.
        children: (N,) int32, number of children.
        move: (N,) int64, the engine move that led here: -1 folds, 0 checks or calls, a positive one is the street total
            to raise to; NO_MOVE (-2) at the root.
        pot: (N,) int64, all chips in the middle; at an end without an uncalled bet.
        put_in: (N, 2) int64, how much of it each player has put in; their sum is the pot. Of chips that no player in
            the record put in, each player counts for half, player 1 for the odd chip.
        payoff: (N, 3, 2) int64, float64 with `utility`: at an end, the chips that each player wins net of its own. The
            three are for player 0 with the better hand, player 1 with it, and a tie; after a fold they are equal. Rake
            and odd chips are the engine's. Where pots are split (R32) it is (N, 12, 2): three if nobody has a low,
            three if player 0 has the better low, three if player 1 has it, three if the lows tie.
        street_start: (N,) bool, True if cards were dealt between the parent and this node.
        decision: (N,) int32, the node's number among the decisions, -1 at an end.
    """

    kind: NDArray[np.int8]
    street: NDArray[np.int8]
    player: NDArray[np.int8]
    wagers: NDArray[np.int8]
    parent: NDArray[np.int32]
    first_child: NDArray[np.int32]
    children: NDArray[np.int32]
    move: NDArray[np.int64]
    pot: NDArray[np.int64]
    put_in: NDArray[np.int64]
    payoff: NDArray[np.int64]
    street_start: NDArray[np.bool_]
    decision: NDArray[np.int32]

    def __init__(
        self, rules: Rules, sizes: BetSizes, nodes: NodeArrays, bet_at_root: int, utility: Utility | None = None
    ) -> None:
        self.rules, self.sizes, self.utility = rules, sizes, utility
        self._bet_at_root = bet_at_root > 0
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
        cls,
        rules: RulesLike,
        sizes: BetSizesLike = None,
        stacks: Stacks | None = None,
        most_nodes: int = MAX_NODES,
        utility: Utility | None = None,
    ) -> BettingTree:
        """Return the tree of a whole hand; the button is seat 0.

        Args:
            rules: A game for two seats.
            sizes: As `BetSizes` takes them.
            stacks: By default the rules' starting stacks.
            most_nodes: Limit of nodes.
            utility: What chips are worth, for ICM, bounties or risk aversion. Given (..., 2) chips of both players at
                an end, it returns (..., 2), their worth. Payoffs are then worth won, compared with the chips before the
                hand. By default a chip is worth a chip; `Icm` makes it worth prizes.

        Raises:
            ValueError: If the game is not for two seats, or stacks or sizes are invalid.
            TooLarge: If the tree has more than `most_nodes` nodes, before they take any memory. This ValueError says
                about how large the tree is.
        """
        game = playable(rules)
        return cls._build(game, sizes, whole_hand(game, stacks), (), most_nodes, utility)

    @classmethod
    def from_spot(
        cls,
        rules: RulesLike,
        sizes: BetSizesLike = None,
        street: str | int = "river",
        pot: int = 0,
        stacks: Stacks = (),
        most_nodes: int = MAX_NODES,
        utility: Utility | None = None,
    ) -> BettingTree:
        """Return the tree from the beginning of a street after the first on.

        Payoffs are net of half the pot and of what is put in later.

        Args:
            rules: A game for two seats.
            sizes: As `BetSizes` takes them.
            street: "flop", "turn" or "river", or its number.
            pot: Chips in the middle, above zero. Each player has put in half, player 1 the odd chip.
            stacks: What players 0 and 1 have left, above zero, or one amount for both.
            most_nodes: Limit of nodes.
            utility: As in `from_rules`.

        Raises:
            ValueError: If the pot, the street or an argument of `from_rules` is invalid.
            TooLarge: If the tree has more than `most_nodes` nodes.
        """
        game = playable(rules)
        return cls._build(game, sizes, spot(game, street, pot, stacks), (), most_nodes, utility)

    @classmethod
    def from_record(
        cls,
        rules: RulesLike,
        tables: record.Records,
        sizes: BetSizesLike = None,
        played: Iterable[SupportsIndex] = (),
        most_nodes: int = MAX_NODES,
    ) -> BettingTree:
        """Return the tree from a hand in play, at the beginning of a street, say.

        Payoffs are net of all that a player has put in during the hand.

        Args:
            rules: The hand's rules; of a session, the game is that of the hand's stage.
            tables: (1,) TABLE records, whose hand is copied; its cards do not matter. A seat must be to act. Player 0
                is the seat with the button.
            sizes: As `BetSizes` takes them.
            played: The engine moves made since; the tree has them even if the sizes do not.
            most_nodes: Limit of nodes.

        Raises:
            ValueError: If no seat is to act, a move is illegal, or an argument of `from_rules` is invalid.
            TooLarge: If the tree has more than `most_nodes` nodes.
        """
        game, root = from_table(rules, tables)
        return cls._build(game, sizes, root, checked_moves(game, root, played), most_nodes)

    @classmethod
    def _build(
        cls,
        game: Rules,
        sizes: BetSizesLike,
        root: record.Records,
        played: Sequence[int],
        most_nodes: int,
        utility: Utility | None = None,
    ) -> BettingTree:
        parsed = BetSizes.parse(sizes)
        menus = parsed.arrays(game, int(root["street"][0]))
        count = counted(game, menus, root, played, most_nodes)
        nodes = new_nodes(count, outcomes_of(game))
        _walk(game, menus, root, played, nodes, count)
        if utility is not None:
            button = int(root["button"][0])
            before = root["seats"]["stack"][0, [button, 1 - button]] + nodes.put_in[0].astype(np.float64)
            worth = np.asarray(utility(before + nodes.payoff), np.float64)
            if worth.shape != nodes.payoff.shape or not np.isfinite(worth).all():
                raise ValueError(f"`utility` must give finite numbers of shape {nodes.payoff.shape}, got {worth.shape}")
            nodes = nodes._replace(payoff=worth - np.asarray(utility(before), np.float64))
        return cls(game, parsed, nodes, int(root["bet_to_match"][0]), utility)

    @staticmethod
    def count(
        rules: RulesLike,
        sizes: BetSizesLike = None,
        stacks: Stacks | None = None,
        street: str | int = 0,
        pot: int = 0,
        most_nodes: int = MAX_NODES,
    ) -> int:
        """Return the number of nodes of a tree, without making it: of a whole hand, or of a spot on a later street.

        A node takes NODE_BYTES bytes. The arguments are those of `from_rules` and `from_spot`.

        Raises:
            ValueError: If `from_rules` or `from_spot` refuses the arguments.
        """
        game = playable(rules)
        root = spot(game, street, pot, stacks or ()) if street_number(game, street) else whole_hand(game, stacks)
        menus = BetSizes.parse(sizes).arrays(game, int(root["street"][0]))
        return counted(game, menus, root, (), most_nodes)

    def moves(self, node: int) -> list[int]:
        """The engine moves of a node, in the order of its children; none at an end."""
        first = int(self.first_child[node])
        return [int(move) for move in self.move[first : first + int(self.children[node])]] if first >= 0 else []

    def child(self, node: int, move: SupportsIndex) -> int:
        """Return the node to which an engine move leads.

        Raises:
            ValueError: If the tree does not have the move at the node.
        """
        moves, wanted = self.moves(node), operator.index(move)
        if wanted not in moves:
            there = ", ".join(map(move_text, moves)) or "none, the hand is over"
            raise ValueError(f"betting tree: node {node} has no move {move_text(wanted)}; it has {there}")
        return int(self.first_child[node]) + moves.index(wanted)

    def path(self, node: int) -> list[str]:
        """The moves from the root to a node in words, such as ["call", "check", "bet 4", "raise to 12", "fold"]."""
        words: list[str] = []
        while node > 0:
            before, move = int(self.parent[node]), int(self.move[node])
            player = self.player[before]
            paid = int(self.put_in[node, player] - self.put_in[before, player])
            words.append(move_text(move, call=paid, opens=not self._is_bet(before)))
            node = before
        return words[::-1]

    def _is_bet(self, node: int) -> bool:
        """Whether somebody has bet, or posted a blind, on a node's street."""
        street = self.street[node]
        while node > 0 and self.street[self.parent[node]] == street:
            if self.move[node] > 0:
                return True
            node = int(self.parent[node])
        return self._bet_at_root and street == self.street[0]

    def describe(self) -> str:
        """The tree in a few lines: its nodes by street, the sizes, and its memory."""
        lines = [
            f"{len(self):,} nodes, {self.decisions:,} decisions, {size_text(self.memory)}",
            f"{'':10} {'decisions':>11} {'folds':>11} {'showdowns':>11}  sizes",
        ]
        for street in range(int(self.street[0]), self.rules.streets):
            there = self.kind[self.street == street]
            counts = " ".join(f"{(there == kind).sum():>11,}" for kind in (DECISION, FOLDED, SHOWDOWN))
            lines.append(f"{street_name(self.rules, street):10} {counts}  {self._sizes_text(street)}")
        return "\n".join(lines)

    def _sizes_text(self, street: int) -> str:
        if self.rules.structure == "fixed_limit":
            return "fixed limit"
        one, other = (" | ".join(self.sizes.menus(street, player)) for player in range(SEATS))
        return one if one == other else f"{IN_POSITION} {one}; {OUT_OF_POSITION} {other}"

    @property
    def decisions(self) -> int:
        return int(self.decision.max(initial=-1)) + 1

    @property
    def stake(self) -> float:
        """The pot at the root, or with `utility` the largest difference between a player's ends."""
        if self.utility is None:
            return int(self.pot[0])
        ends = self.payoff[self.kind != DECISION]
        return float(np.ptp(ends, axis=(0, 1)).max()) or 1.0

    @property
    def memory(self) -> int:
        return sum(array.nbytes for array in self._arrays)

    def __len__(self) -> int:
        return len(self.kind)

    def __repr__(self) -> str:
        return f"<BettingTree of {len(self):,} nodes, {self.decisions:,} decisions>"


# From a root to arrays: count the nodes, then write them


class TooLarge(ValueError):
    """A betting tree has more nodes, or longer hands, than are allowed. Its arguments: what is wrong, what to do."""

    def __str__(self) -> str:
        return "; ".join(self.args)


def size_text(size: float) -> str:
    """A number of bytes in words: "1.9 MiB"."""
    unit = 0
    while size >= 1024 and unit + 1 < len(UNITS):
        size, unit = size / 1024, unit + 1
    return f"{size:,.1f} {UNITS[unit]}" if unit else f"{size:.0f} bytes"


def _levels(root: record.Records, count: int) -> record.Records:
    records = record.new_records(record.TABLE, count)
    records[0] = root[0]
    return records


def _walk(
    game: Rules, menus: MenuArrays, root: record.Records, played: Sequence[int], nodes: NodeArrays, most: int
) -> int:
    records, levels = _levels(root, MAX_MOVES), record.new_records(LEVEL, MAX_MOVES)
    log, moves = record.new_log(listening=False), np.array(played, np.int64)
    return int(walk_tree(records, levels, game.record, log, menus, moves, *dead_money(game, root), nodes, most))


def counted(game: Rules, menus: MenuArrays, root: record.Records, played: Sequence[int], most_nodes: int) -> int:
    """The number of nodes. Raises TooLarge if there are more than `most_nodes`."""
    count = _walk(game, menus, root, played, new_nodes(0, outcomes_of(game)), most_nodes)
    if count == TOO_DEEP:
        raise TooLarge(f"betting tree: hands have {MAX_MOVES:,} moves and more", "give larger sizes, or most_wagers")
    if count > most_nodes:
        log = record.new_log(listening=False)
        about = float(estimate_nodes(_levels(root, 2), game.record, log, menus, PROBES))
        nodes = max(int(round(about, 1 - int(log10(about)))), count)  # two digits
        raise TooLarge(
            f"betting tree: about {nodes:,} nodes or {size_text(nodes * NODE_BYTES)} of memory, more than the "
            f"{most_nodes:,} nodes allowed",
            "give fewer sizes or most_wagers, or allow more with most_nodes",
        )
    return count

"""A small game as it is solved: its betting, the public tree of betting and boards, and which games can have one.

The betting is a betting tree of chosen sizes, or a tree of every legal move, found by playing them all in the engine:
each line of play at once with one deal for every outcome that a showdown can have, so that the chips at its end, with
the rake and odd chips, are what the engine pays. The public tree is laid out for walks with vectors over hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ...engine import batch, record
from ...game.rules import Rules
from ..trees import BettingTree
from ..trees.bet_sizes import BetSizesLike
from ..trees.walking import DECISION, FOLDED, SHOWDOWN
from .hands import Deal, Hands, board_counts, classes_on, example_deals

GIB = 2**30
MOST_MEMORY = 4 * GIB
PRECISE_ENTRIES = 4_000_000
"""A strategy of more numbers is kept in single precision."""
MOST_NODES = 100_000
"""While it is made, a node takes three records of 2.7 kB."""
SWEPT_CARDS = 2
"""With this many hole cards or fewer, a showdown is evaluated by one pass over sorted hands; else pair by pair."""
MOST_LANES = 4_096
"""Boards after the last cards are walked together, until there are this many pairs of board and hand: shorter walks."""
NO_PAIRS = np.zeros((1, 1, 1), np.int8)
CHANCE = 3
"""A kind of node besides those of betting trees."""
NODE = np.dtype(
    [
        ("offset", np.int64),  # where a decision's entries of a strategy begin
        ("parent", np.int32),
        ("betting", np.int32),  # its node in the betting tree
        ("board", np.int32),  # the place of its first board among all
        ("boards", np.int32),  # how many boards it stands for, one after the other
        ("slot", np.int32),  # its place among the parent's children
        ("children", np.int32),  # of a decision
        ("depth", np.int32),
        ("kind", np.int8),
        ("player", np.int8),  # who is to act; record.NOBODY at other nodes
        ("above", np.int8),  # the parent's kind
        ("player_above", np.int8),  # who is to act there
        ("street", np.int8),
    ],
    align=True,
)
_KIND = (NODE.names or ()).index("kind")


class Betting(Protocol):
    """A betting tree as arrays over its N nodes; children lie together behind their parent.

    kind: DECISION, FOLDED or SHOWDOWN. street: of a showdown, the last street on which anybody could bet. player: who
    is to act, 0 the button, 1 the other; -1 at the end. move: the engine move that leads here. payoff: (N, outcomes, 2)
    the chips that each player wins, by class of outcomes (see hands.py).
    """

    @property
    def kind(self) -> NDArray[np.int8]: ...  # noqa: D102
    @property
    def street(self) -> NDArray[np.int8]: ...  # noqa: D102
    @property
    def player(self) -> NDArray[np.int8]: ...  # noqa: D102
    @property
    def parent(self) -> NDArray[np.int32]: ...  # noqa: D102
    @property
    def first_child(self) -> NDArray[np.int32]: ...  # noqa: D102
    @property
    def children(self) -> NDArray[np.integer[Any]]: ...  # noqa: D102
    @property
    def move(self) -> NDArray[np.int64]: ...  # noqa: D102
    @property
    def payoff(self) -> NDArray[np.int64]: ...  # noqa: D102


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
    dealt = {*on_button, *other, *board.all_cards}
    left = iter([card for card in rules.deck if card not in dealt])
    deck = [int(cards[k]) for k in range(rules.hole_cards) for cards in (other, on_button)]
    for street, cards in enumerate(board.cards):
        deck += [next(left) for _ in range(int(rules.record["burn_cards"][0, street]) if cards else 0)]
        deck += cards
    return [*deck, *left]


class TreeArrays(NamedTuple):
    """The tree as kernels read it.

    nodes: M NODE records, parents before their children. events: the walk through them, int32: node i is entered at i
    and left at -1 - i; ends are only entered.

    weight: (boards,) see `Board`. free: (boards, H) whether a hand is possible. stands_for: (boards, H) the hand whose
    strategy a hand has there. first_same, same: the permutations of hands that leave a board as it is,
    same[first_same[b] : first_same[b + 1]]. order, count: (boards, H) hands by strength, and how many; strength:
    (boards, H); of full boards alone. cards: (H, hole cards). meeting: (H, H) whether two hands can be dealt together.
    pairs: (boards, H, H) classes of outcomes where these are not found by sweeps. payoff: (N, outcomes, 2) float64.
    """

    nodes: Any
    events: Any
    weight: Any
    free: Any
    stands_for: Any
    first_same: Any
    same: Any
    order: Any
    count: Any
    strength: Any
    cards: Any
    meeting: Any
    pairs: Any
    payoff: Any


@dataclass(frozen=True)
class Size:
    """How large a game is: decisions with a board, its private hands, and the entries of a strategy for it."""

    decisions: int
    hands: int
    entries: int

    @property
    def information_sets(self) -> int:
        """Decisions of one hand."""
        return self.decisions * self.hands


def size_of(rules: Rules, betting: Betting, hands: int, symmetric: bool = True) -> Size:
    """How large the public tree of a betting tree is, without making it."""
    counts = np.array(board_counts(rules, symmetric), dtype=object)
    at_decisions = betting.kind == DECISION
    boards = counts[betting.street[at_decisions].astype(np.int64)]
    entries = int((boards * betting.children[at_decisions].astype(object)).sum())
    return Size(int(boards.sum()), hands, entries * hands)


class PublicTree:
    """The public tree of a game: `arrays`, and how to find one's way in it.

    `entries`: how many numbers a strategy for it has: those of a decision node begin at its offset, child by child,
    with a number for each of its boards and each hand. `boards_before`: by level of `hands.boards`, the place of its
    first board among all.
    """

    def __init__(self, hands: Hands, betting: Betting) -> None:
        self.hands, self.betting, self.rules = hands, betting, hands.rules
        levels = [len(level) for level in hands.boards]
        self.boards_before = np.concatenate([[0], np.cumsum(levels)])
        self._nodes: list[tuple[Any, ...]] = []
        self._events: list[int] = []
        self.entries = 0
        self._after = _boards_after(hands)
        self._enter(0, 0, (0, 1), -1, 0, 0)
        self.nodes = record.new_records(NODE, len(self._nodes))
        self.nodes[:] = np.array(self._nodes, NODE)
        events, payoff = np.array(self._events, np.int32), betting.payoff.astype(np.float64)
        self.arrays = TreeArrays(self.nodes, events, **_of_boards(hands), payoff=payoff)
        self.most_children = int(max(1, self.nodes["children"].max()))
        self.most_lanes = int(self.nodes["boards"].max()) * len(hands)
        self.most_depth = int(self.nodes["depth"].max()) + 1
        del self._nodes, self._events

    @property
    def is_zero_sum(self) -> bool:
        """Whether what one player wins is what the other loses, at every end: there is no rake."""
        return not self.arrays.payoff.sum(axis=2).any()

    @cached_property
    def decisions(self) -> NDArray[np.int64]:
        """The decision nodes, in the order of the walk."""
        return np.flatnonzero(self.nodes["kind"] == DECISION)

    @cached_property
    def places(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Every decision on every board, node by node: the nodes, and the places of the boards among all."""
        counts = self.nodes["boards"][self.decisions].astype(np.int64)
        nodes = np.repeat(self.decisions, counts)
        within = np.arange(len(nodes)) - np.repeat(np.cumsum(counts) - counts, counts)
        return nodes, self.nodes["board"][nodes] + within

    def entries_of(
        self, nodes: NDArray[np.int64], boards: NDArray[np.int64], hands: NDArray[np.int64], slots: int
    ) -> NDArray[np.int64]:
        """(K, slots): where a strategy has the numbers of the first `slots` children of K decisions, on one of their
        boards, with a hand. A decision with fewer children has none of the last ones."""
        asked = self.nodes[nodes]
        lanes = asked["boards"].astype(np.int64) * len(self.hands)
        first = asked["offset"] + (boards - asked["board"]) * len(self.hands) + hands
        return np.asarray(first[:, None] + np.arange(slots) * lanes[:, None])

    def strategy_at(self, strategy: NDArray[Any], node: int) -> NDArray[Any]:
        """A view of a strategy's entries at a decision, (children, boards, H)."""
        first, children, boards = (int(self.nodes[name][node]) for name in ("offset", "children", "boards"))
        lanes = boards * len(self.hands)
        return strategy[first : first + children * lanes].reshape(children, boards, len(self.hands))

    def _enter(self, at: int, level: int, boards: tuple[int, int], parent: int, slot: int, depth: int) -> None:
        """Add the subtree of a betting node on boards of a level, which is one above its street: from the first on, so
        many."""
        betting, cards = self.betting, self.rules.board_cards
        kind, street = int(betting.kind[at]), int(betting.street[at])
        target = level if kind == FOLDED else len(cards) if kind == SHOWDOWN else street + 1
        while level < target and cards[level] == 0:
            level += 1
        node = len(self._nodes)
        self._events.append(node)
        dealing = level < target
        self._add(at, CHANCE if dealing else kind, level, boards, parent, slot, depth)
        if dealing:
            first, count = self._after[level][boards[0]]
            together = 1 if any(cards[level + 1 :]) else max(1, MOST_LANES // len(self.hands))
            for after in range(first, first + count, together):
                group = after, min(together, first + count - after)
                self._enter(at, level + 1, group, node, 0, depth + 1)
        elif kind == DECISION:
            child = int(betting.first_child[at])
            for k in range(int(betting.children[at])):
                self._enter(child + k, level, boards, node, k, depth + 1)
        if dealing or kind == DECISION:
            self._events.append(-1 - node)

    def _add(self, at: int, kind: int, level: int, boards: tuple[int, int], parent: int, slot: int, depth: int) -> None:
        children = int(self.betting.children[at]) if kind == DECISION else 0
        player = int(self.betting.player[at]) if kind == DECISION else record.NOBODY
        above, player_above = (record.NOBODY, record.NOBODY) if parent < 0 else self._nodes[parent][_KIND : _KIND + 2]
        first = int(self.boards_before[level]) + boards[0]
        numbers = self.entries, parent, at, first, boards[1], slot, children, depth
        self._nodes.append((*numbers, kind, player, above, player_above, level - 1))
        self.entries += children * boards[1] * len(self.hands)


def _boards_after(hands: Hands) -> list[list[tuple[int, int]]]:
    """By level and board: the first board that chance may deal next, and how many there are, one after the other."""
    after: list[list[tuple[int, int]]] = [[(0, 0) for _ in level] for level in hands.boards]
    for level, boards in enumerate(hands.boards[1:]):
        for place, board in enumerate(boards):
            first, count = after[level][board.parent]
            after[level][board.parent] = (first if count else place), count + 1
    return after


def _of_boards(hands: Hands) -> dict[str, Any]:
    """The arrays of all boards, level by level."""
    boards = [board for level in hands.boards for board in level]
    same = [[hands.permutation(renaming) for renaming in board.same] for board in boards]
    whole = len(boards) - len(hands.boards[-1])
    order, strength = np.zeros((2, len(boards), len(hands)), np.int32)
    count = np.zeros(len(boards), np.int32)
    free = hands.free(boards)
    values, _ = hands.values(hands.boards[-1])
    for k, row in enumerate(values):
        possible = np.flatnonzero(free[whole + k])
        count[whole + k] = len(possible)
        order[whole + k, : len(possible)] = possible[np.argsort(row[possible], kind="stable")]
        strength[whole + k] = row
    pairs = NO_PAIRS
    if hands.rules.hole_cards > SWEPT_CARDS or hands.rules.record["split"][0] != record.HIGH:
        pairs = np.zeros((len(boards), len(hands), len(hands)), np.int8)
        for k, board in enumerate(hands.boards[-1]):
            pairs[whole + k] = classes_on(hands, board)
    return {
        "weight": np.array([board.weight for board in boards]),
        "free": free,
        "stands_for": np.array([np.min(each, axis=0) for each in same], np.int32),
        "first_same": np.cumsum([0, *map(len, same)]).astype(np.int64),
        "same": np.array([one for each in same for one in each], np.int32),
        "order": order,
        "count": count,
        "strength": strength,
        "cards": hands.cards,
        "meeting": hands.meeting if pairs is not NO_PAIRS else np.zeros((1, 1), np.bool_),
        "pairs": pairs,
    }


def check_game(game: Rules) -> None:
    """Raise ValueError for rules that are not those of single hands for two with equal stacks."""
    if game.seats != 2:
        raise ValueError(f"solve: games for two seats can be solved; these rules have {game.seats}: give seats=2")
    if game.session is not None or game.dealer_errors is not None:
        raise ValueError(
            "solve: single hands without dealer's errors can be solved; give the rules with session=None and "
            "dealer_errors=None"
        )
    if len(set(game.starting_stacks)) > 1:
        raise ValueError(f"solve: both stacks must be alike; here they are {game.starting_stacks}")


def tree_of(game: Rules, sizes: BetSizesLike, most_memory: int, copies: int) -> PublicTree:
    """The public tree of a game. copies: how many numbers are kept for each of a strategy. Raises ValueError if it
    needs more memory than allowed; the message says how much."""
    count = comb(len(game.deck), game.hole_cards)
    if game.showing != "automatic":  # it changes no chips
        game = game.replace(showing="automatic")
    if sizes is not None or (game.structure == "fixed_limit" and game.split == "high"):
        betting: Betting = BettingTree.from_rules(game, sizes)
        _check_size(size_of(game, betting, count), most_memory, copies)
        return PublicTree(Hands(game), betting)
    # Examples of showdowns need a list of the boards, so that the last street alone must fit.
    boards = board_counts(game)[-1]
    _check_size(Size(boards, count, boards * count * 2), most_memory, copies)
    hands = Hands(game)
    try:
        betting = every_move(game, example_deals(hands))
    except TooManyNodes as error:
        raise ValueError(f'solve: {error}; give bet sizes, such as sizes="pot, all-in", or smaller stacks') from None
    _check_size(size_of(game, betting, count), most_memory, copies)
    return PublicTree(hands, betting)


def _check_size(size: Size, most_memory: int, copies: int) -> None:
    """Raise ValueError for a game that needs more memory than allowed."""
    bytes_each = 8 if size.entries <= PRECISE_ENTRIES else 4
    if (needed := size.entries * bytes_each * copies) > most_memory:
        raise ValueError(
            f"solve: this game has {size.decisions:,} decisions with a board, each of {size.hands:,} hands; a "
            f"strategy for them takes {needed / GIB:,.1f} GiB while it is made, and most_memory is "
            f"{most_memory / GIB:,.1f} GiB. Give more memory, fewer bet sizes, or a smaller game such as 'leduc'"
        )

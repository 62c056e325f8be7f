"""What a subgame is made of: the hands of both players on every board, the order in which its betting tree is walked,
and `Subgame`, which is both as arrays for the walk (walk.py).

Boards come in levels: the one given, then each card that may be dealt, and so on to the river. On each stand the hands
with weight, side by side, sorted by strength on rivers. Cards that differ by a renaming of suits that changes neither
the board nor the ranges are one: the first stands for its images, and counts for each of them with the hands renamed.

The tree is walked street by street, in segments. A segment is what is played between two deals from some nodes on, its
roots: the nodes where a street begins, or the all-ins whose boards are run out. It ends at terminal nodes and at chance
nodes, on which a card is dealt. A walk for one player needs, at each node, a row with the other player's reach
probabilities (cfreach), and a row with its own hands' counterfactual values. The first changes only at the other
player's nodes; so nodes share rows of reach. Terminal nodes have no rows of reach of their own either: they are
evaluated many at a time.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any, NamedTuple

import numpy as np

from ...cards.combos import COMBO_CARDS, COMBO_OF, COMBOS, possible_combos
from ...cards.text import CARDS, SUITS
from ...equities.all_hands import hand_values
from ..trees.walking import DECISION, FOLDED, SHOWDOWN

RIVER_CARDS = 5
PLAYERS = 2
HOLE_CARDS = 2
MOST_LEVELS = 3
BLOCK = 16
"""Rows of hands are as long as a multiple of this, and at least one longer than the hands."""
Image = tuple[int, Any]
"""The number of the board before, and the (52,) renaming of cards that makes the image."""
Images = list[list[Image]]


class Level(NamedTuple):
    """The boards with the same number of cards. `width`: places for hands; what lies behind a list is of no meaning."""

    boards: Any
    """(boards, cards) int64."""
    count: Any
    """(2, boards) int64: how many hands each player may hold."""
    combo: Any
    """(2, boards, width) int16: which they are, sorted by strength on rivers."""
    cards: Any
    """(2, boards, 2, width) int16: their high and their low cards."""
    same: Any
    """(2, boards, width) int16: where the other player's list has the same hand; its length if nowhere."""
    groups: Any
    """(2, boards, most groups, 3) int16: on rivers, see `walk.add_showdowns`."""
    group_count: Any
    """(2, boards) int64."""
    first_child: Any
    """(boards + 1,) int64: the boards that follow, in the next level."""
    first_image: Any
    """(boards + 1,) int64: the images that a board stands for, itself first."""
    up: Any
    """(2, images, width) int16: where the parent's list has each hand, renamed."""
    renaming: Any
    """(images, 52) int8: what each image calls the cards."""


def build_levels(board: Any, ranges: Any, with_isomorphism: bool = True) -> list[Level]:
    """All levels from `board` (3..5 cards) to the river. ranges: (2, 1326) weights."""
    boards = np.asarray(board, np.int64).reshape(1, -1)
    renamings = [suit_renamings(boards[0], ranges) if with_isomorphism else [np.arange(CARDS)]]
    images: Images = [[(0, np.arange(CARDS))]]
    levels: list[Level] = []
    while boards.shape[1] < RIVER_CARDS:
        children, first_child, renamings, next_images = _deal(boards, renamings)
        levels.append(_level(boards, ranges, first_child, images, levels))
        boards, images = children, next_images
    levels.append(_level(boards, ranges, np.zeros(len(boards) + 1, np.int64), images, levels))
    return levels


def count_boards(board: Any, ranges: Any, with_isomorphism: bool = True) -> list[int]:
    """How many boards each level has."""
    boards = np.asarray(board, np.int64).reshape(1, -1)
    renamings = [suit_renamings(boards[0], ranges) if with_isomorphism else [np.arange(CARDS)]]
    counts = [1]
    while boards.shape[1] < RIVER_CARDS:
        boards, _, renamings, _ = _deal(boards, renamings)
        counts.append(len(boards))
    return counts


def suit_renamings(board: Any, ranges: Any) -> list[Any]:
    """The renamings of suits, as (52,) arrays of cards, that change neither the board nor the ranges; "none" first."""
    held = set(int(card) for card in board)
    found = []
    deck = np.arange(CARDS)
    for order in permutations(range(len(SUITS))):
        cards = deck // len(SUITS) * len(SUITS) + np.array(order)[deck % len(SUITS)]
        if {int(cards[card]) for card in held} == held:
            hands = COMBO_OF[cards[COMBO_CARDS[:, 0]], cards[COMBO_CARDS[:, 1]]]
            if np.array_equal(ranges[:, hands], ranges):
                found.append(cards)
    return found


def _deal(boards: Any, renamings: list[list[Any]]) -> tuple[Any, Any, list[list[Any]], Images]:
    """The boards that follow, where those of each begin, the renamings that change neither them nor what went before,
    and their images."""
    children, first, left, images = [], [0], [], []
    for parent, (board, allowed) in enumerate(zip(boards, renamings)):
        done = set(int(card) for card in board)
        for card in range(CARDS):
            if card in done:
                continue
            by_image = {int(renaming[card]): renaming for renaming in reversed(allowed)}
            done |= by_image.keys()
            children.append([*board, card])
            left.append([renaming for renaming in allowed if renaming[card] == card])
            images.append([(parent, by_image[image]) for image in sorted(by_image)])
        first.append(len(children))
    return np.array(children, np.int64), np.array(first, np.int64), left, images


def _level(boards: Any, ranges: Any, first_child: Any, images: Images, above: list[Level]) -> Level:
    """The lists of one level. above: the levels before it."""
    first_image = np.cumsum([0, *(len(some) for some in images)])
    lists = [[_hands(board, weights) for board in boards] for weights in ranges]
    count = np.array([[len(combos) for combos, _ in of_player] for of_player in lists], np.int64)
    width = (int(count.max()) // BLOCK + 1) * BLOCK
    groups = [[_groups(lists[p][b][1], lists[1 - p][b][1]) for b in range(len(boards))] for p in range(PLAYERS)]
    most = max((len(some) for of_player in groups for some in of_player), default=0)
    level = Level(
        boards,
        count,
        np.zeros((PLAYERS, len(boards), width), np.int16),
        np.zeros((PLAYERS, len(boards), 2, width), np.int16),
        np.zeros((PLAYERS, len(boards), width), np.int16),
        np.zeros((PLAYERS, len(boards), most, 3), np.int16),
        np.array([[len(some) for some in of_player] for of_player in groups], np.int64),
        first_child,
        first_image,
        np.zeros((PLAYERS, int(first_image[-1]), width), np.int16),
        np.array([renaming for some in images for _, renaming in some], np.int8),
    )
    for p in range(PLAYERS):
        for b in range(len(boards)):
            combos, other = lists[p][b][0], lists[1 - p][b][0]
            n = len(combos)
            level.combo[p, b, :n] = combos
            level.cards[p, b, :, :n] = COMBO_CARDS[combos].T
            level.same[p, b, :n] = _places(other, len(other))[combos]
            level.groups[p, b, : len(groups[p][b])] = groups[p][b]
            if above:
                _look_up(level, above[-1], p, b, images[b])
    return level


def _look_up(level: Level, parent: Level, player: int, board: int, images: list[Image]) -> None:
    """Where the parent's list has the hands of a board, for each image of the board."""
    n = level.count[player, board]
    combos = level.combo[player, board, :n]
    for i, (above, renaming) in enumerate(images):
        places = _places(parent.combo[player, above, : parent.count[player, above]], -1)
        renamed = renaming[COMBO_CARDS[combos]]
        level.up[player, level.first_image[board] + i, :n] = places[COMBO_OF[renamed[:, 0], renamed[:, 1]]]


def _places(combos: Any, nowhere: int) -> Any:
    """(1326,): where a list has each hand."""
    places = np.full(COMBOS, nowhere)
    places[combos] = np.arange(len(combos))
    return places


def _hands(board: Any, weights: Any) -> tuple[Any, Any]:
    """The hands with weight that a board leaves, weakest first, and their values, which are 0 before the river."""
    combos = np.flatnonzero(possible_combos(board) & (weights > 0))
    if len(board) < RIVER_CARDS:
        return combos, np.zeros(len(combos), np.int64)
    values = hand_values(board)[combos]
    order = np.argsort(values, kind="stable")
    return combos[order], values[order]


def _groups(own: Any, other: Any) -> Any:
    """Own hands of equal value: where they end, where the other's weaker hands end, and those that are not stronger."""
    strengths = np.unique(own)
    ends = [
        np.searchsorted(*pair)
        for pair in ((own, strengths, "right"), (other, strengths, "left"), (other, strengths, "right"))
    ]
    return np.stack(ends, axis=1)


class Segments(NamedTuple):
    """The segments of a tree, the first being its beginning. Ranges are (segments + 1,) int64, into the lists."""

    level: Any
    """(segments,) int64: deals since the root."""
    first_root: Any
    roots: Any
    """Nodes."""
    first_action_node: Any
    action_nodes: Any
    """Nodes, parents first."""
    first_chance_node: Any
    chance_nodes: Any
    """Nodes on which a card is dealt: roots of the segments that follow, in their order."""
    first_next: Any
    """Segments that follow: those numbers."""
    first_evaluation: Any
    """(2, segments + 1): of terminal nodes, by the player whose values they are."""
    evaluation_rows: Any
    """(evaluations, 5) int32: value rows for a fold by the player to act and for the rest, the two reach rows whose
    weighted sum gives T, the reach row of B and N."""
    evaluation_factors: Any
    """(evaluations, 6) float32: weights of the two rows; of T in the first and in the second value row; of B; of N."""
    reach_row: Any
    """(2, nodes) int32: the reach row of an action node in its own segment, by the player whose hands they are."""
    value_row: Any
    """(nodes,) int32: the value row of an action node in its own segment."""
    child_reach_row: Any
    """(2, nodes) int32: the reach row of a node in the segment of its parent, which differs where a card is dealt."""
    child_value_row: Any
    chance_reach_row: Any
    """(2, chance nodes) int32: an all-in whose board is run out is a chance node of several segments."""
    chance_value_row: Any
    row_counts: Any
    """(levels, 2) int64: rows of reach and of values that a segment needs; the last row of values is for what nobody
    reads."""


class _ChanceNode(NamedTuple):
    """A node on which a card is dealt, and its rows in the segment before the deal."""

    node: int
    reach: list[int]
    value: int


class _Segment:
    """One segment while the list is made."""

    def __init__(self, level: int, roots: list[int]) -> None:
        self.level, self.roots = level, roots
        self.action_nodes: list[int] = []
        self.chance_nodes: list[_ChanceNode] = []
        self.evaluations: tuple[list[Any], list[Any]] = ([], [])
        self.following = (0, 0)


class _Planner:
    """Makes the segments of a tree, one after the other. levels: of boards, from the root's to the river."""

    def __init__(self, tree: Any, levels: int) -> None:
        self.kind, self.player = tree.kind.tolist(), tree.player.tolist()
        self.first_child, self.children = tree.first_child.tolist(), tree.children.tolist()
        self.street_start, self.payoff = tree.street_start.tolist(), tree.payoff
        self.last = levels - 1
        nodes = len(self.kind)
        self.reach_row, self.child_reach_row = np.zeros((2, PLAYERS, nodes), np.int32)
        self.value_row, self.child_value_row = np.zeros((2, nodes), np.int32)
        self.row_counts = np.ones((levels, 2), np.int64)
        self.segments = [_Segment(0, [0])]

    def plan(self) -> Segments:
        for segment in self.segments:  # grows meanwhile
            self.fill(segment)
        return self.arrays()

    def fill(self, segment: _Segment) -> None:
        """List what is in a segment, number its rows, and append those that follow."""
        reaches = [len(segment.roots)] * PLAYERS
        values = len(segment.roots)
        for row, root in enumerate(segment.roots):
            self.reach_row[:, root] = self.value_row[root] = row
        is_last = segment.level == self.last
        waiting = list(segment.roots)
        for node in waiting:  # grows meanwhile: parents first
            if self.kind[node] == DECISION:
                segment.action_nodes.append(node)
            elif node in segment.roots:
                self.run_out(segment, node, is_last)
                continue
            else:
                continue
            for child in range(self.first_child[node], self.first_child[node] + self.children[node]):
                rows = [int(self.reach_row[p, node]) for p in range(PLAYERS)]
                mover = self.player[node]
                rows[mover] = reaches[mover]
                reaches[mover] += 1
                self.child_reach_row[:, child], self.child_value_row[child] = rows, values
                if self.street_start[child] or (self.kind[child] == SHOWDOWN and not is_last):
                    segment.chance_nodes.append(_ChanceNode(child, rows, values))
                else:
                    self.reach_row[:, child], self.value_row[child] = rows, values
                    waiting.append(child)
                values += 1
        for node in segment.action_nodes:
            self.add_evaluations(segment, node, is_last)
        most = self.row_counts[segment.level]
        most[:] = np.maximum(most, (max(reaches), values + 1))
        self.follow(segment)

    def run_out(self, segment: _Segment, node: int, is_last: bool) -> None:
        """A root that is an end: settled on the river, dealt on before."""
        row = int(self.value_row[node])
        if self.kind[node] == FOLDED:
            raise ValueError("the tree is over before it begins: its root is a fold")
        if not is_last:
            segment.chance_nodes.append(_ChanceNode(node, [row] * PLAYERS, row))
            return
        for hero in range(PLAYERS):
            all_of, below, up_to = self.showdown(node, hero)
            rows = (-1, row, row, row, row)
            segment.evaluations[hero].append((rows, (1.0, 0.0, 0.0, all_of, below, up_to)))

    def showdown(self, node: int, hero: int) -> tuple[float, float, float]:
        """What T, B and N count for at a showdown."""
        win, loss, tie = (float(self.payoff[node, case, hero]) for case in (hero, 1 - hero, 2))
        return loss, win - tie, tie - loss

    def add_evaluations(self, segment: _Segment, node: int, is_last: bool) -> None:
        """The ends right behind a decision."""
        fold = call = -1
        for child in range(self.first_child[node], self.first_child[node] + self.children[node]):
            if self.kind[child] == FOLDED:
                fold = child
            elif self.kind[child] == SHOWDOWN and is_last:
                call = child
        if fold < 0 and call < 0:
            return
        for hero in range(PLAYERS):
            folded = float(self.payoff[fold, 0, hero]) if fold >= 0 else 0.0
            all_of, below, up_to = self.showdown(call, hero) if call >= 0 else (0.0, 0.0, 0.0)
            reach = self.reach_row[1 - hero]
            if self.player[node] == hero:
                row = int(reach[node])
                rows = (self.row_of(fold), self.row_of(call), row, row, row)
                factors = (1.0, 0.0, folded, all_of, below, up_to)
            else:
                fold_row = int(reach[fold]) if fold >= 0 else 0
                call_row = int(reach[call]) if call >= 0 else 0
                rows = (-1, int(self.value_row[node]), fold_row, call_row, call_row)
                factors = (folded, all_of, 0.0, 1.0, below, up_to)
            segment.evaluations[hero].append((rows, factors))

    def row_of(self, node: int) -> int:
        return int(self.value_row[node]) if node >= 0 else -1

    def follow(self, segment: _Segment) -> None:
        """Append the segments behind a segment: one for all boards that are only run out, one for each other."""
        ends = [chance_node for chance_node in segment.chance_nodes if self.kind[chance_node.node] == SHOWDOWN]
        others = [chance_node for chance_node in segment.chance_nodes if self.kind[chance_node.node] == DECISION]
        segment.chance_nodes = ends + others
        first = len(self.segments)
        for chance_nodes in ([ends] if ends else []) + [[chance_node] for chance_node in others]:
            self.segments.append(_Segment(segment.level + 1, [chance_node.node for chance_node in chance_nodes]))
        segment.following = (first, len(self.segments))

    def arrays(self) -> Segments:
        segments = self.segments
        evaluations = [
            evaluation for hero in range(PLAYERS) for segment in segments for evaluation in segment.evaluations[hero]
        ]
        counts = [[len(segment.evaluations[hero]) for segment in segments] for hero in range(PLAYERS)]
        first_evaluation = np.cumsum([[0, *counts[0]], [0, *counts[1]]], axis=1)
        first_evaluation[1] += first_evaluation[0, -1]
        chance_nodes = [chance_node for segment in segments for chance_node in segment.chance_nodes]
        nothing = int(self.row_counts[:, 1].max()) - 1
        evaluation_rows = np.array([rows for rows, _ in evaluations], np.int32).reshape(-1, 5)
        evaluation_rows[evaluation_rows < 0] = nothing
        return Segments(
            np.array([segment.level for segment in segments], np.int64),
            *_listed([segment.roots for segment in segments]),
            *_listed([segment.action_nodes for segment in segments]),
            *_listed([[chance_node.node for chance_node in segment.chance_nodes] for segment in segments]),
            np.array([segment.following for segment in segments], np.int64).reshape(-1, 2),
            first_evaluation,
            evaluation_rows,
            np.array([factors for _, factors in evaluations], np.float32).reshape(-1, 6),
            self.reach_row,
            self.value_row,
            self.child_reach_row,
            self.child_value_row,
            np.array([chance_node.reach for chance_node in chance_nodes], np.int32).reshape(-1, PLAYERS).T.copy(),
            np.array([chance_node.value for chance_node in chance_nodes], np.int32),
            np.array([[most_reach, nothing + 1] for most_reach in self.row_counts[:, 0]], np.int64),
        )


def _listed(lists: list[list[int]]) -> tuple[Any, Any]:
    """Where each list begins in all of them end to end, and these."""
    first = np.cumsum([0, *(len(some) for some in lists)])
    return first, np.array([node for some in lists for node in some], np.int64)


class Subgame(NamedTuple):
    """What a walk reads."""

    kind: Any
    player: Any
    first_child: Any
    children: Any
    deals: Any
    """(nodes,) bool: a card is dealt on the way to this node."""
    depth: Any
    """(nodes,) int64: streets since the root."""
    segments: Segments
    levels: tuple[Level, Level, Level]
    """As many as there may be, so that one compilation does for all: those behind `last` are not looked at."""
    last: Any
    """The level of rivers."""
    deal_probability: Any
    """(levels,) float32: of each board that a deal leads to."""
    offset: Any
    """(nodes + 1,) int64: where the regrets of an action node begin, and its cumulative strategy."""
    first_block: Any
    """(nodes + 1,) int64: the number of the action node's block on the first board."""
    width: Any
    """(2, levels) int64: places in a row of regrets."""
    is_locked: Any
    """(nodes,) bool: the player's strategy is held fixed."""


class Nodes(NamedTuple):
    """What a walk needs of a betting tree."""

    kind: Any
    street: Any
    player: Any
    first_child: Any
    children: Any
    street_start: Any
    payoff: Any


NOBODY = np.full(1, -1)
RUN_OUT = Nodes(
    np.array([SHOWDOWN]),
    np.zeros(1, np.int64),
    NOBODY,
    NOBODY,
    NOBODY,
    np.zeros(1, np.bool_),
    np.array([[[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]]]),
)
"""Nobody bets: what is at stake is 1."""


def weights_of_hands(level: Any, ranges: Any) -> Any:
    """(2, width) float32: the weights of the listed hands, the largest of a range being 1."""
    weights = np.zeros((PLAYERS, level.combo.shape[2]), np.float32)
    for p in range(PLAYERS):
        n = level.count[p, 0]
        held = ranges[p, level.combo[p, 0, :n]]
        weights[p, :n] = held / held.max()
    return weights


def opponent_weights(weights: Any) -> Any:
    """(2, 1326): the weight of the other player's hands that share no card with each hand. weights: (2, 1326)."""
    found = np.zeros((PLAYERS, COMBOS))
    for p, other in enumerate(weights[::-1]):
        by_card = np.bincount(COMBO_CARDS.ravel(), np.repeat(other, HOLE_CARDS), CARDS)
        found[p] = other.sum() - by_card[COMBO_CARDS].sum(axis=1) + other
    return found.clip(0)


def make_subgame(tree: Any, levels: Any) -> Subgame:
    """The arrays that a walk reads."""
    segments = _Planner(tree, len(levels)).plan()
    kind = np.array(tree.kind, np.int8)  # a copy, as kernels are compiled again for arrays that cannot be written
    nodes = len(kind)
    is_end = kind == SHOWDOWN
    depth = np.asarray(tree.street, np.int64) - int(tree.street[0])
    width = np.array([[padded(level.count[p].max()) for level in levels] for p in range(PLAYERS)], np.int64)
    offset, first_block = np.zeros((2, nodes + 1), np.int64)
    for node in np.flatnonzero(kind == DECISION):
        boards = len(levels[depth[node]].boards)
        offset[node + 1] = boards * int(tree.children[node]) * width[tree.player[node], depth[node]]
        first_block[node + 1] = boards
    offset, first_block = np.cumsum(offset), np.cumsum(first_block)
    return Subgame(
        kind,
        np.asarray(tree.player, np.int64),
        np.asarray(tree.first_child, np.int64),
        np.asarray(tree.children, np.int64),
        np.asarray(tree.street_start, np.bool_) | (is_end & (depth < len(levels) - 1)),
        depth,
        segments,
        (*levels, *[levels[-1]] * (MOST_LEVELS - len(levels))),
        len(levels) - 1,
        np.array([1 / (CARDS - 2 * HOLE_CARDS - level.boards.shape[1]) for level in levels], np.float32),
        offset,
        first_block,
        width,
        np.zeros(nodes, np.bool_),
    )


def padded(count: int) -> int:
    """The places in a row of regrets for this many hands."""
    return -(-int(count) // BLOCK) * BLOCK

"""One walk over a public game for one player: counterfactual regret minimization, values and best responses.

Alternating: a walk for one player updates the regrets of its own action nodes and the cumulative strategy of the other
player's (`solvers.cfr`). A walk that does not train plays the average strategies, and the player it is for plays its
own, too, or the best response to the other's. Regrets and cumulative strategy of an action node stand on each board as
rows of hands, one for each action.

The values are one player's, by hand, weighted by the probability that cards and the opponent's actions lead there
(counterfactual values).

What hands win at the ends of betting is in `terminals`; at the end of a street it may be a network that says so
(values/street.py), which is asked between the way down and the way up.
"""

from __future__ import annotations

from typing import NamedTuple

from ..compiled.compiler import compiled, inline, kernel
from ..compiled.intrinsics import floats_of, line_size, read_line, write
from ..compiled.scalars import int64
from .boards import PLAYERS
from .cfr import (
    BEST,
    RESPOND,
    TRAIN,
    Block,
    Rows,
    best_response_values,
    clear,
    copy,
    expected_values,
    predict_regrets,
    propagate_reach,
    update_cumulative_strategy,
    update_regrets,
    write_best_response,
)
from .hands import Ints
from .packing import ONE, WHOLE, pack, unpack
from .public_game import GameArrays
from .terminals import evaluate_terminals
from .trees.walking import DECISION
from .workspace import Sums, Turn, Walk, Workspace

# Decisions


@inline
def row_width(walk: Walk, player: int, level: int) -> int:
    """Places in a row of a player's hands."""
    return int64(walk.game.width[player, level])


@inline
def first_of(walk: Walk, level: int, board: int, node: int) -> int:
    """Where the regrets of an action node on a board begin."""
    game = walk.game
    number = board - game.boards.first[level]
    return int64(game.offset[node] + number * game.children[node] * game.width[game.player[node], level])


@inline
def number_of(walk: Walk, level: int, board: int, node: int) -> int:
    """The number of the block of an action node on a board."""
    return int64(walk.game.first_block[node] + board - walk.game.boards.first[level])


@inline
def propagate_opponent(walk: Walk, level: int, board: int, node: int) -> None:
    """An action node of the opponent's: reach probabilities behind each action, and the cumulative strategy."""
    game, played, cumulative, floats = walk.game, walk.played, walk.sums.cumulative, walk.work.block
    trains = walk.turn.mode == TRAIN and not game.is_locked[node]
    player, actions, first = game.player[node], game.children[node], first_of(walk, level, board, node)
    segments, rows, width = game.segments, walk.work.reach[level], row_width(walk, player, level)
    before = rows[segments.reach_row[player, node]]
    first_row, size = segments.child_reach_row[player, game.first_child[node]], actions * width
    is_whole, number = played.values.itemsize >= WHOLE, number_of(walk, level, board, node)
    place = first if is_whole else 0
    if not is_whole:
        unpack(played.values, first, size, ONE, floats)  # the unit does not matter to regret matching
    propagate_reach(Block(floats_of(played.values, floats), place, actions, width), before, rows, first_row)
    if not trains:
        return
    if not is_whole:
        unpack(cumulative.values, first, size, cumulative.unit[number], floats)
    sums = Block(floats_of(cumulative.values, floats), place, actions, width)
    update_cumulative_strategy(sums, rows, first_row, walk.turn.strategy)
    if not is_whole:
        packed = Block(cumulative.values, first, actions, width)
        cumulative.unit[number] = pack(walk.work, packed, walk.turn.iteration, number)


@inline
def backup_opponent(walk: Walk, level: int, board: int, node: int) -> None:
    """An action node of the opponent's: the sum of its children's values. Those of terminal nodes are there already."""
    game, values = walk.game, walk.work.value[level]
    segments, width = game.segments, row_width(walk, 1 - game.player[node], level)
    total = values[segments.value_row[node]]
    for child in range(game.first_child[node], game.first_child[node] + game.children[node]):
        if game.deals[child] or game.kind[child] == DECISION:
            value = values[segments.child_value_row[child]]
            for i in range(0, width, line_size(total)):
                write(total, i, read_line(total, i) + read_line(value, i))


@inline
def back_up_by(walk: Walk, played: Block, regrets: Block, level: int, node: int, trains: bool) -> None:
    """The values of the player's action node by its regrets or cumulative strategy, and its regrets."""
    values, turn, segments = walk.work.value[level], walk.turn, walk.game.segments
    value, first_value = values[segments.value_row[node]], segments.child_value_row[walk.game.first_child[node]]
    expected_values(played, values, first_value, value)
    if trains:
        update_regrets(regrets, values, first_value, value, turn.positive, turn.negative)
        predicted = walk.sums.predicted.values
        if predicted.size > 0:
            predict_regrets(regrets, predicted, values, first_value, value)


@inline
def tie_hands(walk: Walk, block: Block, board: int, player: int) -> None:
    """Hands that a renaming of suits makes the same have the same weights: those of the first of them."""
    if walk.game.boards.is_tied[board]:
        alike = walk.game.boards.alike[player, board]
        for a in range(block.actions):
            first = block.first + a * block.width
            own = block.weights[first : first + block.width]
            for i in range(walk.game.boards.count[player, board]):
                own[i] = own[alike[i]]


@inline
def backup_own(walk: Walk, level: int, board: int, node: int) -> None:
    """An action node of the player's: values by its strategy or by a best response, and its regrets."""
    game, played, floats, mode = walk.game, walk.played, walk.work.block, walk.turn.mode
    trains = mode == TRAIN and not game.is_locked[node]
    player, actions, first = game.player[node], game.children[node], first_of(walk, level, board, node)
    width = row_width(walk, player, level)
    block = Block(played.values, first, actions, width)
    if (mode == BEST or mode == RESPOND) and not game.is_locked[node]:
        values, segments = walk.work.value[level], game.segments
        first_value, value = segments.child_value_row[game.first_child[node]], values[segments.value_row[node]]
        best_response_values(actions, width, values, first_value, value)
        if mode == RESPOND:
            written = Block(walk.sums.regrets.values, first, actions, width)
            write_best_response(written, values, first_value, value)
        return
    is_whole, number = played.values.itemsize >= WHOLE, number_of(walk, level, board, node)
    place, regrets = first if is_whole else 0, floats_of(walk.sums.regrets.values, floats)
    if not is_whole:
        unpack(played.values, first, actions * width, played.unit[number], floats)
    own, learned = floats_of(played.values, floats), Block(regrets, place, actions, width)
    back_up_by(walk, Block(own, place, actions, width), learned, level, node, trains)
    if trains and is_whole:
        tie_hands(walk, learned, board, player)
        if walk.sums.predicted.values.size > 0:
            tie_hands(walk, Block(walk.sums.predicted.values, first, actions, width), board, player)
    elif trains:
        played.unit[number] = pack(walk.work, block, walk.turn.iteration, number)


# Segments


@inline
def enter_segment(walk: Walk, segment: int, level: int, board: int) -> None:
    """Begin a segment on a board: the opponent's reach probabilities, and the values of terminal nodes."""
    game, hero = walk.game, walk.turn.hero
    segments, values = game.segments, walk.work.value[level]
    width = row_width(walk, hero, level)
    for place in range(segments.first_action_node[segment], segments.first_action_node[segment + 1]):
        node = segments.action_nodes[place]
        if game.player[node] != hero:
            clear(values[segments.value_row[node]], width)
            propagate_opponent(walk, level, board, node)
    evaluate_terminals(walk, segment, level, board)
    for place in range(segments.first_chance_node[segment], segments.first_chance_node[segment + 1]):
        clear(values[segments.chance_value_row[place]], width)


@inline
def leave_segment(walk: Walk, segment: int, level: int, board: int) -> None:
    """End a segment on a board: back up values from the last action node to the first."""
    game = walk.game
    segments = game.segments
    first, end = segments.first_action_node[segment], segments.first_action_node[segment + 1]
    for place in range(end - 1, first - 1, -1):
        node = segments.action_nodes[place]
        if game.player[node] == walk.turn.hero:
            backup_own(walk, level, board, node)
        else:
            backup_opponent(walk, level, board, node)


@inline
def deal_cards(walk: Walk, segment: int, level: int, child: int, chance_node: int) -> None:
    """The opponent's reach probabilities at the roots of a segment that follows a deal. chance_node: the place of the
    first that leads there."""
    game, opponent = walk.game, 1 - walk.turn.hero
    segments, boards = game.segments, game.boards
    up, count = boards.up[opponent, boards.first_image[child]], boards.count[opponent, child]
    rows, next_rows = walk.work.reach[level], walk.work.reach[level + 1]
    for r in range(segments.first_root[segment + 1] - segments.first_root[segment]):
        source, target = rows[segments.chance_reach_row[opponent, chance_node + r]], next_rows[r]
        for i in range(count):
            target[i] = source[up[i]]
        target[count : row_width(walk, opponent, level + 1)] = target.dtype.type(0)


@inline
def backup_deal(walk: Walk, segment: int, level: int, child: int, chance_node: int, next_values: Rows) -> int:
    """Add the values of the roots of a segment, the first rows of `next_values`, to those of the chance nodes before
    it, for a board and those that are isomorphic to it. Returns how many chance nodes these are."""
    game, hero, values = walk.game, walk.turn.hero, walk.work.value[level]
    segments, boards, probability = game.segments, game.boards, game.deal_probability[level]
    own_count = boards.count[hero, child]
    roots = segments.first_root[segment + 1] - segments.first_root[segment]
    for r in range(roots):
        source, target = next_values[r], values[segments.chance_value_row[chance_node + r]]
        for image in range(boards.first_image[child], boards.first_image[child + 1]):
            own_up = boards.up[hero, image]
            for i in range(own_count):
                target[own_up[i]] += source[i] * probability
    return int64(roots)


@compiled
def traverse(walk: Walk, base: int, first_segment: int, first_board: int) -> None:
    """Walk a segment of level `base` on a board, and all that follow. The reach of its roots is in their rows; their
    values will be. No recursion: machine code of functions that call each other in a circle cannot be kept on disk."""
    game, work = walk.game, walk.work
    segments, boards = game.segments, game.boards
    # Of each level: the segment and its board, the next board and segment that follow, and the chance node before them.
    at = work.at
    segment_at, board_at, child_at, following_at, chance_at = at[0], at[1], at[2], at[3], at[4]
    segment_at[base], board_at[base] = first_segment, first_board
    level, enters = base, True
    while level >= base:
        segment, board = segment_at[level], board_at[level]
        first_chance = segments.first_chance_node[segment]
        has_chance = first_chance < segments.first_chance_node[segment + 1]
        if enters:
            enter_segment(walk, segment, level, board)
            if has_chance:
                child_at[level] = boards.first_child[board]
                following_at[level], chance_at[level] = segments.first_next[segment, 0], first_chance
        else:
            following, child = following_at[level], child_at[level]
            chance_at[level] += backup_deal(walk, following, level, child, chance_at[level], work.value[level + 1])
            following_at[level] += 1
            if following_at[level] == segments.first_next[segment, 1]:
                child_at[level] += 1
                following_at[level], chance_at[level] = segments.first_next[segment, 0], first_chance
        enters = has_chance and child_at[level] < boards.first_child[board + 1]
        if enters:
            following, child = following_at[level], child_at[level]
            deal_cards(walk, following, level, child, chance_at[level])
            level += 1
            segment_at[level], board_at[level] = following, child
        else:
            leave_segment(walk, segment, level, board)
            level -= 1


ALL, DOWN, BOARDS, UP, SEGMENT, VALUED = range(6)
"""Parts of a walk: all of it, for both players and all iterations. Or, of one iteration for one player, what several
threads do: one goes down to the first deal, each walks some of its boards, one goes up again. Sums are added up in the
same order, so the numbers are the same to the last bit. Or one segment on a board, and what follows it. Or up from the
first deal, whose values somebody else has found."""


class Part(NamedTuple):
    """Which part of a walk, of which mode. weights: (2, width), of the hands on the first board. hero: whose walk it
    is; where: which boards of the first deal; neither counts for ALL. For SEGMENT, `where` is its level, its number and
    its board; the reach of its root and the values of its nodes stand in the workspace. found: (boards, chance nodes,
    width), the values of the roots behind the first deal, which BOARDS writes and UP reads; for VALUED those before it,
    (1, chance nodes, width)."""

    part: int
    mode: int
    weights: Rows
    hero: int
    where: Ints
    found: Rows


@inline
def turn_of(hero: int, mode: int, factors: Rows) -> Turn:
    """A turn of an iteration. factors: (4,), see `Turn`."""
    return Turn(hero, mode, factors[0], factors[1], factors[2], factors[3])


@kernel
def run(game: GameArrays, work: Workspace, sums: Sums, factors: Rows, part: Part, values: Rows) -> None:
    """TRAIN: one iteration of both players for each row of `factors`, (iterations, 4).

    Otherwise: the counterfactual values of the hands on the first board, into values (2, width): both players playing
    their average strategies (VALUE), or each the best response to the other's (BEST; RESPOND writes it down, too).
    part: of the walk; one kernel, so that the walk is compiled once.
    """
    segments, hero, mode, first_board = game.segments, part.hero, part.mode, game.boards.first[1]
    first_chance, first, end = segments.first_chance_node[0], segments.first_next[0, 0], segments.first_next[0, 1]
    trains = mode == TRAIN
    played = sums.cumulative if not trains else sums.predicted if sums.predicted.values.size > 0 else sums.regrets
    if part.part == ALL:
        for iteration in range(len(factors)):
            for player in range(PLAYERS):
                walk = Walk(game, work, sums, played, turn_of(player, mode, factors[iteration]))
                copy(part.weights[1 - player], work.reach[0, 0])
                traverse(walk, 0, 0, 0)
                copy(work.value[0, 0], values[player])
        return
    walk = Walk(game, work, sums, played, turn_of(hero, mode, factors[0]))
    if part.part == DOWN:
        copy(part.weights[1 - hero], work.reach[0, 0])
        enter_segment(walk, 0, 0, 0)
    elif part.part == BOARDS:
        for number in part.where:
            chance_node = first_chance
            for segment in range(first, end):
                deal_cards(walk, segment, 0, first_board + number, chance_node)
                traverse(walk, 1, segment, first_board + number)
                for r in range(segments.first_root[segment + 1] - segments.first_root[segment]):
                    copy(work.value[1, r], part.found[number, chance_node - first_chance])
                    chance_node += 1
    elif part.part == SEGMENT:
        traverse(walk, part.where[0], part.where[1], part.where[2])
    elif part.part == VALUED:
        for place in range(first_chance, segments.first_chance_node[1]):
            copy(part.found[0, place], work.value[0, segments.chance_value_row[place]])
        leave_segment(walk, 0, 0, 0)
        copy(work.value[0, 0], values[hero])
    else:
        for number in range(len(part.found)):
            chance_node = first_chance
            for segment in range(first, end):
                below = part.found[number, chance_node - first_chance :]
                chance_node += backup_deal(walk, segment, 0, first_board + number, chance_node, below)
        leave_segment(walk, 0, 0, 0)
        copy(work.value[0, 0], values[hero])

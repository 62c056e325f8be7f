"""What a move before the flop loses: the shipped blueprint plays it and the others out, on the same decks."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ...agents.protocol import Agent
from ...agents.queries import SealedAgent, asked_range_probabilities
from ...cards.combos import COMBO_CARDS, COMBOS
from ...cards.text import CARDS
from ...compiled.records import Records
from ...engine import batch, record
from ...engine.batch import NO_MOVE
from ...engine.legality import move_text
from ...game.rules import Rules
from ...solvers.blueprints.agent import SHIPPED, BlueprintAgent
from ...solvers.blueprints.game_check import check_game
from ...solvers.blueprints.strategy_file import STRATEGY_SUFFIX, read_header
from ...solvers.trees.roots import playable
from ..statistics.intervals import fixed_interval

ROW = np.zeros(1, np.int64)
HOLE = 2
SALT = 0x50524546


@lru_cache(maxsize=8)
def blueprint_for(rules: Rules) -> Agent | None:
    """The shipped blueprint of a game, of those for other stacks the one for the nearest; None if there is none."""
    depth, found = _depth(rules), dict[float, str]()
    for path in sorted(SHIPPED.glob(f"*{STRATEGY_SUFFIX}")):
        own = Rules(**read_header(path).rules)
        try:
            check_game(path.stem, own, rules)
        except ValueError:
            continue
        found[abs(float(np.log(_depth(own) / depth)))] = str(path)
    return BlueprintAgent(found[min(found)], search=None) if found else None


def _depth(rules: Rules) -> float:
    return min(rules.starting_stacks) / float(rules.unit)


def preflop_loss(
    before: Records, rules: Rules, blueprint: Agent, made: int, weights: NDArray[np.float64], rollouts: int
) -> tuple[float, str, str]:
    """What a move loses for certain, in chips, and the move and the best one in words.

    before: (1,), the table; made: the move that was played there. weights: (1326,), of the other player's hands. The
    best move is that of the blueprint's which wins the most on average over the rollouts; the loss is how much more
    than the one made, less half of the 95 % interval of the difference. Where that is not above 0, no move is known to
    be better than the one made.
    """
    moves, _ = asked_range_probabilities(blueprint, before, rules, ROW)
    choices = sorted({made, *(int(move) for move in moves[0] if move != NO_MOVE)})
    won = rollout_winnings(before, rules, blueprint, choices, weights, rollouts)
    own, best = choices.index(made), int(won.mean(axis=1).argmax())
    interval = fixed_interval(won[best] - won[own])
    loss = interval.mean - interval.half_width if own != best else 0.0
    t, seat = before[0], int(before["actor"][0])
    call = int(t["bet_to_match"] - t["seats"]["bet"][seat])
    words = [move_text(choices[k], call=call, opens=False) for k in (own, best if loss > 0 else own)]
    return max(loss, 0.0), words[0], words[1]


def rollout_winnings(
    before: Records, rules: Rules, blueprint: Agent, moves: list[int], weights: NDArray[np.float64], rollouts: int
) -> NDArray[np.float64]:
    """(moves, rollouts): the chips that the seat to act wins with each move, if both players play on as the blueprint.
    A rollout has the same cards and the same randomness for every move. weights: as in `preflop_loss`."""
    seat, log = int(before["actor"][0]), record.new_log(listening=False)
    game = playable(rules.stages[int(before["stage"][0])].replace(dealer_errors=None))
    tables = np.tile(_dealt(before, weights, rollouts), len(moves))
    batch.play_moves(tables, game.record, log, np.arange(len(tables)), np.repeat(np.array(moves, np.int64), rollouts))
    asked = SealedAgent(blueprint)
    while (rows := np.flatnonzero(tables["over"] == 0)).size:
        asked.play(tables, game, log, rows)
    won: NDArray[np.int64] = tables["seats"]["stack"][:, seat] - tables["start_stack"][:, seat]
    return won.reshape(len(moves), rollouts).astype(np.float64)


def _dealt(before: Records, weights: NDArray[np.float64], count: int) -> Records:
    t, seat = before[0], int(before["actor"][0])
    generator = np.random.default_rng([SALT, *(int(part) for part in (t["seed"], t["hand"], t["moves"]))])
    own = t["hole"][seat, :HOLE].astype(np.int64)
    theirs = COMBO_CARDS[generator.choice(COMBOS, count, p=weights / weights.sum())].astype(np.int64)
    order = generator.random((count, CARDS))
    order[:, own] = 1
    np.put_along_axis(order, theirs, 1, axis=1)
    rest = np.argsort(order, axis=1)[:, : CARDS - 2 * HOLE]
    tables = np.repeat(before, count)
    places = [[int(np.flatnonzero(t["deck"][:CARDS] == card)[0]) for card in t["hole"][p, :HOLE]] for p in (0, 1)]
    others = np.setdiff1d(np.arange(CARDS), places)
    tables["deck"][:, others] = rest
    tables["deck"][:, places[1 - seat]] = theirs
    tables["hole"][:, 1 - seat, :HOLE] = theirs
    tables["table_id"] = np.arange(count)
    tables["stage"] = tables["follow_ups"] = 0
    return tables

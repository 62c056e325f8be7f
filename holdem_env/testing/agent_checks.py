"""`check_agent`: does an agent play by the rules, in any game, and as it says?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..agents.protocol import Agent
from ..agents.registry import make_agent
from ..engine import batch, record
from ..engine.batch import NO_MOVE
from ..engine.legality import why_illegal
from ..game.rules import Rules
from .sampled_tables import GAMES, ConformanceError, place, random_positions, shuffle_hidden_cards

COPIES = 1_000  # of a position, in which moves are counted
MOST_COUNTED = 5  # positions of a game
DEVIATIONS = 5.0  # how many standard deviations a count may be off
ROUNDING = 1e-6


def check_agent(agent: str | Agent, games: Sequence[Rules] = GAMES, positions: int = 200, seed: int = 0) -> None:
    """Check an agent in random positions of several games; returns silently if all is well.

    It answers with one integer move for each row it was asked about and only for these, its moves are legal, it leaves
    the tables alone, it plays one table as it plays many, and, if it gives the same answer twice, its move does not
    change when the cards that its seat cannot know are permuted.

    If it tells its probabilities: they are those of legal moves, each named once, add up to 1, depend on nothing that
    its seat cannot know (random seeds and hand numbers neither), and `act` plays each move as often as they say.

    agent: an agent, a name or a file, as make_agent takes them. games: the rules to try; pass your own if it is made
    for one game. Raises ConformanceError (an AssertionError) with a sentence on what failed and how to mend it.
    """
    player = make_agent(agent)
    for rules in games:
        tables = random_positions(rules, positions, seed)
        rows = np.flatnonzero(tables["actor"] != record.NOBODY)[::2]  # some of them, as in a match of several agents
        moves = _ask(player, rules, tables, rows)
        _check_legal(player, rules, tables, rows, moves)
        _ask(player, rules, tables, rows[:1])
        again = _ask(player, rules, tables, rows)
        if np.array_equal(moves, again):
            _check_honest(player, rules, tables, rows, moves, seed)
        if player.tells_probabilities:
            check_probabilities(player, rules, tables, rows, moves, seed)


def _ask(agent: Agent, rules: Rules, tables: record.Records, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    before = tables.tobytes()
    moves = agent.act(tables, rules, rows)
    if tables.tobytes() != before:
        raise ConformanceError(f"{agent.name} changes the tables: `act` returns moves and others play them.")
    answer = np.asarray(moves)
    if answer.shape != rows.shape or answer.dtype.kind not in "iu":
        raise ConformanceError(
            f"{agent.name} was asked about {len(rows)} tables and answered with shape {answer.shape}, "
            f"dtype {answer.dtype}: return one integer engine move for each row."
        )
    return np.ascontiguousarray(answer, np.int64)


def _check_legal(
    agent: Agent, rules: Rules, tables: record.Records, rows: NDArray[np.int64], moves: NDArray[np.int64]
) -> None:
    bad = batch.first_illegal(tables, rules.record, rows, moves)
    if bad >= 0:
        row = int(rows[bad])
        why = why_illegal(tables, rules.record, row, int(moves[bad]))
        raise ConformanceError(
            f"{place(rules, row, tables['actor'][row])}: {agent.name} makes an illegal move: {why} "
            "Take moves from an action encoder, or keep raises within t.raise_min..t.raise_max."
        )


def _check_honest(
    agent: Agent, rules: Rules, tables: record.Records, rows: NDArray[np.int64], moves: NDArray[np.int64], seed: int
) -> None:
    hidden = shuffle_hidden_cards(tables, rules, tables["actor"].tolist(), seed)
    for name in ("seed", "table_id", "hand"):
        hidden[name] = tables[name]  # agents that mix may draw from these
    for k in np.flatnonzero(_ask(agent, rules, hidden, rows) != moves)[:1].tolist():
        raise ConformanceError(
            f"{place(rules, int(rows[k]), tables['actor'][rows[k]])}: {agent.name} plays differently when only cards "
            "change that its seat cannot know: it looks at hidden cards. Let it see the table through an encoder."
        )


def check_probabilities(
    agent: Agent,
    rules: Rules,
    tables: record.Records,
    rows: NDArray[np.int64],
    moves: NDArray[np.int64],
    seed: int,
) -> None:
    """The part of `check_agent` that is about `probabilities`. moves: what the agent has played at these rows."""
    told, chances = _told(agent, rules, tables, rows)
    _check_told(agent, rules, tables, rows, told, chances)
    played = ((told == moves[:, None]) & (chances > 0)).any(axis=1)
    for k in np.flatnonzero(~played)[:1].tolist():
        raise ConformanceError(
            f"{place(rules, int(rows[k]), tables['actor'][rows[k]])}: {agent.name} plays {moves[k]}, which by its "
            "probabilities it never does: let `act` draw from `probabilities`, as KnownStrategy does."
        )
    hidden = shuffle_hidden_cards(tables, rules, tables["actor"].tolist(), seed)
    again = _told(agent, rules, hidden, rows)
    same = _by_move(told, chances, told) == _by_move(*again, told)
    for k in np.flatnonzero(~same.all(axis=1))[:1].tolist():
        raise ConformanceError(
            f"{place(rules, int(rows[k]), tables['actor'][rows[k]])}: the probabilities of {agent.name} change with "
            "what its seat cannot know: hidden cards, the seed or the hand's number. Samples must be drawn from a hash "
            "of what the seat sees."
        )
    _check_frequencies(agent, rules, tables, rows, told, chances)


def _told(
    agent: Agent, rules: Rules, tables: record.Records, rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    before = tables.tobytes()
    told, chances = (np.asarray(part) for part in agent.probabilities(tables, rules, rows))
    if tables.tobytes() != before:
        raise ConformanceError(f"{agent.name} changes the tables: `probabilities` only looks at them.")
    good = told.ndim == 2 and told.shape == chances.shape and len(told) == len(rows)
    if not good or told.dtype.kind not in "iu" or chances.dtype.kind != "f":
        raise ConformanceError(
            f"{agent.name} was asked for the probabilities at {len(rows)} tables and gave shapes {told.shape} and "
            f"{chances.shape}, dtypes {told.dtype} and {chances.dtype}: give (K, A) int64 moves and (K, A) float64."
        )
    return told.astype(np.int64), chances.astype(np.float64)


def _check_told(
    agent: Agent,
    rules: Rules,
    tables: record.Records,
    rows: NDArray[np.int64],
    told: NDArray[np.int64],
    chances: NDArray[np.float64],
) -> None:
    sums = np.where(told != NO_MOVE, chances, 0).sum(axis=1)
    wrong = ~((chances >= 0) & ((told != NO_MOVE) | (chances == 0))).all(axis=1) | ~(np.abs(sums - 1) < ROUNDING)
    for column in range(1, told.shape[1]):
        wrong |= ((told[:, :column] == told[:, column : column + 1]) & (told[:, :column] != NO_MOVE)).any(axis=1)
    for k in np.flatnonzero(wrong)[:1].tolist():
        raise ConformanceError(
            f"{place(rules, int(rows[k]), tables['actor'][rows[k]])}: {agent.name} gives the moves {told[k].tolist()} "
            f"the probabilities {chances[k].tolist()}: they are 0 or more, those of NO_MOVE (-2) 0, they add up to 1, "
            "and no move comes twice."
        )
    for column in range(told.shape[1]):
        named = np.flatnonzero(told[:, column] != NO_MOVE)
        _check_legal(agent, rules, tables, rows[named], np.ascontiguousarray(told[named, column]))


def _by_move(moves: NDArray[np.int64], chances: NDArray[np.float64], asked: NDArray[np.int64]) -> NDArray[np.float64]:
    """The probability of each asked move, (K, A): 0 if it is not among the moves."""
    found = (moves[:, None, :] == asked[:, :, None]) & (asked[:, :, None] != NO_MOVE)
    probability: NDArray[np.float64] = np.where(found, chances[:, None, :], 0).sum(axis=2)
    return probability


def _check_frequencies(
    agent: Agent,
    rules: Rules,
    tables: record.Records,
    rows: NDArray[np.int64],
    told: NDArray[np.int64],
    chances: NDArray[np.float64],
) -> None:
    """In the positions where the agent mixes most, `act` must play each move as often as it says."""
    for k in np.argsort(chances.max(axis=1), kind="stable")[:MOST_COUNTED].tolist():
        copies = np.repeat(tables[rows[k] : rows[k] + 1], COPIES)
        copies["table_id"] = np.arange(COPIES)
        moves = _ask(agent, rules, copies, np.arange(COPIES))
        for move, chance in zip(told[k].tolist(), chances[k].tolist(), strict=True):
            share = float((moves == move).mean())
            if (
                move != NO_MOVE
                and abs(share - chance) > DEVIATIONS * (chance * (1 - chance) / COPIES) ** 0.5 + ROUNDING
            ):
                raise ConformanceError(
                    f"{place(rules, int(rows[k]), tables['actor'][rows[k]])}: by its probabilities {agent.name} makes "
                    f"the move {move} with {chance:.3f}; `act` made it in {share:.3f} of {COPIES:,} such positions. "
                    "Let `act` draw from `probabilities`, as KnownStrategy does."
                )

"""`check_agent`: checks that an agent plays by the rules in any game, and by the probabilities that it gives."""

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
from .sampled_tables import GAMES, ConformanceError, random_positions, shuffle_hidden_cards, where

COPIES = 1_000  # copies of a position in which moves are counted
MOST_COUNTED = 5  # positions per game in which moves are counted
DEVIATIONS = 5.0  # how many standard deviations a count may be off
ROUNDING = 1e-6


def check_agent(agent: str | Agent, games: Sequence[Rules] = GAMES, positions: int = 200, seed: int = 0) -> None:
    """Check an agent in random positions of several games. Returns silently if it passes.

    The checks: it returns one integer move for each row that it was asked about; its moves are legal; it does not
    change the tables; it can play a single table; and, if it gives the same moves when asked twice, its moves do not
    change when the cards that its seat cannot know are permuted.

    If it has probabilities: they belong to legal moves, each named once, and sum to 1; they do not depend on anything
    that its seat cannot know (nor on seeds and hand numbers); and `act` plays each move as often as they say.

    agent: an agent, a name or a file, as for make_agent.
    games: the rules to try; give your own if the agent is made for one game.
    Raises ConformanceError (an AssertionError) that says what failed and how to fix it.
    """
    player = make_agent(agent)
    for rules in games:
        tables = random_positions(rules, positions, seed)
        rows = np.flatnonzero(tables["actor"] != record.NOBODY)[::2]  # a subset, as in a match of several agents
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
        raise ConformanceError(f"{agent.name} changes the tables: `act` must only return moves.")
    answer = np.asarray(moves)
    if answer.shape != rows.shape or answer.dtype.kind not in "iu":
        raise ConformanceError(
            f"{agent.name} was asked about {len(rows)} tables and returned shape {answer.shape}, dtype {answer.dtype}: "
            "return one integer engine move for each row."
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
            f"{where(rules, row, tables['actor'][row])}: {agent.name} makes an illegal move: {why} "
            "Take moves from an action encoder, or keep raises within t.raise_min..t.raise_max."
        )


def _check_honest(
    agent: Agent, rules: Rules, tables: record.Records, rows: NDArray[np.int64], moves: NDArray[np.int64], seed: int
) -> None:
    hidden = shuffle_hidden_cards(tables, rules, tables["actor"].tolist(), seed)
    for name in ("seed", "table_id", "hand"):
        hidden[name] = tables[name]  # agents with mixed strategies may draw random numbers from these
    for k in np.flatnonzero(_ask(agent, rules, hidden, rows) != moves)[:1].tolist():
        raise ConformanceError(
            f"{where(rules, int(rows[k]), tables['actor'][rows[k]])}: {agent.name} plays differently when only cards "
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
    """Check an agent's `probabilities`; the last part of `check_agent`. moves: what the agent played at these rows."""
    options, chances = _ask_probabilities(agent, rules, tables, rows)
    _check_distributions(agent, rules, tables, rows, options, chances)
    played = ((options == moves[:, None]) & (chances > 0)).any(axis=1)
    for k in np.flatnonzero(~played)[:1].tolist():
        raise ConformanceError(
            f"{where(rules, int(rows[k]), tables['actor'][rows[k]])}: {agent.name} plays {moves[k]}, to which its "
            "probabilities give 0: let `act` draw from `probabilities`, as KnownStrategy does."
        )
    hidden = shuffle_hidden_cards(tables, rules, tables["actor"].tolist(), seed)
    again = _ask_probabilities(agent, rules, hidden, rows)
    same = _by_move(options, chances, options) == _by_move(*again, options)
    for k in np.flatnonzero(~same.all(axis=1))[:1].tolist():
        raise ConformanceError(
            f"{where(rules, int(rows[k]), tables['actor'][rows[k]])}: the probabilities of {agent.name} change with "
            "what its seat cannot know: hidden cards, the seed or the hand's number. Draw samples from a hash of what "
            "the seat sees."
        )
    _check_frequencies(agent, rules, tables, rows, options, chances)


def _ask_probabilities(
    agent: Agent, rules: Rules, tables: record.Records, rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The moves that the agent may play and their probabilities."""
    before = tables.tobytes()
    options, chances = (np.asarray(part) for part in agent.probabilities(tables, rules, rows))
    if tables.tobytes() != before:
        raise ConformanceError(f"{agent.name} changes the tables: `probabilities` must only read them.")
    good = options.ndim == 2 and options.shape == chances.shape and len(options) == len(rows)
    if not good or options.dtype.kind not in "iu" or chances.dtype.kind != "f":
        raise ConformanceError(
            f"{agent.name} was asked for the probabilities at {len(rows)} tables and gave shapes {options.shape} and "
            f"{chances.shape}, dtypes {options.dtype} and {chances.dtype}: give (K, A) int64 moves and (K, A) float64."
        )
    return options.astype(np.int64), chances.astype(np.float64)


def _check_distributions(
    agent: Agent,
    rules: Rules,
    tables: record.Records,
    rows: NDArray[np.int64],
    options: NDArray[np.int64],
    chances: NDArray[np.float64],
) -> None:
    sums = np.where(options != NO_MOVE, chances, 0).sum(axis=1)
    wrong = ~((chances >= 0) & ((options != NO_MOVE) | (chances == 0))).all(axis=1) | ~(np.abs(sums - 1) < ROUNDING)
    for column in range(1, options.shape[1]):
        earlier = options[:, :column]
        wrong |= ((earlier == options[:, column : column + 1]) & (earlier != NO_MOVE)).any(axis=1)
    for k in np.flatnonzero(wrong)[:1].tolist():
        raise ConformanceError(
            f"{where(rules, int(rows[k]), tables['actor'][rows[k]])}: {agent.name} gives the moves "
            f"{options[k].tolist()} the probabilities {chances[k].tolist()}: they must be 0 or more, 0 for NO_MOVE "
            "(-2), and sum to 1, and each move may be named only once."
        )
    for column in range(options.shape[1]):
        named = np.flatnonzero(options[:, column] != NO_MOVE)
        _check_legal(agent, rules, tables, rows[named], np.ascontiguousarray(options[named, column]))


def _by_move(moves: NDArray[np.int64], chances: NDArray[np.float64], asked: NDArray[np.int64]) -> NDArray[np.float64]:
    """The probability of each move in `asked`, (K, A): 0 if it is not among the moves."""
    found = (moves[:, None, :] == asked[:, :, None]) & (asked[:, :, None] != NO_MOVE)
    probability: NDArray[np.float64] = np.where(found, chances[:, None, :], 0).sum(axis=2)
    return probability


def _check_frequencies(
    agent: Agent,
    rules: Rules,
    tables: record.Records,
    rows: NDArray[np.int64],
    options: NDArray[np.int64],
    chances: NDArray[np.float64],
) -> None:
    """Check, in the positions with the most mixed strategies, that `act` plays each move with its probability."""
    for k in np.argsort(chances.max(axis=1), kind="stable")[:MOST_COUNTED].tolist():
        copies = np.repeat(tables[rows[k] : rows[k] + 1], COPIES)
        copies["table_id"] = np.arange(COPIES)
        moves = _ask(agent, rules, copies, np.arange(COPIES))
        for move, chance in zip(options[k].tolist(), chances[k].tolist(), strict=True):
            share = float((moves == move).mean())
            if (
                move != NO_MOVE
                and abs(share - chance) > DEVIATIONS * (chance * (1 - chance) / COPIES) ** 0.5 + ROUNDING
            ):
                raise ConformanceError(
                    f"{where(rules, int(rows[k]), tables['actor'][rows[k]])}: by its probabilities {agent.name} plays "
                    f"{move} with {chance:.3f}; `act` played it in {share:.3f} of {COPIES:,} such positions. "
                    "Let `act` draw from `probabilities`, as KnownStrategy does."
                )

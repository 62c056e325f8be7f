"""`check_agent`: does an agent play by the rules, in any game?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..engine import batch, record
from ..legality import why_illegal
from ..players import Agent, make_agent
from ..rules import Rules
from .positions import GAMES, ConformanceError, place, random_positions, shuffle_hidden_cards


def check_agent(agent: str | Agent, games: Sequence[Rules] = GAMES, positions: int = 200, seed: int = 0) -> None:
    """Check an agent in random positions of several games; returns silently if all is well.

    It answers with one integer move for each row it was asked about and only for these, its moves are legal, it leaves
    the tables alone, it plays one table as it plays many, and, if it gives the same answer twice, its move does not
    change when the cards that its seat cannot know are permuted.

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
        why = why_illegal(tables[row], rules.record[tables[row]["stage"]], int(moves[bad]))
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

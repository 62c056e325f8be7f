"""Asking an agent under check: on clones of it, with the same random numbers each time, watching what it writes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..agents.error_places import with_place
from ..agents.protocol import Agent
from ..compiled.records import Records
from ..game.rules import Rules
from .random_states import taken_state
from .sampled_tables import ConformanceError

Moves = NDArray[np.int64]


class Subject:
    """An agent under check. Each question goes to a new clone of it, which draws the same random numbers."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.name = agent.name
        self._put_back = taken_state(agent)

    @property
    def gives_probabilities(self) -> bool:
        """Whether its class defines `probabilities`."""
        return self.agent.gives_probabilities

    def clone(self) -> Agent:
        """An agent that plays as this one and shares no memory with it, about to draw the same random numbers. One that
        cannot be cloned is itself reset, if it can be, as in a match."""
        self._put_back()
        try:
            return self.agent.clone()
        except Exception as error:
            if resets(self.agent):
                reset(self.agent)
                return self.agent
            raise ConformanceError(with_place(self.agent, error)) from error

    def close(self, clone: Agent) -> None:
        """Let a clone give back what it holds."""
        if clone is not self.agent:
            clone.close()

    def moves(self, rules: Rules, tables: Records, rows: Moves) -> Moves:
        """What a new clone plays at tables[rows]; see `asked`."""
        agent = self.clone()
        try:
            return asked(agent, rules, tables, rows)
        finally:
            self.close(agent)

    def probabilities(self, rules: Rules, tables: Records, rows: Moves) -> tuple[Moves, NDArray[np.float64]]:
        """What a new clone says that it plays; see `asked_probabilities`."""
        agent = self.clone()
        try:
            return asked_probabilities(agent, rules, tables, rows)
        finally:
            self.close(agent)


def resets(agent: Agent) -> bool:
    """Return whether an agent's class defines `reset`."""
    return type(agent).reset is not Agent.reset


def reset(agent: Agent) -> None:
    """Reset an agent that has the method, as the arena does before each batch."""
    if resets(agent):
        _called(agent, "reset")


def hand_over(agent: Agent, rules: Rules, views: Records) -> None:
    """Hand finished hands over to an agent that wants them, as the arena does."""
    if agent.wants_hand_over:
        _called(agent, "hand_over", views, rules, np.arange(len(views)))


def asked(agent: Agent, rules: Rules, tables: Records, rows: Moves) -> Moves:
    """The agent's moves at tables[rows], (K,) int64. It is given copies, of no more tables at once than it plays.

    Raises ConformanceError if it writes into what it is given, raises an error, or gives no integer for each row.
    """
    most = agent.facts.tables_at_once or max(len(rows), 1)
    return np.concatenate([_asked_once(agent, rules, tables, part) for part in in_parts(rows, most)])


def in_parts(rows: Moves, most: int) -> list[Moves]:
    """Rows in order, no more than `most` together; one empty part if there are none."""
    return [rows[at : at + most] for at in range(0, max(len(rows), 1), most)]


def _asked_once(agent: Agent, rules: Rules, tables: Records, rows: Moves) -> Moves:
    answer = np.asarray(_watched(agent, "act", tables, rules, rows))
    if answer.shape != rows.shape or answer.dtype.kind not in "iu":
        raise ConformanceError(
            f"{agent.name} was asked about {len(rows)} tables and returned shape {answer.shape}, dtype {answer.dtype}: "
            "return one integer engine move for each row."
        )
    return np.ascontiguousarray(answer, np.int64)


def asked_probabilities(agent: Agent, rules: Rules, tables: Records, rows: Moves) -> tuple[Moves, NDArray[np.float64]]:
    """The moves that the agent may play and their probabilities, both (K, A). Raises as `asked` does."""
    options, probabilities = (np.asarray(part) for part in _watched(agent, "probabilities", tables, rules, rows))
    good = options.ndim == 2 and options.shape == probabilities.shape and len(options) == len(rows)
    if not good or options.dtype.kind not in "iu" or probabilities.dtype.kind != "f":
        raise ConformanceError(
            f"{agent.name} was asked for the probabilities at {len(rows)} tables and gave shapes {options.shape} and "
            f"{probabilities.shape}, dtypes {options.dtype} and {probabilities.dtype}: "
            "give (K, A) int64 moves and (K, A) float64."
        )
    return options.astype(np.int64), probabilities.astype(np.float64)


def _called(agent: Agent, method: str, *arguments: Any) -> Any:
    """What a method returns. Raises ConformanceError for whatever it raises."""
    try:
        return getattr(agent, method)(*arguments)
    except Exception as error:
        raise ConformanceError(
            f"{agent.name}: {method} raised {type(error).__name__}: {with_place(agent, error)}"
        ) from error


def _watched(agent: Agent, method: str, tables: Records, rules: Rules, rows: Moves) -> Any:
    """What a method returns that is given copies of the tables. Raises ConformanceError if it writes there, in the
    rules, which are put right again, or in `rows`."""
    given, known, same_rows = tables.copy(), rules.record.copy(), rows.copy()
    answer = _called(agent, method, given, rules, same_rows)
    if tables.tobytes() != given.tobytes():
        raise ConformanceError(
            f"{agent.name} changes the tables: `{method}` wrote {written(tables, given)}. It must only read them: "
            "what it writes changes nothing at the table, and the arena gives it copies."
        )
    if known.tobytes() != rules.record.tobytes():
        wrote = written(known, rules.record)
        raise ConformanceError(f"{agent.name} changes the rules: `{method}` wrote {wrote} in rules.record.")
    if not np.array_equal(rows, same_rows):
        raise ConformanceError(f"{agent.name} changes `rows`, which says where it is asked: `{method}` writes there.")
    return answer


def written(before: Records, after: Records) -> str:
    """Which fields differ, and the first of the differences: "`seats.stack` (row 3, seat 1: 200 became 201)"."""
    parts = []
    for name, old, new in _fields(before, after):
        places = np.argwhere(old != new)
        if len(places):
            at = tuple(places[0].tolist())
            inside = f", [{', '.join(map(str, at[1:]))}]" if len(at) > 1 else ""
            parts.append(f"`{name}` (row {at[0]}{inside}: {old[at]} became {new[at]})")
    return " and ".join(parts) or "bytes between the fields"


def _fields(before: Records, after: Records) -> list[tuple[str, Any, Any]]:
    """The fields of two arrays of records, those of records within records by their own names."""
    found = []
    for name in before.dtype.names or ():
        old, new = before[name], after[name]
        if old.dtype.names:
            found += [(f"{name}.{part}", old[part], new[part]) for part in old.dtype.names]
        else:
            found.append((name, old, new))
    return found

"""The agent protocol, used by matches, environments and the command line.

An agent has its own encoders. The caller passes table records and gets engine moves back; it does not need to know
which observation the agent uses or which bet sizes it plays.
"""

from __future__ import annotations

import copy
import inspect
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from ..compiled.records import Records
from ..encoders import ActionEncoder, BoxActionEncoder
from ..encoders.decoding import nearest_action
from ..engine.seat_view import new_views, view_rows
from ..game.rules import Rules
from .config_files import write_config
from .names import agent_names
from .range_copies import range_by_copies

ONE_ROW = np.zeros(1, np.int64)


class OneTable(Protocol):
    """An object with one table: a Table (from a Session, too), or the AEC environment."""

    rules: Rules

    @property
    def records(self) -> Records:
        """The table's TABLE record, in an array of length one."""


class OneTableWithActions(OneTable, Protocol):
    """An object with one table and an action encoder: the AEC environment."""

    action_encoder: ActionEncoder


class StrategyUnknown(NotImplementedError):
    """Raised when an agent is asked for the probabilities of its moves and cannot give them."""


class Agent(ABC):
    """A player, for one table or thousands at a time."""

    name: str
    """By default the name under which `make_agent` made it, else its class's."""

    clock: Literal["processor", "wall"] = "processor"
    """By which clock a limit of time counts what the agent takes: "processor", the time that it computes in this
    process, whatever else the machine does; "wall" for an agent that thinks elsewhere, behind a socket or in another
    process. For a stranger in a process of its own the organiser says it."""

    tables_at_once: int | None = None
    """At how many tables the agent can play at once, for programs that play one hand after the other; None: any."""

    is_trusted: bool = True
    """Whether matches take the agent's word. Of one that is not trusted, such as a stranger's in a process of its own,
    AIVAT does not believe the probabilities, and nobody at its table is dealt the same cards twice."""

    answers_counted: int | None = None
    """From how many answers at each decision the probabilities are counted; None: they are exact."""

    strategy_file: Path | None = None
    """The file whose strategy the agent plays, where its config gives the agent's name alone: its content is part of
    the agent's fingerprint."""

    class_is_named: ClassVar[bool] = False
    """Whether the author of the agent's class, or of one above it, has given it a name."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.class_is_named |= "name" in cls.__dict__ or "name" in inspect.get_annotations(cls)
        if not cls.class_is_named:
            cls.name = cls.__name__

    @abstractmethod
    def act(self, tables: Records, rules: Rules, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The moves of the seats to act at tables[rows].

        tables: (N,) TABLE records. Matches, environments and best responses hand over copies in which everything
            hidden from the seat to act is blank (`engine/seat_view.py`); writing to them changes nothing. There, `seed`
            is a random word for the decision, and `table_id` an opaque number: the same for one seat at one table.
        rules: the game of these tables.
        rows: (K,) int64, the tables to act at.
        Returns (K,) int64 engine moves: -1 folds, 0 checks or calls, a positive number is the street total to raise
        to. An illegal move is an error in the caller.
        """

    def probabilities(
        self, tables: Records, rules: Rules, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The probabilities of all moves at tables[rows], for agents that know their strategy. Estimators such as
        AIVAT and best responses need them. They may depend only on what the seat to act may see.

        Returns moves, (K, A) int64: the engine moves that the agent may play, each once per row, padded with NO_MOVE
        (-2); and their probabilities, (K, A) float64: 0 for padding, with a sum of 1 in each row.
        Raises StrategyUnknown if the agent does not know its probabilities.
        """
        raise StrategyUnknown(
            f"agent {self.name!r} cannot give the probabilities of its moves: its class has no method `probabilities`"
        )

    def range_probabilities(
        self, tables: Records, rules: Rules, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The probabilities of all moves at tables[rows] with each hand that the seat to act may have: a range query.
        Local best response, AIVAT and re-solving ask them. `agents.asking.asked_range_probabilities` asks and checks.

        The caller hands over copies in which the seat's own cards are blank, too: the answer is the strategy, and
        depends only on what everybody can see.

        Returns moves, (K, A) int64: the engine moves that the agent may play with some hand, each once per row, padded
        with NO_MOVE (-2); and their probabilities, (K, 1326, A) float64: of hands in the order of `cards/combos.py`,
        0 for padding and for hands with a card of the board or of a hand that was shown, else with a sum of 1.

        By default `probabilities` is asked with each hand, 1,326 copies of a table. Agents that can do better define
        it. Raises StrategyUnknown if the agent does not know its probabilities, and ValueError for games whose hands
        are not two cards of the full deck.
        """
        return range_by_copies(self.probabilities, tables, rules, rows)

    def check_rules(self, rules: Rules) -> None:  # noqa: B027 - may be left out
        """Raise ValueError for a game that the agent cannot play; by default it plays any."""

    def hand_over(self, tables: Records, rules: Rules, rows: NDArray[np.int64]) -> None:  # noqa: B027 - may be left out
        """Hands at which the agent sat are over; a match calls it for classes that define it.

        tables: TABLE records, in which `actor` is the agent's seat and everything hidden from it is blank; the hands
        that were shown are there. rows: (K,) int64.
        """

    @property
    def wants_hand_over(self) -> bool:
        """Whether the agent's class defines `hand_over`."""
        return type(self).hand_over is not Agent.hand_over

    def clone(self) -> Agent:
        """An agent that plays as this one and shares no memory with it. By default a deep copy.

        Matches play a clone in each rotation of a deal, so that no memory meets the same cards twice. Raises TypeError
        if the agent cannot be copied: such an agent defines `clone` itself.
        """
        try:
            return copy.deepcopy(self)
        except Exception as error:
            raise TypeError(
                f"agent {self.name!r} cannot be copied ({type(error).__name__}: {error}): give its class a method "
                "`clone` that returns an agent which plays alike and shares no memory with it"
            ) from error

    def plain(self) -> Agent:
        """Who plays in its place where hands must be fast, as in training: the agent itself, or a copy that does not
        search."""
        return self

    def start(self) -> None:  # noqa: B027 - may be left out
        """Begin to start what the agent holds, such as processes, without waiting for it. Matches start all
        clones of a rotation before it is played."""

    def close(self) -> None:  # noqa: B027 - may be left out
        """Give back what the agent holds, such as processes and connections. Matches close the clones that they
        have made."""

    def new_views(self, count: int) -> Records:
        """Where the caller writes what the agent may see: at least `count` blank records. An agent in another process
        has them in memory that both share."""
        return new_views(count)

    @property
    def gives_probabilities(self) -> bool:
        """Whether the agent's class defines `probabilities`."""
        return type(self).probabilities is not Agent.probabilities

    @property
    def gives_ranges(self) -> bool:
        """Whether the agent answers range queries: its class defines `probabilities` or `range_probabilities`."""
        return self.gives_probabilities or type(self).range_probabilities is not Agent.range_probabilities

    def move(self, table: OneTable) -> int:
        """The engine move for the seat to act at one table: `table.play(agent.move(table))`. In an AEC loop,
        `env.unwrapped` has the table and plays the move. The agent sees what that seat may see."""
        view = new_views(1)
        view_rows(table.records, table.rules.record, ONE_ROW, view, rotation=0)
        return int(self.act(view, table.rules, np.zeros(1, np.int64))[0])

    def action(self, env: Any) -> int:
        """The action for the selected agent of this library's AEC environment: `env.step(agent.action(env))`.

        If the environment does not offer the agent's move, the nearest offered action is returned: for a raise, the
        raise whose total has the nearest ratio; if there is none, check or call. To play the agent's exact move, use
        `env.unwrapped.play(agent.move(env.unwrapped))`. Raises ValueError if the actions are continuous.
        """
        table: OneTableWithActions = env.unwrapped
        encoder = table.action_encoder
        if isinstance(encoder, BoxActionEncoder):
            raise ValueError("action: the actions are continuous; use env.unwrapped.play(agent.move(env.unwrapped))")
        offered = np.empty((1, encoder.size(table.rules)), np.int64)
        encoder.choose(table.records, table.rules.record, np.zeros(1, np.int64), offered)
        return nearest_action(offered[0], self.move(table))

    def config(self) -> dict[str, Any]:
        """The config from which `make_agent` makes this agent again: {"agent": name, parameter: value, ...}.

        The parameters are those of the class. Each value is read from the attribute of the same name; a missing
        attribute raises ValueError.
        """
        names = [name for name in inspect.signature(type(self)).parameters if name not in ("args", "kwargs")]
        for name in names:
            if not hasattr(self, name):
                raise ValueError(f"agent {self.name!r}: keep its parameter {name!r} as self.{name}, so it can be saved")
        return {"agent": self.name, **{name: getattr(self, name) for name in names}}

    def save(self, path: str | Path) -> None:
        """Write the agent's config to a .json or .yaml file, from which `make_agent(path)` makes the agent again.

        Raises ValueError, and writes nothing, for another suffix, an agent whose name is not registered, or parameters
        that cannot be written to a file.
        """
        config = self.config()
        if not (config["agent"] in agent_names() or Path(config["agent"]).is_file()):
            raise ValueError(f"agent {config['agent']!r} cannot be saved: no agent is registered under this name")
        write_config(Path(path), config)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}>"

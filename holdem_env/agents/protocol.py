"""The agent protocol: what matches, environments and the command line play with.

Agents carry their encoders: whoever runs the tables hands an agent records and asks for engine moves, and never
needs to know what the agent looks at or which bet sizes it uses.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..compiled.records import Records
from ..encoders import ActionEncoder, BoxActionEncoder
from ..engine.record import CHECK_CALL
from ..game.rules import Rules
from .config_files import write_config
from .names import agent_names


class OneTable(Protocol):
    """What holds one table: a Table (of a Session too), or the AEC environment."""

    rules: Rules

    @property
    def records(self) -> Records:
        """The TABLE record, in an array of length one."""


class OneTableWithActions(OneTable, Protocol):
    """What holds one table and names its moves by the actions of an encoder: the AEC environment."""

    action_encoder: ActionEncoder


class StrategyUnknown(NotImplementedError):
    """An agent was asked for the probabilities of its moves, and cannot tell them."""


class Agent(ABC):
    """Somebody who plays: at one table or at thousands, for any rules."""

    name: str

    @abstractmethod
    def act(self, tables: Records, rules: Rules, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Moves for the seats to act at tables[rows].

        tables: (N,) TABLE records; an honest agent reads what its seat may see, best through its encoder. rules:
            their game.
        rows: (K,) int64, which tables. Returns (K,) int64 engine moves: -1 folds, 0 checks or calls, a positive
            number is the street total to raise to. A move that is illegal is an error for whoever runs the tables.
        """

    def probabilities(
        self, tables: Records, rules: Rules, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The whole strategy at tables[rows], for agents that know theirs: what estimators such as AIVAT and best
        responses ask for. It depends only on what the seat to act may see.

        Returns moves, (K, A) int64: the engine moves that are played at all, each once a row, padded with NO_MOVE
        (-2); and their probabilities, (K, A) float64: 0 for padding, 1 in sum over each row.
        Raises StrategyUnknown if the agent cannot tell.
        """
        raise StrategyUnknown(
            f"agent {self.name!r} cannot tell the probabilities of its moves: its class has no method `probabilities`"
        )

    @property
    def tells_probabilities(self) -> bool:
        """Whether `probabilities` is there to be asked."""
        return type(self).probabilities is not Agent.probabilities

    def move(self, table: OneTable) -> int:
        """The engine move for the seat to act at one table: `table.play(agent.move(table))`. In an AEC loop it is
        `env.unwrapped` that has the table and can play the move."""
        return int(self.act(table.records, table.rules, np.zeros(1, np.int64))[0])

    def action(self, env: Any) -> int:
        """The action for the selected agent of an AEC environment of this library: `env.step(agent.action(env))`.

        Where the environment's actions do not offer the move it is the nearest that they do: of raises the one whose
        total is nearest by ratio, and a check or call if there is none. To play just what the agent means,
        `env.unwrapped.play(agent.move(env.unwrapped))`. Raises ValueError if the actions are continuous.
        """
        table: OneTableWithActions = env.unwrapped
        encoder = table.action_encoder
        if isinstance(encoder, BoxActionEncoder):
            raise ValueError("action: the actions are continuous; env.unwrapped.play(agent.move(env.unwrapped))")
        offered = np.empty((1, encoder.size(table.rules)), np.int64)
        encoder.choose(table.records, table.rules.record, np.zeros(1, np.int64), offered)
        return _nearest(offered[0], self.move(table))

    def config(self) -> dict[str, Any]:
        """What `make_agent` makes this agent of once more: {"agent": name, parameter: value, ...}.

        The parameters are those of the class; each is looked for in the attribute of its name. Raises ValueError for
        one that has none.
        """
        names = [name for name in inspect.signature(type(self)).parameters if name not in ("args", "kwargs")]
        for name in names:
            if not hasattr(self, name):
                raise ValueError(f"agent {self.name!r}: keep its parameter {name!r} as self.{name}, so it can be saved")
        return {"agent": self.name, **{name: getattr(self, name) for name in names}}

    def save(self, path: str | Path) -> None:
        """Write the agent's config to a file, .json or .yaml, that `make_agent(path)` makes it of again.

        Raises ValueError, and writes nothing, for another suffix, for an agent whose name nobody has registered, and
        for parameters that cannot be written down.
        """
        config = self.config()
        if not (config["agent"] in agent_names() or Path(config["agent"]).is_file()):
            raise ValueError(f"agent {config['agent']!r} cannot be saved: no agent is registered under this name")
        write_config(Path(path), config)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}>"


def _nearest(offered: NDArray[np.int64], move: int) -> int:
    """Which of the offered moves is this one, or comes nearest to it."""
    exact, raises = np.flatnonzero(offered == move), np.flatnonzero(offered > 0)
    if exact.size:
        return int(exact[0])
    if move <= CHECK_CALL or not raises.size:
        return int(np.flatnonzero(offered == CHECK_CALL)[0])
    return int(raises[np.abs(np.log(offered[raises] / move)).argmin()])

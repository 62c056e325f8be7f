"""The agent protocol, and the registry of names: what matches, environments and the command line play with.

Agents carry their encoders: whoever runs the tables hands an agent records and asks for engine moves, and never
needs to know what the agent looks at or which bet sizes it uses.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .encoders import BoxActionEncoder
from .engine import batch
from .engine.record import CHECK_CALL, Records
from .extras import told_extra
from .legality import IllegalMove, why_illegal
from .rules import Rules
from .saving_agents import CONFIG_SUFFIXES, read_config, write_config
from .validation import suggestion

if TYPE_CHECKING:
    from .envs.aec import HoldemEnv

AGENTS = "holdem_env.agents"
"""Entry point group: name -> callable that makes an agent (keyword arguments are its parameters)."""
LOADERS = "holdem_env.agent_loaders"
"""Entry point group: file suffix without its dot -> callable(path, **parameters) that makes an agent from a file."""

_registered: dict[str, Callable[..., Agent]] = {}


class OneTable(Protocol):
    """What holds one table: a Table (of a Session too), or the AEC environment."""

    rules: Rules

    @property
    def records(self) -> Records:
        """The TABLE record, in an array of length one."""


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
        table: HoldemEnv = env.unwrapped
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


def play_agent(agent: Agent, tables: Records, rules: Rules, log: Records, rows: NDArray[np.int64]) -> None:
    """Ask an agent for its moves at tables[rows] and play them.

    Raises IllegalMove, and plays none of them, if one is illegal; ValueError if they are not one integer a row.
    """
    batch.play_moves(tables, rules.record, log, rows, asked_moves(agent, tables, rules, rows))


def asked_moves(agent: Agent, tables: Records, rules: Rules, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """An agent's moves at tables[rows], all of them legal: (K,) int64. Raises as `play_agent` does."""
    moves = np.asarray(agent.act(tables, rules, rows))
    if moves.shape != rows.shape or moves.dtype.kind not in "iu":
        given = f"shape {moves.shape}, dtype {moves.dtype}"
        raise ValueError(f"agent {agent.name!r}: act must give {len(rows)} integers, one a row; it gave {given}")
    moves = np.ascontiguousarray(moves, np.int64)
    bad = batch.first_illegal(tables, rules.record, rows, moves)
    if bad >= 0:
        why = why_illegal(tables[rows[bad]], rules.record[tables[rows[bad]]["stage"]], int(moves[bad]))
        raise IllegalMove(f"agent {agent.name!r}, table {rows[bad]}: {why}")
    return moves


def register_agent(name: str, make: Callable[..., Agent]) -> None:
    """Let `make_agent(name)` mean what `make()` gives, in this process. Installed packages use entry points instead."""
    _registered[name] = make


def agent_names() -> list[str]:
    """All names that `make_agent` knows."""
    return sorted({*_registered, *(point.name for point in entry_points(group=AGENTS))})


def make_agent(what: str | Path | Mapping[str, Any] | Agent, **parameters: Any) -> Agent:
    """An agent from a name ("calling_station"), a config ({"agent": "maniac", "aggression": 0.5}), a file ("mine.json",
    "runs/x/final.zip") or an agent (returned as it is). parameters: of the agent; they go before those of a config.

    Raises ValueError for a name that nobody registered, a file that nobody can load or a config without an agent,
    FileNotFoundError for a missing file, TypeError for parameters that the agent does not have, and ModuleNotFoundError
    if it needs an extra of this library that is not installed; each says what would be right.
    """
    if isinstance(what, Agent):
        return what
    if isinstance(what, Mapping):
        return _from_config("the config", what, parameters)
    name = str(what)
    if name in _registered:
        return _made(name, _registered[name], parameters)
    for point in entry_points(group=AGENTS, name=name):
        with told_extra(f"agent {name!r}"):
            return _made(name, point.load(), parameters)
    if Path(name).suffix or isinstance(what, Path):
        return _load_file(Path(name), parameters)
    raise ValueError(
        f"there is no agent {name!r}: {suggestion(name, agent_names())} A file needs its suffix, such as .zip."
    )


def _made(name: str, make: Callable[..., Agent], parameters: dict[str, Any]) -> Agent:
    try:
        inspect.signature(make).bind(**parameters)
    except TypeError as error:
        raise TypeError(f"agent {name!r}: {error}; its parameters are {inspect.signature(make)}") from None
    return make(**parameters)


def _from_config(source: str, config: Mapping[str, Any], parameters: dict[str, Any]) -> Agent:
    if "agent" not in config:
        raise ValueError(f"{source} has no 'agent': give a name or a file, as in {{'agent': 'maniac'}}")
    return make_agent(config["agent"], **{**{name: config[name] for name in config if name != "agent"}, **parameters})


def _load_file(path: Path, parameters: dict[str, Any]) -> Agent:
    suffix = path.suffix.removeprefix(".")
    known = {point.name: point for point in entry_points(group=LOADERS)}
    if suffix not in known and suffix not in CONFIG_SUFFIXES:
        suffixes = ", ".join(sorted({*known, *CONFIG_SUFFIXES}))
        raise ValueError(f"{path}: no loader for '.{suffix}' files; there are loaders for {suffixes}")
    if not path.is_file():
        raise FileNotFoundError(f"{path}: there is no such file")
    if suffix in known:
        with told_extra(str(path)):
            agent: Agent = known[suffix].load()(path, **parameters)
        return agent
    return _from_config(str(path), read_config(path), parameters)

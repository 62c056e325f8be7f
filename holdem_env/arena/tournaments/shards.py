"""Shards: the pieces that matches are played in, here, in other processes, or on other machines.

A shard says all that is to be played: the game, the agents as names or files, which deals. What comes out depends on
nothing else, so the same seed gives the same results however many work on them. joblib does the sending; its backends
are processes of this machine ("loky") and the machines of a Ray cluster ("ray").
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ...agents.config_files import CONFIG_SUFFIXES, read_config
from ...agents.protocol import Agent
from ...agents.registry import make_agent
from ...compiled.records import Records
from ...game.rules import Rules
from ...utils.extras import told_extra
from ..estimators.aivat import Aivat
from ..estimators.all_in import AllInValue
from ..matches.dealer import AgentFailed, Stopwatch
from ..matches.match import Column, play_deals
from ..matches.seating import balanced_lineups, one_against_all
from ..matches.sessions import play_sessions
from ..observed.big_pots import BigPot, BigPots
from ..observed.habits import Habits
from ..statistics.deals import Deals

Backend = Literal["loky", "ray"]


@dataclass(frozen=True)
class Entrant:
    """An agent as it is sent: a name of its own, what `make_agent` makes it of, as JSON, and the digest of that and of
    its files (`digest_of`): a file that has changed is another agent. An empty digest is not looked at."""

    name: str
    made_of: str
    digest: str = ""

    def agent(self) -> Agent:
        """The agent; the same object each time in one process. Raises ValueError if its files are no longer those of
        the digest."""
        return _agent(self.made_of, self.digest)


@lru_cache(maxsize=64)
def _agent(made_of: str, digest: str) -> Agent:
    agent = make_agent(json.loads(made_of))
    if digest and digest_of(made_of) != digest:
        raise ValueError("its file has changed since the tournament began")
    return agent


def digest_of(made_of: str) -> str:
    """What tells an agent from another of the same name: what it is made of, and the content of every file named there,
    or in a config that is named there."""
    digest = sha256(made_of.encode())
    for path in _files(json.loads(made_of), {}):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _files(value: Any, found: dict[Path, None]) -> dict[Path, None]:
    """The files that are named in plain data, in order, each once."""
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            _files(each, found)
    elif isinstance(value, str) and (path := Path(value)).suffix and os.path.isfile(path) and path not in found:
        found[path] = None
        if path.suffix.removeprefix(".") in CONFIG_SUFFIXES:
            with suppress(ValueError, ModuleNotFoundError):  # whoever makes the agent says what is wrong
                _files(read_config(path), found)
    return found


@dataclass(frozen=True)
class Shard:
    """Deals first..first+count-1 of a match, or as many sessions.

    lineup: "pair", the first entrant in one seat against the second in all others, or "balanced". all_in, aivat: if
    hands are estimated so, too; AIVAT of pairs only. limit: milliseconds a decision on average, or None.
    """

    entrants: tuple[Entrant, ...]
    rules: Rules
    first: int
    count: int
    seed: int
    kind: Literal["deals", "sessions"] = "deals"
    lineup: Literal["pair", "balanced"] = "pair"
    all_in: bool = True
    aivat: bool = False
    limit: float | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The entrants' names."""
        return tuple(entrant.name for entrant in self.entrants)


@dataclass
class Played:
    """What came of a shard. failed: the name of an agent that failed, and why; then there are no deals: what the others
    did against it is no result."""

    shard: Shard
    deals: Deals | None = None
    habits: Habits | None = None
    pots: list[BigPot] = field(default_factory=list)
    hands: int = 0
    seconds: list[float] = field(default_factory=list)
    decisions: list[int] = field(default_factory=list)
    failed: tuple[str, str] | None = None


def play_shard(shard: Shard) -> Played:
    """Play a shard. An agent that fails is told in the result, not raised."""
    played, agents = Played(shard), []
    for entrant in shard.entrants:
        try:
            agents.append(entrant.agent())
        except Exception as error:
            played.failed = entrant.name, f"{type(error).__name__}: {error}"
            return played
    stopwatch = Stopwatch(len(agents), shard.limit)
    habits, pots = Habits.of(len(agents), shard.rules.seats), BigPots(shard.names)

    def finished(tables: Records, seating: NDArray[np.int64]) -> None:
        played.hands += len(tables)
        habits.count(tables, shard.rules, seating)
        if shard.kind == "deals":
            pots.look(tables, shard.rules, seating)

    try:
        with _one_thread():
            deals = _play(shard, agents, stopwatch, finished)
    except AgentFailed as failure:
        played.failed = shard.names[failure.agent], failure.reason
        return played
    played.deals = Deals(shard.names, deals.unit, deals.seed, deals.numbers, deals.seating, deals.columns)
    played.habits, played.pots = habits, pots.pots
    played.seconds, played.decisions = stopwatch.seconds, stopwatch.decisions
    return played


def _play(shard: Shard, agents: list[Agent], stopwatch: Stopwatch, finished: Any) -> Deals:
    numbers = range(shard.first, shard.first + shard.count)
    lineup = one_against_all(shard.rules.seats)
    if shard.lineup == "balanced":
        lineup = balanced_lineups(len(agents), shard.rules.seats, np.array(numbers), shard.seed)
    if shard.kind == "sessions":
        return play_sessions(shard.rules, agents, lineup, numbers, shard.seed, stopwatch=stopwatch, finished=finished)
    columns: list[Column] = [_all_in_value()] if shard.all_in else []
    if shard.aivat:
        columns.append(_aivat(shard.rules.model_dump_json(), shard.entrants))
    return play_deals(shard.rules, agents, lineup, numbers, shard.seed, columns, stopwatch=stopwatch, finished=finished)


@lru_cache(maxsize=1)
def _all_in_value() -> AllInValue:
    """One in each process: it remembers what it has counted."""
    return AllInValue()


@lru_cache(maxsize=64)
def _aivat(rules: str, entrants: tuple[Entrant, ...]) -> Aivat:
    """The value function of a pair, learnt on other decks: every process that needs it learns the same."""
    return Aivat.learned(Rules.model_validate_json(rules), [entrant.agent() for entrant in entrants])


@contextmanager
def _one_thread() -> Iterator[None]:
    """PyTorch on one thread: how many there are changes the last digits of what nets say."""
    torch = sys.modules.get("torch")
    if torch is None:
        yield
        return
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def play_shards(
    shards: Iterable[Shard], jobs: int = 1, backend: Backend = "loky", ray_address: str | None = None
) -> Iterator[Played]:
    """Play shards on so many processes, -1 for all cores; the results come in the order of the shards.

    backend "ray": on a Ray cluster (ray_address; None: on this machine), through joblib. The shards are asked for
    little by little: a generator may react to the results.
    """
    with told_extra("a tournament"):
        from joblib import Parallel, delayed, parallel_config

    if jobs == 1 and backend != "ray":
        yield from map(play_shard, shards)
        return
    if backend == "ray":
        _start_ray(ray_address)
        with parallel_config(backend="ray", n_jobs=jobs):
            yield from _in_waves(shards, Parallel(), delayed(play_shard))
        return
    with parallel_config(backend=backend, n_jobs=jobs):
        yield from Parallel(return_as="generator")(delayed(play_shard)(shard) for shard in shards)


def _start_ray(address: str | None) -> None:
    """Ray's backend for joblib. Raises ValueError if Ray is not installed."""
    try:
        import ray
        from ray.util.joblib import register_ray
    except ImportError:
        raise ValueError("backend: ray is not installed; pip install ray, or use backend: loky") from None
    if not ray.is_initialized():
        ray.init(address=address, log_to_driver=False)
    register_ray()  # type: ignore[no-untyped-call]


def _in_waves(shards: Iterable[Shard], parallel: Any, task: Any) -> Iterator[Played]:
    """For backends that give all results at once: some at a time."""
    from itertools import islice

    source = iter(shards)
    while wave := list(islice(source, 32)):
        yield from parallel(task(shard) for shard in wave)

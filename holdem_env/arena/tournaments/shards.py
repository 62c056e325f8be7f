"""Shards: the pieces that matches are played in, here, in other processes, or on other machines. A shard says all that
is to be played, and its result depends on nothing else."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NoReturn

import numpy as np
from numpy.typing import NDArray

from ...agents.protocol import Agent
from ...compiled.records import Records
from ...game.rules import Rules
from ...protocols.json_lines.remote_agent import EntrantLeft
from ...utils.runner import Runner, WorkerLost, in_order
from ..estimators.registry import new_columns
from ..matches.match import play_deals
from ..matches.players import MACHINE_ERRORS, AgentFailed, Players
from ..matches.seating import balanced_lineups, one_against_all
from ..matches.sessions import play_sessions
from ..matches.stopwatch import Spent, Stopwatch, TimeLimit
from ..observed.big_pots import BigPot, BigPots
from ..observed.player_stats import PlayerStats
from ..observed.saved_hands import SavedHands
from ..statistics.deals import Deals
from .entrants import Entrant, ending
from .hand_files import written_hands

Backend = Literal["loky", "ray"]
LOCAL = "local"  # the address for Ray on this machine alone
RETRIES = 5  # how often a shard is played again on Ray if its machine is lost; its result depends on the shard alone
LINEUPS = 0
"""The seed of who sits where. It is no secret, and a round of line-ups may begin in one shard and end in another."""


@dataclass(frozen=True)
class Shard:
    """Deals first..first+count-1 of a match, or as many sessions.

    lineup: "pair", the first entrant in one seat against the second in all others, or "balanced". estimators:
    their names. limits: what each entrant may take. duplicate: as of `play_deals`. run: its number, as each has its own
    decks with `seed: random`. counts, hands: folders in which a process notes how many hands are over, and writes them.
    """

    entrants: tuple[Entrant, ...]
    rules: Rules
    first: int
    count: int
    seed: int
    kind: Literal["deals", "sessions"] = "deals"
    lineup: Literal["pair", "balanced"] = "pair"
    estimators: tuple[str, ...] = ("all_in",)
    limits: tuple[TimeLimit, ...] = ()
    duplicate: bool | None = None
    run: int = 0
    counts: str = ""
    hands: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(entrant.name for entrant in self.entrants)


@dataclass
class Played:
    """What came of a shard. failed: the name of an agent that failed, and why; then there are no deals: what the others
    did against it is no result. dropped: an agent has left the tournament meanwhile. spent, clocks: by entrant, what
    its thinking took and which clock counts."""

    shard: Shard
    deals: Deals | None = None
    player_stats: PlayerStats | None = None
    pots: list[BigPot] = field(default_factory=list)
    hands: int = 0
    spent: list[Spent] = field(default_factory=list)
    clocks: list[str] = field(default_factory=list)
    failed: tuple[str, str] | None = None
    dropped: bool = False


def play_shard(shard: Shard) -> Played:
    """Play a shard. An agent that fails is named in the result, not raised. Raises MemoryError, RecursionError and
    OSError, such as IsolationUnavailable, if the fault is not an agent's."""
    with exits_raise():
        try:
            return _played(shard)
        finally:
            _note(shard, 0)


@contextmanager
def exits_raise() -> Iterator[None]:
    """Make `os._exit` raise SystemExit in this process, so that an agent in it that exits fails alone; forks exit as
    usual. It guards against accidents only: an agent in this process can do anything."""
    ends, here = os._exit, os.getpid()

    def guarded(status: int) -> NoReturn:
        if os.getpid() != here:
            ends(status)
        raise SystemExit(status)

    os._exit = guarded
    try:
        yield
    finally:
        os._exit = ends


def _note(shard: Shard, hands: int) -> None:
    """Note how many hands of the shard that this process plays are over. Another machine has no such folder."""
    if shard.counts:
        with suppress(OSError):
            Path(shard.counts, str(os.getpid())).write_text(str(hands), encoding="utf-8")


def hands_under_way(counts: str) -> int:
    """How many hands of shards that are being played are over, by what processes have noted in a folder."""
    return sum(int(text) for path in Path(counts).iterdir() if (text := path.read_text()).isdecimal())


def _played(shard: Shard) -> Played:
    played, agents = Played(shard), []
    for entrant in shard.entrants:
        try:
            agents.append(entrant.agent())
        except Exception as error:
            if isinstance(error, MACHINE_ERRORS) and entrant.limits is not None:
                raise
            played.failed = entrant.name, f"{type(error).__name__}: {error}"
            return played
    with ending(agents):
        return _played_by(shard, agents, played)


def _played_by(shard: Shard, agents: list[Agent], played: Played) -> Played:
    stopwatch = Stopwatch(shard.limits or [TimeLimit()] * len(agents))
    try:
        remote, is_freezeout = [each.name for each in shard.entrants if each.remote], shard.kind == "sessions"
        with (
            _one_thread(),
            written_hands(shard.hands, shard.names, remote, shard.rules, shard.first, is_freezeout) as saved,
        ):
            finished = _Finished(shard, played, saved)
            deals = _play(shard, agents, stopwatch, finished)
    except EntrantLeft:
        played.dropped = True
        return played
    except AgentFailed as failure:
        played.failed = shard.names[failure.agent], failure.reason
        return played
    played.deals = Deals(shard.names, deals.unit, deals.seed, deals.numbers, deals.seating, deals.columns)
    played.player_stats, played.pots = finished.player_stats, finished.pots.pots
    played.spent, played.clocks = stopwatch.spent, [agent.facts.clock for agent in agents]
    return played


class _Finished:
    """Looks at hands that are over (`finished` of `play_deals`). saved: writes them, too; or None."""

    def __init__(self, shard: Shard, played: Played, saved: SavedHands | None) -> None:
        self.player_stats = PlayerStats.of(len(shard.entrants), shard.rules.seats)
        self.pots = BigPots(shard.names)
        self._shard, self._played, self._saved, self._rotation = shard, played, saved, 0

    def before(self, rotation: int, played: Any) -> None:
        """Of the hands that come next: their rotation, and all moves."""
        self._rotation = rotation
        if self._saved is not None:
            self._saved.before(rotation, played)

    def __call__(self, tables: Records, seating: NDArray[np.int64]) -> None:
        self._played.hands += len(tables)
        _note(self._shard, self._played.hands)
        self.player_stats.count(tables, self._shard.rules, seating)
        if self._shard.kind == "deals":
            self.pots.look(tables, self._shard.rules, seating, self._rotation)
        if self._saved is not None:
            self._saved(tables, seating)


def _play(shard: Shard, agents: list[Agent], stopwatch: Stopwatch, finished: Any) -> Deals:
    numbers = range(shard.first, shard.first + shard.count)
    common: dict[str, Any] = {"stopwatch": stopwatch, "finished": finished, "players": _players(shard.entrants)}
    common["duplicate"] = shard.duplicate
    lineup = one_against_all(shard.rules.seats)
    if shard.lineup == "balanced":
        lineup = balanced_lineups(len(agents), shard.rules.seats, np.array(numbers), LINEUPS)
    if shard.kind == "sessions":
        return play_sessions(shard.rules, agents, lineup, numbers, shard.seed, **common)
    columns = new_columns(shard.estimators)
    return play_deals(shard.rules, agents, lineup, numbers, shard.seed, columns, **common)


def play_shard_again(shard: Shard, finished: Any) -> Deals:
    """Play a shard again in this process, whose results are known. finished: as of `play_deals`. Raises AgentFailed."""
    agents = [entrant.agent() for entrant in shard.entrants]
    with ending(agents), _one_thread():
        return _play(replace(shard, estimators=()), agents, Stopwatch([TimeLimit()] * len(agents)), finished)


@lru_cache(maxsize=64)
def _players(entrants: tuple[Entrant, ...]) -> Players:
    """Who plays for entrants in this process: what they and their clones compile and load, they do once."""
    return Players([entrant.agent() for entrant in entrants])


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


class ProcessEnded(ValueError):
    """A process of the tournament has ended, most probably by an agent that played in it."""


class ShardRunner:
    """Plays shards on `jobs` processes (-1: one on each processor), or on a Ray cluster. It is a context: processes are
    kept from one `play` to the next.

    backend, ray_address: as of a Tournament. Raises ValueError if Ray is not installed, or if no cluster answers.
    """

    def __init__(self, jobs: int = 1, backend: Backend = "loky", ray_address: str | None = None) -> None:
        is_on_ray = backend == "ray"
        self._retries = RETRIES if is_on_ray else 0
        try:
            self._runner = Runner(jobs, (ray_address or LOCAL) if is_on_ray else None)
        except ModuleNotFoundError as error:
            if not is_on_ray:
                raise
            raise ValueError(f"backend: {error}, or use backend: loky") from None
        except ConnectionError as error:
            raise ValueError(f"ray_address: {error}") from error

    def play(self, shards: Iterable[Shard]) -> Iterator[Played]:
        """What came of shards, in their order. They are taken one by one: a generator may react to the results.

        Raises ProcessEnded if the process that plays a shard ends, on Ray more than RETRIES times.
        """
        for outcome in in_order(self._runner.run(play_shard, shards, self._retries)):
            if isinstance(outcome.error, WorkerLost):
                raise ProcessEnded(
                    f"the process that played {' against '.join(outcome.task.names)} ended ({outcome.error.how}); with "
                    "isolation: process an agent that ends its process forfeits, and the others go on"
                ) from outcome.error
            yield outcome.result()

    def __enter__(self) -> ShardRunner:
        return self

    def __exit__(self, *error: object) -> None:
        self._runner.close()

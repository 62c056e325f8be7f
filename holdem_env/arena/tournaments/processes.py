"""Shards on several processes of this machine ("loky"), sent by joblib, or on the machines of a Ray cluster ("ray")."""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Literal

from ...utils.extras import explain_missing_extra
from .ray_cluster import play_on_ray
from .shards import Played, Shard, play_again, play_shard

Backend = Literal["loky", "ray"]
ENDED = "a process of the tournament has ended; what it was playing is played again, each agent in a process of its own"


class ProcessEndedWarning(RuntimeWarning):
    """A process of the tournament has ended, most probably by an agent that played in it."""


def processes(jobs: int) -> int:
    """How many processes `jobs` stands for: -1 for one on each core."""
    if jobs > 0:
        return jobs
    with explain_missing_extra("a tournament"):
        from joblib import cpu_count

    return int(cpu_count())


def play_shards(
    shards: Iterable[Shard], jobs: int = 1, backend: Backend = "loky", ray_address: str | None = None
) -> Iterator[Played]:
    """Play shards on so many processes, -1 for all cores; the results come in the order of the shards.

    backend "ray": on a Ray cluster (ray_address; None: on this machine), see `play_on_ray`. The shards are asked for
    little by little: a generator may react to the results.
    """
    with explain_missing_extra("a tournament"):
        from joblib import Parallel, delayed, parallel_config

    if jobs == 1 and backend != "ray":
        yield from map(play_shard, shards)
        return
    if backend == "ray":
        yield from play_on_ray(shards, jobs, ray_address, _played_here)
        return
    with parallel_config(backend=backend, n_jobs=jobs):
        yield from _going_on(iter(shards), lambda tasks: Parallel(return_as="generator")(tasks), delayed(play_shard))


def _going_on(shards: Iterator[Shard], parallel: Any, task: Any) -> Iterator[Played]:
    """The results, although processes end in which agents play: the shards that were sent and have not come back are
    played again here, with agents in processes of their own. So it turns out which agent it was."""
    sent: deque[Shard] = deque()

    def tasks() -> Iterator[Any]:
        for shard in shards:
            sent.append(shard)
            yield task(shard)

    while True:
        try:
            for played in parallel(tasks()):
                sent.popleft()
                yield played
            return
        except BrokenProcessPool as error:
            _warn(error)
        while sent:
            yield play_again(sent.popleft())


def _played_here(shard: Shard, error: BaseException) -> Played:
    """A shard whose process or machine was lost."""
    _warn(error)
    return play_again(shard)


def _warn(error: BaseException) -> None:
    warnings.warn(f"{ENDED} ({_first_sentence(error)})", ProcessEndedWarning, stacklevel=3)


def _first_sentence(error: BaseException) -> str:
    return str(error).strip().split(". ")[0].splitlines()[0] if str(error).strip() else type(error).__name__

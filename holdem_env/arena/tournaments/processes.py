"""Shards on several processes of this machine ("loky"), or on the machines of a Ray cluster ("ray"), sent by joblib."""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Any, Literal

from ...utils.extras import explain_missing_extra
from .shards import Played, Shard, play_again, play_shard

Backend = Literal["loky", "ray"]
ENDED = "a process of the tournament has ended; what it was playing is played again, each agent in a process of its own"
WAVE = 32
"""Shards that are sent at a time to a backend that gives all its results at once."""


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

    backend "ray": on a Ray cluster (ray_address; None: on this machine), through joblib. The shards are asked for
    little by little: a generator may react to the results.
    """
    with explain_missing_extra("a tournament"):
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
            warnings.warn(f"{ENDED} ({_first_sentence(error)})", ProcessEndedWarning, stacklevel=2)
        while sent:
            yield play_again(sent.popleft())


def _first_sentence(error: BaseException) -> str:
    return str(error).strip().split(". ")[0].splitlines()[0] if str(error).strip() else type(error).__name__


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
    source = iter(shards)
    while wave := list(islice(source, WAVE)):
        yield from parallel(task(shard) for shard in wave)

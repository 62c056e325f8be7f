"""Shards on several processes of this machine ("loky"), sent by joblib, or on the machines of a Ray cluster ("ray")."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from ...utils.extras import explain_missing_extra
from .ray_cluster import play_on_ray
from .shards import Played, Shard, play_shard

Backend = Literal["loky", "ray"]


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
        yield from play_on_ray(shards, jobs, ray_address)
        return
    with parallel_config(backend=backend, n_jobs=jobs):
        yield from Parallel(return_as="generator")(delayed(play_shard)(shard) for shard in shards)

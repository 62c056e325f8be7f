"""Shards on the machines of a Ray cluster. A machine that is lost loses nothing: what it was playing is played again on
the others."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .shards import Played, Shard, play_shard

RETRIES = 5
"""How often a shard is played again if its process or its machine is lost."""
AHEAD = 2
"""Shards on their way for each process, so that none waits for the next."""
LOCAL = "local"
"""In place of an address: Ray on this machine alone, started for the tournament."""


def play_on_ray(
    shards: Iterable[Shard], jobs: int, address: str | None, play_here: Callable[[Shard, BaseException], Played]
) -> Iterator[Played]:
    """Play shards on a Ray cluster; the results come in the order of the shards.

    jobs: how many are played at once, -1 for as many as the cluster has processors. address: of the cluster, such as
    "auto", "10.0.0.1:6379" or "ray://host:10001"; None or "local" for this machine. play_here: plays a shard whose
    process or machine was lost more than RETRIES times; it is given the last error.

    Ray sends a shard to another machine if the one that played it is lost; the result is the same, because it depends
    on the shard alone. Raises ValueError if Ray is not installed, or if there is no cluster at the address.
    """
    ray = _connected(address)
    task = ray.remote(num_cpus=1, max_retries=RETRIES)(play_shard)
    lost = (ray.exceptions.WorkerCrashedError, ray.exceptions.NodeDiedError, ray.exceptions.ObjectLostError)
    source, sent = iter(shards), deque[Any]()

    def send() -> None:
        if (shard := next(source, None)) is not None:
            sent.append((shard, task.remote(shard)))

    try:
        for _ in range(AHEAD * _at_once(ray, jobs)):
            send()
        while sent:
            shard, result = sent[0]
            try:
                played = ray.get(result)
            except lost as error:
                played = play_here(shard, error)
            sent.popleft()
            yield played  # whoever asks may take no more of some matches, so the next is asked for afterwards
            send()
    finally:
        for _, result in sent:
            ray.cancel(result, force=True)


def _at_once(ray: Any, jobs: int) -> int:
    return jobs if jobs > 0 else max(1, int(ray.cluster_resources().get("CPU", 1)))


def _connected(address: str | None) -> Any:
    try:
        import ray
    except ImportError:
        raise ValueError("backend: ray is not installed; pip install ray, or use backend: loky") from None
    if not ray.is_initialized():
        try:
            ray.init(address=address or LOCAL, log_to_driver=False, logging_level=logging.ERROR)
        except ConnectionError as error:
            raise ValueError(f"ray_address: there is no Ray cluster at {address!r}: {error}") from error
    return ray

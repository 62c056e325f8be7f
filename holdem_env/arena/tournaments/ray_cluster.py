"""Shards on the machines of a Ray cluster. A machine that is lost loses nothing: what it was playing is played again on
the others."""

from __future__ import annotations

import logging
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from holdem_env.utils.extras import explain_missing_extra

from .shards import Played, Shard, play_shard

RETRIES = 5
"""How often a shard is played again if its process or its machine is lost."""
AHEAD = 2
"""Shards on their way for each process, so that none waits for the next."""
LOCAL = "local"
"""In place of an address: Ray on this machine alone, started for the tournament."""
CLIENT = "ray://"
"""Before the address of a Ray Client server."""
LOCAL_STORE = 200 * 2**20
"""Bytes of the object store of Ray on this machine alone: what is sent here are shards, weights and checkpoints."""
SECONDS_TO_ANSWER = 5.0


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
        return connected(address)
    except ModuleNotFoundError as error:
        raise ValueError(f"backend: {error}, or use backend: loky") from None
    except ConnectionError as error:
        raise ValueError(f"ray_address: {error}") from error


def connected(address: str | None, cpus: int | None = None) -> Any:
    """The module `ray`, connected to the cluster at this address, or as it is if it is connected already.

    address: as in `play_on_ray`. cpus: how many processors Ray may use, if it is started on this machine; None for all.
    Raises ModuleNotFoundError, with the command that installs it, if Ray is missing, and ConnectionError, within
    seconds, if no cluster answers at the address.
    """
    with explain_missing_extra("Ray's cluster"):
        import ray
    if ray.is_initialized():
        return ray
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if address in (None, LOCAL):
        ray.init(LOCAL, num_cpus=cpus, include_dashboard=False, object_store_memory=LOCAL_STORE, **quiet)
        return ray
    _check_answers(str(address))
    try:
        ray.init(address, **quiet)
    except (ConnectionError, ImportError, RuntimeError, ValueError) as error:
        raise ConnectionError(f"there is no Ray cluster at {address!r}: {error}") from error
    return ray


def _check_answers(address: str) -> None:
    """Raise ConnectionError if nothing answers at host:port. Ray itself tries for two minutes, then exits."""
    place = address.removeprefix(CLIENT)
    host, _, port = place.rpartition(":")
    if address == "auto":
        return
    if not host or not port.isdecimal():
        raise ConnectionError(
            f"{address!r} is no address of a Ray cluster: give auto, local, HOST:PORT or ray://HOST:PORT"
        )
    try:
        socket.create_connection((host, int(port)), SECONDS_TO_ANSWER).close()
    except (OSError, OverflowError) as error:
        raise ConnectionError(f"there is no Ray cluster at {address!r}: {error}") from None
    if address.startswith(CLIENT):
        return
    command = [sys.executable, "-m", "ray.scripts.scripts", "health-check", "--address", place, "--skip-version-check"]
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=2 * SECONDS_TO_ANSWER)
    except subprocess.SubprocessError:
        raise ConnectionError(f"what answers at {address!r} is no Ray cluster") from None

"""Workers on a Ray cluster: each is an actor with one processor and one thread, on any machine of the cluster."""

from __future__ import annotations

import logging
import socket
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

from ..extras import explain_missing_extra
from .outcomes import Answer, Interruptible, answer_of

LOCAL = "local"
"""In place of an address: Ray on this machine alone, started for the tasks."""
CLIENT = "ray://"
"""Before the address of a Ray Client server."""
LOCAL_STORE = 200 * 2**20
"""Bytes of the object store of Ray on this machine alone: what is sent here are results, weights and checkpoints."""
SECONDS_TO_ANSWER = 5.0
CAUSE = "The actor is dead because"
"""Begins the line of Ray's message that says why an actor ended."""


class RayWorker:
    """A worker in a Ray actor."""

    def __init__(self, ray: Any, interrupts: type[Interruptible] | None) -> None:
        self._ray, errors = ray, ray.exceptions
        self.lost: type[Exception] | tuple[type[Exception], ...] = (
            *(errors.RayActorError, errors.WorkerCrashedError, errors.NodeDiedError, errors.ObjectLostError),
        )
        # Two threads: one works, the other hears that it is to end. Ray gives an actor with one processor
        # OMP_NUM_THREADS=1.
        options = {"max_restarts": 0, "max_concurrency": 2, "scheduling_strategy": "SPREAD"}
        self._actor = ray.remote(num_cpus=1, **options)(_Served).remote(interrupts)
        self._begun = self._actor.begun.remote()

    def submit(self, function: Callable[[Any], Any], task: Any) -> Future[Answer]:
        given: Future[Answer] = self._actor.run.remote(function, task).future()
        return given

    def is_waiting(self) -> bool:
        """Whether no machine has had a processor for the actor yet."""
        return not self._ray.wait([self._begun], timeout=0)[0]

    def interrupt(self) -> None:
        """Ask the task that is running to end, if it can hear."""
        self._actor.interrupt.remote()

    def close(self) -> None:
        """End the actor at once, whatever it is doing."""
        with suppress(Exception):  # the actor or the cluster may be gone already
            self._ray.kill(self._actor)

    @staticmethod
    def how_lost(error: BaseException) -> str:
        """What is known of the end of an actor: what happened, and what Ray says of the cause."""
        lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
        return " ".join([lines[0], *(line for line in lines[1:] if line.startswith(CAUSE))])


class _Served:
    def __init__(self, interrupts: type[Interruptible] | None) -> None:
        self._interrupts = interrupts

    def begun(self) -> None:
        """Answers once the actor is there."""

    def run(self, function: Callable[[Any], Any], task: Any) -> Answer:
        return answer_of(function, task)

    def interrupt(self) -> None:
        if self._interrupts is not None:
            self._interrupts.ask_all()


class RayCluster:
    """A Ray cluster. address, jobs: as of a Runner. Raises as `connected`. The connection ends with `close`, unless it
    was there before."""

    def __init__(self, address: str, jobs: int | None) -> None:
        ray = sys.modules.get("ray")
        self._is_ours = ray is None or not ray.is_initialized()
        self._ray, self._jobs = connected(address, jobs), jobs

    def start(self, interrupts: type[Interruptible] | None) -> RayWorker:
        return RayWorker(self._ray, interrupts)

    def room(self) -> int:
        """How many workers can work at the same time now: machines come and go."""
        cpus = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        return cpus if self._jobs is None else min(self._jobs, cpus)

    def close(self) -> None:
        if self._is_ours:
            self._ray.shutdown()


def connected(address: str | None, cpus: int | None = None) -> Any:
    """The module `ray`, connected to the cluster at this address, or as it is if it is connected already.

    address: "auto", "HOST:PORT" or "ray://HOST:PORT"; "local" or None for Ray on this machine alone. cpus: how many
    processors Ray may use, if it is started on this machine; None for all. Raises ModuleNotFoundError, with the command
    that installs it, if Ray is missing, and ConnectionError, within seconds, if no cluster answers at the address.
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
        raise ConnectionError(f"the server at {address!r} is not a Ray cluster") from None

"""Workers on a Ray cluster: each is an actor with one processor, on any machine of the cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

from holdem_env.arena.tournaments.ray_cluster import connected

from ..training.interrupts import Interrupts
from .workers import Answer, Worker, WorkerLost, answered, opened, use_one_thread


class RayWorker:
    """A worker in a Ray actor."""

    def __init__(self, ray: Any, index: int, cpus: int, make: Callable[..., Any], arguments: Sequence[Any]) -> None:
        self.index, self.cpus = index, cpus
        self._ray = ray
        # Two threads: one trains, the other hears that it is to end.
        options = {"max_restarts": 0, "max_concurrency": 2, "scheduling_strategy": "SPREAD"}
        self._actor = ray.remote(num_cpus=cpus, **options)(Served).remote(make, tuple(arguments))
        self.asked: Any = None

    def begin(self, method: str, *arguments: Any) -> None:
        self.asked = self._actor.call.remote(method, arguments)

    def answer(self) -> Any:
        asked, self.asked = self.asked, None
        try:
            given: Answer = self._ray.get(asked)
        except self._ray.exceptions.RayError as error:
            self.cpus = 0
            raise WorkerLost(self.index, _first_line(error)) from None
        return opened(given)

    def interrupt(self) -> None:
        if self.asked is not None:
            self._actor.interrupt.remote()

    def close(self) -> None:
        self.cpus = 0
        with suppress(Exception):  # the actor or the cluster may be gone already
            self._ray.kill(self._actor)


class Served:
    """The object of a worker, inside of its actor."""

    def __init__(self, make: Callable[..., Any], arguments: Sequence[Any]) -> None:
        self._make, self._arguments = make, arguments
        self._object: Any = None

    def call(self, method: str, arguments: Sequence[Any]) -> Answer:
        """The answer of one of the object's methods."""
        return answered(lambda: self._call(method, arguments))

    def _call(self, method: str, arguments: Sequence[Any]) -> Any:
        use_one_thread()  # PyTorch counts its threads for each thread of Python
        if self._object is None:
            self._object = self._make(*self._arguments)
        return getattr(self._object, method)(*arguments)

    def interrupt(self) -> None:
        """Ask training under way to end."""
        Interrupts.ask_all()


class RayPlace:
    """The place of workers on a Ray cluster.

    address: "auto", "HOST:PORT", "ray://HOST:PORT", or "local" for Ray on this machine alone, which is started with
    `jobs` processors (all of them by default). Raises as `connected`. The connection ends with the context, unless it
    was there before.
    """

    def __init__(self, address: str, jobs: int | None = None) -> None:
        before = _is_connected()
        self._ray = connected(address, jobs)
        self._is_mine = not before
        self._workers: list[RayWorker] = []
        self._count = 0

    def start(self, make: Callable[..., Any], *arguments: Any) -> RayWorker:
        # Who finds no free processor shares one: a worker that waited for one would wait until the others close.
        cpus = 1 if sum(worker.cpus for worker in self._workers) < self.room() else 0
        worker = RayWorker(self._ray, self._count, cpus, make, arguments)
        self._count += 1
        self._workers.append(worker)
        return worker

    def wait(self, workers: Sequence[Worker], seconds: float | None = None) -> list[Worker]:
        by_call = {worker.asked: worker for worker in workers if isinstance(worker, RayWorker) and worker.asked}
        if not by_call:
            return []
        self._ray.wait(list(by_call), num_returns=1, timeout=seconds)
        ready, _ = self._ray.wait(list(by_call), num_returns=len(by_call), timeout=0)
        return [by_call[call] for call in ready]

    def room(self) -> int:
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        for worker in self._workers:
            worker.close()
        if self._is_mine:
            self._ray.shutdown()


def _is_connected() -> bool:
    try:
        import ray
    except ModuleNotFoundError:
        return False
    return bool(ray.is_initialized())


def _first_line(error: Exception) -> str:
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)

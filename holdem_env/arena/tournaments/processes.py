"""Shards on several processes of this machine, or on the machines of a Ray cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from ...utils.runner import Runner, WorkerLost, in_order
from .shards import Played, Shard, play_shard

Backend = Literal["loky", "ray"]
LOCAL = "local"
"""The address for Ray on this machine alone."""
RETRIES = 5
"""How often a shard is played again on Ray if its machine is lost; its result depends on the shard alone."""


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

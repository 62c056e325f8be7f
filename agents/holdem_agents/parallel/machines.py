"""Where work is done that is not done in this process: so many processes, or the machines of a Ray cluster."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from .here import HerePlace
from .processes import ProcessPlace
from .workers import Place


@dataclass(frozen=True)
class Machines:
    """What `--jobs` and `--ray` say.

    jobs: how many workers work at a time; -1 for as many as there are processors; 1 is this process alone, or on Ray no
    limit. ray: the address of a Ray cluster, "auto", or "local" for Ray on this machine. Raises ValueError for a number
    of jobs that is none.
    """

    jobs: int = 1
    ray: str | None = None

    def __post_init__(self) -> None:
        if self.jobs < 1 and self.jobs != -1:
            raise ValueError(
                f"jobs: {self.jobs}; give a whole number from 1 on, or -1 for as many as there are processors"
            )

    @property
    def is_here(self) -> bool:
        """Whether all work is done in this process."""
        return self.ray is None and self.limit == 1

    @property
    def limit(self) -> int | None:
        """How many workers work at a time at most; None for as many as the cluster has processors."""
        if self.ray is not None and self.jobs in (1, -1):
            return None
        if self.jobs != -1:
            return self.jobs
        from joblib import cpu_count

        return int(cpu_count())

    @property
    def workers(self) -> int:
        """How many workers train one learner. The result depends on it, so on Ray, too, it is what was asked for."""
        return self.jobs if self.jobs != -1 else Machines(-1).limit or 1

    @property
    def options(self) -> str:
        """The options of a command that mean this, such as "--jobs 2"."""
        jobs = [] if self.jobs == 1 else [f"--jobs {self.jobs}"]
        return " ".join([*jobs, *([] if self.ray is None else [f"--ray {shlex.quote(self.ray)}"])])

    def place(self) -> Place:
        """The place where the workers live.

        Raises ModuleNotFoundError if Ray is not installed, and ConnectionError if no cluster answers at the address.
        """
        if self.ray is None:
            limit = self.limit or 1
            return HerePlace() if limit == 1 else ProcessPlace(limit)
        from .ray_workers import RayPlace

        return RayPlace(self.ray, self.limit)

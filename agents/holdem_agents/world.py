"""The processes that train one learner together, as torchrun or Ray starts them: each is a rank, and a process alone is
rank 0 of 1. Rank 0 decides, writes the run folder and plays matches; every rank calls these methods in one order.

Gradients are added up here and not by DistributedDataParallel, which averages over ranks whatever each has learnt from,
and would wait forever for a rank none of whose hands is over yet.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

PATIENCE = timedelta(days=1)
"""How long ranks wait for rank 0, which plays the evaluation matches."""


class RankLost(ValueError):
    """Another rank has ended, or torchrun ends them all."""

    def __init__(self, rank: int) -> None:
        super().__init__(
            f"rank {rank} ends because another process of this training has ended; with `--resume` and the run's "
            "folder it goes on from its last checkpoint, with any number of processes"
        )


@dataclass(frozen=True)
class World:
    """This process among those that train together.

    Attributes:
        rank: Its number.
        size: How many there are.
        scratch: Where a rank other than 0 writes what is thrown away.
    """

    rank: int = 0
    size: int = 1
    scratch: Path | None = None

    @property
    def local_rank(self) -> int:
        """The number of this process among those of this machine."""
        return int(os.environ.get("LOCAL_RANK", 0)) if self.size > 1 else 0

    def written_to(self, folder: Path) -> Path:
        """Where this rank writes what is to be in this folder: rank 0 there, the others where it is thrown away."""
        return self.scratch / folder.name if self.rank and self.scratch else folder

    def gathered(self, mine: Any) -> list[Any]:
        """What each rank gives, by rank, in every rank."""
        if self.size == 1:
            return [mine]
        from torch import distributed

        found: list[Any] = [None] * self.size
        self._ask(distributed.all_gather_object, found, mine)
        return found

    def agreed(self, mine: float) -> float:
        """What rank 0 gives."""
        if self.size == 1:
            return mine
        import torch
        from torch import distributed

        number = torch.tensor([mine], dtype=torch.float64)
        self._ask(distributed.broadcast, number, 0)
        return number.item()

    def summed(self, mine: Iterable[float]) -> NDArray[np.float64]:
        """The sums over all ranks, in double precision."""
        numbers = np.array([*mine], np.float64)
        if self.size > 1:
            import torch
            from torch import distributed

            self._ask(distributed.all_reduce, torch.from_numpy(numbers))
        return numbers

    def add_gradients(self, weights: list[Any]) -> None:
        """Give each of these parameters the sum of its gradients in all ranks; one without a gradient counts as
        zeros."""
        if self.size == 1:
            return
        import torch
        from torch import distributed

        grads = [torch.zeros_like(each) if each.grad is None else each.grad for each in weights]
        together = torch.cat([grad.flatten() for grad in grads])
        self._ask(distributed.all_reduce, together)
        parts = torch.split(together, [grad.numel() for grad in grads])
        for each, grad in zip(weights, parts, strict=True):
            each.grad = grad.view_as(each).clone()

    def check_same(self, names: Any, differences: Callable[[Any, Any], str]) -> None:
        """Raise ValueError in rank 0, and end the others, if ranks have not the same settings.

        differences: what the settings of one differ in from those of another, in words; "" if in nothing.
        """
        first, *others = self.gathered(names)
        for number, other in enumerate(others, 1):
            if text := differences(other, first):
                if self.rank:
                    raise SystemExit(2)
                raise ValueError(
                    f"the processes must have one configuration; rank {number} differs from rank 0: {text}"
                )

    def part_of(self, total: int) -> tuple[int, int]:
        """The first of this rank's share of this many tables, and how many it has."""
        first, end = (total * place // self.size for place in (self.rank, self.rank + 1))
        return first, end - first

    def random_apart(self, *numbers: int) -> None:
        """Give PyTorch's random numbers a seed of these numbers and the rank, except in rank 0."""
        if self.rank:
            import torch

            torch.manual_seed(int(np.random.SeedSequence((*numbers, self.rank)).generate_state(1, np.uint64)[0]))

    def _ask(self, call: Callable[..., object], *args: Any) -> None:
        try:
            call(*args)
        except RuntimeError as error:
            raise RankLost(self.rank) from error


ALONE = World()


@contextmanager
def together() -> Iterator[World]:
    """Join the ranks that torchrun or Ray Train has started, if one has started this process; SIGTERM, by which
    torchrun ends them, is a RankLost then."""
    wanted = int(os.environ.get("WORLD_SIZE", 1)) if "RANK" in os.environ else 1
    if wanted == 1:
        yield ALONE
        return
    import torch
    from torch import distributed

    gpus = torch.cuda.device_count() if torch.cuda.is_available() else 0
    has_own_gpu = gpus >= int(os.environ.get("LOCAL_WORLD_SIZE", wanted)) and distributed.is_nccl_available()
    with ExitStack() as at_the_end:
        if not distributed.is_initialized():  # Ray has done it
            distributed.init_process_group("cpu:gloo,cuda:nccl" if has_own_gpu else "gloo", timeout=PATIENCE)
            at_the_end.callback(distributed.destroy_process_group)
        rank = distributed.get_rank()

        def terminated(number: int, frame: object) -> None:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            raise RankLost(rank)

        if threading.current_thread() is threading.main_thread():  # Ray calls from another one, and kills by itself
            at_the_end.callback(signal.signal, signal.SIGTERM, signal.signal(signal.SIGTERM, terminated))
        yield World(rank, wanted, Path(at_the_end.enter_context(TemporaryDirectory())))

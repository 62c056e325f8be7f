"""PyTorch's settings for small networks: the number of threads, and no argument checks in distributions."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

import torch
from stable_baselines3.common.callbacks import BaseCallback

TRY_EVERY = 8
BATCHES = 5


class ThreadCountCallback(BaseCallback):
    """Uses one thread or two, whichever is faster at the moment; measures both every few rollouts.

    Two threads are faster on an idle machine, and many times slower on a busy one, where they wait for each other.
    """

    def __init__(self) -> None:
        super().__init__()
        self._rollouts = 0

    def _on_rollout_end(self) -> None:
        if self._rollouts % TRY_EVERY == 0 and (os.cpu_count() or 1) > 1:
            torch.set_num_threads(min((1, 2), key=self._seconds))
        self._rollouts += 1

    def _seconds(self, threads: int) -> float:
        """The time that some batches of an update take."""
        torch.set_num_threads(threads)
        size = self.model.observation_space.shape or (1,)
        observations = torch.zeros(self.model.batch_size, *size)  # type: ignore[attr-defined]
        start = 0.0
        for batch in range(1 + BATCHES):
            start = perf_counter() if batch == 1 else start  # the first batch is a warm-up
            values = self.model.policy.predict_values(observations)  # type: ignore[operator]
            values.sum().backward()
        self.model.policy.zero_grad()
        return perf_counter() - start

    def _on_step(self) -> bool:
        return True


@contextmanager
def torch_settings(threads: int = 1) -> Iterator[None]:
    """Use this many threads, and skip the argument checks of distributions, which cost a tenth of the time."""
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    torch.distributions.Distribution.set_default_validate_args(False)
    try:
        yield
    finally:
        torch.set_num_threads(before)
        torch.distributions.Distribution.set_default_validate_args(True)

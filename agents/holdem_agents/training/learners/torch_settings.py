"""PyTorch's settings for small networks: the number of threads, the library that multiplies matrices, and no argument
checks in distributions."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from time import perf_counter
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ...networks.tensors import device_of, sent
from ..config import MatmulPrecision
from .devices import memory_errors, values_of
from .hooks import Hook, Stats

MKL, ONEDNN = "none", "bf16"
"""PyTorch's names: no wish, and "oneDNN, which may round to bfloat16"."""
TRY_EVERY = 8
FIRST_TRY = 3
"""The rollouts before it may be short (`RolloutPace`)."""
PART = 8
"""Both numbers of threads are tried with batches of at most this part of a rollout, which a large network takes long
for."""
BATCHES = 5
MORE_ERROR = 4
"""Libraries add products in different orders, so that their rounding errors differ by less than this factor; those of
bfloat16 are thousands of times as large."""


class ThreadCountHook(Hook):
    """Uses one thread or two, whichever is faster at the moment; measures both every few rollouts.

    Two threads are faster on an idle machine, and many times slower on a busy one, where they wait for each other.
    """

    def __init__(self) -> None:
        self._rollouts = 0

    def after_step(self, stats: Stats) -> None:
        is_tried = self._rollouts % TRY_EVERY == FIRST_TRY and (os.cpu_count() or 1) > 1
        if is_tried and len(self._seen()):
            torch.set_num_threads(min((1, 2), key=self._seconds))
        self._rollouts += 1

    def _seconds(self, threads: int) -> float:
        """The time that some batches of an update take, of the rollout that has just ended."""
        torch.set_num_threads(threads)
        model: Any = self.model
        policy: Any = model.policy
        seen = self._seen()
        observations = sent(seen[: min(model.batch_size, max(len(seen) // PART, 1))], device_of(policy))
        start = 0.0
        for batch in range(1 + BATCHES):
            start = perf_counter() if batch == 1 else start  # the first batch is a warm-up
            values_of(policy, observations).sum().backward()  # type: ignore[no-untyped-call]
        policy.zero_grad()
        return perf_counter() - start

    def _seen(self) -> NDArray[np.float32]:
        model: Any = self.model
        seen: NDArray[np.float32] = model.rollout_buffer.observations.reshape(-1, *model.observation_space.shape)
        return seen


@lru_cache(maxsize=1)
def is_onednn_exact() -> bool:
    """Whether oneDNN multiplies float32 matrices here as exactly as MKL, PyTorch's default library, does.

    PyTorch lets oneDNN multiply them where it may round them to bfloat16. Processors without matrix units (AMX) have
    nothing to gain from that, so that oneDNN rounds nothing there. A product shows which kind this processor is.
    """
    numbers = torch.Generator().manual_seed(0)
    one, two = (torch.randn(256, 256, generator=numbers) for _ in range(2))
    product, errors = one.double() @ two.double(), []
    for precision in (None, "medium"):
        with matrix_products(precision):
            errors.append(float((one @ two - product).abs().max()))
    return errors[1] <= MORE_ERROR * errors[0]


@contextmanager
def matrix_products(precision: MatmulPrecision | None) -> Iterator[None]:
    """Multiply float32 matrices as `learner.matmul_precision` says; None: as PyTorch does by default, with MKL.

    With "highest", oneDNN multiplies where it is as exact as MKL; on AMD's Zen 5 an update of PPO takes half the time.
    With "medium", it also multiplies where it rounds factors to bfloat16; with Intel's AMX an update takes six tenths
    of the time. `python -m benchmarks learners` trains with MKL, too.
    """
    onednn: Any = torch.backends.mkldnn
    matmul: Any = getattr(onednn, "matmul", None)
    if not (onednn.is_available() and hasattr(matmul, "fp32_precision")):  # PyTorch before 2.9
        yield
        return
    before = matmul.fp32_precision
    matmul.fp32_precision = ONEDNN if precision == "medium" or (precision and is_onednn_exact()) else MKL
    try:
        yield
    finally:
        matmul.fp32_precision = before


@contextmanager
def torch_settings(threads: int = 1, precision: MatmulPrecision | None = "medium") -> Iterator[None]:
    """Use this many threads, multiply matrices as `matrix_products` does, and skip the argument checks of
    distributions, which cost a tenth of the time. Raises ValueError if memory runs out."""
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    torch.distributions.Distribution.set_default_validate_args(False)
    try:
        with matrix_products(precision), memory_errors():
            yield
    finally:
        torch.set_num_threads(before)
        torch.distributions.Distribution.set_default_validate_args(True)

"""Where a learner computes (`learner.device`): the devices there are, the trial of "auto", and memory that runs out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from time import perf_counter
from typing import Any

import torch

from ...networks.tensors import device_of
from ...runs.config import ConfigError
from ...runs.interrupts import report
from ...world import ALONE, World
from ..config import Learner, Training

CPU = "cpu"
Forward = Callable[[torch.Tensor], tuple[torch.Tensor, torch.Tensor]]
TRIALS, TRIAL_SECONDS = 3, 1.0
"""The most steps and minibatches of a trial, and after how long it ends with fewer."""
NO_MEMORY = "not enough memory", "can't allocate memory", "out of memory"


def devices() -> list[str]:
    """The devices of this machine; the CPU is the last."""
    cuda = [f"cuda:{number}" for number in range(torch.cuda.device_count())] if torch.cuda.is_available() else []
    return [*cuda, *(["mps"] if torch.backends.mps.is_available() else []), CPU]


def check_device(device: str) -> None:
    """Raise ConfigError for a device that is not there."""
    if device not in ("auto", *devices()) and (device != "cuda" or "cuda:0" not in devices()):
        raise ConfigError(f"learner.device: there is no {device} here; this machine has {', '.join(devices())}")


def chosen_device(device: str, seconds: Callable[[str], float], world: World = ALONE) -> str:
    """The device that `learner.device` means. Raises ConfigError if it is not there.

    seconds: what a rollout with its update takes on a device. "auto" is the faster of the GPU and the CPU.
    Ranks have a GPU each, as far as there are enough.
    """
    check_device(device)
    *there, _ = devices()
    gpu = there[world.local_rank % len(there)] if there else CPU
    if device == "auto":
        is_faster = gpu != CPU and _faster(gpu, seconds, world) != CPU
        return gpu if world.agreed(is_faster) else CPU
    return gpu if device == "cuda" else device


def _faster(gpu: str, seconds: Callable[[str], float], world: World) -> str:
    """The faster of a GPU and the CPU; rank 0 says so in a line."""
    say = report if not world.rank else lambda line: None
    try:
        took = {each: seconds(each) for each in (gpu, CPU)}
    except torch.OutOfMemoryError:
        say(f"learner.device: {CPU}; the memory of {gpu} is too small")
        return CPU
    chosen = min(took, key=took.__getitem__)
    there = ", ".join(f"{each} {second:.2g} s" for each, second in took.items())
    say(f"learner.device: {chosen}; the network takes for a rollout and its update: {there}")
    return chosen


def faster_forward(network: Any, settings: Learner, examples: torch.Tensor) -> Forward | None:
    """A network's `logits_and_values` as `learner.compile` and `learner.autocast` want it computed; None if as it is.

    examples: (B, *shape) float32, observations to try it with. Raises ConfigError if PyTorch cannot compile it.
    """
    if not (settings.compile or settings.autocast):
        return None
    plain: Forward = network.logits_and_values
    device = device_of(network)
    compiled = torch.compile(plain, dynamic=True) if settings.compile else plain

    def forward(observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        with torch.autocast(device.type, torch.bfloat16, enabled=settings.autocast is not None):
            logits, values = compiled(observations)
        return logits.float(), values.float()

    if settings.compile:
        try:
            forward(examples.to(device))
        except Exception as error:  # without a C++ compiler, for one
            line = next(iter(str(error).splitlines()), "")
            raise ConfigError(
                f"learner.compile: PyTorch cannot compile here: {type(error).__name__}: {line}"
            ) from error
    return forward


def rollout_seconds(policy: Any, config: Training, shape: tuple[int, ...], device: str) -> float:
    """What the network takes for a rollout and its update on a device, by a few steps and minibatches of both."""
    settings = config.learner
    network = deepcopy(policy).to(device).requires_grad_(True)
    steps, updates = torch.zeros(config.tables, *shape), torch.zeros(settings.batch_size, *shape)

    def step() -> None:
        with torch.inference_mode():
            values_of(network, steps.to(device)).cpu()

    def update() -> None:
        loss = values_of(network, updates.to(device)).sum()
        loss.backward()  # type: ignore[no-untyped-call]
        loss.item()  # waits for the gradient, too

    minibatches = settings.epochs * settings.n_steps * config.tables / settings.batch_size
    return settings.n_steps * _seconds(step) + minibatches * _seconds(update)


def _seconds(work: Callable[[], None]) -> float:
    """What some work takes after the first time."""
    work()
    begun, times = perf_counter(), 0
    while times < TRIALS and (not times or perf_counter() - begun < TRIAL_SECONDS):
        work()
        times += 1
    return (perf_counter() - begun) / times


def values_of(policy: Any, observations: torch.Tensor) -> torch.Tensor:
    """(B,) what a policy of either kind of learner says observations are worth."""
    values: torch.Tensor = (
        policy.logits_and_values(observations)[1]
        if hasattr(policy, "logits_and_values")
        else policy.predict_values(observations)  # of SB3
    )
    return values


@contextmanager
def memory_errors() -> Iterator[None]:
    """Say what to make smaller when memory runs out, of the machine or of its GPU, as ValueError."""
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        if not isinstance(error, MemoryError) and not any(words in str(error) for words in NO_MEMORY):
            raise
        where = "of the GPU" if isinstance(error, torch.OutOfMemoryError) else "of this machine"
        raise ValueError(
            f"the memory {where} is too small for this training: make learner.batch_size, tables or the network "
            "(learner.hidden) smaller"
        ) from error

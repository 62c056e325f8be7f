"""Checkpoints: everything a run needs to go on, in one file that is read completely or not at all.

A run keeps its latest checkpoint and the one before, so one of them is always complete. Checkpoints hold tensors,
numbers and text only, so loading one cannot run code.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
import torch
from rich.console import Console
from stable_baselines3.common.callbacks import BaseCallback

from holdem_env.utils.atomic import write_atomically

from ..interrupts import Interrupts
from .files import DECISIONS, FRESH, LATEST, PREVIOUS

FORMAT = 1
DIGEST = 32  # bytes of SHA-256
State = dict[str, Any]


def save_checkpoint(folder: Path, state: State) -> None:
    """Write a checkpoint to a run folder and keep the one before it. On an OSError both stay as they were."""
    content = io.BytesIO()
    torch.save({"format": FORMAT, **state}, content)
    latest, previous, fresh = folder / LATEST, folder / PREVIOUS, folder / FRESH
    write_with_digest(fresh, content.getvalue())
    if latest.exists():
        latest.replace(previous)
    fresh.replace(latest)


def load_checkpoint(folder: Path) -> State | None:
    """The latest complete checkpoint of a run, or None if the run has none yet.

    If the latest one is damaged, this loads the one before it. Raises ValueError if all are damaged, or if the
    checkpoint has another format.
    """
    problems = []
    for name in (LATEST, FRESH, PREVIOUS):
        if not (folder / name).exists():
            continue
        try:
            content = read_with_digest(folder / name)
        except ValueError as error:
            problems.append(str(error))
            continue
        state: State = torch.load(io.BytesIO(content), weights_only=True)
        if state["format"] != FORMAT:
            raise ValueError(f"{folder / name}: a checkpoint of format {state['format']}; this version reads {FORMAT}")
        return state
    if problems:
        raise ValueError("no checkpoint can be loaded: " + "; ".join(problems))
    return None


def random_state() -> State:
    """The state of PyTorch's and NumPy's global random generators: SB3 draws from both."""
    kind, key, place, has_gauss, gauss = np.random.get_state(legacy=True)  # noqa: NPY002
    numpy_state = [str(kind), torch.from_numpy(np.asarray(key, np.int64)), int(place), int(has_gauss), float(gauss)]
    return {"torch": torch.get_rng_state(), "numpy": numpy_state}


def set_random_state(state: State) -> None:
    """Set the global random generators to a state that `random_state` returned."""
    torch.set_rng_state(state["torch"])
    kind, key, *rest = state["numpy"]
    np.random.set_state((kind, key.numpy().astype(np.uint32), *rest))  # noqa: NPY002


def warn_no_checkpoint(error: OSError) -> None:
    """Report on stderr that a checkpoint could not be written."""
    Console(stderr=True).print(f"no checkpoint this time: {error.args[1]}", soft_wrap=True, markup=False)


class CheckpointCallback(BaseCallback):
    """Writes a checkpoint between two rollouts: every few minutes, when the budget is spent, and on ctrl-C, which then
    ends training.

    It must come first among the callbacks: a resumed run then finds the others as this one left them. If a checkpoint
    cannot be written, a warning says so and training goes on; the checkpoint before it is still there.

    state: returns the state to save. is_over: whether the budget is spent. interrupts: whether ctrl-C was pressed.
    saved: the decisions in the last checkpoint; None if there is none. ends: whether ctrl-C ends training.
    """

    def __init__(
        self,
        state: Callable[[], State],
        folder: Path,
        minutes: float,
        is_over: Callable[[], bool],
        interrupts: Interrupts | None = None,
        saved: int | None = None,
    ) -> None:
        super().__init__()
        self._state, self._folder, self._seconds, self._is_over = state, folder, 60 * minutes, is_over
        self.interrupts, self.saved = interrupts or Interrupts(), saved
        self._last = monotonic()
        self.ends = False

    def _on_rollout_start(self) -> None:
        self.ends = self.interrupts.asked
        if monotonic() - self._last >= self._seconds or self.ends or self._is_over():
            self.save_now()

    def save_now(self) -> None:
        """Write a checkpoint, between two rollouts; one that cannot be written is a warning."""
        self._last = monotonic()
        try:
            save_checkpoint(self._folder, self._state())
            self.saved = self.num_timesteps
        except OSError as error:
            warn_no_checkpoint(error)

    def _on_step(self) -> bool:
        return not self.ends


class InterruptCallback(BaseCallback):
    """Ends `learn` between two rollouts if the user interrupted, after a checkpoint. It must come first.

    save: writes the checkpoint. ends: whether an interruption ends training.
    """

    def __init__(self, interrupts: Interrupts, save: Callable[[], object]) -> None:
        super().__init__()
        self._interrupts, self._save, self.ends = interrupts, save, False

    def _on_rollout_start(self) -> None:
        self.ends = self._interrupts.asked
        if self.ends:
            self.logger.record(DECISIONS, self.num_timesteps)
            self.logger.dump(self.num_timesteps)  # the last update's numbers; SB3 keeps them for the next rollout
            self._save()

    def _on_step(self) -> bool:
        return not self.ends


def write_with_digest(path: Path, content: bytes) -> None:
    """Write the content after its SHA-256 digest, by which `read_with_digest` recognizes damage."""
    write_atomically(path, sha256(content).digest() + content)


def read_with_digest(path: Path) -> bytes:
    """The content that `write_with_digest` wrote. Raises FileNotFoundError, or ValueError for a damaged file."""
    written = path.read_bytes()
    digest, content = written[:DIGEST], written[DIGEST:]
    if sha256(content).digest() != digest:
        raise ValueError(f"{path} is damaged: its content is not what was written")
    return content

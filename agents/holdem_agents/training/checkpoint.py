"""Checkpoints: everything a run needs to go on, in a file that is loaded whole or not at all.

The latest stands beside the one before it, so that there is always one to go on from. They hold tensors, numbers and
text only: loading one cannot run code.
"""

from __future__ import annotations

import io
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from rich.console import Console
from stable_baselines3.common.callbacks import BaseCallback

from holdem_env.utils.atomic import write_whole

LATEST, PREVIOUS = "checkpoint.pt", "checkpoint-previous.pt"
FORMAT = 1
DIGEST = 32
State = dict[str, Any]


def save_checkpoint(folder: Path, state: State) -> None:
    """Write a checkpoint into a run folder; the one before it is kept. Raises OSError, and leaves both as they were."""
    content = io.BytesIO()
    torch.save({"format": FORMAT, **state}, content)
    latest, previous = folder / LATEST, folder / PREVIOUS
    fresh = folder / "checkpoint-new.pt"
    write_sealed(fresh, content.getvalue())
    if latest.exists():
        latest.replace(previous)
    fresh.replace(latest)


def load_checkpoint(folder: Path) -> State | None:
    """The latest whole checkpoint of a run, None if it has none yet.

    A damaged one is passed over for the one before it. Raises ValueError if all are damaged, or of another version.
    """
    problems = []
    for name in (LATEST, "checkpoint-new.pt", PREVIOUS):
        if not (folder / name).exists():
            continue
        try:
            content = read_sealed(folder / name)
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


def write_sealed(path: Path, content: bytes) -> None:
    """`write_whole` with a digest in front, by which `read_sealed` knows that nothing is missing."""
    write_whole(path, sha256(content).digest() + content)


def read_sealed(path: Path) -> bytes:
    """The content that `write_sealed` wrote. Raises FileNotFoundError, or ValueError for a damaged file."""
    whole = path.read_bytes()
    digest, content = whole[:DIGEST], whole[DIGEST:]
    if sha256(content).digest() != digest:
        raise ValueError(f"{path} is damaged: its content is not what was written")
    return content


def as_tensors(arrays: dict[str, NDArray[Any]]) -> dict[str, torch.Tensor]:
    """Arrays as they go into a checkpoint."""
    return {name: torch.from_numpy(values) for name, values in arrays.items()}


def as_arrays(tensors: dict[str, torch.Tensor]) -> dict[str, NDArray[Any]]:
    """And back."""
    return {name: values.numpy() for name, values in tensors.items()}


def random_state() -> State:
    """Where PyTorch's and NumPy's global random numbers are: SB3 draws from both."""
    kind, key, place, has_gauss, gauss = np.random.get_state(legacy=True)  # noqa: NPY002
    numpy_state = [str(kind), torch.from_numpy(np.asarray(key, np.int64)), int(place), int(has_gauss), float(gauss)]
    return {"torch": torch.get_rng_state(), "numpy": numpy_state}


def set_random_state(state: State) -> None:
    """Go on with the random numbers where `random_state` was taken."""
    torch.set_rng_state(state["torch"])
    kind, key, *rest = state["numpy"]
    np.random.set_state((kind, key.numpy().astype(np.uint32), *rest))  # noqa: NPY002


def tell_no_checkpoint(error: OSError) -> None:
    """A checkpoint could not be written: say so, and that it costs nothing yet."""
    Console(stderr=True).print(f"no checkpoint this time: {error.args[1]}", soft_wrap=True, markup=False)


class Checkpoints(BaseCallback):
    """Writes a checkpoint every so often, between two rollouts, and one when the budget is spent.

    It must be the first of the callbacks: the others then find the run as they left it. A checkpoint that cannot be
    written is told, and training goes on: the one before it is still there.
    """

    def __init__(self, take: Any, folder: Path, minutes: float, over: Any) -> None:
        super().__init__()
        self._take, self._folder, self._seconds, self._over = take, folder, 60 * minutes, over
        self._last = monotonic()

    def _on_rollout_start(self) -> None:
        if monotonic() - self._last < self._seconds and not self._over():
            return
        self._last = monotonic()
        try:
            save_checkpoint(self._folder, self._take())
        except OSError as error:
            tell_no_checkpoint(error)

    def _on_step(self) -> bool:
        return True

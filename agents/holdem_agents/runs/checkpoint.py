"""Checkpoints: everything a run needs to go on, in one file that is read completely or not at all.

A run keeps its latest checkpoint and the one before, so one of them is always complete. Checkpoints hold tensors,
numbers and text only, so loading one cannot run code.
"""

from __future__ import annotations

import io
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import torch

from holdem_env.utils.atomic import whole_file
from holdem_env.utils.plain_data import untrusted

from .files import FRESH, LATEST, PREVIOUS

FORMAT = 1
DIGEST = 32  # bytes of SHA-256
State = dict[str, Any]


def save_checkpoint(folder: Path, state: State) -> None:
    """Write a checkpoint to a run folder and keep the one before it. On an OSError both stay as they were."""
    latest, previous, fresh = folder / LATEST, folder / PREVIOUS, folder / FRESH
    content = BytesIO()  # torch.save hides a full disk in a RuntimeError
    torch.save({"format": FORMAT, **state}, content)
    with whole_file(fresh) as file:
        file.write(sha256(content.getbuffer()).digest())
        file.write(content.getbuffer())
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
            content = _content_of(folder / name)
        except ValueError as error:
            problems.append(str(error))
            continue
        return _state_in(folder / name, content)
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


def _state_in(path: Path, content: bytes) -> State:
    with untrusted(lambda why: ValueError(f"{path} is no checkpoint: {why}")):
        state: State = torch.load(io.BytesIO(content), map_location="cpu", weights_only=True)
        if state["format"] != FORMAT:
            raise ValueError(f"its format must be {FORMAT}, got {state['format']}")
        if not isinstance(state.get("config", {}), dict):
            raise ValueError("its config must be a mapping")
        return dict(state)


def _content_of(path: Path) -> bytes:
    """The content behind its digest, by which damage is recognized. Raises ValueError for a damaged file."""
    written = path.read_bytes()
    digest, content = written[:DIGEST], written[DIGEST:]
    if sha256(content).digest() != digest:
        raise ValueError(f"{path} is damaged: its content is not what was written")
    return content

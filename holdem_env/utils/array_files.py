"""Arrays with a JSON header in one compressed .npz file. A file is data alone: loading one cannot run code."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .atomic import whole_file
from .plain_data import json_of, untrusted

FORMAT, HEADER = "format", "header"


def save_arrays(path: str | Path, kind: str, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write arrays. kind: what they are, with a version, such as "hands 1". header: plain data. Raises OSError."""
    text = json.dumps({FORMAT: kind, **header}).encode()
    content: dict[str, Any] = {HEADER: np.frombuffer(text, np.uint8), **arrays}
    with whole_file(path) as file:
        np.savez_compressed(file, **content)


def load_arrays(path: str | Path, kind: str, names: Collection[str]) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The header and the arrays of a file. Raises FileNotFoundError, and ValueError for a file of another kind."""
    if not Path(path).is_file():
        raise FileNotFoundError(f"{path}: there is no such file")

    def failure(why: str) -> ValueError:
        return ValueError(f"{path}: this is no file of {kind.split()[0]}: {why}")

    with untrusted(failure), np.load(path, allow_pickle=False) as file:
        header = json_of(file[HEADER].tobytes())
        if header[FORMAT] != kind:
            raise ValueError(f"it must hold {kind!r}, got {header[FORMAT]!r}")
        return header, {name: file[name] for name in names}

"""Arrays with a JSON header in one compressed .npz file. A file is data alone: loading one cannot run code."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from .atomic import whole_file
from .plain_data import json_of, untrusted

FORMAT, HEADER = "format", "header"
MOST_BYTES, MOST_TIMES = 2**28, 50
"""Limits of a file's arrays, unpacked: bytes, or a multiple of the file's size if that is more. Hands have 5."""
Arrays = dict[str, NDArray[Any]]
Made = TypeVar("Made")


def save_arrays(path: str | Path, kind: str, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write arrays. kind: what they are, with a version, such as "hands 1". header: plain data. Raises OSError."""
    text = json.dumps({FORMAT: kind, **header}).encode()
    content: dict[str, Any] = {HEADER: np.frombuffer(text, np.uint8), **arrays}
    with whole_file(path) as file:
        np.savez_compressed(file, **content)


def load_arrays(
    path: str | Path, kind: str, forms: Mapping[str, str], made: Callable[[dict[str, Any], Arrays], Made]
) -> Made:
    """What `made` makes of the header and the arrays of a file.

    forms: of each array the type and the axes, such as "int8 N S 2"; axes of the same name are of the same length.
    Raises FileNotFoundError, and ValueError, which names the file, for one of another kind, for what unpacks to too
    much, for arrays of other forms, and for whatever `made` raises.
    """
    if not Path(path).is_file():
        raise FileNotFoundError(f"{path}: there is no such file")

    def failure(why: str) -> ValueError:
        return ValueError(f"{path}: this is no file of {kind.split()[0]}: {why}")

    with untrusted(failure), np.load(path, allow_pickle=False) as file:
        most = max(MOST_BYTES, MOST_TIMES * Path(path).stat().st_size)
        if (size := sum(each.file_size for each in file.zip.infolist())) > most:
            raise ValueError(f"its arrays must be of at most {most:,} bytes, got {size:,}")
        header = json_of(file[HEADER].tobytes())
        if header[FORMAT] != kind:
            raise ValueError(f"it must hold {kind!r}, got {header[FORMAT]!r}")
        arrays = {name: file[name] for name in forms}
        _check_forms(arrays, forms)
        return made(header, arrays)


def _check_forms(arrays: Arrays, forms: Mapping[str, str]) -> None:
    lengths = dict[str, int]()
    for name, form in forms.items():
        (kind, *axes), array = form.split(), arrays[name]
        there = zip(axes, array.shape, strict=False)
        fits = all(
            length == (int(axis) if axis.isdecimal() else lengths.setdefault(axis, length)) for axis, length in there
        )
        if array.dtype.name != kind or array.ndim != len(axes) or not fits:
            raise ValueError(f"`{name}` must be {form}, got {array.dtype.name} of shape {array.shape}")


def check_range(name: str, numbers: NDArray[Any], least: float, most: float) -> None:
    """Raise ValueError unless all numbers of an array lie from `least` to `most`."""
    if numbers.size and not (numbers.min() >= least and numbers.max() <= most):
        raise ValueError(f"`{name}` must be {least} to {most}, got {numbers.min()} to {numbers.max()}")

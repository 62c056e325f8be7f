"""The one container of what solvers find: solutions, blueprints' strategies and networks of values.

A file is safetensors, arrays and a JSON header, so data alone: loading one runs no code. The header has a model, which
checks it, and a digest of all else. Large arrays lie in it as compressed bytes, whose size is known before they are
unpacked. `opened` is the border: whatever a foreign file raises inside it is one ValueError that names the file.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, ValidationError

from ..utils.atomic import write_atomically
from ..utils.plain_data import json_of, untrusted
from ..utils.validation import Validated, what_is_wrong
from ..utils.version import __version__

HEADER, DIGEST_SIGNS = "holdem", 64
MAX_HEADER = 2**22  # characters
MAX_FILE = 2**33  # bytes
FAST, BEST = 1, 9 | lzma.PRESET_EXTREME  # `BEST` is for what is shipped: it takes minutes for 44 million numbers
Text = Annotated[str, Field(max_length=1000)]
Finite = Annotated[float, Field(ge=-1e15, le=1e15, allow_inf_nan=False)]  # neither infinite after a sum or a factor
Count = Annotated[int, Field(ge=0, lt=2**40)]


class Header(Validated):
    """What every header says. A kind of file is a model of its own, with its `kind` and `format`: what the file holds,
    and the one way of writing it that can be read. written_by: the version of this library."""

    kind: str
    format: int
    written_by: Text = __version__


H = TypeVar("H", bound=Header)


class Arrays:
    """The arrays of an open file, checked before they are read."""

    def __init__(self, file: Any) -> None:
        self._file, self.names = file, sorted(file.keys())

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self.names:
            raise ValueError(f"it has no {name}")
        return np.asarray(self._file.get_tensor(name))

    def read(self, name: str, kind: Any, shape: tuple[int, ...]) -> NDArray[Any]:
        """Return an array of this dtype and shape. Raises ValueError for another."""
        array = self[name]
        if array.dtype != kind or array.shape != shape:
            raise ValueError(f"its {name} must be {np.dtype(kind)} {shape}, got {array.dtype} {array.shape}")
        return array

    def unpack(self, name: str, kind: Any, size: int) -> NDArray[Any]:
        """Return (size,) of an array that `packed` has compressed. Raises ValueError for one of another size."""
        length = size * np.dtype(kind).itemsize
        unpacker = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=_filters(BEST))
        found = unpacker.decompress(self[name].tobytes(), length + 1)
        if len(found) != length:
            raise ValueError(f"its {name} must be {size:,} numbers, got another count")
        return np.frombuffer(found, kind).copy()  # kernels are compiled for arrays that can be written


def finite(name: str, array: NDArray[Any]) -> NDArray[Any]:
    """Return an array of floats. Raises ValueError for another, and for NaN and infinities."""
    if array.dtype.kind != "f" or not np.isfinite(array).all():
        raise ValueError(f"its {name} must be finite floats, got {array.dtype} with others")
    return array


def packed(array: NDArray[Any], preset: int = FAST) -> NDArray[np.uint8]:
    """Return an array's bytes, compressed, as an array for `write`."""
    data = lzma.compress(np.ascontiguousarray(array).tobytes(), lzma.FORMAT_RAW, filters=_filters(preset))
    return np.frombuffer(data, np.uint8)


def _filters(preset: int) -> list[dict[str, int]]:
    """Raw LZMA2: the digest tells damage, and the header tells the size. Numbers are not aligned text: no such bits."""
    return [{"id": lzma.FILTER_LZMA2, "preset": preset, "lc": 0, "lp": 0, "pb": 0}]


def write(path: Path | str, suffix: str, header: Header, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a file atomically. Raises ValueError for another suffix, and for a header that is not plain data; OSError
    if it cannot be written: what was there before is still there."""
    from safetensors.numpy import save

    if Path(path).suffix != suffix:
        raise ValueError(f"{path}: the file must end in {suffix}")
    kept = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    try:
        text = json.dumps(header.model_dump(mode="json"), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path}: the header is not plain data ({error})") from None
    size = sum(array.nbytes for array in kept.values())
    if len(text) + DIGEST_SIGNS >= MAX_HEADER or size > MAX_FILE:
        most = f"{MAX_HEADER:,} characters of header and {MAX_FILE:,} bytes of arrays"
        raise ValueError(f"{path}: must have at most {most}, got {len(text):,} and {size:,}")
    write_atomically(path, save(kept, {HEADER: _digest(text, kept) + text}))


@contextmanager
def opened(path: Path | str, model: type[H], what: str) -> Iterator[tuple[H, Arrays]]:
    """Open an untrusted file: its header and its arrays, whose digest is right. what: the file must be, such as "a
    solution". Raises FileNotFoundError, and ValueError for a file of anything else, damaged or of another format, and
    for whatever is raised in the block."""
    from safetensors import safe_open

    if not Path(path).is_file():
        raise FileNotFoundError(f"{path}: there is no such file")

    def failure(why: str) -> ValueError:
        return ValueError(f"{path}: must be {what} of this version ({__version__}), undamaged: {why}")

    with untrusted(failure):
        if (size := Path(path).stat().st_size) > MAX_FILE:
            raise ValueError(f"it has {size:,} bytes, and at most {MAX_FILE:,} are read")
        with safe_open(str(path), "numpy") as file:
            arrays = Arrays(file)
            yield _checked((file.metadata() or {}).get(HEADER, ""), arrays, model), arrays


def _checked(said: str, arrays: Arrays, model: type[H]) -> H:
    """The header of a file. said: the digest, and the header as JSON. Raises ValueError."""
    if not DIGEST_SIGNS < len(said) < MAX_HEADER:
        raise ValueError(f"its header has {len(said):,} characters")
    digest, text = said[:DIGEST_SIGNS], said[DIGEST_SIGNS:]
    fields = json_of(text)
    for name in ("kind", "format"):
        if (got := dict(fields).get(name)) != (wanted := model.model_fields[name].default):
            raise ValueError(f"its {name} must be {wanted!r}, got {got!r}")
    if digest != _digest(text, arrays):
        raise ValueError("its content does not fit its digest")
    try:
        return model.model_validate(fields)
    except ValidationError as error:
        raise ValueError(f"its header is wrong: {what_is_wrong(error)}") from None


def _digest(text: str, arrays: Mapping[str, NDArray[Any]] | Arrays) -> str:
    """Of the header and of all arrays with their names, types and shapes."""
    digest = sha256(text.encode())
    for name in arrays.names if isinstance(arrays, Arrays) else sorted(arrays):
        array = arrays[name]
        digest.update(f"{name} {array.dtype} {array.shape}".encode())
        digest.update(array.data if array.size else b"")
    return digest.hexdigest()

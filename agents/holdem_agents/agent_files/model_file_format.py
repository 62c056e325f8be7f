"""What stands in a model file: the header of safetensors, the description, the tensors; everything is checked.

Files are not trusted: `read` runs no code of them, and what is wrong is an error in one sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, NoReturn

import torch
from pydantic import Field, ValidationError
from safetensors import SafetensorError
from safetensors.torch import load as tensors_of

from holdem_env.utils.plain_data import json_of
from holdem_env.utils.validation import Validated

from ..networks.policy_network import Architecture

FORMAT = 1
METADATA = "holdem"
MAX_HEADER = 2**20
"""Bytes that a header may have; ours have about 5,000."""
MAX_FILE = 2**30
LENGTH_BYTES = 8

Name = Annotated[str, Field(max_length=1000)]
Size = Annotated[int, Field(ge=1, lt=2**31)]


class Observed(Validated):
    """The observation: its encoder's name, the shape, and a digest of what each number means (`digest`)."""

    name: Name
    shape: Annotated[tuple[Size, ...], Field(min_length=1, max_length=8)]
    layout: Name


class Acted(Validated):
    """The actions: their encoder's name or its bet sizes, and what each action means."""

    name: Name
    meanings: Annotated[tuple[Name, ...], Field(min_length=1, max_length=10_000)]


class Description(Validated):
    """The JSON document of a model file.

    format: 1. written_by: which version of this library wrote it. algorithm: what trained the network. masks: whether
    it was trained with action masks. network: its layers. policy: instead, the part that is its class
    (`custom_code`), which no file holds. rules: the fields of Rules, the game of training. training: facts, such as
    decisions and seed. weights: the SHA-256 digest of the tensors, by which damage is found.
    """

    format: int
    written_by: Name = ""
    algorithm: Name
    masks: bool
    observation: Observed
    actions: Acted
    network: Architecture | None = None
    policy: Name | None = None
    rules: dict[str, Any]
    training: dict[str, int | float | str | None] = {}
    weights: Name


def read(path: Path) -> tuple[Description, dict[str, torch.Tensor]]:
    """The description and the tensors of a model file, which are those that its network needs. Raises as `load`."""
    content = _bytes(path)
    header = _header(path, content)
    about = _description(path, header.pop("__metadata__", None))
    if (about.network is None) == (about.policy is None):
        refuse(path, "its description must have a network or a policy")
    if about.network is not None:
        _check_tensors(path, about, about.network, header)
    try:
        tensors: dict[str, torch.Tensor] = tensors_of(content)
    except (SafetensorError, ValueError, KeyError, TypeError, RuntimeError) as error:
        refuse(path, f"it is damaged or cut short ({one_line(error)})")
    check_numbers(path, tensors)
    if digest_of(tensors) != about.weights:
        refuse(path, "it is damaged: its weights are not those that were written")
    return about, tensors


def _check_tensors(path: Path, about: Description, network: Architecture, header: Mapping[str, Any]) -> None:
    """Refuse a file whose tensors are not those that its layers need. A custom class checks them itself."""
    try:
        network.check(about.observation.shape, len(about.actions.meanings))
    except ValueError as error:
        refuse(path, str(error))
    wanted = network.shapes()
    for name in sorted(wanted.keys() | header.keys()):
        entry = header.get(name)
        given = (entry.get("dtype"), entry.get("shape")) if isinstance(entry, dict) else None
        if name not in wanted or given != ("F32", list(wanted[name])):
            need = f"float32 of the shape {list(wanted[name])}" if name in wanted else "no such tensor"
            have = "is missing" if entry is None else f"is {entry}"[:200]
            refuse(path, f"the tensor {name[:100]!r} {have}; the network needs {need}")


def _bytes(path: Path) -> bytes:
    size = path.stat().st_size
    if size > MAX_FILE:
        refuse(path, f"it has {size:,} bytes; a model file has at most {MAX_FILE:,}")
    return path.read_bytes()


def _header(path: Path, content: bytes) -> dict[str, Any]:
    """The header of safetensors: a JSON object with an entry for each tensor, and the metadata."""
    length = int.from_bytes(content[:LENGTH_BYTES], "little")
    if len(content) < LENGTH_BYTES or length > len(content) - LENGTH_BYTES:
        refuse(path, "it is no safetensors file, or it is cut short")
    if length > MAX_HEADER:
        refuse(path, f"its header has {length:,} bytes; a model file's has at most {MAX_HEADER:,}")
    return _json(path, content[LENGTH_BYTES : LENGTH_BYTES + length], "its header")


def _json(path: Path, text: bytes | str, what: str) -> dict[str, Any]:
    try:
        value = json_of(text)
    except ValueError as error:
        refuse(path, f"{what} is not the JSON of a model file ({one_line(error)})")
    if not isinstance(value, dict):
        refuse(path, f"{what} is not a JSON object")
    return value


def _description(path: Path, metadata: Any) -> Description:
    text = metadata.get(METADATA) if isinstance(metadata, dict) else None
    if not isinstance(text, str):
        refuse(path, f"it is no model that holdem has written: its metadata has no {METADATA!r}")
    content = _json(path, text, "its description")
    if content.get("format") != FORMAT:
        refuse(path, f"it has the format {content.get('format')!r:.50}; this version of holdem reads {FORMAT}")
    try:
        return Description.model_validate(content)
    except (ValidationError, RecursionError) as error:
        refuse(path, f"its description is wrong: {one_line(error)}")


def check_numbers(path: str | Path, tensors: Mapping[str, torch.Tensor]) -> None:
    """Raise ValueError if a tensor has numbers that are not finite. path: of the file, for the error."""
    for name, tensor in tensors.items():
        if not tensor.isfinite().all():
            refuse(path, f"the tensor {name!r} has numbers that are not finite")


def digest_of(tensors: Mapping[str, torch.Tensor]) -> str:
    """The SHA-256 digest of names and numbers, by which damage is found."""
    found = sha256()
    for name in sorted(tensors):
        found.update(name.encode())
        found.update(tensors[name].numpy().astype("<f4").tobytes())
    return found.hexdigest()


def one_line(error: Exception) -> str:
    """An error in one line that is not too long."""
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(map(str, first["loc"]))
        text = f"{place}: {first['msg']}" if place else first["msg"]
    else:
        text = str(error) or type(error).__name__
    return " ".join(text.removeprefix("Value error, ").split())[:300]


def refuse(path: str | Path, why: str) -> NoReturn:
    """Raise ValueError: what is wrong with the file."""
    raise ValueError(f"{path}: {why}")

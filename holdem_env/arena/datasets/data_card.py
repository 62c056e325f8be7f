"""A data card: what a file holds and how it was made, as Markdown beside it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...utils.atomic import write_atomically
from ..scoring.card import versions

SUFFIX = ".md"
LICENCE = "MIT, as of holdem_env"


def write_data_card(
    path: Path, about: str, command: str, facts: Mapping[str, Any], arrays: Mapping[str, Any], says: Mapping[str, str]
) -> Path:
    """Write the card of a file of arrays, and return where. about: what the file is. command: makes it again. facts:
    counts and fingerprints. arrays, says: what is in the file, and what it means, by name."""
    found = {"Made by": f"`{command}`"} | dict(facts)
    found |= {"Versions": ", ".join(f"{name} {number}" for name, number in versions().items()), "Licence": LICENCE}
    lines = [f"# {path.name}", "", about, "", *(f"- {name}: {value}" for name, value in found.items())]
    lines += ["", "| array | shape | dtype | what it holds |", "|---|---|---|---|"]
    lines += [f"| `{name}` | {array.shape} | {array.dtype} | {says[name]} |" for name, array in arrays.items()]
    card = path.with_name(path.name + SUFFIX)
    write_atomically(card, "\n".join([*lines, ""]))
    return card


def check_new(path: Path, suffix: str) -> None:
    """Raise ValueError for a file name of another kind, and FileExistsError for a file that is there."""
    if path.suffix != suffix:
        raise ValueError(f"--out must be a file that ends in {suffix}, got {path}")
    if path.exists():
        raise FileExistsError(f"{path} exists already; name a new file")

"""Files with a digest in front, which are read whole or not at all."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from holdem_env.utils.atomic import write_whole

DIGEST = 32


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

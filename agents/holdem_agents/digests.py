"""Files that begin with the digest of their content, by which damage is recognized, as training's checkpoints do."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from holdem_env.utils.atomic import write_atomically

DIGEST = 32  # bytes of SHA-256


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


def has_digest(path: Path) -> bool:
    """Whether this is a complete file that `write_with_digest` wrote."""
    try:
        read_with_digest(path)
    except (OSError, ValueError):
        return False
    return True

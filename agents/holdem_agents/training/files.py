"""Files that are there whole or not at all, whatever happens while they are written."""

from __future__ import annotations

import errno
import os
from hashlib import sha256
from pathlib import Path

DIGEST = 32


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that a crash, a full disk or a power cut leaves the old one or the new one, never a part.

    Raises OSError, naming the file and what is wrong, and leaves the old file as it was.
    """
    unfinished = path.with_name(path.name + ".partial")
    try:
        with unfinished.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
        _sync_folder(path.parent)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        reason = "the disk is full" if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) else error.strerror
        message = f"{path} could not be written, {reason}; what was there before is still there"
        raise OSError(error.errno, message) from error


def _sync_folder(folder: Path) -> None:
    """The new name, too, must be on the disk; where folders cannot be opened (Windows) the system sees to it."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


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

"""Folders and files that came from somebody else: links out of them, and files that are none."""

from __future__ import annotations

import os
import stat
from pathlib import Path


def leads_out(path: Path, folder: Path) -> bool:
    """Whether a path in a folder is, or goes through, a link to a place outside of it."""
    return not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def bytes_of(path: Path | str, most: int, count: int = -1) -> bytes:
    """The content of a regular file of at most `most` bytes, or its first `count` bytes.

    Raises:
        OSError: If the file cannot be read.
        ValueError: If it is a folder, a pipe, a socket or a device, which one may wait for without end, or larger.
    """
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(handle, "rb") as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise ValueError(f"{path} must be a regular file")
        if status.st_size > most:
            raise ValueError(f"{path} must have at most {most:,} bytes, got {status.st_size:,}")
        return file.read(count)

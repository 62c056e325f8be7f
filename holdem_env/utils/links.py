"""Folders and files that came from somebody else: links out of them, and files that are none."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO


def leads_out(path: Path, folder: Path) -> bool:
    """Whether a path in a folder is, or goes through, a link to a place outside of it."""
    return not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


class NoFileError(OSError, ValueError):
    """A folder, a pipe, a socket or a device, which one may wait for without end."""


def opened(path: Path | str) -> BinaryIO:
    """A regular file, to be read. Raises NoFileError for anything else, and OSError."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise NoFileError(f"{path} must be a regular file")
    return open(handle, "rb")


def bytes_of(path: Path | str, most: int, count: int = -1) -> bytes:
    """The content of a regular file of at most `most` bytes, or its first `count` bytes. Raises as `opened`, and
    ValueError for a larger file."""
    with opened(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > most:
            raise ValueError(f"{path} must have at most {most:,} bytes, got {size:,}")
        return file.read(count)

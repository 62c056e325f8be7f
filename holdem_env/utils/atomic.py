"""Atomic file writes: a file exists completely or not at all, whatever happens while it is written.

The content is written to a temporary file in the same folder (the final name plus ".partial"), synced to the disk, and
renamed in one step. Without the sync, a power cut may leave an empty file under the final name; the sync takes
milliseconds. Two processes must not write the same file at the same time.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

PARTIAL = ".partial"
"""The suffix of unfinished files."""
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def write_atomically(path: Path | str, content: bytes | str) -> None:
    """Write a file atomically: a crash, a full disk or a power cut leaves the old file or the new one, never a part.

    Text is written as UTF-8. Raises OSError, naming the file and the reason; the old file is then unchanged.
    """
    with whole_file(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


def append(path: Path, text: str) -> None:
    """Append to a file all of a text, or nothing. Raises OSError."""
    with path.open("ab") as file:
        size = file.tell()
        try:
            file.write(text.encode())
            file.flush()
        except OSError:
            file.truncate(size)
            raise


@contextmanager
def whole_file(path: Path | str) -> Iterator[BinaryIO]:
    """A binary file to write to. It gets its final name when the block ends, and is deleted if the block raises an
    error.

    Raises as `write_atomically` does.
    """
    path = Path(path)
    unfinished = path.with_name(path.name + PARTIAL)
    try:
        with unfinished.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
        _sync_folder(path.parent)
    except OSError as error:
        _remove(unfinished)
        reason = "the disk is full" if error.errno in NO_ROOM else error.strerror or str(error)
        message = f"{path} could not be written, {reason}; what was there before is still there"
        raise OSError(error.errno, message) from error
    except BaseException:
        _remove(unfinished)
        raise


def _remove(unfinished: Path) -> None:
    """Remove the file if possible. The error being raised says more than an error from here would."""
    try:
        unfinished.unlink(missing_ok=True)
    except OSError:
        return


def _sync_folder(folder: Path) -> None:
    """Sync the folder, so that the new name is on the disk, too. If that is not possible (Windows, some network file
    systems), a power cut may bring back the old file, which is complete as well."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        return
    finally:
        os.close(handle)

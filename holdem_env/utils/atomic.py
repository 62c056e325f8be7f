"""Files that are there whole or not at all, whatever happens while they are written.

The content goes into a file beside the final one, named like it with ".partial" at the end, is synced to the disk, and
then takes the final name in one step. Without the sync a power cut may leave a renamed file that is empty, so there is
always one; it takes milliseconds. Two processes must not write the same file at the same time.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

PARTIAL = ".partial"
"""What the name of an unfinished file ends in."""
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def write_whole(path: Path | str, content: bytes | str) -> None:
    """Write a file so that a crash, a full disk or a power cut leaves the old one or the new one, never a part.

    Text is written as UTF-8. Raises OSError, naming the file and what is wrong, and leaves the old file as it was.
    """
    with whole_file(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def whole_file(path: Path | str) -> Iterator[BinaryIO]:
    """A binary file to write into; it takes its name when the block ends, and is gone if the block raises an error.

    Raises as `write_whole` does.
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
    """Remove it if that can be done: the error that is on its way says more than one from here."""
    try:
        unfinished.unlink(missing_ok=True)
    except OSError:
        return


def _sync_folder(folder: Path) -> None:
    """The new name, too, should be on the disk. Where that cannot be had (Windows, some network file systems) the old
    file may be back after a power cut, and it is as whole as the new one."""
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

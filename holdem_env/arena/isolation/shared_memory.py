"""Memory that a jail and the process that plays share: the views of tables, and the answers."""

from __future__ import annotations

import mmap
import os

import numpy as np
from numpy.typing import NDArray

SEALS = "F_SEAL_SHRINK", "F_SEAL_GROW", "F_SEAL_SEAL"


class SharedMemory:
    """An anonymous file of a fixed size, and its bytes.

    fd: the open file, to be sent to another process. bytes: (size,) uint8, zeros at first.
    """

    def __init__(self, name: str, size: int) -> None:
        import fcntl  # not everywhere

        self.fd = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        try:
            os.ftruncate(self.fd, size)
            fcntl.fcntl(self.fd, fcntl.F_ADD_SEALS, sum(getattr(fcntl, seal) for seal in SEALS))
            self.bytes = mapped(self.fd, size)
        except BaseException:
            os.close(self.fd)
            raise

    def close(self) -> None:
        """Close the file; its bytes stay valid."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def __del__(self) -> None:
        self.close()


def mapped(fd: int, size: int) -> NDArray[np.uint8]:
    """The bytes of an open file, shared with all who map it: (size,) uint8."""
    return np.frombuffer(mmap.mmap(fd, size), np.uint8)

"""Make `os._exit` raise SystemExit: an agent in this process that exits fails without ending the process."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn


@contextmanager
def exits_raise() -> Iterator[None]:
    """Make `os._exit` raise SystemExit in this process within the context; forks exit as usual.

    It guards against accidents only: an agent in this process can do anything.
    """
    ends, here = os._exit, os.getpid()

    def guarded(status: int) -> NoReturn:
        if os.getpid() != here:
            ends(status)
        raise SystemExit(status)

    os._exit = guarded
    try:
        yield
    finally:
        os._exit = ends

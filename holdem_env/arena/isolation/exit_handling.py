"""`os._exit` raises SystemExit, so that an agent of this process that exits fails alone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn


@contextmanager
def exits_raise() -> Iterator[None]:
    """As long as this lasts, `os._exit` raises SystemExit in this process; forks of it end as usual.

    This is a guard against accidents: an agent that plays in this process can do anything.
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

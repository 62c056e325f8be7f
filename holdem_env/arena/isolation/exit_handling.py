"""Python goes on, although an agent that plays in this process wants to end it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn


@contextmanager
def python_goes_on() -> Iterator[None]:
    """As long as this lasts, `os._exit` raises SystemExit in this process; forks of it end as usual.

    This is a guard against accidents: whoever plays in this process can do anything.
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

"""What tests see of other processes, and how ctrl-C reaches this one."""

import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest


def is_running(pid: int) -> bool:
    """Whether a process is there and no zombie. It may end while this looks at it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_until(is_so: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait until this is so, and fail after this many seconds."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.fixture(autouse=True)
def default_handler() -> Iterator[None]:
    """As in a terminal: a test run in the background may ignore ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)

"""Folders of the tests of the pages."""

import socket
from pathlib import Path

NO_RUNS = Path(__file__).with_name("no_runs")
"""A folder that does not exist: a test's site offers none of the developer's own runs."""


def free_port() -> int:
    """A port of this machine at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as at:
        return int(at.getsockname()[1])

"""A Ray cluster of two nodes with one processor each, on this machine, for the slow tests."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

MEMORY = 100 * 2**20
TESTS = str(Path(__file__).resolve().parent.parent)


@pytest.fixture(scope="session")
def two_nodes() -> Iterator[Any]:
    """The cluster; `ray` is not connected to it. Starting and ending it takes some ten seconds."""
    pytest.importorskip("ray", reason="Ray is not installed; pip install ray")
    import ray
    from ray.cluster_utils import Cluster

    patch = pytest.MonkeyPatch()
    patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    patch.setenv("PYTHONPATH", TESTS)  # workers import the tests' modules, as this process does
    cluster = None
    try:
        assert TESTS in sys.path
        node = {"num_cpus": 1, "object_store_memory": MEMORY}
        cluster = Cluster(initialize_head=True, head_node_args=node | {"include_dashboard": False})
        cluster.add_node(**node)
        cluster.wait_for_nodes()
        yield cluster
    finally:
        ray.shutdown()
        if cluster:
            cluster.shutdown()
        patch.undo()


@pytest.fixture(autouse=True)
def default_handler() -> Iterator[None]:
    """As in a terminal: a test run in the background may ignore ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)

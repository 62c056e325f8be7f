"""The limit of fast tests: processor time of a test and of the processes that it waited for. Part of conftest.py.

With `--time-limit`, as in CI, a fast test that takes longer twice fails. What is compiled for the first time does not
count, nor do fixtures that many tests share.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from time import process_time
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

LIMIT = 2.0
"""Seconds of a processor on which `reference` takes REFERENCE seconds; as many times more on a slower one."""
REFERENCE = 0.02
LONGER = {
    "test_each_player_has_its_sizes_in_the_solution_and_its_file": "solves in a process, which imports it all again",
    "test_an_edit_in_another_module_is_noticed_and_nothing_is_compiled_twice": "compiles in three fresh processes",
}
"""Fast tests that may take longer, by the end of their node ids, each with a reason."""


def processor_seconds() -> float:
    """Of this process, and of those that it has waited for, which Windows does not count."""
    if sys.platform == "win32":
        return process_time()
    import resource

    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def reference() -> float:
    """Seconds of processor time of a loop, which tell how fast this machine is now."""
    began, total = process_time(), 0
    for number in range(1_000_000):
        total += number & 7
    return process_time() - began


class _Uncounted:
    """Seconds of the running test that do not count."""

    shared = 0.0
    compiling = 0.0
    depth = 0


def watch_the_compiler() -> None:
    """Numba says when it begins to compile a function, and when it ends; what one needs is compiled within it."""
    from numba.core import event

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            _Uncounted.depth += 1
            if _Uncounted.depth == 1:
                self.began = processor_seconds()

        def on_end(self, event: Any) -> None:
            _Uncounted.depth -= 1
            if _Uncounted.depth == 0:
                _Uncounted.compiling += processor_seconds() - self.began

    event.register("numba:compile", Listener())


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: Any) -> Generator[None, Any, Any]:
    """What fixtures of a module or of the session take belongs to no test."""
    began, before, compiled = processor_seconds(), _Uncounted.shared, _Uncounted.compiling
    try:
        return (yield)
    finally:
        if fixturedef.scope != "function":
            compiled = _Uncounted.compiling - compiled
            _Uncounted.shared = before + processor_seconds() - began - compiled


def timed(item: pytest.Item, nextitem: pytest.Item | None) -> tuple[list[pytest.TestReport], float]:
    """The test's reports, and its seconds of processor time."""
    _Uncounted.shared = _Uncounted.compiling = 0.0
    began = processor_seconds()
    reports = runtestprotocol(item, log=False, nextitem=nextitem)
    return reports, processor_seconds() - began - _Uncounted.shared - _Uncounted.compiling


def limit_here() -> float:
    """Seconds that a fast test may take on this machine now."""
    return LIMIT * max(1.0, min(reference() for _ in range(3)) / REFERENCE)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Fail a fast test that takes longer than it may. It has two tries: the first one imports, loads machine code and
    may meet a busy machine.
    """
    longer = item.get_closest_marker("slow") or item.nodeid.endswith(tuple(LONGER))
    if longer or not item.config.getoption("--time-limit"):
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports, seconds = timed(item, nextitem)
    if seconds > LIMIT and all(report.passed for report in reports):
        reports, seconds = timed(item, nextitem)
        if seconds > (limit := limit_here()) and reports[-1].passed:
            reports[-1].outcome = "failed"
            reports[-1].longrepr = (
                f"{item.nodeid} took {seconds:.1f} s of processor time; a fast test may take {limit:.1f} s on this "
                "machine. Make it smaller, mark it slow, or say in tests/processor_time.py why it must take longer."
            )
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True

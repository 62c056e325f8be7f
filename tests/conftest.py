"""What all tests share: hypothesis profiles, fixed seeds, where the real hands lie, and which skips are none of this
machine's."""

from __future__ import annotations

import os
import random
import re
import signal
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

from processor_time import pytest_fixture_setup as pytest_fixture_setup
from processor_time import pytest_runtest_protocol as pytest_runtest_protocol
from processor_time import watch_the_compiler

TESTS = Path(__file__).resolve().parent
REPOSITORY = TESTS.parent
# Ray on one machine turns on tokens for its process, which then loses its actors on clusters that were begun without.
os.environ.setdefault("RAY_AUTH_MODE", "disabled")
# Each worker has a core: more threads of PyTorch and BLAS would wait for each other, and count as processor time.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# A shell's job in the background ignores Ctrl-C, and so would all processes that tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Compiled code makes the first example slow and the others fast: a deadline would only be noise.
settings.register_profile("default", deadline=None)
# `make test`: a quarter of the examples; `make slow` tries all of them.
settings.register_profile("quick", deadline=None, derandomize=bool(os.environ.get("CI")), max_examples=25)
# In CI the same examples every time: a red run means that the change is wrong, and can be run again.
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
# `pytest --hypothesis-profile=thorough` digs deeper.
settings.register_profile("thorough", deadline=None, max_examples=2_000)
settings.load_profile("ci" if os.environ.get("CI") else "default")


NOT_HERE = re.compile(
    r"make (integrations|shelf)|plain Python|nothing is compiled|without the trick|ordinary code|a GPU"
    r"|checked code|hundred million|'?(wandb|moviepy)\b|this LLVM|other versions may write"
    r"|HOLDEM_BWRAP=none|'(torchrl|tianshou)|axe-core|hidden cards were never dealt"
)
"""Why tests skip on a machine that has all that it should: they are for other modes, environments and systems."""


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _note_skip(report)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    _note_skip(report)


def _note_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    """`.ci/run --all` believes no run that skipped tests of this machine: HOLDEM_SKIPPED is a file for their names."""
    if not report.skipped or "HOLDEM_SKIPPED" not in os.environ or not isinstance(report.longrepr, tuple):
        return
    if not NOT_HERE.search(reason := report.longrepr[2]):
        with open(os.environ["HOLDEM_SKIPPED"], "a", encoding="utf-8") as skipped:
            skipped.write(f"{report.nodeid}: {reason}\n")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--time-limit", action="store_true", help="fast tests may take two seconds of a processor")


def pytest_configure() -> None:
    watch_the_compiler()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """`fast_cases(3)`: of a test with many cases the first three are fast, the others slow; `fast_cases("kuhn")`: those
    with this text in their names. What is marked `modes` is slow."""
    seen: Counter[str] = Counter()
    for item in items:
        if item.get_closest_marker("modes"):
            item.add_marker(pytest.mark.slow)
        if mark := item.get_closest_marker("fast_cases"):
            test = item.nodeid.partition("[")[0]
            is_fast = any(seen[test] < each if isinstance(each, int) else each in item.name for each in mark.args)
            seen[test] += 1
            if not is_fast:
                item.add_marker(pytest.mark.slow)


@pytest.fixture(autouse=True)
def _fixed_seeds() -> None:
    """Nobody should draw from the global generators; who does gets the same numbers each time."""
    random.seed(0)
    np.random.seed(0)  # noqa: NPY002


@pytest.fixture(autouse=True)
def _registered_encoders_are_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The names of encoders that a test registers are gone after it; the pages list all names."""
    from holdem_env.encoders import ACTIONS, OBSERVATIONS

    for registry in (OBSERVATIONS, ACTIONS):
        monkeypatch.setattr(registry, "registered", registry.registered.copy())


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of real hands: $HOLDEM_DATA, or ../shared/data beside the repository. Skips where neither is there."""
    if chosen := os.environ.get("HOLDEM_DATA"):
        folder = Path(chosen).expanduser()
        if not folder.is_dir():
            pytest.fail(f"HOLDEM_DATA={chosen} is not a folder")
        return folder
    folder = REPOSITORY.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"no real hands: HOLDEM_DATA is not set and {folder} does not exist")
    return folder


@pytest.fixture(autouse=True)
def _no_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """render_mode="human" prints, as it does on a machine without a display, also where there is one."""
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)

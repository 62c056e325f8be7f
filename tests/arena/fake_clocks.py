"""Clocks that go only when a test says so, in place of those that agents are timed by."""

from __future__ import annotations

import pytest

from holdem_env.arena.matches import stopwatch


class FakeClocks:
    """The seconds that have passed by each clock."""

    processor = 0.0
    wall = 0.0

    def spend(self, processor: float = 0.0, wall: float | None = None) -> None:
        """Let time pass; without `wall` as much on both clocks."""
        self.processor += processor
        self.wall += processor if wall is None else wall


clocks = FakeClocks()


@pytest.fixture
def fake_clocks(monkeypatch: pytest.MonkeyPatch) -> FakeClocks:
    """The clocks of every Stopwatch in this process, until the test is over."""
    monkeypatch.setattr(stopwatch, "process_time", lambda: clocks.processor)
    monkeypatch.setattr(stopwatch, "perf_counter", lambda: clocks.wall)
    return clocks

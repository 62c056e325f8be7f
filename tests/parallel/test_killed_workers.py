"""Real workers, in processes and on a Ray cluster of two nodes: one of a league is killed in the middle of its turn."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from holdem_agents.parallel.data_parallel import train as train_together
from holdem_agents.parallel.here import HerePlace
from holdem_agents.parallel.league_run import ParallelLeague
from holdem_agents.parallel.machines import Machines
from holdem_agents.parallel.workers import Place, Worker
from holdem_agents.training.checkpoint import load_checkpoint
from parallel.leagues import ONE_LEARNER, TINY, lines, same_tensors

pytestmark = pytest.mark.slow
SECONDS = 600.0
"""For a machine on which a dozen others work, where the imports of each worker take a minute."""


class KilledLeague(ParallelLeague):
    """A league that kills the worker of a member a moment after the turns of its last round have begun."""

    def __init__(self, folder: Path, place: Place, kill: Any) -> None:
        super().__init__(TINY, folder, place)
        self.kill, self.lost = kill, list[str]()

    def _play_round(self, bar: Any) -> bool:
        if self.turns:
            threading.Timer(0.1, self.kill, (self._workers["two"],)).start()
        return super()._play_round(bar)

    def _worker(self, name: str) -> Worker:
        if name not in self._workers:
            self.lost.append(name)
        return super()._worker(name)


def test_a_league_on_two_nodes_with_one_worker_killed(two_nodes: Any, tmp_path: Path) -> None:
    import ray

    begun = time.monotonic()
    here = ParallelLeague(TINY, tmp_path / "here", HerePlace())
    here.run(show=False)
    with Machines(ray=two_nodes.address).place() as place:
        there = KilledLeague(tmp_path / "there", place, lambda worker: ray.kill(worker._actor))
        there.run(show=False)
    assert sorted(there.lost) == ["one", "two", "two"]
    one, two = (load_checkpoint(tmp_path / name) for name in ("here", "there"))
    assert one is not None
    assert two is not None
    for name in TINY.learners:
        assert same_tensors(one["learners"][name]["policy"], two["learners"][name]["policy"])
    assert lines(tmp_path / "here" / "ratings.csv") == lines(tmp_path / "there" / "ratings.csv")
    assert time.monotonic() - begun < SECONDS


def test_a_league_in_processes_with_one_killed(tmp_path: Path) -> None:
    begun = time.monotonic()
    here = ParallelLeague(TINY, tmp_path / "here", HerePlace())
    here.run(show=False)
    with Machines(jobs=2).place() as place:
        there = KilledLeague(tmp_path / "there", place, lambda worker: os.kill(worker.pid, signal.SIGKILL))
        there.run(show=False)
    assert sorted(there.lost) == ["one", "two", "two"]
    assert lines(tmp_path / "here" / "ratings.csv") == lines(tmp_path / "there" / "ratings.csv")
    assert time.monotonic() - begun < SECONDS


def test_one_learner_on_two_nodes_is_as_in_two_processes(two_nodes: Any, tmp_path: Path) -> None:
    begun = time.monotonic()
    train_together(ONE_LEARNER, tmp_path / "here", Machines(jobs=2), show=False)
    train_together(ONE_LEARNER, tmp_path / "there", Machines(2, two_nodes.address), show=False)
    one, two = ((tmp_path / name / "progress.csv").read_text().splitlines() for name in ("here", "there"))
    assert len(one) == len(two)
    states = [load_checkpoint(tmp_path / name) for name in ("here", "there")]
    assert same_tensors(*(state["trainee"]["policy"] for state in states if state))
    assert time.monotonic() - begun < SECONDS

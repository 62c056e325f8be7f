"""Independent tasks on a Ray cluster of two nodes: results, errors, a killed worker, ctrl-C."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from holdem_agents.parallel.runner import WorkerLost, runner
from parallel import tasks

pytestmark = pytest.mark.slow
SECONDS = 60.0


def test_tasks_run_and_a_killed_worker_disturbs_nobody(two_nodes: Any) -> None:
    begun = time.monotonic()
    done: dict[int, int] = {}
    failed: dict[int, Exception] = {}
    run = runner(ray=two_nodes.address)
    assert run.run(tasks.be_killed_at_2, [1, 2, 3], done.__setitem__, failed.__setitem__)
    assert done == {0: 1, 2: 3}
    assert isinstance(failed[1], WorkerLost)
    assert failed[1].index == 1
    failed.clear()
    assert run.run(tasks.raise_at_2, [1, 2, 3], done.__setitem__, failed.__setitem__)
    assert str(failed[1]) == "two is too many"
    assert time.monotonic() - begun < SECONDS


def test_ctrl_c_lets_training_end_in_order(two_nodes: Any, tmp_path: Path) -> None:
    begun = time.monotonic()

    def press() -> None:
        while len(list(tmp_path.glob("*-begun"))) < 2:
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press, daemon=True).start()
    done: dict[int, str] = {}
    paths = [tmp_path / name for name in "abc"]
    assert not runner(ray=two_nodes.address).run(tasks.train_until_asked, paths, done.__setitem__)
    assert done == {0: "ended in order", 1: "ended in order"}
    assert time.monotonic() - begun < SECONDS

"""What runs on Ray, on real clusters: tasks, a sweep, a tournament that loses a machine, Ray on this machine alone.

One cluster at a time, as each takes all processors.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from safetensors.numpy import load_file

from agents.test_ranks import TRAIN, TWO
from agents.test_ranks import run as ranked
from arena.test_ray import same_results, tournament
from command_line import good
from conftest import TESTS
from holdem_agents.runs.files import rows_of
from holdem_agents.runs.interrupts import Interrupts
from holdem_env.arena.tournaments.shards import Played
from holdem_env.arena.tournaments.store import Store
from holdem_env.arena.tournaments.tournament import run
from holdem_env.utils.runner import Runner, WorkerLost
from pages import REPOSITORY
from sweeps.test_sweeping import TINY
from utils import runner_tasks as tasks
from utils.test_runner import by_task, default_handler, interrupted, press_when  # noqa: F401 - a fixture

pytestmark = pytest.mark.slow
NODE = {"num_cpus": 1, "object_store_memory": 100 * 2**20}


@pytest.fixture(autouse=True)
def ray_alone(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No other process of the tests has a cluster meanwhile; `ray` is not connected, before and after."""
    ray = pytest.importorskip("ray", reason="Ray is not installed; pip install ray")
    from filelock import FileLock  # a dependency of Ray

    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("PYTHONPATH", str(TESTS))  # workers import the tests' modules, as this process does
    with FileLock(tmp_path_factory.getbasetemp().parent / "ray.lock"):
        yield
        ray.shutdown()


@pytest.fixture
def cluster() -> Iterator[Any]:
    """A Ray cluster with one processor."""
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args=NODE | {"include_dashboard": False})
    yield cluster
    cluster.shutdown()


def test_tasks_and_a_sweep_on_two_nodes(cluster: Any, tmp_path: Path) -> None:
    cluster.add_node(**NODE)
    cluster.wait_for_nodes()
    with Runner(ray=cluster.address, interrupts=Interrupts) as runner:
        found = by_task(runner.run(tasks.misbehave, [1, 2, 3, 4]))
        assert found[4] == 4
        assert str(found[1]) == "Odd: 1 and 1"
        assert str(found[2]) == "two is too many"
        assert isinstance(found[3], WorkerLost)
        assert by_task(runner.run(tasks.torch_threads, [1, 2])) == {1: 1, 2: 1}
        assert by_task(runner.run(tasks.be_killed_the_first_time, [tmp_path / "a"], 1)) == {tmp_path / "a": "done"}
        press_when(lambda: len(list(tmp_path.glob("*-begun"))) == 2)
        places = [tmp_path / name for name in "abc"]
        done = interrupted(runner.run(tasks.train_until_asked, places))
        assert done == dict.fromkeys(places[:2], "ended in order")
    sweep(cluster.address, tmp_path)


def sweep(address: str, folder: Path) -> None:
    """A sweep with --ray: every run is made there, and going on keeps them."""
    (folder / "mine.yaml").write_text(TINY)
    made = folder / "runs" / "mine"
    good("train", str(folder / "mine.yaml"), "--runs", str(folder / "runs"), "--ray", address)
    agents = sorted(made.glob("*/seed-*/final.safetensors"))
    assert [path.parent.relative_to(made).as_posix() for path in agents] == [
        *("base/seed-0", "base/seed-1"),
        *("size-small/seed-0", "size-small/seed-1"),
    ]
    results = (made / "sweep.csv").read_text()
    assert {(row["setting"], row["seed"]) for row in rows_of(made / "sweep.csv")} == {
        (setting, seed) for setting in ("base", "size-small") for seed in "01"
    }
    written = [path.stat().st_mtime_ns for path in agents]
    good("train", "--resume", str(made), "--ray", address)
    assert [path.stat().st_mtime_ns for path in agents] == written
    assert (made / "sweep.csv").read_text() == results


def test_a_machine_that_is_lost_changes_nothing(cluster: Any, tmp_path: Path) -> None:
    second = cluster.add_node(**NODE)
    cluster.wait_for_nodes()
    lost_at: list[int] = []

    def seen(played: Played, done: int, total: int) -> None:
        if done >= total // 4 and not lost_at:
            cluster.remove_node(second, allow_graceful=False)
            lost_at.append(done)

    plan = tournament(backend="ray", jobs=-1, hands=8_000, ray_address=cluster.address)
    with Store(tmp_path / "ray.db", create=True) as there, Store(tmp_path / "here.db", create=True) as here:
        run(plan, there, seen)
        assert lost_at
        assert not there.forfeits()
        run(plan.model_copy(update={"backend": "loky", "jobs": 1}), here)
        assert same_results(here, there)


def test_on_this_machine_alone(tmp_path: Path) -> None:
    plan = tournament(hands=1_000, backend="ray", jobs=2)
    with Store(tmp_path / "ray.db", create=True) as there, Store(tmp_path / "here.db", create=True) as here:
        run(plan, there)
        run(plan.model_copy(update={"backend": "loky", "jobs": 1}), here)
        assert same_results(here, there)


def test_ray_train_starts_the_ranks_of_a_learner(tmp_path: Path) -> None:
    """They learn what torchrun's learn."""
    (tmp_path / "mine.yaml").write_text(TRAIN)
    example = [sys.executable, str(REPOSITORY / "docs" / "examples" / "ray_ranks.py"), "mine.yaml", "runs/ray", "2"]
    for command in (example, [*TWO, "train", "mine.yaml", "--name", "torchrun"]):
        result = ranked(command, tmp_path)
        assert not result.returncode, result.stderr
    mine, its = (load_file(tmp_path / "runs" / name / "final.safetensors") for name in ("ray", "torchrun"))
    assert mine.keys() == its.keys()
    assert all((mine[name] == its[name]).all() for name in mine)

"""Tournaments on a Ray cluster: the same results as in one process, also if a machine is lost on the way."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from holdem_agents.cli.tournament_commands import _machines
from holdem_env import Rules
from holdem_env.arena.tournaments import ray_cluster
from holdem_env.arena.tournaments.processes import ProcessEndedWarning
from holdem_env.arena.tournaments.shards import Played
from holdem_env.arena.tournaments.store import Store
from holdem_env.arena.tournaments.tournament import Tournament, run

RULES = Rules.preset("heads-up-no-limit")
AGENTS = ("calling_station", "maniac", "tight_aggressive")
SECONDS = 240.0


def tournament(**changes: Any) -> Tournament:
    return Tournament(**{"rules": RULES, "agents": AGENTS, "hands": 4_000, "shard": 100, "seed": 5, **changes})


class FakeRay:
    """Ray as far as it is asked for, in this process; its tasks run when their results are fetched."""

    class exceptions:  # noqa: N801 - as in Ray
        WorkerCrashedError = NodeDiedError = ObjectLostError = ConnectionResetError

    def __init__(self) -> None:
        self.waiting = self.most = 0
        self.cancelled: list[Any] = []

    def is_initialized(self) -> bool:
        return True

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 3.0}

    def remote(self, **options: Any) -> Any:
        assert options == {"num_cpus": 1, "max_retries": ray_cluster.RETRIES}

        class Task:
            def __init__(self, play: Any) -> None:
                self.play = play

            def remote(task, shard: Any) -> Any:  # noqa: N805 - self is the cluster
                self.waiting += 1
                self.most = max(self.most, self.waiting)
                return lambda: task.play(shard)

        return Task

    def get(self, result: Any) -> Played:
        self.waiting -= 1
        played: Played = result()
        return played

    def cancel(self, result: Any, force: bool) -> None:
        self.cancelled.append(result)


def same_results(one: Store, two: Store) -> bool:
    assert one.matches() == two.matches()
    for names in one.matches():
        here, there = one.deals(names), two.deals(names)
        assert np.array_equal(here.numbers, there.numbers)
        assert all(np.array_equal(here.columns[name], there.columns[name]) for name in here.columns)
        assert np.array_equal(one.habits(names).actions, two.habits(names).actions)
    return True


def test_so_many_shards_are_on_their_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for jobs, most in ((-1, 6), (2, 4)):
        fake = FakeRay()
        monkeypatch.setattr(ray_cluster, "_connected", lambda address, fake=fake: fake)
        with Store(tmp_path / f"{jobs}.db", create=True) as there, Store(tmp_path / f"h{jobs}.db", create=True) as here:
            run(tournament(hands=1_000, backend="ray", jobs=jobs), there)
            run(tournament(hands=1_000), here)
            assert same_results(here, there)
        assert fake.most == most
        assert not fake.cancelled


def test_what_is_on_its_way_is_called_back_when_somebody_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeRay()
    monkeypatch.setattr(ray_cluster, "_connected", lambda address: fake)
    plan = tournament(hands=2_000)
    entrants = tuple(contender.entrant() for contender in plan.agents[:2])
    shards = (plan.shard_of(entrants, range(first, first + 100)) for first in range(0, 1_000, 100))
    results = ray_cluster.play_on_ray(shards, 1, None, lambda shard, error: Played(shard))
    next(results)
    results.close()
    assert len(fake.cancelled) == 1


def test_a_shard_whose_machines_are_lost_again_and_again_is_played_here(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fake, get = FakeRay(), FakeRay.get
    lost: list[Any] = []

    def sometimes(result: Any) -> Played:
        if not lost:
            lost.append(result)
            raise ConnectionResetError("The node was lost. It had bad luck.")
        return get(fake, result)

    fake.get = sometimes  # type: ignore[method-assign]
    monkeypatch.setattr(ray_cluster, "_connected", lambda address: fake)
    with Store(tmp_path / "lost.db", create=True) as there, Store(tmp_path / "here.db", create=True) as here:
        with pytest.warns(ProcessEndedWarning, match=r"played again.*\(The node was lost\)"):
            run(tournament(hands=1_000, backend="ray", jobs=-1), there)
        run(tournament(hands=1_000), here)
        assert same_results(here, there)


def test_the_option_of_the_command_line() -> None:
    assert _machines(None, None) == {"jobs": None}
    assert _machines(None, "auto") == {"jobs": -1, "backend": "ray", "ray_address": "auto"}
    assert _machines(2, "local") == {"jobs": 2, "backend": "ray", "ray_address": "local"}
    with pytest.raises(ValidationError):
        tournament(backend="moon")


@pytest.mark.slow
def test_a_machine_that_is_lost_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    begun = time.monotonic()
    plan = tournament(backend="ray", jobs=-1, hands=8_000, ray_address="auto")
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    try:
        second = cluster.add_node(num_cpus=1)
        cluster.wait_for_nodes()
        ray.init(address=cluster.address, log_to_driver=False)
        lost_at: list[int] = []

        def told(played: Played, done: int, total: int) -> None:
            if done >= total // 4 and not lost_at:
                cluster.remove_node(second, allow_graceful=False)
                lost_at.append(done)

        with Store(tmp_path / "ray.db", create=True) as there, Store(tmp_path / "here.db", create=True) as here:
            run(plan, there, told)
            assert lost_at
            assert not there.forfeits()
            run(plan.model_copy(update={"backend": "loky", "jobs": 1}), here)
            assert same_results(here, there)
    finally:
        ray.shutdown()
        cluster.shutdown()
    assert time.monotonic() - begun < SECONDS

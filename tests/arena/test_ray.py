"""Tournaments whose machines are lost, and their options; on a real cluster: utils/test_on_ray.py."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holdem_env import Rules
from holdem_env.arena.tournaments.shards import ProcessEnded
from holdem_env.arena.tournaments.store import Store
from holdem_env.arena.tournaments.tournament import Tournament, run
from holdem_env.utils.runner import Outcome, Runner, WorkerLost

RULES = Rules.preset("heads-up-no-limit")
AGENTS = ("calling_station", "maniac", "tight_aggressive")


def tournament(**changes: Any) -> Tournament:
    return Tournament(**{"rules": RULES, "agents": AGENTS, "hands": 4_000, "shard": 100, "seed": 5, **changes})


def same_results(one: Store, two: Store) -> bool:
    assert one.matches() == two.matches()
    for names in one.matches():
        here, there = one.deals(names), two.deals(names)
        assert np.array_equal(here.numbers, there.numbers)
        assert all(np.array_equal(here.columns[name], there.columns[name]) for name in here.columns)
        assert np.array_equal(one.player_stats(names).actions, two.player_stats(names).actions)
    return True


@pytest.mark.slow
def test_a_shard_whose_machines_are_lost_again_and_again_ends_the_tournament_which_goes_on_later(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def losing_the_second(self: Runner, function: Any, tasks: Any, retries: int = 0) -> Iterator[Outcome[Any]]:
        assert retries == 0
        for index, task in enumerate(tasks):
            lost = WorkerLost(index, "The node was lost.") if index == 1 else None
            yield Outcome(index, task, error=lost) if lost else Outcome(index, task, function(task))

    with Store(tmp_path / "lost.db", create=True) as there, Store(tmp_path / "here.db", create=True) as here:
        run(tournament(hands=1_000), here)
        with monkeypatch.context() as patched:
            patched.setattr(Runner, "run", losing_the_second)
            with pytest.raises(ProcessEnded, match=r" against .*\(The node was lost.\)"):
                run(tournament(hands=1_000), there)
        run(tournament(hands=1_000), there)
        assert same_results(here, there)

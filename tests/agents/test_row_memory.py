"""`RowMemory`: the latest rows or a uniform sample of all, and the same again from its state."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

from holdem_agents.learning import RowMemory


def filled(is_reservoir: bool, seed: int = 0) -> RowMemory:
    memory = RowMemory(100, is_reservoir=is_reservoir, seed=seed)
    for first in range(0, 1_000, 7):
        numbers = np.arange(first, min(first + 7, 1_000))
        memory.add(number=numbers, pair=np.stack([numbers, -numbers], axis=1))
    return memory


def test_the_latest_rows() -> None:
    rows = filled(is_reservoir=False).sample(5_000)
    assert set(rows["number"].tolist()) == set(range(900, 1_000))
    assert (rows["pair"][:, 1] == -rows["number"]).all()


def test_a_reservoir_is_a_uniform_sample_of_all_rows() -> None:
    kept = [set(filled(is_reservoir=True, seed=seed).sample(3_000)["number"].tolist()) for seed in range(40)]
    assert {len(each) for each in kept} == {100}
    by_quarter = np.zeros(4)
    for each in kept:
        by_quarter += np.bincount(np.array(sorted(each)) // 250, minlength=4)
    assert np.abs(by_quarter - 1_000).max() < 4 * np.sqrt(1_000)  # four standard errors


@pytest.mark.parametrize("is_reservoir", [True, False])
def test_it_goes_on_from_its_state(is_reservoir: bool) -> None:
    memory, again = filled(is_reservoir), RowMemory(100, is_reservoir=is_reservoir, seed=9)
    again.load_state(memory.state())
    more = np.arange(50)
    for each in (memory, again):
        each.add(number=more, pair=np.stack([more, more], axis=1))
    one, two = memory.sample(64), again.sample(64)
    assert all((one[name] == two[name]).all() for name in ("number", "pair"))

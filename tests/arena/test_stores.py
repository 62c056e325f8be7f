"""What stores keep: forfeits that runs alone record, the seed of each shard, changes that are whole or not there."""

from __future__ import annotations

import numpy as np
import pytest

from arena.test_tournament_errors import play, small
from holdem_agents.cli.tournament_commands import write_report
from holdem_env.agents import Agent, names
from holdem_env.arena.tournaments.store import Store, StoreError
from holdem_env.arena.tournaments.tournament import run


class Cheat(Agent):
    """Writes to the store while it plays."""

    name = "cheat"
    path = None

    def act(self, tables, rules, rows):
        with Store(Cheat.path) as other:
            other.forfeit("maniac", "too slow")
        return np.zeros(len(rows), np.int64)


def test_the_library_records_forfeits_for_runs_alone(monkeypatch, tmp_path):
    monkeypatch.setitem(names.registered, "cheat", Cheat)
    monkeypatch.setattr(Cheat, "path", tmp_path / "x.db")
    with play(small(agents=["cheat", "maniac"], all_in=False), tmp_path / "x.db") as store:
        assert list(store.forfeits()) == ["cheat"]  # the refusal is an error of its own
        assert "only runs write results" in store.forfeits()["cheat"]
    with Store(tmp_path / "x.db") as store, pytest.raises(StoreError, match="pardon: only runs write results"):
        store.pardon()


def test_runs_go_on_from_each_other(tmp_path):
    with play(small(), tmp_path / "x.db") as one, Store(tmp_path / "x.db") as two:
        run(small(hands=240), two)
        run(small(hands=280), one)
        assert one.hands() == two.hands() == 280


def test_a_change_that_fails_changes_nothing(tmp_path):
    def in_the_middle(change):
        change.note("seed", 5)
        return 1 / 0

    with play(small(), tmp_path / "x.db") as store:
        with pytest.raises(ZeroDivisionError), store._writing() as change:
            in_the_middle(change)
        assert store.seed == 3
        run(small(hands=240), store)


# Seeds


def test_who_reads_the_store_knows_the_cards_of_no_shard_to_come(tmp_path):
    pair, seeds = ["calling_station", "maniac"], []
    with Store(tmp_path / "x.db", create=True) as store:
        for shards in (2, 4):  # the second time it goes on
            run(small(seed="random", hands=shards * 80, shard=40), store)
            found = store.shards(pair)
            assert [numbers.start for numbers, _ in found] == [*range(0, shards * 40, 40)]
            assert [seed for _, seed in found][: len(seeds)] == seeds
            seeds = [seed for _, seed in found]
            assert len({*seeds}) == shards
            assert all(2**32 < seed < 2**63 for seed in seeds)  # but for one in two thousand million
        assert store.about()["seed"] == store.seed == "random"
        assert store.deals(pair).seed is None
        with pytest.raises(StoreError, match="its seed is 'random', here 3"):
            run(small(), store)
    page = write_report(tmp_path / "x.db", tmp_path / "report").read_text()
    assert "seed of each shard drawn from the operating system" in page
    with play(small(), tmp_path / "z.db") as store, pytest.raises(StoreError, match="its seed is 3, here 'random'"):
        run(small(seed="random"), store)


@pytest.mark.slow
def test_the_same_deals_under_a_wide_seed(tmp_path):
    seed, pair = 2**63 - 1, ["calling_station", "maniac"]
    with play(small(seed=seed), tmp_path / "x.db") as one, play(small(seed=seed, jobs=2), tmp_path / "y.db") as two:
        assert np.array_equal(one.deals(pair).columns["chips"], two.deals(pair).columns["chips"])
    with pytest.raises(ValueError, match="seed"):
        small(seed=2**63)

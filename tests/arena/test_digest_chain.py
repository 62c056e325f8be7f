"""The digest chain: a store tells when something other than a run of this library has written to it."""

from __future__ import annotations

import sqlite3

import numpy as np
import pytest

from arena.test_tournament_errors import play, small
from holdem_agents.cli.tournament_commands import read_standings, write_report
from holdem_env.agents import Agent, names
from holdem_env.arena.tournaments.standings import standings
from holdem_env.arena.tournaments.store import Store, StoreError
from holdem_env.arena.tournaments.tournament import run

FORFEIT = "update agents set forfeit = 'too slow' where name = 'maniac'"
INSERTED = "insert into shards select agents, 5000, count, hands, seconds, decisions, pots, arrays from shards limit 1"


def alter(path, *statements: str) -> None:
    base = sqlite3.connect(path)
    with base:
        for statement in statements:
            base.execute(statement)
    base.close()


class Cheat(Agent):
    """Writes to the store while it plays."""

    name = "cheat"
    path, write = None, staticmethod(lambda path: None)

    def act(self, tables, rules, rows):
        Cheat.write(Cheat.path)
        return np.zeros(len(rows), np.int64)


@pytest.fixture
def cheat(monkeypatch, tmp_path):
    monkeypatch.setitem(names.registered, "cheat", Cheat)
    monkeypatch.setattr(Cheat, "path", tmp_path / "x.db")
    return lambda write: monkeypatch.setattr(Cheat, "write", staticmethod(write))


def test_an_agent_that_records_a_forfeit_for_a_rival_is_found(cheat, tmp_path):
    cheat(lambda path: alter(path, FORFEIT))
    words = (
        r"x\.db: the row 'maniac' of its table agents was changed, not by a run of this library; no results are read"
    )
    with Store(tmp_path / "x.db", create=True) as store:
        with pytest.raises(StoreError, match=words):
            run(small(agents=["cheat", "maniac"], all_in=False), store)
        with pytest.raises(StoreError, match=words):
            standings(store)
    for read in (Store, read_standings, lambda path: write_report(path, tmp_path / "report")):
        with pytest.raises(StoreError, match=words):
            read(tmp_path / "x.db")


def test_the_library_records_forfeits_for_runs_alone(cheat, tmp_path):
    def forfeit(path):
        with Store(path) as other:
            other.forfeit("maniac", "too slow")

    cheat(forfeit)
    with play(small(agents=["cheat", "maniac"], all_in=False), tmp_path / "x.db") as store:
        assert list(store.forfeits()) == ["cheat"]  # the refusal is an error of its own
        assert "only runs write results" in store.forfeits()["cheat"]
    with Store(tmp_path / "x.db") as store, pytest.raises(StoreError, match="pardon: only runs write results"):
        store.pardon()


@pytest.mark.fast_cases(5)
@pytest.mark.parametrize(
    ("statements", "words"),
    [
        ([FORFEIT], "the row 'maniac' of its table agents was changed"),
        (["update about set value = '4' where name = 'seed'"], "the row 'seed' of its table about was changed"),
        (["update shards set hands = 7 where first = 50"], "maniac, from deal 50, of its table shards was changed"),
        (["update shards set arrays = zeroblob(9) where first = 50"], "from deal 50, of its table shards was changed"),
        (["delete from shards where first = 0"], "calling_station against maniac, from deal 0, .* was deleted"),
        ([INSERTED], "from deal 5000, of its table shards was inserted"),
        (
            ["insert into agents values ('me', '', '', null, null, null, '', '')"],
            "the row 'me' of its table agents was inserted",
        ),
        (["delete from chain where number = 2"], "link 3 of its chain does not follow from the one before"),
        (["update chain set link = 'x' where number = 2"], "link 2 of its chain does not follow"),
        (["update chain set change = '[]' where number = 3"], "link 3 of its chain does not follow"),
        (["delete from chain"], "was inserted"),
        (["drop table chain"], "its digest chain is missing"),
        (["create trigger t after insert on shards begin update agents set forfeit = 'x'; end"], "a trigger 't'"),
    ],
)
def test_what_something_else_has_written_is_named(tmp_path, statements, words):
    path = tmp_path / "x.db"
    with play(small(), path) as store:
        store.check()
        alter(path, *statements)
        with pytest.raises(StoreError, match=words.replace("was inserted", "was (inserted|deleted)")):
            store.check()
        with pytest.raises(StoreError):
            run(small(hands=300), store)
    with pytest.raises(StoreError, match=words):
        Store(path)


def test_links_that_this_run_has_not_written_are_no_links_of_it(tmp_path):
    """Somebody who knows the library writes a link, too, but cannot take back what the run knows."""
    path = tmp_path / "x.db"
    with play(small(), path) as store:
        with sqlite3.connect(path) as base:
            base.execute(FORFEIT)
            store._chain.write(base, [("agents", "maniac")])
        base.close()
        with pytest.raises(StoreError, match="claims to be this run's, which did not write it"):
            store.check()
    with play(small(), tmp_path / "y.db") as store:
        alter(tmp_path / "y.db", "delete from chain where number = (select max(number) from chain)")
        with pytest.raises(StoreError, match="which this run has read, was deleted"):
            store.check()


def test_the_connection_of_the_store_itself_is_watched(tmp_path):
    with play(small(), tmp_path / "x.db") as store:
        store._base.execute(FORFEIT)
        store._base.commit()
        with pytest.raises(StoreError, match="'maniac' of its table agents was changed"):
            standings(store)


def test_runs_go_on_from_each_others_links_and_nothing_is_read_twice(tmp_path, monkeypatch):
    path = tmp_path / "x.db"
    with play(small(), path) as one, Store(path) as two:
        run(small(hands=240), two)
        run(small(hands=280), one)
        assert one.hands() == two.hands() == 280
        one.check()
        two.check()
        assert one._chain.rows == two._chain.rows
        monkeypatch.setattr(one._chain, "check", None)
        standings(one)  # nobody has written since


def test_a_change_that_fails_leaves_no_link(tmp_path):
    def in_the_middle(change):
        change.note("seed", 5)
        return 1 / 0

    with play(small(), tmp_path / "x.db") as store:
        last = store._chain.last
        with pytest.raises(ZeroDivisionError), store._writing() as change:
            in_the_middle(change)
        assert store._chain.last == last
        assert len(store.last_link) == 64
        assert store.last_link in write_report(tmp_path / "x.db", tmp_path / "report").read_text()
        assert store.seed == 3
        run(small(hands=240), store)
        store.check()


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

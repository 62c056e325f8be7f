"""Tournaments when something goes wrong: changed files, agents that fail, options that do not fit, stores."""

from __future__ import annotations

import io
import json
import re
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from pydantic import ValidationError

from arena.fake_clocks import clocks, fake_clocks  # noqa: F401 - a fixture
from arena.open_book_agents import OpenBookAgent
from command_line import good, refused
from errors import complaint, mentions
from holdem_agents.cli.tournament import write_report
from holdem_agents.cli.tournament_file import load_tournament
from holdem_env import Rules
from holdem_env.agents import Agent, StrategyUnknown, make_agent, names
from holdem_env.arena import AllInValue, play_deals
from holdem_env.arena.reports.html_report import write_report as write_html
from holdem_env.arena.tournaments import tournament as tournament_module
from holdem_env.arena.tournaments.standings import standings
from holdem_env.arena.tournaments.store import Store, StoreError
from holdem_env.arena.tournaments.store_file import MAX_TEXT
from holdem_env.arena.tournaments.tournament import Entry, Tournament, run

HEADS_UP = Rules.preset("heads-up-no-limit")


def small(**changes) -> Tournament:
    agents = ["calling_station", "maniac"]
    return Tournament(
        **{"rules": HEADS_UP, "agents": agents, "hands": 200, "shard": 50, "seed": 3, "isolation": "none", **changes}
    )


def play(tournament: Tournament, path, progress=None) -> Store:
    store = Store(path, create=True)
    run(tournament, store, progress)
    return store


def test_a_file_that_has_changed_is_played_as_it_is_now(tmp_path):
    mine, results = tmp_path / "mine.json", []
    for name in ("always_fold", "calling_station", "always_fold"):
        mine.write_text(json.dumps({"agent": name}))
        with play(small(agents=["random", {"agent": str(mine), "name": "mine"}]), tmp_path / f"{len(results)}.db") as s:
            results.append(s.deals(["mine", "random"]).per_deal("mine"))
    assert np.array_equal(results[0], results[2])
    assert not np.array_equal(results[0], results[1])


def test_a_file_that_changes_while_it_plays_forfeits(tmp_path):
    mine = tmp_path / "mine.json"
    mine.write_text('{"agent": "always_fold"}')
    [entrant] = [Entry.model_validate(str(mine)).entrant()]
    mine.write_text('{"agent": "maniac"}')
    assert re.search("its file has changed since the tournament began", complaint(entrant.agent))


def test_the_digest_is_also_of_the_files_that_a_config_names(tmp_path):
    net, mine = tmp_path / "net.zip", tmp_path / "mine.json"
    mine.write_text(json.dumps({"agent": str(net), "beside": [str(mine)]}))
    digests = set()
    for content in (b"one", b"two"):
        net.write_bytes(content)
        digests.add(Entry.model_validate(str(mine)).entrant().digest)
        digests.add(Entry.model_validate({"agent": "maniac", "prior": str(net), "name": "x"}).entrant().digest)
    assert len(digests) == 4


def test_all_in_values_counted_in_threads_are_those_counted_alone():
    agents = [make_agent("maniac"), make_agent("maniac")]
    batches = []
    rules = HEADS_UP.replace(stacks=40)
    play_deals(rules, agents, [0, 1], range(600), 1, tables=300, finished=lambda t, _: batches.append(t.copy()))
    alone = [AllInValue().with_method(tables, rules)[0] for tables in batches]
    shared = AllInValue()
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda tables: shared.with_method(tables, rules)[0], batches))
    assert all(np.array_equal(one, two) for one, two in zip(alone, together, strict=True))


# Agents that tell their probabilities, and do not


class Teller(OpenBookAgent):
    """Tells what is wrong in one way or another."""

    name = "teller"

    def __init__(self, how: str = "fine") -> None:
        super().__init__()
        self.how = how

    def act(self, tables, rules, rows):
        return np.zeros(len(rows), np.int64)

    def probabilities(self, tables, rules, rows):
        if self.how == "unknown":
            raise StrategyUnknown("its net has no strategy")
        if self.how == "broken":
            raise RuntimeError("out of memory")
        moves = np.full((len(rows), 1), -1 if self.how == "never" else 0)
        return moves, np.full((len(rows), 1), 0.7 if self.how == "sum" else 1.0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("never", "AIVAT: it played 0 at table .*, a move that it tells never to play"),
        ("unknown", "AIVAT: StrategyUnknown: its net has no strategy"),
        ("broken", "AIVAT: RuntimeError: out of memory"),
        ("sum", "AIVAT: ValueError: probabilities are no distribution at table"),
    ],
)
def test_who_tells_nonsense_forfeits_and_the_others_go_on(tmp_path, monkeypatch, how, reason):
    monkeypatch.setitem(names.AGENTS.registered, "teller", Teller)
    bad = {"agent": "teller", "how": how, "name": "bad"}
    agents = ["calling_station", bad, "always_fold"]
    with play(small(agents=agents, estimators=["all_in", "aivat"]), tmp_path / "x.db") as store:
        assert list(store.forfeits()) == ["bad"]
        assert re.match(reason, store.forfeits()["bad"]), store.forfeits()
        assert store.deals_played(["always_fold", "calling_station"]) == 100


def test_a_report_of_which_all_but_one_have_forfeited(tmp_path, monkeypatch):
    monkeypatch.setitem(names.AGENTS.registered, "teller", Teller)
    bad = {"agent": "teller", "how": "broken", "name": "bad"}
    with play(small(agents=["always_fold", bad], estimators=["all_in", "aivat"]), tmp_path / "x.db") as store:
        page = write_html(store, tmp_path / "report").read_text()
        assert standings(store).rows == []
    assert "there are no standings" in page
    assert "bad: AIVAT: RuntimeError: out of memory" in page
    assert "bad,AIVAT: RuntimeError" in (tmp_path / "report" / "forfeits.csv").read_text()


def refused_in_a_line(*words) -> str:
    return " ".join(refused(*words).split())


def test_a_place_that_is_none_is_told_in_a_line(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("rules: heads-up-no-limit\nagents: [maniac, random]\nhands: 20\n")
    assert "there is no folder" in refused_in_a_line("tournament", path, "--store", tmp_path / "nodir" / "x.db")
    assert "this is a folder" in refused_in_a_line("standings", tmp_path)
    with sqlite3.connect(tmp_path / "other.db") as base:
        base.execute("create table flowers (name text)")
    base.close()
    assert "it is not a store of results" in refused_in_a_line("standings", tmp_path / "other.db")


def test_a_store_without_results_says_so(tmp_path):
    with Store(tmp_path / "x.db", create=True) as store, pytest.raises(StoreError, match="no tournament was played"):
        standings(store)


def test_a_store_that_another_process_writes_to(tmp_path):
    path = tmp_path / "x.db"
    with play(small(), path) as store:
        store._base.execute("pragma busy_timeout = 0")
        other = sqlite3.connect(path)
        other.execute("begin exclusive")
        with pytest.raises(StoreError, match="database is locked; another process writes to it"):
            run(small(hands=300), store)
        mentions(complaint(standings, store, kind=StoreError), "database is locked")
        other.close()
        run(small(hands=300), store)
        assert store.deals_played(["calling_station", "maniac"]) == 150


def test_a_full_disk_loses_nothing_that_was_stored(tmp_path):
    with play(small(), tmp_path / "x.db") as store:
        [pages] = store._base.execute("pragma page_count").fetchone()
        store._base.execute(f"pragma max_page_count = {pages}")
        mentions(complaint(run, small(hands=4000), store, kind=StoreError), "x.db")
        before = store.deals_played(["calling_station", "maniac"])
        assert before >= 100
        assert len(standings(store).rows) == 2
        store._base.execute(f"pragma max_page_count = {100 * pages}")
        run(small(hands=400), store)
        assert store.deals_played(["calling_station", "maniac"]) == max(200, before)


def test_two_runs_into_one_store_with_other_shards(tmp_path):
    path, names = tmp_path / "x.db", ["calling_station", "maniac"]

    def another_run(played, done, total):
        if played.shard.first == 0:
            with Store(path) as other:
                run(small(shard=35), other)

    with play(small(), path, another_run) as store:
        deals = store.deals(names)
        assert deals.numbers.tolist() == list(range(100))
        with play(small(), tmp_path / "alone.db") as alone:
            assert np.array_equal(deals.columns["all_in"], alone.deals(names).columns["all_in"])
            assert np.array_equal(store.player_stats(names).actions, alone.player_stats(names).actions)
    with Store(path) as store:
        assert len(standings(store).rows) == 2


def test_deals_that_another_run_left_out_are_played(tmp_path):
    path = tmp_path / "x.db"

    def another_run(played, done, total):
        if played.shard.first == 0:
            with Store(path) as other, pytest.raises(KeyboardInterrupt):
                run(small(hands=160, shard=20), other, interrupt)

    def interrupt(played, done, total):
        raise KeyboardInterrupt

    with play(small(), path, another_run) as store:
        assert store.deals(["calling_station", "maniac"]).numbers.tolist() == list(range(100))


class Sleepy(Agent):
    """Needs a while each time."""

    name = "sleepy"

    def act(self, tables, rules, rows):
        clocks.spend(0.03)
        return np.zeros(len(rows), np.int64)


@pytest.mark.usefixtures("fake_clocks")
def test_who_is_too_slow_in_many_small_shards_forfeits(tmp_path, monkeypatch):
    monkeypatch.setitem(names.AGENTS.registered, "sleepy", Sleepy)
    monkeypatch.setattr(tournament_module, "SPARE", 1.0)
    tournament = small(agents=["calling_station", "sleepy", "random"], shard=2, max_ms_per_decision=0.5, estimators=[])
    seen = []
    with play(tournament, tmp_path / "x.db", lambda played, *_: seen.append(played.failed)) as store:
        assert list(store.forfeits()) == ["sleepy"]
        assert re.match(r"too slow: .* ms of processor time a decision, the limit is 0.5", store.forfeits()["sleepy"])
        assert [failed[0] for failed in seen if failed] == ["sleepy"]
        assert store.deals_played(["calling_station", "random"]) == 100


@pytest.mark.usefixtures("fake_clocks")
def test_a_loading_time_is_free(tmp_path, monkeypatch):
    class Loads(Sleepy):
        loaded = False

        def act(self, tables, rules, rows):
            if not self.loaded:
                clocks.spend(5.0)
            self.loaded = True
            return np.zeros(len(rows), np.int64)

    monkeypatch.setitem(names.AGENTS.registered, "loads", Loads)
    with play(small(agents=["random", "loads"], shard=10, max_ms_per_decision=0.5), tmp_path / "x.db") as store:
        assert store.forfeits() == {}


@pytest.mark.parametrize("form", ["tables", "freezeout"])
def test_stopping_early_is_for_round_robins(form):
    rules = HEADS_UP.replace(session={"prizes": [1.0]}) if form == "freezeout" else HEADS_UP
    with pytest.raises(ValidationError, match=f"stop_at: only in a round robin, not with format: {form}"):
        small(rules=rules, format=form, watched=True, stop_at=5.0)


def test_freezeouts_are_as_many_sessions_as_the_command_says(tmp_path):
    path = tmp_path / "freezeout.yaml"
    rules = "{preset: heads-up-no-limit, stacks: 20, session: {prizes: [1.0]}}"
    path.write_text(f"rules: {rules}\nformat: freezeout\nagents: [maniac, random]\n")
    assert load_tournament(path, sessions=6).deals_each() == 6
    assert "hands has no meaning with format: freezeout; give sessions" in refused_in_a_line(
        "tournament", path, "--hands", 100
    )
    command = ["tournament", str(path), "--sessions", "4", "--store", str(tmp_path / "x.db"), "--report"]
    good(*command, tmp_path / "report")
    with Store(tmp_path / "x.db") as store:
        assert store.deals_played(["maniac", "random"]) == 4
    path.write_text("rules: heads-up-no-limit\nagents: [maniac, random]\n")
    words = "sessions has no meaning with format: round_robin; give hands"
    assert words in refused_in_a_line("tournament", path, "--sessions", 4)


def describe_all(path) -> None:
    """Everything that is read from a store."""
    with Store(path) as store:
        standings(store, **store.reporting()).shortened()
        store.rules, store.pots(), store.thinking(), store.clocks(), store.forfeits()
        for names in store.matches():
            store.player_stats(names)


def with_a_flag(base) -> bytes:
    """The arrays of a shard whose zip file claims to be compressed patched data, which Python cannot read."""
    [(blob,)] = base.execute("select arrays from shards limit 1")
    flags = blob.index(b"PK\x01\x02") + 8
    return blob[:flags] + bytes([blob[flags] | 0x20]) + blob[flags + 1 :]


def with_a_float(table: str, column: str):
    """Writes a float where a text belongs, into a table without types, whose values SQLite leaves as they are."""

    def damage(_, base) -> None:
        columns = ", ".join(row[1] for row in base.execute(f"pragma table_info({table})"))
        base.executescript(
            f"create table other ({columns}); insert into other select {columns} from {table}; drop table {table};"
            f"alter table other rename to {table}; update {table} set {column} = 3.5 where rowid = 1"
        )

    return damage


def with_column(change):
    """Writes another array over the results of the first shard."""

    def damage(_, base) -> None:
        row, blob = base.execute("select rowid, arrays from shards limit 1").fetchone()
        with np.load(io.BytesIO(blob)) as arrays:
            changed = {name: change(name, arrays[name]) for name in arrays}
        np.savez(packed := io.BytesIO(), **changed)
        base.execute("update shards set arrays = ? where rowid = ?", (packed.getvalue(), row))

    return damage


def with_pots(base, **values):
    """Each big pot says something else."""
    for row, text in base.execute("select rowid, pots from shards").fetchall():
        pots = json.dumps([{**pot, **values} for pot in json.loads(text)])
        base.execute("update shards set pots = ? where rowid = ?", (pots, row))


DAMAGES = {
    "nan": with_column(lambda name, values: values * np.nan if name.startswith("column ") else values),
    "one deal less": with_column(
        lambda name, values: values[1:] if name.startswith(("column ", "numbers", "seating")) else values
    ),
    "more chips than there are": with_column(lambda name, values: values + 401 if name == "column chips" else values),
    "huge estimates": with_column(lambda name, values: values + 1e9 if name == "column all_in" else values),
    "a seat of nobody": with_column(lambda name, values: values + 1 if name == "seating" else values),
    "strange anchors": lambda _, base: base.execute("update about set value = '[\"x\"]' where name = 'anchors'"),
    "a format": lambda _, base: base.execute("update about set value = '\"x\"' where name = 'format'"),
    "no hands": lambda _, base: base.execute("update shards set hands = -hands"),
    "negative time": lambda _, base: base.execute("update shards set seconds = '[[-1, 0], [1, 0]]'"),
    "endless time": lambda _, base: base.execute("update shards set seconds = '[[1e999, 0], [1, 0]]'"),
    "a long forfeit": lambda _, base: base.execute("update agents set forfeit = ?", ("x" * (MAX_TEXT + 1),)),
    "float name": with_a_float("agents", "name"),
    "float forfeit": with_a_float("agents", "forfeit"),
    "float clock": with_a_float("agents", "clock"),
    "float about": with_a_float("about", "value"),
    "float shard": with_a_float("shards", "agents"),
    "float names": lambda _, base: base.execute("update shards set agents = '[1.5, 2.5]'"),
    "entered": lambda _, base: base.execute("update about set value = '3.5' where name = 'entered'"),
    "no entered": lambda _, base: base.execute("delete from about where name = 'entered'"),
    "confidence": lambda _, base: base.execute("update about set value = '\"x\"' where name = 'confidence'"),
    "nested": lambda _, base: base.execute("update about set value = ? where name = 'rules'", ("[" * 9000,)),
    "no database": lambda path, _: path.write_bytes(b"hello" * 1000),
    "empty": lambda path, _: path.write_bytes(b""),
    "half": lambda path, _: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "a page of zeros": lambda path, _: path.write_bytes(path.read_bytes()[:4096] + bytes(path.stat().st_size - 4096)),
    "no about": lambda _, base: base.execute("drop table about"),
    "no agents": lambda _, base: base.execute("drop table agents"),
    "no shards": lambda _, base: base.execute("drop table shards"),
    "a column": lambda _, base: base.execute("alter table shards drop column pots"),
    "an endless view": lambda _, base: base.executescript(
        "alter table about rename to other; create view about as with recursive n(x) as (select 1 union all "
        "select x + 1 from n) select x as name, x as value from n"
    ),
    "a trigger": lambda _, base: base.execute("create trigger t before update on about begin select 1; end"),
    "no json": lambda _, base: base.execute("update about set value = '{' where name = 'rules'"),
    "other rules": lambda _, base: base.execute("update about set value = '[1]' where name = 'rules'"),
    "pots": lambda _, base: base.execute("update shards set pots = '[{}]'"),
    "pots of three": lambda _, base: with_pots(base, names=["a", "b", "c"]),
    "pots of numbers": lambda _, base: with_pots(base, players=[1, 2]),
    "pots nobody can play": lambda _, base: with_pots(base, moves=["raise 1000000"] * 3),
    "pots of one card": lambda _, base: with_pots(base, deck=["As"] * 52),
    "seconds": lambda _, base: base.execute("update shards set seconds = '[1]'"),
    "decisions": lambda _, base: base.execute("update shards set decisions = 'x'"),
    "hands": lambda _, base: base.execute("update shards set hands = 'many'"),
    "blob": lambda _, base: base.execute("update shards set arrays = x'00ff'"),
    "text": lambda _, base: base.execute("update shards set arrays = 'text'"),
    "unknown compression": lambda _, base: base.execute("update shards set arrays = ?", (with_a_flag(base),)),
    "cut": lambda _, base: base.execute("update shards set arrays = substr(arrays, 1, 900)"),
    "names": lambda _, base: base.execute('update shards set agents = \'["nobody", "maniac"]\''),
    "key": lambda _, base: base.execute("update shards set agents = 'x' || rowid"),
}


@pytest.fixture(scope="module")
def whole_store(tmp_path_factory):
    path = tmp_path_factory.mktemp("stores") / "whole.db"
    play(small(), path).close()
    describe_all(path)
    return path.read_bytes()


@pytest.mark.fast_cases(12)
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_store_is_an_error_and_stays_as_it_is(whole_store, tmp_path, damage):
    path = tmp_path / "damaged.db"
    path.write_bytes(whole_store)
    with sqlite3.connect(path) as base:
        DAMAGES[damage](path, base)
    base.close()
    before = path.read_bytes()
    mentions(complaint(describe_all, path, kind=StoreError), "damaged.db")
    if damage in ("no database", "empty", "half", "a page of zeros", "no about", "no agents", "no shards", "a column"):
        with pytest.raises(StoreError, match=r"damaged\.db: "), Store(path, create=True) as store:
            store.enter(small())
    assert path.read_bytes() == before


class Cheat(Agent):
    """Writes to the store while it plays."""

    name = "cheat"
    path = None

    def act(self, tables, rules, rows):
        with Store(Cheat.path) as other:
            other.forfeit("maniac", "too slow")
        return np.zeros(len(rows), np.int64)


def test_the_library_records_forfeits_for_runs_alone(monkeypatch, tmp_path):
    monkeypatch.setitem(names.AGENTS.registered, "cheat", Cheat)
    monkeypatch.setattr(Cheat, "path", tmp_path / "x.db")
    with play(small(agents=["cheat", "maniac"], estimators=[]), tmp_path / "x.db") as store:
        assert list(store.forfeits()) == ["cheat"]  # the refusal is an error of its own
        assert "only runs write results" in store.forfeits()["cheat"]
    with Store(tmp_path / "x.db") as store, pytest.raises(StoreError, match="forfeit: only runs write results"):
        store.forfeit("maniac", "too slow")


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


def test_who_reads_the_store_knows_the_cards_of_no_shard_to_come(tmp_path):
    pair = ["calling_station", "maniac"]
    with Store(tmp_path / "x.db", create=True) as store:
        for shards in (2, 4):  # the second time it goes on
            run(small(seed="random", hands=shards * 80, shard=40), store)
            found = store.shards(pair)
            assert [numbers.start for numbers, _ in found] == [*range(0, shards * 40, 40)]
            assert [number for _, number in found] == [0, 0, 1, 1][:shards]
        assert store.open_keys == [store.key(0), store.key(1)]
        assert all(2**96 < key < 2**128 for key in store.open_keys)  # but for one in two thousand million
        assert store.key(0) != store.key(1)
        assert store.about()["seed"] == store.seed == "random"
        assert store.deals(pair).seed is None
        mentions(complaint(run, small(), store, kind=StoreError), "random", 3)
    page = write_report(tmp_path / "x.db", tmp_path / "report").read_text()
    assert "decks under keys of 128 bits" in page
    with play(small(), tmp_path / "z.db") as store, pytest.raises(StoreError, match="its seed is 3, here 'random'"):
        run(small(seed="random"), store)


@pytest.mark.slow
def test_the_same_deals_under_a_wide_seed(tmp_path):
    seed, pair = 2**63 - 1, ["calling_station", "maniac"]
    with play(small(seed=seed), tmp_path / "x.db") as one, play(small(seed=seed, jobs=2), tmp_path / "y.db") as two:
        assert np.array_equal(one.deals(pair).columns["chips"], two.deals(pair).columns["chips"])
    mentions(complaint(small, seed=2**63), "seed")


def test_what_is_being_played_is_counted(tmp_path, monkeypatch):
    """Hands of shards that are not over yet."""
    seen, calls = [], []

    class Waits(Agent):
        name = "waits"

        def act(self, tables, rules, rows):
            calls.append(len(rows))
            until = time.monotonic() + 60
            while sum(calls) > 2_000 and not seen and time.monotonic() < until:  # the first batch is over
                time.sleep(0.01)
            return np.zeros(len(rows), np.int64)

    monkeypatch.setitem(names.AGENTS.registered, "waits", Waits)
    monkeypatch.setattr(tournament_module, "POLL_SECONDS", 0.01)
    settings = small(agents=["calling_station", "waits"], hands=1_200, shard=600, estimators=["all_in", "aivat"])
    with Store(tmp_path / "x.db", create=True) as store:
        run(settings, store, under_way=lambda hands: seen.append(hands) if hands else None)
    assert 0 < min(seen) <= max(seen) <= 1_200

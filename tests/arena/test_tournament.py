"""Tournaments: played once, kept, gone on with; an agent that fails forfeits, and no report invents a result."""

from __future__ import annotations

import csv
import json
import re
import sqlite3

import numpy as np
import pytest

from arena.fake_clocks import clocks, fake_clocks  # noqa: F401 - a fixture
from arena.test_tournament_errors import play
from command_line import good, holdem, refused
from errors import complaint, mentions
from holdem_agents.cli.tournament import play_tournament
from holdem_agents.cli.tournament_file import load_tournament
from holdem_agents.runs.config import ConfigError
from holdem_agents.scripted import Maniac
from holdem_env import Rules, Session, Table
from holdem_env.agents import Agent, names
from holdem_env.arena import watched_interval
from holdem_env.arena.observed.big_pots import readable, replayed
from holdem_env.arena.observed.player_stats import ACTIONS, PlayerStats
from holdem_env.arena.reports.html_report import write_report
from holdem_env.arena.tournaments.progress import progress_of
from holdem_env.arena.tournaments.shards import Shard, play_shard
from holdem_env.arena.tournaments.standings import standings
from holdem_env.arena.tournaments.store import Store, StoreError
from holdem_env.arena.tournaments.tournament import Tournament, run
from holdem_env.compiled.records import new_records
from holdem_env.engine.record import NOBODY, TABLE
from holdem_env.history import phh
from holdem_env.protocols.json_lines.situations import hand_names

HEADS_UP = Rules.preset("heads-up-no-limit")
THREE = ["calling_station", "maniac", "random"]


class Crasher(Agent):
    """Raises an error, moves illegally or answers NaN after this many calls."""

    name = "crasher"

    def __init__(self, how: str = "raise", calls: int = 0) -> None:
        self.how, self.calls = how, calls

    def act(self, tables, rules, rows):
        self.calls -= 1
        if self.calls >= 0:
            return np.zeros(len(rows), np.int64)
        if self.how == "raise":
            raise RuntimeError("out of memory")
        if self.how == "slow":
            clocks.spend(1.2)
        return {
            "illegal": np.full(len(rows), 3),
            "nan": np.full(len(rows), np.nan),
            "slow": np.zeros(len(rows), np.int64),
        }[self.how]


@pytest.fixture(autouse=True)
def _crasher_is_known(monkeypatch):
    monkeypatch.setitem(names.AGENTS.registered, "crasher", Crasher)


def small(**changes) -> Tournament:
    return Tournament(**{"rules": HEADS_UP, "agents": THREE, "hands": 600, "shard": 100, "seed": 3, **changes})


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with play(small(), tmp_path_factory.mktemp("arena") / "three.db") as store:
        yield store


def test_every_pair_plays_the_same_deals_and_the_money_stays_at_the_table(store):
    assert len(store.matches()) == 3
    assert store.hands() == 3 * 600
    found = standings(store)
    assert found.common == 300
    assert sum(row.bankroll for row in found.rows) == pytest.approx(0)
    for (one, two), estimate in found.cross.items():
        assert estimate.interval.mean == pytest.approx(-found.cross[two, one].interval.mean)
    rates = {row.name: row.rate.mean for row in found.rows}
    for name in THREE:
        others = [found.cross[name, other].interval.mean for other in THREE if other != name]
        assert rates[name] == pytest.approx(np.mean(others))
    assert [row.runoff for row in found.rows] == [1, 2, 3]
    assert np.mean([row.elo[0] for row in found.rows]) == pytest.approx(1500)
    assert all(row.elo[1] <= row.elo[0] <= row.elo[2] for row in found.rows)


@pytest.mark.slow
def test_the_same_in_two_processes_and_in_other_shards(store, tmp_path):
    with play(small(jobs=2, shard=77), tmp_path / "two.db") as other:
        for names in store.matches():
            here, there = store.deals(names), other.deals(names)
            assert np.array_equal(here.numbers, there.numbers)
            assert all(np.array_equal(here.columns[name], there.columns[name]) for name in here.columns)
            assert np.array_equal(store.player_stats(names).actions, other.player_stats(names).actions)
        assert [row.rate for row in standings(store).rows] == [row.rate for row in standings(other).rows]
        assert [row.elo for row in standings(store).rows] == [row.elo for row in standings(other).rows]
        assert store.pots() == other.pots()


def test_later_runs_add_hands_and_agents_and_replay_nothing(tmp_path):
    path, played = tmp_path / "grows.db", []

    def seen(one, done, total):
        played.append((one.shard.names, one.shard.first, one.shard.count))

    play(small(agents=THREE[:2], hands=500), path, seen).close()
    assert played == [(("calling_station", "maniac"), 0, 100), (("calling_station", "maniac"), 100, 100), *played[2:]]
    assert sum(count for *_, count in played) == 250
    played.clear()
    play(small(agents=THREE[:2], hands=500), path, seen).close()
    assert not played
    with play(small(agents=[*reversed(THREE)], hands=600), path, seen) as store:
        new = [(names, first, count) for names, first, count in played if "random" not in names]
        assert new == [(("calling_station", "maniac"), 250, 50)]
        assert sum(count for names, _, count in played if "random" in names) == 600
        with play(small(), tmp_path / "at-once.db") as whole:
            for names in whole.matches():
                assert np.array_equal(whole.deals(names).columns["all_in"], store.deals(names).columns["all_in"])


@pytest.mark.slow
def test_who_interrupts_keeps_what_was_played(tmp_path):
    def stop(one, done, total):
        if done >= 400:
            raise KeyboardInterrupt

    path = tmp_path / "stopped.db"
    with Store(path, create=True) as store:
        complaint(run, small(), store, stop, kind=KeyboardInterrupt)
        assert [store.deals_played(names) for names in store.matches()] == [200, 100, 100]
        found = standings(store)
        assert found.common == 100
        run(small(), store)
        assert {store.deals_played(names) for names in store.matches()} == {300}


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize(
    ("how", "calls", "reason"),
    [
        ("raise", 0, "RuntimeError: out of memory"),
        ("raise", 20, "RuntimeError: out of memory"),
        ("illegal", 0, "IllegalMove: table .* may not raise to 3"),
        ("nan", 0, "ValueError: act must give .* integers, one a row; it gave .* float64"),
        ("slow", 0, "too slow: .* ms of processor time a decision, the limit is 0.5"),
    ],
)
@pytest.mark.usefixtures("fake_clocks")
def test_an_agent_that_fails_forfeits_and_the_others_go_on(tmp_path, how, calls, reason):
    bad = {"agent": "crasher", "how": how, "calls": calls}
    limit = 0.5 if how == "slow" else None
    tournament = small(agents=["calling_station", bad, "maniac"], hands=400, max_ms_per_decision=limit)
    seen: list[tuple[int, int]] = []
    with play(tournament, tmp_path / "x.db", lambda _, *far: seen.append(far)) as store:
        assert seen == sorted(seen, key=lambda far: (far[0], -far[1])), "progress goes back"
        assert seen[-1][0] == seen[-1][1] == (far := progress_of(store)).done == far.total
        assert list(store.forfeits()) == ["crasher"]
        assert re.match(reason, store.forfeits()["crasher"]), store.forfeits()
        found = standings(store)
        assert found.names == ["maniac", "calling_station"] or found.names == ["calling_station", "maniac"]
        assert store.deals_played(["calling_station", "maniac"]) == 200
        if calls:
            page = write_report(store, tmp_path / "report").read_text()
            assert "Forfeited" in page
            assert "crasher" in page


@pytest.mark.slow
def test_aivat_is_an_estimator_of_a_round_robin(tmp_path):
    agents = ["calling_station", "maniac"]
    with play(
        small(agents=agents, hands=2_400, shard=1_200, estimators=["aivat", "all_in"]), tmp_path / "x.db"
    ) as store:
        found = standings(store).all_estimates["calling_station", "maniac"]["maniac"]
        names = ["raw", "all_in", "aivat", "duplicate", "duplicate + all_in", "duplicate + aivat"]
        assert [each.name for each in found] == names
        assert found[-1].saved > found[-2].saved > 1
        assert abs(found[-1].interval.mean - found[-2].interval.mean) < 2 * found[-2].interval.half_width
    mentions(complaint(small, rules=Rules(seats=3), format="tables", estimators=["aivat"]), "estimators", "aivat")


def test_at_tables_the_others_start_over_without_it(tmp_path):
    rules = Rules(seats=3, stacks=2000)
    agents = ["calling_station", {"agent": "crasher", "calls": 30}, "maniac", "random"]
    tournament = small(rules=rules, format="tables", agents=agents, hands=900)
    with play(tournament, tmp_path / "x.db") as store:
        found = standings(store)
        assert sorted(found.names) == sorted(THREE)
        assert {row.hands for row in found.rows} == {900}
        assert list(found.forfeits) == ["crasher"]


def test_a_store_takes_only_its_own_tournament(tmp_path):
    path = tmp_path / "x.db"
    play(small(hands=100), path).close()
    for changes, words in [
        ({"seed": 4}, "its seed is 3, here 4; use another file"),
        ({"rules": HEADS_UP.replace(stacks=100)}, "its rules have stacks 200, here 100"),
        ({"agents": ["random", {"agent": "maniac", "aggression": 0.5}]}, "'maniac' is another agent there"),
        ({"estimators": []}, r"its estimators is \['all_in'\], here \[\]"),
    ]:
        with Store(path) as store, pytest.raises(StoreError, match=words):
            run(small(**changes), store)
        with Store(path) as store:
            assert store.agents == THREE
            assert store.hands() == 300
    with sqlite3.connect(path) as base:
        base.execute("update about set value = ? where name = 'version'", (json.dumps("0.0.9"),))
    base.close()
    mentions(complaint(Store, path, kind=StoreError), "holdem_env", "0.0.9", 5)
    mentions(complaint(Store, tmp_path / "none.db", kind=FileNotFoundError), "there is no such file")


def test_tables_of_several_seats(tmp_path):
    rules = Rules(seats=3, stacks=2000)
    tournament = small(rules=rules, format="tables", agents=[*THREE, "always_fold"], hands=1800, estimators=[])
    with play(tournament, tmp_path / "x.db") as store:
        found = standings(store)
        assert store.hands() == 1800
        assert {row.hands for row in found.rows} == {1350}
        assert sum(row.bankroll for row in found.rows) == pytest.approx(0)
        assert found.rows == sorted(found.rows, key=lambda row: -row.rate.mean)
        assert not found.cross
        fold = next(row for row in found.rows if row.name == "always_fold")
        assert fold.rate.mean == pytest.approx(
            -0.5, abs=0.05
        )  # a blind and a half in three hands, but for what it wins
        assert "Tables of 3" in write_report(store, tmp_path / "report").read_text()


def test_freezeouts_with_prize_shares(tmp_path):
    session = {"levels": [{"hands": 8}, {"times": 4, "hands": 8}, {"times": 16}], "prizes": [0.7, 0.3]}
    rules = Rules(seats=3, blinds=(5, 10), stacks=200, session=session)
    with play(small(rules=rules, format="freezeout", sessions=12, shard=4), tmp_path / "x.db") as store:
        found = standings(store)
        assert sum(row.bankroll for row in found.rows) == pytest.approx(0)
        assert all(-1 / 3 <= row.rate.mean <= 0.7 - 1 / 3 for row in found.rows)
        assert {row.hands for row in found.rows} == {36}
        [several] = found.all_estimates.values()
        assert [each.name for each in several["maniac"]] == ["raw", "duplicate"]
        maniac = next(row for row in found.rows if row.name == "maniac")
        assert several["maniac"][1].interval.mean == pytest.approx(maniac.rate.mean)
        assert "prize pool" in write_report(store, tmp_path / "report").read_text()


@pytest.mark.slow
def test_watched_matches_stop_as_soon_as_they_are_decided(tmp_path):
    agents = ["calling_station", "always_fold"]
    tournament = small(agents=agents, hands=4000, watched=True, stop_at=15.0)
    with play(tournament, tmp_path / "x.db") as store:
        values = store.deals(["always_fold", "calling_station"]).per_deal()
        assert 200 < len(values) < 2000
        assert 100 * watched_interval(values).half_width <= 15 < 100 * watched_interval(values[:-100]).half_width
        found = standings(store, watched=True)
        assert found.cross["calling_station", "always_fold"].rate[1] <= 15
        assert found.rows[0].rate.method == "sequence"
        run(tournament, store)
        assert len(store.deals(["always_fold", "calling_station"])) == len(values)
        usual = {"confidence": 0.95, "nash": False, "rank_by": "rate", "leavers": "show"}
        assert store.reporting() == {**usual, "watched": True}
        mentions(complaint(run, small(agents=agents), store, kind=StoreError), "only watched: true is right for them")


def test_the_report_is_one_file_and_its_parts(store, tmp_path):
    page = write_report(store, tmp_path / "r", nash=True)
    text = page.read_text()
    for name in ("crosstable", "winnings", "actions"):
        assert (tmp_path / "r" / f"{name}.svg").read_text().startswith("<svg")
    assert text.count("<svg") > 3
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")  # it needs nothing else
    for word in [*THREE, "VPIP", "duplicate + all_in", "Crosstable", "against the Nash average", "(button)"]:
        assert word in text
    with (tmp_path / "r" / "crosstable.csv").open() as file:
        rows = list(csv.DictReader(file))
    found = standings(store)
    assert {(row["agent"], row["opponent"]) for row in rows} == set(found.cross)
    first = found.cross[rows[0]["agent"], rows[0]["opponent"]]
    assert float(rows[0]["bb_per_100"]) == pytest.approx(first.rate[0], rel=1e-4)
    hands = list(phh.read(tmp_path / "r" / "biggest-pots.phhs"))
    pots = store.pots()
    assert len(hands) == len(pots) == 10
    for hand, pot in zip(hands, pots, strict=True):
        table = replayed(pot, HEADS_UP)
        assert sorted(hand.replay().payoffs) == sorted(table.payoffs)
        assert sum(abs(won) for won in table.payoffs) == pot["pot"] or 0 in table.payoffs
        drawn = readable(pot, HEADS_UP)
        assert pot["players"][0] in drawn
        assert not re.search(r"raise \d", drawn), "raises are totals: raise to 108"


def test_a_big_pot_has_the_names_by_which_bots_know_the_hand(tmp_path, monkeypatch):
    noted = {}

    class Noting(Maniac):
        def act(self, tables, rules, rows):
            seats = tables["actor"][rows]
            holes = np.sort(tables["hole"][rows, seats, :2], axis=1).tolist()
            noted.update(zip(hand_names(tables[rows], rules), map(tuple, holes), strict=True))
            return super().act(tables, rules, rows)

    monkeypatch.setitem(names.AGENTS.registered, "noting", Noting)
    agents = [{"agent": "noting", "name": "ann"}, "calling_station"]
    with play(small(agents=agents, hands=200, seed=5), tmp_path / "x.db") as store:
        for pot in store.pots():
            seat = pot["players"].index("ann")
            table = replayed(pot, HEADS_UP)
            assert noted[pot["names"][seat]] == tuple(sorted(table.hole_cards(seat)))
        assert store.pots()[0]["names"][0] in write_report(store, tmp_path / "r").read_text()
    [hand] = [
        hand for hand in phh.read(tmp_path / "r" / "biggest-pots.phhs") if hand.metadata["_hands"]["ann"] in noted
    ][:1]
    assert set(hand.metadata["_hands"]) == {"ann", "calling_station"}


@pytest.mark.parametrize(
    ("dealt", "button", "big_blind", "places"),
    [
        ([0, 1, 2, 3, 4, 5], 4, 0, {4: 0, 5: 1, 0: 2, 1: 3, 2: 4, 3: 5}),
        ([0, 2, 5], 0, 5, {0: 0, 2: 1, 5: 2}),
        ([1, 4], 4, 1, {4: 0, 1: 2}),  # the button has the small blind
        ([0, 2, 4, 5], 1, 4, {2: 1, 4: 2, 5: 3, 0: 4}),  # the button stands at an empty seat
        ([0, 1, 3, 4], 1, 3, {1: 0, 3: 2, 4: 3, 0: 4}),  # nobody has the small blind
    ],
)
def test_positions_are_those_of_who_is_still_there(dealt, button, big_blind, places):
    """An agent in each seat of six, which calls."""
    rules = Rules(seats=6)
    tables = new_records(TABLE, 1)
    tables["was_dealt"][0, dealt] = True
    tables["button"], tables["big_blind_seat"], tables["small_blind_seat"] = button, big_blind, NOBODY
    tables["moves"] = len(dealt)
    tables["made"]["seat"][0, : len(dealt)] = dealt
    player_stats = PlayerStats.of(6, 6)
    player_stats.count(tables, rules, np.arange(6)[None])
    agents, found = np.nonzero(player_stats.actions.sum(axis=(2, 3)))
    assert dict(zip(agents.tolist(), found.tolist(), strict=True)) == places


def test_who_checks_behind_a_missed_blind_has_not_put_chips_in_of_its_own_will():
    """R10: a missed big blind is posted live, as a bet."""
    rules = Rules(seats=4, blinds=(10, 20), session={"kind": "cash", "first_button": 0})
    session = Session(rules, seed=1)
    for hand in range(4):
        if hand == 1:
            session.sit_out(3)
        if hand == 3:
            session.sit_in(3)
        table = session.deal()
        while not table.is_over and hand < 3:
            table.fold()
    assert table.posted[3].kinds == ("post_live", "post_dead")
    while not table.is_over:
        table.no_action() if table.actor == 3 or table.street else table.check_call()
    player_stats = PlayerStats.of(4, 4)
    player_stats.count(table.records, rules, np.arange(4)[None])
    assert player_stats.actions[3, :, 0].sum(axis=0).tolist() == [0, 1, 0, 0, 0]
    assert player_stats.ratios(3)["vpip"] == 0.0


def test_player_stats_are_those_of_hands_played_alone():
    """Counted once more by the words of the log of each hand."""
    rules = Rules(seats=3, stacks=1500)
    entrants = tuple(contender.entrant() for contender in small(rules=rules, format="tables").agents)
    played = play_shard(Shard(entrants, rules, 0, 12, 9, lineup="balanced"))
    assert played.failed is None
    counts = np.zeros_like(played.player_stats.actions)
    vpip = np.zeros(3, int)
    agents = [entrant.agent() for entrant in entrants]
    for k, number in enumerate(played.deals.numbers.tolist()):
        for seating in played.deals.seating[k].tolist():
            table = Table(rules, button=number % 3, seed=9, table_id=number)
            entered = set()
            while not table.is_over:
                seat, street, before = table.actor, table.street, len(table.log)
                table.play(agents[seating[seat]].move(table))
                kind = next(op.kind for op in table.log[before:] if op.seat == seat)
                place = (seat - table.button) % 3
                counts[seating[seat], place, street, ACTIONS.index(kind)] += 1
                if street == 0 and kind in ("call", "raise", "bet"):
                    entered.add(seat)
            for seat in entered:
                vpip[seating[seat]] += 1
            won = played.deals.columns["chips"][k, played.deals.seating[k].tolist().index(seating)].tolist()
            assert won == table.payoffs
    assert np.array_equal(counts, played.player_stats.actions)
    assert played.player_stats.figures[:, 1].tolist() == vpip.tolist()
    assert played.player_stats.figures[:, 0].tolist() == [36, 36, 36]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("agents: [random]", "agents: a tournament needs two agents or more, not 1"),
        ("agents: [random, random]", "agents: random: there twice"),
        ("agents: [random, maniac]\nhand: 3", "no field .hand.: did you mean .hands."),
        ("agents: [random, maniac]\nstop_at: 3", "stop_at: needs watched: true"),
        ("agents: [random, maniac]\njobs: 0", "jobs: 0; give 1 or more"),
        ("agents: [random, maniac]\nformat: freezeout", "a freezeout needs rules with a session"),
        ("agents: [random, maniac]\nrules: {preset: heads-up-no-limit, seats: 3}", "round_robin is heads-up"),
        ("agents: [random, maniac]\nrules: heads-up", "there is no preset 'heads-up'"),
        ("[", "not YAML"),
    ],
)
def test_what_is_wrong_with_a_configuration_is_named(tmp_path, text, words):
    path = tmp_path / "mine.yaml"
    path.write_text(text if "rules:" in text or text == "[" else f"rules: heads-up-no-limit\n{text}")
    assert re.search(rf"mine.yaml: (.|\n)*({words})", complaint(load_tournament, path, kind=ConfigError))


def test_paths_in_a_configuration_begin_at_its_file_or_at_the_working_directory(tmp_path, monkeypatch):
    folder, elsewhere = tmp_path / "of tournament", tmp_path / "elsewhere"
    for each in (folder, elsewhere, folder / "data"):
        each.mkdir()
    monkeypatch.chdir(elsewhere)
    for name in ("bot.py", "bot.js", "game.yaml", "both.py"):
        (folder / name).write_text("preset: leduc" if name == "game.yaml" else "")
    for name in ("here.py", "both.py"):
        (elsewhere / name).write_text("")
    (folder / "t.yaml").write_text(
        "rules: game.yaml\nagents: [bot.py, both.py, here.py, gone.py, maniac, 'program:node bot.js --fast', "
        "{agent: program, name: words, command: [node, bot.js]}, {agent: bot.py, name: own, files: [data, gone]}]"
    )
    read = load_tournament(folder / "t.yaml")
    assert read.rules == Rules.preset("leduc")
    assert {each.name: each.agent for each in read.agents} == {
        "bot.py": f"{folder}/bot.py",
        "both.py": f"{folder}/both.py",
        "here.py": "here.py",
        "gone.py": "gone.py",
        "maniac": "maniac",
        "program:node bot.js --fast": f"program:node '{folder}/bot.js' --fast",
        "words": "program",
        "own": f"{folder}/bot.py",
    }
    parameters = {each.name: each.parameters for each in read.agents}
    assert parameters["words"] == {"command": ["node", f"{folder}/bot.js"]}
    assert parameters["own"] == {"files": [f"{folder}/data", "gone"]}
    monkeypatch.chdir(folder)
    assert load_tournament("t.yaml").names == read.names


def test_the_configuration_that_comes_along():
    tournament = load_tournament("tournament")
    assert len(tournament.agents) >= 4
    assert load_tournament("configs/tournament.yaml", hands=400).hands == 400


def test_an_agent_that_nobody_knows_is_an_error_before_anything_is_played(tmp_path):
    from rich.console import Console

    with pytest.raises(ValueError, match="there is no agent 'maniak': did you mean 'maniac'"):
        play_tournament(small(agents=["random", "maniak"]), tmp_path / "x.db", Console())
    assert not (tmp_path / "x.db").exists()


@pytest.mark.slow
def test_a_match_by_every_estimator():
    command = ["match", "maniac", "calling_station", "--hands", "400", "--estimators", "aivat,all_in"]
    lines = holdem(*command, env={"COLUMNS": "200"}).stdout.splitlines()  # progress is on stderr
    assert lines.pop() == "Without duplicate, an estimator counts one hand of each deal."
    words = [line.removeprefix("maniac, ").split(":")[0] for line in lines]
    assert words == ["raw", "all_in", "aivat", "duplicate", "duplicate + all_in", "duplicate + aivat"]
    assert all("bb/100" in line and "times fewer than raw" in line for line in lines)


def test_the_commands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "mine.yaml"
    path.write_text("rules: heads-up-no-limit\nagents: [maniac, random]\nhands: 200\n")
    said = good("tournament", path, env={"COLUMNS": "150"})
    assert (tmp_path / "mine-report" / "report.html").is_file()
    again = good("standings", "mine.db", env={"COLUMNS": "150"})
    assert "maniac" in again
    assert again.splitlines()[0] == said.splitlines()[0]
    assert "there is no such file" in refused("standings", "none.db")

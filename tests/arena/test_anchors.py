"""Tournaments with anchors: who plays whom, what is known already, and what the rates are over."""

from __future__ import annotations

import csv
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from holdem_agents.cli.commands import app
from holdem_agents.cli.standings import read_standings
from holdem_agents.cli.tournament import write_report
from holdem_agents.cli.tournament_file import load_tournament
from holdem_agents.shipped.fitting import file_of
from holdem_env import Rules
from holdem_env.arena.tournaments.plan import Tournament
from holdem_env.arena.tournaments.progress import progress_of
from holdem_env.arena.tournaments.standings import standings
from holdem_env.arena.tournaments.store import Store
from holdem_env.arena.tournaments.tournament import run

HANDS = 64
"""Enough for an interval that is not infinite."""
ANCHORS = ("calling_station", "maniac")
SHIPPED = ("hu_100bb", "hu_20bb", "hu_limit", "sixmax_100bb")
PLAYED = {
    "ppo_100bb": "3010c995fab265d2",
    "blueprint_100bb": "d783faf0afce8d64",
    "ppo_20bb": "96f5dbd890923847",
    "blueprint_20bb": "7044e2c83731c7f0",
    "ppo_limit": "570c7ff2a9716c6e",
    "blueprint_limit": "217bb968c349eced",
    "ppo_sixmax": "7a396bbec39cb70d",
}
"""The files of the agents whose matches the CSV files of SHIPPED hold, by the beginning of their SHA-256."""
KNOWN = (
    "agent,opponent,bb_per_100,half_width,confidence,hands\n"
    "maniac,calling_station,-20,4,0.95,1000\ncalling_station,maniac,20,4,0.95,1000\n"
)


def anchored(*others: str, preset: str = "heads-up-limit", **changes: Any) -> Tournament:
    """A tournament with two scripted anchors and no AIVAT, so that little is played."""
    given = {"rules": Rules.preset(preset), "agents": (*ANCHORS, *others), "anchors": ANCHORS, "hands": HANDS}
    return Tournament(**{**given, "seed": 1, "isolation": "none", **changes})


@pytest.fixture
def known(tmp_path: Path) -> str:
    path = tmp_path / "known.csv"
    path.write_text(KNOWN)
    return str(path)


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The working directory, with the configuration `mine.yaml`, whose anchors' results are known."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "known.csv").write_text(KNOWN)
    (tmp_path / "mine.yaml").write_text(
        f"rules: heads-up-limit\nagents: &a [{', '.join(ANCHORS)}]\nanchors: *a\nresults: known.csv\n"
        f"hands: {HANDS}\nseed: 1\nisolation: none\n"
    )
    return tmp_path


COUNTS = [("heads-up-limit", (), False, 1), ("heads-up-limit", (), True, 1)]
COUNTS += [("heads-up-limit", ("nit", "random"), False, 5), ("heads-up-limit", ("nit", "random"), True, 4)]
COUNTS += [("six-max-no-limit", ("nit",), False, 4), ("six-max-no-limit", ("nit",), True, 2)]


@pytest.mark.parametrize(("preset", "others", "is_known", "matches"), COUNTS)
def test_everybody_plays_the_anchors_and_nobody_else(
    preset: str, others: tuple[str, ...], is_known: bool, matches: int, known: str
) -> None:
    given = anchored(*others, preset=preset, results=known if is_known else None)
    names = given.matches()
    assert len(names) == matches
    assert all(two in ANCHORS for _, two in names)
    assert given.matches(frozenset(given.names)) == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"anchors": ["mania"]}, "anchors: there is no agent 'mania': did you mean 'maniac'?"),
        ({"schedule": "adaptive", "watched": True}, "anchors: not with schedule: adaptive"),
        ({"format": "tables"}, "anchors: only in a round robin"),
        ({"anchors": (), "results": "known.csv"}, "results: only with anchors"),
        ({"results": "gone.csv"}, "results: must be the crosstable.csv of a report, got gone.csv"),
        ({"results": __file__}, "results: must be the crosstable.csv of a report"),
        (
            {"agents": (*ANCHORS, "nit"), "anchors": (*ANCHORS, "nit"), "results": "known.csv"},
            "what 'calling_station' won",
        ),
    ],
)
def test_anchors_and_results_that_do_not_fit(changes: dict[str, Any], message: str, here: Path) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        anchored(**changes)


@pytest.mark.slow
def test_rates_are_over_the_anchors_with_oneself_as_0(tmp_path: Path) -> None:
    with Store(tmp_path / "t.db", create=True) as store:
        run(anchored("nit", "pot_odds"), store)
        found = standings(store)
        mean = {row.name: row.rate.mean for row in found.rows}
        won = {pair: each.interval.mean for pair, each in found.cross.items()}
        assert ("nit", "pot_odds") not in won
        for name in ("nit", "pot_odds"):
            assert mean[name] == pytest.approx(np.mean([won[name, anchor] for anchor in ANCHORS]))
        assert mean["maniac"] == pytest.approx(won["maniac", "calling_station"] / 2)
        assert mean["maniac"] + mean["calling_station"] == pytest.approx(0)
        assert "over the anchors" in found.explanation


@pytest.mark.slow
def test_the_only_anchor_is_the_measure(tmp_path: Path) -> None:
    with Store(tmp_path / "t.db", create=True) as store:
        run(anchored("nit", agents=("maniac", "nit"), anchors=("maniac",)), store)
        rates = {row.name: row.rate for row in standings(store).rows}
    assert rates["maniac"].times(1) == (0, 0)
    assert rates["nit"].half_width > 0


@pytest.mark.slow
def test_in_one_seat_against_five_the_rate_is_that_of_the_one(tmp_path: Path) -> None:
    with Store(tmp_path / "t.db", create=True) as store:
        run(anchored("nit", preset="six-max-no-limit", hands=180), store)
        found = standings(store)
        mean = {row.name: row.rate.mean for row in found.rows}
        ones = store.deals(("maniac", "calling_station"))
        assert mean["maniac"] == pytest.approx(found.all_estimates[ones.agents]["maniac"][-1].interval.mean / 2)


def invoke(*words: str) -> Any:
    return CliRunner().invoke(app, ["tournament", *words])


@pytest.mark.slow
def test_who_is_entered_plays_the_anchors_and_stays_in_the_standings(here: Path) -> None:
    done = invoke("mine.yaml", "--enter", "pot_odds", "--enter", "nit", "--as", "mine", "--as", "rock")
    assert done.exit_code == 0, done.output
    with Store(here / "mine.db") as store:
        assert set(store.matches()) == {(name, anchor) for name in ("mine", "rock") for anchor in ANCHORS}
        assert progress_of(store).total == progress_of(store).done == 4 * HANDS // 2
        before = store.hands()
    done = invoke("mine.yaml", "--enter", "random", "--hands", str(2 * HANDS))
    assert done.exit_code == 0, done.output
    assert "rock *" in done.output
    found = read_standings(here / "mine.db")
    assert found.hands == before + 4 * HANDS
    rates = {row.name: row.rate for row in found.rows}
    assert set(rates) == {*ANCHORS, "mine", "rock", "random"}
    assert rates["maniac"].times(100) == pytest.approx((-10, 2))
    assert found.cross["maniac", "calling_station"].rate == pytest.approx((-20, 4))
    with Store(here / "mine.db") as store:
        surer = standings(store, 0.99).cross["maniac", "calling_station"]
    assert (surer.rate, surer.interval.confidence) == (pytest.approx((-20, 4 * 2.5758 / 1.96), rel=1e-3), 0.99)
    assert rates["rock"].mean == pytest.approx(np.mean([found.cross["rock", each].interval.mean for each in ANCHORS]))
    assert "upper bounds" in found.explanation
    assert "<svg" in write_report(here / "mine.db", here / "report").read_text()
    with (here / "report" / "crosstable.csv").open() as file:
        assert len(list(csv.DictReader(file))) == 2 + 2 * 2 * 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--enter", "gone.safetensors"], "gone.safetensors"),
        (["--enter", "nobody"], "there is no agent 'nobody'"),
        (["--enter", "maniac"], "maniac: there twice"),
        (["--enter", "nit", "--as", "a\nb"], "name"),
        (["--as", "mine"], "--as: must be given once for each --enter, got 1 for 0"),
    ],
)
def test_an_entry_that_is_wrong_is_said(words: list[str], message: str, here: Path) -> None:
    done = invoke("mine.yaml", *words)
    assert done.exit_code == 2
    assert message in done.stderr
    assert not (here / "mine.db").exists()


def test_results_of_other_versions_mix_where_there_are_anchors(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store(here / "mine.db", create=True) as store:
        store.enter(load_tournament("mine.yaml"))
    monkeypatch.setattr("holdem_env.arena.tournaments.store_file.__version__", "999")
    with Store(here / "mine.db") as store:
        assert store.agents == list(ANCHORS)


@pytest.mark.parametrize("name", SHIPPED)
def test_what_ships_was_played_by_the_agents_of_the_package(name: str) -> None:
    """If this fails: play the tournament again, and copy the crosstable.csv of its report to configs/."""
    tournament = load_tournament(name, [{"agent": "nit", "name": "mine"}])
    assert tournament.names == (*tournament.anchors, "mine")
    assert [[*match] for match in tournament.matches()] == [["mine", anchor] for anchor in sorted(tournament.anchors)]
    assert len(tournament.known_results) == len(tournament.anchors) * (len(tournament.anchors) - 1)
    for agent in tournament.anchors:
        if (path := file_of(agent)) is not None:
            assert sha256(path.read_bytes()).hexdigest()[:16] == PLAYED[agent], f"{agent} has changed"


@pytest.mark.parametrize(
    "row",
    ["600,300,0.95,inf", "nan,300,0.95,400", "inf,3,0.95,400", "600,-300,0.95,400", "600,300,0.95,400", "x" * 200_000],
)
def test_absurd_known_results_are_refused(tmp_path, row) -> None:
    """The other row says that the second of the two has won 600, too."""
    names = "agent,opponent,bb_per_100,half_width,confidence,hands"
    one, two, *_ = ANCHORS
    path = tmp_path / "x.csv"
    path.write_text(f"{names}\n{one},{two},{row}\n{two},{one},600,300,0.95,400\n")
    with pytest.raises(ValueError, match=r"results: must be the crosstable.csv of a report"):
        anchored("nit", results=str(path))

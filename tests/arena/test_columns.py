"""One list of columns makes every rendering of the standings."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from html import unescape
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.console import Console

from holdem_agents.cli.standings import standings_tables
from holdem_agents.web.watch.tournaments import WatchedTournament
from holdem_env.arena.reports.html_report import write_report
from holdem_env.arena.tournaments import standings as standings_module
from holdem_env.arena.tournaments.columns import Column, columns_of
from holdem_env.arena.tournaments.standings import Standings, standings
from holdem_env.arena.tournaments.store import Store
from holdem_env.game.units import PRIZES
from web.watched import tiny_tournament


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_tournament(tmp_path_factory.mktemp("stores") / "cup.db", hands=100)


def found_in(path: Path) -> Standings:
    with Store(path) as store:
        return standings(store)


def headings_of(page: str) -> list[str]:
    """Those of the first table."""
    row = re.search(r"<table.*?<tr>(.*?)</tr>", page, re.DOTALL)
    assert row is not None
    return [unescape("".join(cell.itertext())) for cell in ElementTree.fromstring(f"<tr>{row[1]}</tr>")]


def shouted(name: str) -> str:
    return f"«{name.upper()}»"


def test_a_new_column_is_in_every_rendering(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new = Column(("shouted_key",), "shouted", lambda row, found: (row.name,), shouted, is_words=True)
    usual = [column.heading for column in found_in(store).columns]
    assert {"", "agent", "bb/100", "bankroll, raw", "hands", "Elo", "ms/decision, processor time"} <= {*usual}
    expected = [usual[0], new.heading, *usual[1:]]

    def more(*of: Any) -> list[Column]:
        first, *others = columns_of(*of)
        return [first, new, *others]

    monkeypatch.setattr(standings_module, "columns_of", more)
    found = found_in(store)
    assert [column.heading for column in found.columns] == expected
    names = [shouted(name) for name in found.names]

    [terminal, *_] = standings_tables(found, 300)
    assert [str(column.header).replace("\n", " ") for column in terminal.columns] == expected
    text = StringIO()
    Console(file=text, width=300).print(terminal)

    page = found._repr_html_()
    assert headings_of(page) == expected

    with Store(store) as opened:
        report = write_report(opened, tmp_path).read_text()
    assert headings_of(report) == expected

    view = WatchedTournament("cup", store).view()
    assert [column["heading"] for column in view["columns"]] == expected
    assert [cells[1] for cells in view["cells"]] == names
    assert [row["shouted_key"] for row in view["rows"]] == found.names

    with (tmp_path / "standings.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["shouted_key"] for row in rows] == found.names
    assert list(rows[0]) == list(view["rows"][0])
    assert all(name in text.getvalue() and name in page and name in report for name in names)


@pytest.mark.parametrize(
    ("changes", "form", "has", "lacks"),
    [
        (
            {"seconds": 0.25, "decisions": 1_000},
            "round_robin",
            {"processor_ms_per_decision", "bb_per_100", "hands"},
            {"nash", "sessions"},
        ),
        ({"decisions": 0}, "round_robin", set(), {"processor_ms_per_decision"}),
        ({"nash": 0.5}, "round_robin", {"nash"}, set()),
        ({}, "freezeout", {"prize_pool_percent", "half_width", "sessions"}, {"bb_per_100", "hands"}),
    ],
)
def test_columns_are_shown_where_there_is_something_to_say(
    store: Path, changes: dict[str, float], form: str, has: set[str], lacks: set[str]
) -> None:
    found = found_in(store)
    found = replace(found, format=form, unit=PRIZES if form == "freezeout" else found.unit)
    found = replace(found, rows=[replace(row, **changes) for row in found.rows])
    keys = {key for column in found.columns for key in column.keys}
    assert has <= keys
    assert not lacks & keys

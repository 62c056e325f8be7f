"""Whatever agents are called, tables, reports, pictures, files and messages show it, and nothing more happens."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from rich.console import Console

from holdem_agents.cli.console import fail
from holdem_agents.cli.standings import print_standings
from holdem_agents.cli.tournament import play_tournament
from holdem_agents.playing import HumanGame
from holdem_env import Rules
from holdem_env.agents import Agent, make_agent, names
from holdem_env.agents.short_names import short_names
from holdem_env.arena import play_match
from holdem_env.arena.reports.html_report import write_report
from holdem_env.arena.tournaments.entrants import Entry
from holdem_env.arena.tournaments.standings import standings
from holdem_env.arena.tournaments.store import Store
from holdem_env.arena.tournaments.tournament import Tournament, run

RULES = Rules.preset("heads-up-no-limit")
LONG = "l" * 300
ALLOWED = ["$x_1$", "[red]bold[/red]", "<b>&amp;</b><script>alert(1)</script>", "=cmd|' /C calc'!A1", f"{LONG}1{LONG}"]
ALLOWED += [f"{LONG}2{LONG}", "_a|b,c\"d'", "名前 {0} %s \\"]
REFUSED = ["\x1b[2J\x1b[31mred", "two\nlines", "\u202egnp.exe", "", "\x00", "tab\tbed"]


class Crashes(Agent):
    """Raises an error whose text is not to be trusted."""

    name = "crashes"

    def act(self, tables: Any, rules: Rules, rows: Any) -> Any:
        raise RuntimeError("\x1b[2J\n\u202e[red]<script>alert(2)</script>")


def test_names_that_cannot_be_shown_are_refused() -> None:
    for name in REFUSED:
        with pytest.raises(ValidationError, match="give the agent another name"):
            Entry.model_validate({"agent": "maniac", "name": name})
    for name in ALLOWED:
        assert Entry.model_validate({"agent": "maniac", "name": name}).name == name


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A tournament of agents with strange names, also of refused ones, which another program may have written."""
    agents = [
        Entry.model_construct(agent="maniac", name=name, parameters={"aggression": 0.3 + 0.05 * number})
        for number, name in enumerate([*ALLOWED[:-1], *REFUSED[:3]])
    ]
    agents.append(Entry.model_construct(agent="crashes", name="\x1b]0;title\x07", parameters={}))
    tournament = Tournament(rules=RULES, agents=("maniac", "nit"), hands=40, shard=20)
    tournament = tournament.model_copy(update={"agents": tuple(agents)})
    names.AGENTS.registered["crashes"] = Crashes
    try:
        with Store(tmp_path_factory.mktemp("names") / "strange.db", create=True) as store:
            run(tournament, store)
            yield store
    finally:
        del names.AGENTS.registered["crashes"]


@pytest.fixture(scope="module")
def report(store: Store, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report(store, tmp_path_factory.mktemp("names") / "report")


def is_safe(text: str) -> bool:
    """Whether a text has no control characters but line breaks, and no marks of direction."""
    return not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)


@pytest.mark.slow
def test_the_terminal_shows_all_names_as_they_are(store: Store) -> None:
    text = io.StringIO()
    print_standings(Console(file=text, width=400), standings(store))
    shown = text.getvalue()
    assert is_safe(shown)
    for name in ("$x_1$", "[red]bold[/red]", "<script>alert(1)</script>", r"\x1b[2J\x1b[31mred", r"two\nlines"):
        assert name in shown
    assert len([line for line in shown.splitlines() if "forfeited" in line]) == 1


def test_the_report_holds_no_markup_of_names(report: Path) -> None:
    page = report.read_text()
    assert is_safe(page)
    assert "<script>" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "&lt;script&gt;alert(2)" in page
    assert f"{LONG}1" not in page


def test_the_tables_hold_no_formulas_and_every_agent_once(store: Store, report: Path) -> None:
    folder = report.parent
    for path in folder.glob("*.csv"):
        text = path.read_bytes().decode()
        assert is_safe(text.replace("\r\n", "\n")), path
        for row in list(csv.reader(io.StringIO(text)))[1:]:
            for cell in row:
                assert not re.match(r"[=@\t\r]|[+-](?!inf|[\d.])", cell), (path, cell)
    rows = [row for name in ("standings", "forfeits") for row in csv.DictReader((folder / f"{name}.csv").open())]
    assert len({row["agent"] for row in rows}) == len(rows) == len(store.agents)
    assert "'=cmd|' /C calc'!A1" in {row["agent"] for row in rows}


def test_short_names_stay_different() -> None:
    short = short_names([*ALLOWED, *REFUSED])
    assert len(set(short.values())) == len(ALLOWED) + len(REFUSED)
    assert all(is_safe(name) and name.strip() for name in short.values())
    assert max(map(len, short.values())) < 70


def test_progress_and_errors_and_results_are_plain(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with pytest.raises(BaseException, match="2"):
        fail("agent \x1b[2J: wrong\nsecond line")
    assert capsys.readouterr().err == "holdem: agent \\x1b[2J: wrong\nsecond line\n"
    agent = make_agent("calling_station")
    agent.name = "\x1b[2J"
    assert is_safe(str(play_match(agent, "always_fold", RULES, hands=64, num_tables=32)))
    assert HumanGame(RULES, [agent]).names == ["you", r"\x1b[2J"]


def test_forfeits_are_told_plainly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(names.AGENTS.registered, "crashes", Crashes)
    agents = ({"agent": "crashes", "name": "[red]$x$"}, "nit")
    text = io.StringIO()
    console = Console(file=text, width=200)
    tournament = Tournament(rules=RULES, agents=agents, hands=64)
    assert play_tournament(tournament, tmp_path / "two.db", console)
    assert is_safe(text.getvalue())
    assert r"[red]$x$ forfeits: RuntimeError: \x1b[2J \u202e[red]<script>" in text.getvalue()

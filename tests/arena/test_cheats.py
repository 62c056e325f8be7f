"""Cheats and accidents in tournaments: they change nothing, or their agents forfeit by name and the others finish."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena.isolation.bots import needs_jail
from command_line import holdem
from holdem_agents.cli.tournament_file import load_tournament
from holdem_env import Rules
from holdem_env.arena.tournaments.store import Store
from holdem_env.arena.tournaments.tournament import Tournament, run

CHEATS = Path(__file__).parent / "cheats"
RULES = Rules.preset("heads-up-no-limit")
RIVAL = "loose_passive"
BLIND = """
import numpy as np
from holdem_env.agents import Agent


class Blind(Agent):
    def act(self, tables, rules, rows):
        return np.zeros(len(rows), np.int64) + {move}
"""
CALLS, FOLDS, ALL_IN = "0", "-1", 'tables["raise_max"][rows]'


def tournament(*agents: Any, **changes: Any) -> Tournament:
    return Tournament(**{"rules": RULES, "agents": agents, "hands": 200, "shard": 100, "seed": 3, **changes})


def cheat(file: str, **parameters: Any) -> dict[str, Any]:
    """A cheat, under the name that its comparison has, too."""
    return {"agent": str(CHEATS / f"{file}.py"), "name": "cheat", **parameters}


def winnings(path: Path, *agents: Any, **changes: Any) -> np.ndarray:
    """What the cheat wins in each deal, in each rotation that is played."""
    with Store(path, create=True) as store:
        run(tournament(*agents, **changes), store)
        assert not store.forfeits()
        names = next(iter(store.matches()))
        deals = store.deals(names)
        chips = np.where(deals.seating == names.index("cheat"), deals.columns["chips"], 0).sum(axis=2)
        assert len(chips) == tournament(*agents, **changes).deals_each()
        return chips


@needs_jail
@pytest.mark.parametrize(
    ("file", "move"),
    [
        ("remembers_elsewhere", CALLS),
        pytest.param("adds_chips", CALLS, marks=pytest.mark.slow),
        pytest.param("writes_street", CALLS, marks=pytest.mark.slow),
        pytest.param("reads_cards", ALL_IN, marks=pytest.mark.slow),
        pytest.param("reads_deck", FOLDS, marks=pytest.mark.slow),
    ],
)
def test_it_changes_nothing(file: str, move: str, tmp_path: Path) -> None:
    (tmp_path / "blind.py").write_text(BLIND.format(move=move))
    blind = {"agent": str(tmp_path / "blind.py"), "name": "cheat"}
    cheated = winnings(tmp_path / "cheat.db", cheat(file), RIVAL)
    honest = winnings(tmp_path / "blind.db", blind, RIVAL, isolation="none", duplicate=False)
    np.testing.assert_array_equal(cheated, honest)


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("file", ["adds_chips", "writes_street", "reads_cards", "reads_deck", "remembers_boards"])
def test_it_changes_nothing_in_the_process_that_plays(file: str, tmp_path: Path) -> None:
    move = {"reads_cards": ALL_IN, "reads_deck": FOLDS}.get(file, CALLS)
    (tmp_path / "blind.py").write_text(BLIND.format(move=move))
    agents = cheat(file), {"agent": str(tmp_path / "blind.py"), "name": "cheat"}
    found = [winnings(tmp_path / f"{k}.db", agent, RIVAL, isolation="none") for k, agent in enumerate(agents)]
    np.testing.assert_array_equal(*found)


@pytest.mark.slow
@needs_jail
def test_who_knows_all_tables_of_the_default_seed_recognises_none(tmp_path: Path) -> None:
    """Where all agents are trusted the default is seed 0, and it does."""
    for isolation, forfeits in (("process", []), ("none", ["cheat"])):
        settings = Tournament(rules=RULES, agents=(cheat("recognises_tables"), RIVAL), hands=60, isolation=isolation)
        with Store(tmp_path / f"{isolation}.db", create=True) as store:
            run(settings, store)
            assert [*store.forfeits()] == forfeits
            assert store.deals_played(["cheat", RIVAL]) == (0 if forfeits else 60)


@needs_jail
@pytest.mark.slow
def test_who_ends_or_never_answers_forfeits_and_the_others_finish(tmp_path: Path) -> None:
    config, database = tmp_path / "t.yaml", tmp_path / "t.db"
    named = "".join(f"  - {{agent: {CHEATS / name}.py, name: {name}}}\n" for name in ("exits", "crashes", "loops"))
    config.write_text(
        "rules: heads-up-no-limit\nhands: 200\nshard: 50\nseconds_per_call: 2\n"
        f"agents:\n  - maniac\n  - {RIVAL}\n{named}"
    )
    command = ["tournament", str(config), "--store", str(database), "--report", str(tmp_path / "report")]
    result = holdem(*command)
    assert result.exit_code == 1, result.output
    with Store(database) as store:
        reasons = store.forfeits()
        assert store.deals_played([RIVAL, "maniac"]) == 200
        assert store.matches() == [tuple(sorted(("maniac", RIVAL)))]
    assert "its process ended with exit status 0" in reasons["exits"]
    assert "segmentation fault (signal 11)" in reasons["crashes"]
    assert "no answer within 2 s" in reasons["loops"]
    assert set(reasons) == {"exits", "crashes", "loops"}
    for name in reasons:
        assert f"{name} forfeited: " in result.output
    page = (tmp_path / "report" / "report.html").read_text()
    assert "segmentation fault" in page


@needs_jail
@pytest.mark.slow
def test_an_endless_loop_with_a_limit_of_time_is_cut_off(tmp_path: Path) -> None:
    agents = "maniac", RIVAL, cheat("loops")
    with Store(tmp_path / "t.db", create=True) as store:
        run(tournament(*agents, max_ms_per_decision=5, seconds_per_call=2), store)
        assert list(store.forfeits()) == ["cheat"]
        assert store.deals_played([RIVAL, "maniac"]) == 200


@needs_jail
@pytest.mark.slow
def test_a_store_cannot_be_written_by_an_agent(tmp_path: Path) -> None:
    agent = cheat("forfeits_a_rival", folder=str(tmp_path), rival=RIVAL)
    with Store(tmp_path / "t.db", create=True) as store:
        run(tournament("maniac", RIVAL, agent), store)
        assert store.forfeits() == {}
        assert store.deals_played([RIVAL, "maniac"]) == 200
        assert store.deals_played(["cheat", RIVAL]) == 200


# The tournament of strangers in `examples/strangers`


ROOT = Path(__file__).parents[2]
CONFIG = Path("examples", "strangers", "tournament.yaml")
SECONDS = 480.0
MISSING = [program for program in ("node", "bash", "cc") if shutil.which(program) is None]


def test_the_configuration_can_be_read_and_all_files_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    tournament = load_tournament(CONFIG)
    assert len(tournament.agents) == 6
    assert all(Path(each.agent).exists() for each in tournament.agents)
    assert not any(each.network for each in tournament.agents)
    text = (CONFIG.parent / "README.md").read_text()
    assert all(f"[{each.name}](" in text for each in tournament.agents)
    for path in CONFIG.parent.glob("*/*.sh"):
        assert os.access(path, os.X_OK), path


@pytest.mark.slow
@pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")
@needs_jail
def test_the_strangers_play_to_the_end(tmp_path: Path) -> None:
    database, folder = tmp_path / "strangers.db", tmp_path / "report"
    command = [sys.executable, "-m", "holdem_agents.cli", "tournament", str(CONFIG)]
    done = subprocess.run(
        [*command, "--store", str(database), "--report", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    with Store(database) as store:
        forfeits = store.forfeits()
        assert set(forfeits) == {"dora", "emil", "fay"}
        for pair in (["anna", "ben"], ["anna", "carl"], ["ben", "carl"]):
            assert store.deals_played(pair) == 400  # each once: they are strangers
    assert "ended by SIGSEGV" in forfeits["dora"]
    assert "no answer" in forfeits["emil"]
    assert "too slow: " in forfeits["fay"]
    for name in forfeits:
        assert f"{name} forfeited: " in done.stdout
    page = (folder / "report.html").read_text()
    assert "SIGSEGV" in page

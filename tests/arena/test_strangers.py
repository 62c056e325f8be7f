"""The tournament of strangers in `examples/strangers`: two play, one cheats, and three forfeit by name."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.isolation.bots import needs_jail
from holdem_agents.cli.tournament_commands import load_tournament
from holdem_env.arena.tournaments.store import Store

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

"""`holdem check`: what it prints, and its exit status."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import Result

from command_line import holdem
from holdem_env.testing.agent_checks import CHECKS

CHEATS = Path(__file__).parents[1] / "arena" / "cheats"
GAME = ("--rules", "heads-up-no-limit", "--positions", "40")


def checked(*words: object) -> Result:
    return holdem("check", *words, *GAME)


def test_an_honest_agent_passes_everything() -> None:
    result = checked("maniac")
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert [line.removeprefix("ok").strip() for line in lines[: len(CHECKS)]] == list(CHECKS)
    assert len(lines) == len(CHECKS) + 2
    assert all(line.startswith("ok ") for line in lines)


@pytest.mark.slow
def test_a_cheat_fails_its_check_and_the_others_go_on() -> None:
    result = checked(CHEATS / "reads_deck.py")
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert [line[:2] for line in lines[:5]] == ["ok", "FA", "ok", "ok", "ok"]
    assert "only `deck` (the deck) changes" in lines[-1]


@pytest.mark.slow
def test_what_is_allowed_is_no_finding(tmp_path: Path) -> None:
    assert checked(CHEATS / "looks_through_memory.py").exit_code == 1
    assert checked(CHEATS / "looks_through_memory.py", "--allow", "memory").exit_code == 0
    result = checked("maniac", "--allow", "moon")
    assert result.exit_code == 2
    assert "allow: moon" in result.output


@pytest.mark.slow
def test_an_agent_that_is_none_is_told() -> None:
    result = checked("maniak")
    assert result.exit_code == 2
    assert "did you mean 'maniac'" in result.output

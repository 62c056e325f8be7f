"""The commands on the page about data, run as they stand but with few hands, and those about scores in spots."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from command_line import good
from holdem_env.arena import load_solved_spots
from holdem_env.history import load_hands
from pages import DOCS, blocks

pytestmark = pytest.mark.stands_on("docs", "README.md", "holdem_env", "agents")


def commands(page: str, first: str) -> list[str]:
    """The commands of a page that begin with some words."""
    lines = [line for block in blocks(DOCS / page, "") for line in block.splitlines()]
    return [line for line in lines if line.startswith(first)]


@pytest.mark.slow
def test_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    hands, spots = commands("data.md", "holdem data")
    good(*shlex.split(re.sub(r"--hands \d+", "--hands 10", hands))[1:])
    good(*shlex.split(spots.replace("river-v1", "turn-v1"))[1:], "--accuracy", "20")
    assert len(load_hands("hands.npz")) == 10
    assert len(load_solved_spots("river.npz").names) == 12


@pytest.mark.slow
def test_scores_in_spots(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    named = commands("exploitability.md", "holdem score")
    assert len(named) == 2
    for command in named:
        assert "spots a best response gains" in good(*shlex.split(command)[1:])

"""The commands on the page about data, run as they stand but with few hands, and those about scores in spots."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from command_line import good
from pages import DOCS, blocks

pytestmark = pytest.mark.stands_on("docs", "README.md", "holdem_env", "agents")


def commands(page: str, first: str) -> list[str]:
    """The commands of a page that begin with some words."""
    lines = [line for block in blocks(DOCS / page, "") for line in block.splitlines()]
    return [line for line in lines if line.startswith(first)]


@pytest.mark.slow
def test_scores_in_spots(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    named = commands("exploitability.md", "holdem score")
    assert len(named) == 2
    for command in named:
        assert "spots a best response gains" in good(*shlex.split(command)[1:])

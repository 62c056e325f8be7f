"""`holdem compile`: every part runs, and is reported when it is done."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from holdem_agents.cli.commands import app
from holdem_agents.compiling import PARTS, compile_parts


@pytest.mark.slow
def test_every_part_is_compiled() -> None:
    result = CliRunner().invoke(app, ["compile", "--jobs", "1"])
    assert result.exit_code == 0, result.output
    for number, part in enumerate(PARTS, 1):
        assert f"{number} of {len(PARTS)}: {part}" in result.output


def test_a_number_of_jobs_that_is_none() -> None:
    result = CliRunner().invoke(app, ["compile", "--jobs", "0"])
    assert result.exit_code == 2
    assert "jobs: 0" in result.output


def test_what_a_part_raises_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PARTS, "arena", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        list(compile_parts(["arena"], jobs=1))

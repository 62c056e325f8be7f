"""`holdem compile`: every part runs, and is reported when it is done."""

from __future__ import annotations

import pytest

from command_line import good, refused
from holdem_agents.compiling import PARTS, compile_parts


@pytest.mark.slow
def test_every_part_is_compiled() -> None:
    said = good("compile", "--jobs", 1)
    for number, part in enumerate(PARTS, 1):
        assert f"{number} of {len(PARTS)}: {part}" in said


def test_a_number_of_jobs_that_is_none() -> None:
    assert "jobs: 0" in refused("compile", "--jobs", "0")


def test_what_a_part_raises_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PARTS, "arena", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        list(compile_parts(["arena"], jobs=1))

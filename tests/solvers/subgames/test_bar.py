"""A bar while a subgame is solved."""

from __future__ import annotations

from math import nan

import pytest

from holdem_env.solvers.subgames import solve_subgame
from holdem_env.solvers.subgames.bar import EMPTY, FULL, WIDTH, Bar

RIVER = {"board": "Ks7h2d3c9s", "ranges": ["77, KQ", "KJ, 88"], "pot": 100, "stacks": 100}


@pytest.mark.parametrize("progress", [False, None])
def test_nothing_shows_nothing(progress: bool | None, capsys: pytest.CaptureFixture[str]) -> None:
    solve_subgame(**RIVER, progress=progress)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("limits", "iterations", "percent", "full"),
    [
        ((0.5, None, None), 40, nan, 15),
        ((0.5, None, None), 40, 4.0, 8),
        ((0.5, None, None), 40, 0.4, 30),
        ((None, 100, None), 50, nan, 15),
        ((None, None, None), 50, nan, 0),
    ],
)
def test_how_full_it_is(limits, iterations, percent, full, capsys: pytest.CaptureFixture[str]) -> None:
    bar = Bar(*limits)
    bar(iterations, percent)
    assert capsys.readouterr().err.count(FULL) == full
    bar(iterations, nan)  # it never goes back
    shown = capsys.readouterr().err
    assert shown.count(FULL) >= full
    assert shown.count(FULL) + shown.count(EMPTY) == WIDTH

"""A small transformer learns Kuhn poker from the rewards, in words."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "text_reinforce.py"


@pytest.mark.slow
def test_the_solutions_log_probability_teaches_what_regret_does_not() -> None:
    pytest.importorskip("torch")
    train = runpy.run_path(str(EXAMPLE))["train"]
    assert train("solution", 600)[-1] < 0.02
    assert train("regret", 300)[-1] > 0.2

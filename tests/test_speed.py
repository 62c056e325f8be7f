"""A guard against losing speed: ratios within one run, with room for a busy machine. `make bench` has the figures."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from holdem_env import Rules, holdem_v0

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
environments = pytest.importorskip("benchmarks.environments")
measure = pytest.importorskip("benchmarks.measure")
pytest.importorskip("pyspiel")

# About half of what `make bench` shows on a quiet machine.
LEAST_BATCH, LEAST_SIX_SEATS, LEAST_AEC = 27.0, 20.0, 0.22


@pytest.mark.slow
def test_speed_beside_openspiel() -> None:
    rules = Rules(seats=2, blinds=(1, 2), stacks=200)
    rates = measure.in_turns(
        {
            "openspiel": environments.openspiel(2, 10_000),
            "tables": environments.tables(2, 1024, 50),
            "openspiel, 6 seats": environments.openspiel(6, 10_000),
            "tables, 6 seats": environments.tables(6, 8192, 8),
            "aec": environments.aec(lambda: holdem_v0.env(rules=rules), 5_000),
        },
        measure.Options(repeats=5),
    )
    assert measure.ratios(rates["tables"], rates["openspiel"]).median > LEAST_BATCH
    assert measure.ratios(rates["tables, 6 seats"], rates["openspiel, 6 seats"]).median > LEAST_SIX_SEATS
    assert measure.ratios(rates["aec"], rates["openspiel"]).median > LEAST_AEC

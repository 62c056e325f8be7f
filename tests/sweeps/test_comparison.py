"""The tables' arithmetic against numbers computed by hand."""

from __future__ import annotations

import numpy as np
import pytest

from holdem_agents.sweeps.objective import COLUMNS
from holdem_agents.sweeps.report import cell, comparisons, difference, main_effect, mean_of, numbers_of
from holdem_agents.sweeps.sweep_file import Plan, Sweep

T2 = 4.302652729911275  # Student's t for 95 % with 2 degrees of freedom, from a table
T1 = 12.706204736432095


def test_the_mean_over_three_seeds_and_its_interval():
    found = mean_of({0: 10.0, 1: 20.0, 2: 60.0})
    # mean 30; deviations -20, -10, 30; variance (400 + 100 + 900) / 2 = 700
    assert found.mean == 30
    assert found.half_width == pytest.approx(T2 * np.sqrt(700 / 3))
    assert cell(found) == "+30 ± 66"


def test_one_seed_has_no_interval_and_none_has_no_mean():
    assert cell(mean_of({4: 12.0})) == "+12"
    assert mean_of({}) is None
    assert cell(None) == ""


def test_differences_are_paired_by_seed():
    found = difference({0: 110.0, 1: 210.0, 2: 330.0, 3: 7.0}, {0: 100.0, 1: 190.0, 2: 300.0})
    # 10, 20, 30 of the seeds that both have: mean 20, variance 100
    assert found.mean == 20
    assert found.half_width == pytest.approx(T2 * np.sqrt(100 / 3))
    unpaired = np.sqrt((np.var([110, 210, 330], ddof=1) + np.var([100, 190, 300], ddof=1)) / 3)
    assert found.half_width < 0.2 * T2 * unpaired


CELLS = {("1", "small"): "a", ("1", "large"): "b", ("3", "small"): "c", ("3", "large"): "base"}
CROSSED = {
    "a": {0: 10.0, 1: 30.0},
    "b": {0: 20.0, 1: 20.0},
    "c": {0: 0.0, 1: 10.0},
    "base": {0: 2.0, 1: 8.0, 2: 1000.0},
}


def test_main_effects_are_means_over_the_other_factors():
    epochs = main_effect(CROSSED, CELLS, 0, "1", "3")
    # seed 0: (10 - 0 + 20 - 2) / 2 = 14; seed 1: (30 - 10 + 20 - 8) / 2 = 16; seed 2 is not in all cells
    assert epochs.mean == 15
    assert epochs.half_width == pytest.approx(T1 * np.sqrt(2 / 2))
    size = main_effect(CROSSED, CELLS, 1, "small", "large")
    # seed 0: (10 - 20 + 0 - 2) / 2 = -6; seed 1: (30 - 20 + 10 - 8) / 2 = 6
    assert size.mean == 0
    assert size.half_width == pytest.approx(T1 * np.sqrt(72 / 2))


def test_a_cell_without_runs_leaves_no_main_effect():
    assert main_effect({**CROSSED, "b": {}}, CELLS, 0, "1", "3") is None


def plan(**measures) -> Plan:
    crossed = {"epochs": [1, 3], "size": {"small": {}, "large": {}}}
    made = Plan(None, Sweep(base="demo", crossed=crossed, measures=measures), None, dict.fromkeys(["base", *"abc"]))
    made.one_at_a_time = {"epochs": {"1": "b", "3": "base"}, "size": {"small": "c"}}
    made.cells = CELLS
    return made


def test_all_tables_best_first():
    measures = {"matches": ("maniac", "random"), "exploiter": {}}
    numbers = {
        "decisions": {name: dict.fromkeys(seeds, 1.5e6) for name, seeds in CROSSED.items()},
        "maniac": CROSSED,
        "random": {},
        "exploiter": {name: {seed: -value for seed, value in seeds.items()} for name, seeds in CROSSED.items()},
    }
    settings, factors, crossed = comparisons(plan(**measures), numbers, {})
    assert settings.headings == ("setting", "maniac", "random", "an exploiter wins", "decisions, millions", "seeds")
    assert [row[0] for row in settings.rows] == ["base", "a", "b", "c"]
    assert settings.rows[2] == ("b", "+20", "", "-20", "1.50", "2")  # twice the same says nothing of the spread
    # b against the base: 18 and 12; c against the base: -2 and 2
    assert factors.rows == (("epochs: 1", "+15 ± 38", "", "-15 ± 38"), ("size: small", "+0 ± 25", "", "+0 ± 25"))
    assert crossed.rows[0][0] == "epochs: 1 against 3"
    assert crossed.rows[1] == ("size: small against large", "+0 ± 76", "", "+0 ± 76")
    assert [list(table.results[0].values()) for table in (settings, factors)] == [
        ["base", "maniac", pytest.approx(1010 / 3), pytest.approx(1427, abs=1), "bb/100", 3, 1_500_000],
        ["epochs: 1", "maniac", 15.0, pytest.approx(T1 * 3), "bb/100", 2],
    ]
    assert r"size: small & an exploiter wins & $+0 \pm 25$ & 2" in factors.to_latex()
    numbers["exploiter"]["c"] = {0: -5000.0, 1: -5000.0}
    by_exploiter = plan(**measures, rank_by="-exploiter")
    assert comparisons(by_exploiter, numbers, {})[0].rows[0][0] == "c"  # an exploiter wins least from it


def test_rows_without_results_are_left_out():
    numbers = {"decisions": {"base": {0: 2e6}}, "tight_aggressive": {"base": {0: 5.0}}}
    assert [table.title.split(",")[0] for table in comparisons(plan(), numbers, {})] == ["Settings"]


def test_numbers_of_rows_are_those_of_one_way_to_play():
    values = ("a", "3", "maniac", "{}", "{}", "2.0", "100", "", "7000", "1.0", "0.9")
    rows = [
        dict(zip(COLUMNS, values, strict=True)) | {"plays": plays, "bb_per_100": rate}
        for plays, rate in (("sampling", "5.0"), ("greedy", "9.0"))
    ]
    assert numbers_of(rows, "greedy") == {"decisions": {"a": {3: 7000.0}}, "maniac": {"a": {3: 9.0}}}

"""The invariants of records: what the engine leaves has them, and with HOLDEM_CHECKS=1 a break is an error."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from holdem_env import Rules, Tables
from holdem_env.engine.invariants import first_broken
from holdem_env.testing import broken_invariant

RULES = Rules.preset("heads-up-no-limit")
BREAKS = """
from holdem_env import Rules, Table
from holdem_env.engine.invariants import BrokenInvariant
table = Table(Rules.preset("heads-up-no-limit"), seed=1)
table.check_call()
table._records["seats"]["stack"][0, 0] += 7
try:
    table.check_call()
except BrokenInvariant as error:
    print(error)
"""


def test_tables_between_two_moves_are_well():
    tables = Tables(RULES, 32, seed=1)
    for salt in range(50):
        assert broken_invariant(tables.records, RULES) is None
        tables.step(tables.random_actions(salt))


def test_a_broken_table_is_named():
    records = Tables(RULES, 4, seed=1).records.copy()
    records["seats"]["stack"][2, 1] += 1
    words = "stacks, pot and rake are not the chips of the beginning (R40)"
    assert first_broken(records, RULES.record) == (2, words)
    assert broken_invariant(records, RULES) == f"table 2 has {words}"


VIEWS = """
import numpy as np
import pytest
from holdem_env import Rules, Table
from holdem_env.engine import batch, record
from holdem_env.engine.seat_view import new_views, view_rows
rules = Rules.preset("heads-up-no-limit")
view, row = new_views(1), np.zeros(1, np.int64)
view_rows(Table(rules, seed=1).records, rules.record, row, view)
batch.play_moves(view, rules.record, record.new_log(listening=False), row, row)
print(view["moves"][0])
"""


def printed(script: str, checks: str) -> str:
    environment = {**os.environ, "HOLDEM_CHECKS": checks, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "ignore", "-c", script]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


@pytest.mark.slow
def test_moves_tried_on_a_view_are_not_checked():
    assert printed(VIEWS, "1").split() == ["1"]


def test_a_table_of_nobody_is_well():
    assert first_broken(Tables(RULES, 2).records[np.zeros(0, int)], RULES.record) is None


@pytest.mark.slow
def test_the_checks_are_made_where_they_are_switched_on():
    assert "R40" in printed(BREAKS, "1")
    assert printed(BREAKS, "0") == printed(BREAKS, "") == ""

"""A forked process goes on with tables that have threads, which it does not inherit."""

from __future__ import annotations

import subprocess
import sys
from multiprocessing import get_all_start_methods

import pytest

SCRIPT = """
import multiprocessing, warnings
import numpy as np
from holdem_env import Rules, Tables

warnings.simplefilter("ignore")  # newer Pythons warn that threads and fork are risky together

def play(tables):
    for salt in range(20):
        tables.step(tables.random_actions(salt))
    return tables.reward.tolist(), tables.actor.tolist(), tables.observation.sum(axis=1).tolist()

def child(results):
    results.put(play(tables))

tables = Tables(Rules.preset("heads-up-no-limit"), 64, threads=3, seed=1)
tables.step(tables.random_actions())
context = multiprocessing.get_context("fork")
results = context.SimpleQueue()
process = context.Process(target=child, args=(results,), daemon=True)
process.start()
process.join(90)
assert process.exitcode == 0, process.exitcode
assert results.get() == play(tables)
"""


@pytest.mark.skipif("fork" not in get_all_start_methods(), reason="this system does not fork")
def test_a_forked_process_steps_the_same_tables() -> None:
    subprocess.run([sys.executable, "-c", SCRIPT], check=True, timeout=200)

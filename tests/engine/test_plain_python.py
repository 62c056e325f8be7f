"""The compiled engine against the same code run as plain Python, and once with all its checks."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine.play_random_hands import lines

pytestmark = pytest.mark.stands_on(
    "holdem_env/cards", "holdem_env/compiled", "holdem_env/encoders", "holdem_env/engine", "holdem_env/game"
)

TESTS = Path(__file__).resolve().parent.parent
REPOSITORY = TESTS.parent
BUDGET = 580  # seconds; it takes some 180 of processor time, 100 of them to compile
QUICK = "--hypothesis-profile=quick"
CHECKED = ["rules", "encoders", "engine/test_invariants.py", "test_errors.py"]
CHECKED += [f"properties/test_{name}.py" for name in ("records", "chips", "sessions", "dealer_errors")]
OUT_OF_BOUNDS = """
from holdem_env import Rules, Tables
from holdem_env.encoders import observation_encoder

@observation_encoder(size=1)
def far(t, r, seat, out):
    out[0] = 0.0 * t.board[seat + 7]

try:
    Tables(Rules.preset("heads-up-no-limit"), 2, observation=far)
except IndexError as error:
    print(error)
"""


def run(command: list[str], budget: float | None = None, **environment: str) -> str:
    """The output of a fresh Python process, which may take this number of seconds."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    paths = [str(REPOSITORY), *filter(None, [os.environ.get("PYTHONPATH")])]
    kept |= {"PYTHONPATH": os.pathsep.join(paths), **environment}
    command = [sys.executable, *command]
    done = subprocess.run(command, env=kept, cwd=REPOSITORY, capture_output=True, text=True, timeout=budget)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def compare(hands: int, first: int) -> None:
    """What is compiled plays here, plain Python in a process of its own."""
    compiled = lines(hands, first)
    script = str(TESTS / "engine" / "play_random_hands.py")
    *plain, _ = run([script, str(hands), str(first)], HOLDEM_SHOW_HANDS="1", NUMBA_DISABLE_JIT="1").splitlines()
    assert len(plain) == hands
    differing = [(ours, theirs) for ours, theirs in zip(compiled, plain, strict=True) if ours != theirs]
    assert not differing, f"first difference (its seed, then digests): {differing[0]}"


def test_plain_python_plays_the_same_hands():
    compare(hands=10, first=0)


@pytest.mark.modes
def test_plain_python_plays_the_same_many_hands():
    compare(hands=500, first=1000)


@pytest.mark.modes
def test_every_bound_and_every_invariant_after_every_step(tmp_path):
    """Rules, encoders, properties and damaged states with HOLDEM_CHECKS=1: BUDGET seconds at most, compiling
    included."""
    checked = {"HOLDEM_CHECKS": "1", "HOLDEM_CACHE_DIR": str(tmp_path / "cache")}
    end = time.monotonic() + BUDGET
    tests = [str(TESTS / name) for name in CHECKED]
    run(["-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", QUICK, "-m", "not slow", *tests], BUDGET, **checked)
    states = [str(TESTS / "table" / "damaged_states.py"), "400", "10000"]
    refused, played = map(int, run(states, end - time.monotonic(), **checked).split())
    assert refused > 200
    assert played > 40
    script = tmp_path / "encoder.py"
    script.write_text(OUT_OF_BOUNDS)
    assert "out of bounds" in run([str(script)], end - time.monotonic(), **checked)

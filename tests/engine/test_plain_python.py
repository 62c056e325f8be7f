"""The compiled engine against the same code run as plain Python, and the rules once with bounds checking."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent.parent
REPOSITORY = TESTS.parent


def run(command: list[str], **environment: str) -> str:
    """The output of a fresh Python process."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    paths = [str(REPOSITORY), *filter(None, [os.environ.get("PYTHONPATH")])]
    kept |= {"PYTHONPATH": os.pathsep.join(paths), **environment}
    done = subprocess.run(
        [sys.executable, *command], env=kept, cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def play(hands: int, first: int, **environment: str) -> list[str]:
    """A line for each hand, and the digest of all."""
    script = str(TESTS / "engine" / "play_random_hands.py")
    return run([script, str(hands), str(first)], HOLDEM_SHOW_HANDS="1", **environment).splitlines()


def compare(hands: int, first: int) -> None:
    compiled = play(hands, first)
    plain = play(hands, first, NUMBA_DISABLE_JIT="1")
    assert len(compiled) == hands + 1
    differing = [(ours, theirs) for ours, theirs in zip(compiled, plain, strict=True) if ours != theirs]
    assert not differing, f"first difference (its seed, then digests): {differing[0]}"


def test_plain_python_plays_the_same_hands():
    compare(hands=150, first=0)


@pytest.mark.slow
def test_plain_python_plays_the_same_many_hands():
    compare(hands=5000, first=1000)


@pytest.mark.slow
def test_the_rules_with_bounds_checking(tmp_path):
    run(
        ["-m", "pytest", "-q", "-p", "no:cacheprovider", str(TESTS / "rules"), str(TESTS / "properties")],
        NUMBA_BOUNDSCHECK="1",
        HOLDEM_CACHE_DIR=str(tmp_path / "cache"),
    )


@pytest.mark.slow
def test_every_invariant_after_every_step_with_bounds_checking(tmp_path):
    folder = TESTS / "properties"
    files = [str(folder / f"test_{name}.py") for name in ("records", "chips", "sessions", "dealer_errors", "tables")]
    run(
        [
            "-m",
            "pytest",
            "-q",
            "-n",
            "0",
            "-p",
            "no:cacheprovider",
            *files,
            str(TESTS / "engine" / "test_invariants.py"),
        ],
        HOLDEM_CHECKS="1",
        HOLDEM_CACHE_DIR=str(tmp_path / "cache"),
    )

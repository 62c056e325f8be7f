"""The encoders' tests once more as plain Python."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.stands_on(
    "holdem_env/cards",
    "holdem_env/compiled",
    "holdem_env/encoders",
    "holdem_env/engine",
    "holdem_env/game",
    "tests/rules",
    "tests/encoders",
    "tests/engine",
    "tests/golden",
)

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent


def run_tests(*names: str, **environment: str) -> None:
    """Run test files in a fresh process."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    kept["PYTHONPATH"] = os.pathsep.join([str(REPOSITORY), *filter(None, [os.environ.get("PYTHONPATH")])])
    # Hashes wrap around, which NumPy's scalars say and machine code does not.
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-m",
        "not slow",
        "--hypothesis-profile=quick",
        "-W",
        "ignore::RuntimeWarning",
    ]
    files = [str(HERE / name) for name in names]
    done = subprocess.run([*command, *files], env=kept | environment, cwd=REPOSITORY, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.modes
def test_as_plain_python() -> None:
    names = ["test_planes.py", "test_tokens.py", "test_equity.py", "test_classic.py", "test_flat.py", "test_actions.py"]
    names += ["test_bet_sizes.py"]
    run_tests(*names, NUMBA_DISABLE_JIT="1")

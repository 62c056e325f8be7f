"""The encoders' tests once more as plain Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.test_plain_python import run

pytestmark = pytest.mark.stands_on(
    "holdem_env/cards", "holdem_env/compiled", "holdem_env/encoders", "holdem_env/engine", "holdem_env/game",
    "tests/rules", "tests/encoders", "tests/engine", "tests/golden",
)  # fmt: skip

HERE = Path(__file__).resolve().parent
NAMES = ("planes", "tokens", "equity", "classic", "flat", "actions", "bet_sizes")
# Hashes wrap around, which NumPy's scalars say and machine code does not.
OPTIONS = ["-q", "-p", "no:cacheprovider", "-m", "not slow", "--hypothesis-profile=quick", "-Wignore::RuntimeWarning"]


@pytest.mark.modes
def test_as_plain_python() -> None:
    run(["-m", "pytest", *OPTIONS, *(str(HERE / f"test_{name}.py") for name in NAMES)], NUMBA_DISABLE_JIT="1")

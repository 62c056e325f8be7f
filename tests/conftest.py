"""What all tests share: hypothesis profiles, fixed seeds, and where the real hands lie."""

from __future__ import annotations

import os
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

from holdem_env import encoders
from holdem_env.agents import names

REPOSITORY = Path(__file__).resolve().parent.parent

# Compiled code makes the first example slow and the others fast: a deadline would only be noise.
settings.register_profile("default", deadline=None)
# In CI the same examples every time: a red run means that the change is wrong, and can be run again.
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
# `pytest --hypothesis-profile=thorough` digs deeper.
settings.register_profile("thorough", deadline=None, max_examples=2_000)
settings.load_profile("ci" if os.environ.get("CI") else "default")


@pytest.fixture(autouse=True)
def _fixed_seeds() -> None:
    """Nobody should draw from the global generators; who does gets the same numbers each time."""
    random.seed(0)
    np.random.seed(0)  # noqa: NPY002


@pytest.fixture(autouse=True)
def _names_are_registered_for_one_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test or an example registers is gone after it: others list all the names there are."""
    for module, variable in ((encoders, "_OBSERVATIONS"), (encoders, "_ACTIONS"), (names, "registered")):
        monkeypatch.setattr(module, variable, dict(getattr(module, variable)))


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of real hands: $HOLDEM_DATA, or ../shared/data beside the repository. Skips where neither is there."""
    if chosen := os.environ.get("HOLDEM_DATA"):
        folder = Path(chosen).expanduser()
        if not folder.is_dir():
            pytest.fail(f"HOLDEM_DATA={chosen} is not a folder")
        return folder
    folder = REPOSITORY.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"no real hands: HOLDEM_DATA is not set and {folder} does not exist")
    return folder

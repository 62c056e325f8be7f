"""What an import brings along: the library is light until something is used, and needs no learner at all."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent.parent
LEARNERS = {"torch", "stable_baselines3", "sb3_contrib", "tensorboard", "tensorflow", "jax"}
DRAWING = {"matplotlib", "pygame", "PIL", "IPython"}
FACES = {"gymnasium", "pettingzoo"}
SERVANTS = {"numba", "numpy", "pydantic", "pandas"}


def loaded_by(script: str) -> set[str]:
    """The top-level modules that a script has loaded at its end, in a fresh process."""
    ending = "\nimport sys\nprint(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run(
        [sys.executable, "-c", script + ending], cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    return set(done.stdout.splitlines()[-1].split())


def test_the_bare_import_loads_next_to_nothing():
    loaded = loaded_by("import holdem_env; dir(holdem_env); holdem_env.__version__")
    assert "holdem_env" in loaded
    assert not loaded & (LEARNERS | DRAWING | FACES | SERVANTS)


def test_rules_and_tables_need_neither_learner_nor_environment():
    loaded = loaded_by(
        "from holdem_env import Rules, Table, Tables, evaluate\n"
        "import numpy as np\n"
        "table = Table(Rules(), seed=1); table.check_call(); str(table)\n"
        "Tables(Rules(seats=2), num_tables=2).step(np.ones(2, int))\n"
        "evaluate('AsKsQsJsTs')"
    )
    assert {"numba", "numpy"} <= loaded
    assert not loaded & (LEARNERS | DRAWING | FACES | {"pandas"})


@pytest.mark.slow
def test_the_environment_needs_no_learner():
    loaded = loaded_by("from holdem_env import holdem_v0\nenv = holdem_v0.env()\nenv.reset(seed=1)\nenv.step(1)")
    assert loaded >= FACES
    assert not loaded & (LEARNERS | {"matplotlib"})


@pytest.mark.parametrize("name", ["Rules", "Rake", "Table", "IllegalMove", "Tables", "Cards", "evaluate", "holdem_v0"])
def test_public_names(name):
    import holdem_env

    assert name in holdem_env.__all__
    assert name in dir(holdem_env)
    assert getattr(holdem_env, name) is getattr(holdem_env, name)

"""The ids by which Gymnasium and PettingZoo make the environments."""

from __future__ import annotations

import subprocess
import sys

import gymnasium
import pettingzoo
import pytest

import holdem_env
from envs.gymnasium_play import SEAT, no_warnings
from holdem_env import holdem_v0
from holdem_env.envs import registration

AEC = "holdem_env/holdem-v0"
HAS_REGISTRY = hasattr(pettingzoo, "aec_registry")
NEEDS_REGISTRY = pytest.mark.skipif(not HAS_REGISTRY, reason="PettingZoo has a registry since 1.27")


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    "imports",
    [
        "import holdem_env, gymnasium, pettingzoo",
        "import gymnasium, holdem_env, pettingzoo",
        "import pettingzoo, gymnasium, holdem_env",
        "import gymnasium.vector, pettingzoo.utils, holdem_env.envs.single_seat",
    ],
)
def test_the_ids_are_known_whichever_is_imported_first(imports: str) -> None:
    ids = f"assert {SEAT!r} in gymnasium.registry"
    check = ""
    if HAS_REGISTRY:
        ids = f"{ids} and {AEC!r} in pettingzoo.aec_registry"
        check = "import sys; assert 'RegistryFinder' not in repr(sys.meta_path)"
    subprocess.run([sys.executable, "-c", f"{imports}\n{ids}\n{check}"], check=True)


def test_registering_twice_is_silent() -> None:
    with no_warnings():
        holdem_env.register_environments()
    assert SEAT in gymnasium.registry


@NEEDS_REGISTRY
def test_pettingzoo_makes_it_by_its_id() -> None:
    with no_warnings():
        env = pettingzoo.make("aec", "holdem_env/holdem_v0", rules="heads-up-limit", num_hands=3)
    assert type(env) is holdem_v0.raw_env
    assert (env.rules.structure, env.num_hands) == ("fixed_limit", 3)
    with pytest.raises(TypeError, match="no parameter 'rule'"):
        pettingzoo.make("aec", AEC, rule="heads-up-limit")


@NEEDS_REGISTRY
@pytest.mark.parametrize("name", registration.AEC)
@pytest.mark.parametrize("options", [{}, {"rules": "heads-up-limit", "max_cycles": 100}])
def test_there_is_no_parallel_environment(name: str, options: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=rf'one seat acts at a time.*pettingzoo\.make\("aec", "{name}"\)'):
        pettingzoo.make("parallel", name, **options)

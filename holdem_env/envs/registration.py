"""Registration of the ids of Gymnasium and PettingZoo, without importing either.

Neither has plug-ins: a package registers its environments when it is imported. `import holdem_env` should stay light,
so a registry that is not loaded yet gets its ids as soon as it is. The order of the imports does not matter.
PettingZoo has a registry since 1.27; with earlier versions only Gymnasium's ids exist.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any, NoReturn

SEAT = "holdem_env/HoldemSeat-v0"
TEXT = "holdem_env/HoldemText-v0"
AEC = {
    "holdem_env/holdem-v0": "holdem_env.holdem_v0:env",
    "holdem_env/texas_holdem_no_limit-v7": "holdem_env.pettingzoo.texas_holdem_no_limit_v7:env",
    "holdem_env/texas_holdem-v5": "holdem_env.pettingzoo.texas_holdem_v5:env",
    "holdem_env/leduc_holdem-v5": "holdem_env.pettingzoo.leduc_holdem_v5:env",
}
"""PettingZoo's ids, and what makes their environments."""


def refuse_parallel(name: str, **parameters: Any) -> NoReturn:
    """What `pettingzoo.make("parallel", name)` calls: always raises ValueError."""
    raise ValueError(
        f"{name} has no parallel environment, as in poker one seat acts at a time, after it has seen what the others "
        f'did: make it with pettingzoo.make("aec", "{name}")'
    )


def _register_with_gymnasium(registration: ModuleType) -> None:
    if SEAT not in registration.registry:
        registration.register(
            id=SEAT,
            entry_point="holdem_env.envs.single_seat:HoldemSeatEnv",
            vector_entry_point="holdem_env.envs.vector:HoldemSeatVectorEnv",
        )
    if TEXT not in registration.registry:
        registration.register(id=TEXT, entry_point="holdem_env.text_env:TextEnv")


def _register_with_pettingzoo(registration: ModuleType) -> None:
    for name, makes in AEC.items():
        if name not in registration.aec_registry:
            registration.register("aec", name, makes)
            registration.register("parallel", name, partial(refuse_parallel, name))


REGISTRIES = {
    "gymnasium.envs.registration": _register_with_gymnasium,
    "pettingzoo.env_registry.registration": _register_with_pettingzoo,
}


def register_environments() -> None:
    """Register the environments with Gymnasium and PettingZoo: with what is loaded now, with the others as soon as they
    are imported."""
    for registry, register in REGISTRIES.items():
        loaded = sys.modules.get(registry)
        if loaded is not None:
            register(loaded)
        elif not any(isinstance(finder, _RegistryFinder) and finder.registry == registry for finder in sys.meta_path):
            sys.meta_path.insert(0, _RegistryFinder(registry))


class _RegistryFinder(MetaPathFinder):
    """Waits in sys.meta_path until a registry is imported, then removes itself."""

    def __init__(self, registry: str) -> None:
        self.registry = registry

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self.registry:
            return None
        sys.meta_path.remove(self)
        spec = find_spec(fullname)  # asks all other finders
        if spec is not None and spec.loader is not None:
            spec.loader = _RegisteringLoader(spec.loader)
        return spec


class _RegisteringLoader(Loader):
    """Wraps another loader: loads the module with it, then registers the environments."""

    def __init__(self, loader: Loader) -> None:
        self.loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self.loader.exec_module(module)
        REGISTRIES[module.__name__](module)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.loader, name)

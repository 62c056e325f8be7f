"""Registration of the Gymnasium ids, without importing Gymnasium.

Gymnasium 1.x has no plug-ins: a package registers its environments when it is imported. `import holdem_env` should
stay light, so if Gymnasium is not loaded yet, the registration waits until it is. The order of the two imports does not
matter.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

REGISTRY = "gymnasium.envs.registration"
ENVIRONMENTS: dict[str, dict[str, Any]] = {
    "holdem_env/HoldemSeat-v0": {
        "entry_point": "holdem_env.envs.single_seat:HoldemSeatEnv",
        "vector_entry_point": "holdem_env.envs.vector:HoldemSeatVectorEnv",
    }
}


def register_environments() -> None:
    """Register the environments with Gymnasium: now if it is loaded, otherwise as soon as it is imported."""
    loaded = sys.modules.get(REGISTRY)
    if loaded is not None:
        _register_in(loaded)
    elif not any(isinstance(finder, _RegistryFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _RegistryFinder())


def _register_in(registration: ModuleType) -> None:
    for name, parts in ENVIRONMENTS.items():
        if name not in registration.registry:
            registration.register(id=name, **parts)


class _RegistryFinder(MetaPathFinder):
    """Waits in sys.meta_path until Gymnasium's registry is imported, then removes itself."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != REGISTRY:
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
        _register_in(module)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.loader, name)

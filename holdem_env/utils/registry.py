"""Registries: things that people choose by name, from this library, this process or an installed package."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.metadata import EntryPoint, EntryPoints, entry_points
from typing import Generic, TypeVar, cast

from .suggestions import suggestion

T = TypeVar("T")


def declared_points(group: str) -> EntryPoints:
    """Return the entry points of a group that installed packages declare."""
    return _installed(tuple(sys.path)).select(group=group)


@lru_cache(maxsize=1)
def _installed(path: tuple[str, ...]) -> EntryPoints:
    """All entry points: reading them takes 30 to 90 ms, so they are read again only when `sys.path` changes."""
    return cast(EntryPoints, entry_points())  # Python 3.11 has another class with the same `select`


@dataclass(eq=False)
class Registry(Generic[T]):
    """Things by name: built-in ones, those registered in this process, then those that installed packages declare.

    what: what a thing is, for errors ("action encoder"). group: of the entry points that declare things. They are read
    only for a name that is not registered, or for all names; each is imported when it is asked for. registered: at
    first, what is built in.
    """

    what: str
    group: str
    registered: dict[str, T] = field(default_factory=dict)

    def register(self, name: str, thing: T) -> None:
        """Give a thing a name in this process. It replaces what has the name."""
        self.registered[name] = thing

    def declared(self) -> Mapping[str, EntryPoint | T]:
        """What installed packages declare, by name."""
        return {point.name: point for point in declared_points(self.group)}

    def names(self) -> list[str]:
        return list({**self.registered, **self.declared()})

    def all(self) -> list[T]:
        """All things: the registered ones, then the declared ones."""
        return [self.get(name) for name in self.names()]

    def __contains__(self, name: object) -> bool:
        return name in self.registered or name in self.declared()

    def get(self, name: str) -> T:
        """The thing with a name. Raises ValueError for an unknown one, and suggests the nearest."""
        if name in self.registered:
            return self.registered[name]
        declared = self.declared()
        if name not in declared:
            known = [*self.registered, *declared]
            raise ValueError(f"there is no {self.what} {name!r}: {suggestion(name, known)}")
        found = declared[name]
        return found.load() if isinstance(found, EntryPoint) else found

"""Registries: things that people choose by name, from this library, this process or an installed package."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, TypeVar

from .suggestions import suggestion

T = TypeVar("T")


class Registry(Generic[T]):
    """Things by name: built-in ones, those registered in this process, then those that installed packages declare.

    what: what a thing is, for errors ("action encoder"). group: of the entry points that declare more of them. They are
    read only when a name is in neither of the other two, or all names are wanted, and each is imported when it is asked
    for.
    """

    def __init__(self, what: str, group: str, built_in: Mapping[str, T] | None = None) -> None:
        self.what, self.group = what, group
        self.registered: dict[str, T] = dict(built_in or {})

    def register(self, name: str, thing: T) -> None:
        """Give a thing a name in this process. It replaces what has the name."""
        self.registered[name] = thing

    def declared(self) -> Mapping[str, EntryPoint | T]:
        """What installed packages declare, by name."""
        return {point.name: point for point in entry_points(group=self.group)}

    def names(self) -> list[str]:
        """All names."""
        return list({**self.registered, **self.declared()})

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

"""Mutants that no test can kill, each with its reason: equivalent.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple

from .mutants import Mutant

EQUIVALENT = Path(__file__).with_name("equivalent.toml")


class Explanation(NamedTuple):
    """Why mutants survive. They are given by function and text, so that edits elsewhere change nothing."""

    file: str
    function: str
    before: str
    """The statement; "" for all of the function's."""
    after: tuple[str, ...]
    """What it became; none for all that it can become."""
    reason: str

    def covers(self, mutant: Mutant) -> bool:
        """Whether this explains a mutant."""
        return (
            (self.file, self.function) == (mutant.file, mutant.function)
            and self.before in ("", mutant.before)
            and (not self.after or mutant.after in self.after)
        )

    def unused(self, mutants: list[Mutant]) -> list[str]:
        """What it explains although there is no such mutant."""
        covered = {mutant.after for mutant in mutants if self.covers(mutant)}
        missing = [text for text in self.after if text not in covered]
        if missing or not covered:
            return [f"{self.file}: {self.function}: {self.before} -> {text}" for text in missing or ["(anything)"]]
        return []


def read_explanations(path: Path = EQUIVALENT) -> list[Explanation]:
    """The explanations of a file. Raises ValueError for one that lacks a reason or has unknown keys."""
    found = []
    for entry in tomllib.loads(path.read_text())["mutant"]:
        if unknown := entry.keys() - set(Explanation._fields):
            raise ValueError(f"{path.name}: unknown keys {sorted(unknown)} in {entry}")
        after = entry.get("after", ())
        after = (after,) if isinstance(after, str) else tuple(after)
        given = Explanation(entry["file"], entry["function"], entry.get("before", ""), after, entry.get("reason", ""))
        if not given.reason:
            raise ValueError(f"{path.name}: {given.file}: {given.function}: {given.before} has no reason")
        found.append(given)
    return found

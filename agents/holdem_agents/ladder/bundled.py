"""The ladders that come with the package: what the anchors won from each other, as a small file of JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from holdem_env.arena import MatchResult
from holdem_env.arena.tournaments.ladder import Anchor
from holdem_env.game.rules import Rules
from holdem_env.utils.atomic import write_atomically
from holdem_env.utils.version import __version__

BUNDLED = Path(__file__).with_name("ladder.json")
FORMAT = 2
DIGITS = 2
"""Of win rates in the file, after the point."""


@dataclass(frozen=True)
class BundledLadder:
    """One ladder of the file: its game, its anchors as they were, and their matches, whose agents are keys."""

    rules: Rules
    anchors: tuple[Anchor, ...]
    results: tuple[MatchResult, ...]


def bundled(path: Path = BUNDLED) -> dict[str, BundledLadder]:
    """The ladders of the package by name; none where the file is missing. Raises ValueError for a damaged file."""
    if not path.is_file():
        return {}
    return _read(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _read(path: Path, _written: int) -> dict[str, BundledLadder]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["format"] != FORMAT:
            raise ValueError(f"it has the format {content['format']!r}, not {FORMAT}")
        return {name: _ladder(given) for name, given in content["ladders"].items()}
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path}: this is no ladder ({error}); `holdem ladder build {path.name}` writes one") from None


def _ladder(given: dict[str, Any]) -> BundledLadder:
    anchors = tuple(Anchor(**each) for each in given["anchors"])
    results = tuple(MatchResult(**each) for each in given["results"])
    return BundledLadder(Rules.model_validate(given["rules"]), anchors, results)


def write_bundled(path: Path, name: str, ladder: BundledLadder) -> None:
    """Write one ladder into the file; the others in it stay."""
    kept = json.loads(path.read_text(encoding="utf-8"))["ladders"] if path.is_file() else {}
    kept[name] = {
        "rules": ladder.rules.model_dump(mode="json", exclude_defaults=True),
        "anchors": [asdict(each) for each in ladder.anchors],
        "results": [
            {key: round(value, DIGITS) if isinstance(value, float) else value for key, value in asdict(each).items()}
            for each in ladder.results
        ],
    }
    content = {"format": FORMAT, "version": __version__, "ladders": kept}
    write_atomically(path, json.dumps(content, indent=1) + "\n")

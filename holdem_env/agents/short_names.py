"""Short names of agents for tables and plots: that of the file, or of the training run, from which an agent is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import chain, count
from pathlib import Path

from ..utils.shown_names import shown_name
from .registry import FINAL, file_suffixes


def short_names(names: Iterable[str]) -> dict[str, str]:
    """A short name for each name: that of a file without folders and suffix, with as many of its folders as tell it
    from the others. The name of runs/demo/final.safetensors is that of its run, demo. Other names stay, and so does a
    path that nothing else tells from one of them. What cannot be seen in a name is escaped, and long ones are cut
    (`shown_name`); if two are then the same, a number follows.

    >>> short_names(["nit", "runs/a/final.zip", "runs/b/final.zip", "/home/me/mybot.py"])
    {'nit': 'nit', 'runs/a/final.zip': 'a/final', 'runs/b/final.zip': 'b/final', '/home/me/mybot.py': 'mybot'}
    >>> short_names(["runs/first/final.safetensors"])
    {'runs/first/final.safetensors': 'first'}
    """
    suffixes = file_suffixes()
    parts = {name: _parts(name, suffixes) for name in names}
    lengths = dict.fromkeys(parts, 1)
    while True:
        short = {name: "/".join(parts[name][-length:]) for name, length in lengths.items()}
        times = Counter(short.values())
        longer = [name for name in parts if times[short[name]] > 1 and lengths[name] < len(parts[name])]
        if not longer:
            return _all_different({name: short[name] if times[short[name]] == 1 else name for name in parts})
        for name in longer:
            lengths[name] += 1


def _all_different(names: dict[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    taken: set[str] = set()
    for name, short in names.items():
        once = shown_name(short)
        numbered = chain([once], (f"{once} ({number})" for number in count(2)))
        found[name] = next(text for text in numbered if text not in taken)
        taken.add(found[name])
    return found


def _parts(name: str, suffixes: set[str]) -> list[str]:
    """The folders of a file and its name without its suffix; the name alone if it is not a file."""
    path = Path(name)
    if path.suffix.removeprefix(".") not in suffixes or not path.stem:
        return [name]
    folders = [part for part in path.parts[:-1] if part != path.anchor]
    return folders if folders and path.name == FINAL else [*folders, path.stem]

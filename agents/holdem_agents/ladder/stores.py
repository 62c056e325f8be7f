"""The folder of one's own ladders: a tournament's store for each game. And building the ladders of the package."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from holdem_env.arena.tournaments.ladder import HANDS, Anchor, Ladder, Progress, play
from holdem_env.arena.tournaments.ladder_table import LadderTable, ladder_table, match_result
from holdem_env.arena.tournaments.plan import Contender
from holdem_env.arena.tournaments.store import Store, StoreError
from holdem_env.game.rules import Rules

from .bundled import BundledLadder, write_bundled
from .games import ladders

DEFAULT = Path("runs/ladder")
SUFFIX = ".db"


@contextmanager
def opened(folder: Path, name: str, create: bool = False) -> Iterator[Store | None]:
    """The store of a ladder in a folder; None if there is none and none is to be made. Raises StoreError."""
    path = folder / f"{name}{SUFFIX}"
    if create and not folder.exists():
        folder.mkdir(parents=True)
    if not create and not path.is_file():
        yield None
        return
    with Store(path, create, any_version=True) as store:
        yield store


def rules_in(folder: Path) -> dict[str, Rules]:
    """The rules of every ladder that a folder has a store of, by name; none where there is no folder.

    Raises StoreError for a folder that is a file, and for damaged stores.
    """
    if folder.exists() and not folder.is_dir():
        raise StoreError(f"{folder}: this is a file; ladders are kept in a folder, a store for each game")
    found = {}
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        with Store(path, any_version=True) as store:
            if store.agents:
                found[path.stem] = store.rules
    return found


def ladder_tables(folder: Path | None = None) -> dict[str, LadderTable]:
    """All ladders that have a result, by name: those of the package, and what the stores of a folder add to them."""
    found = {}
    for name, ladder in ladders(rules_in(folder) if folder else None).items():
        if folder is None:
            found[name] = ladder_table(ladder)
            continue
        with opened(folder, name) as store:
            found[name] = ladder_table(ladder, store)
    return {name: table for name, table in found.items() if table.rows}


def build(
    path: Path,
    folder: Path,
    chosen: Iterable[Ladder],
    hands: int = HANDS,
    jobs: int = 1,
    progress: Callable[[str], Progress] | None = None,
) -> None:
    """Play the anchors of these ladders against each other, as far as the folder does not hold it yet, and write the
    file of the package.

    With two seats every pair plays once; with more, each agent has one seat against the other in all others. progress:
    given the name of what is played, what is called after each piece, as in `ladder.add`.
    """
    for ladder in chosen:
        with opened(folder, ladder.name, create=True) as store:
            assert store is not None
            for one, others in _opponents(ladder):
                reported = progress(f"{ladder.name}: {one.name}") if progress else None
                play(store, ladder, Contender(agent=one.name, name=one.key), others, hands, jobs, reported)
            dates = {name: each.added for name, each in store.entered().items()}
            anchors = tuple(replace(each, added=dates[each.key]) for each in ladder.anchors)
            results = [match_result(store, one.key, two.key) for one, others in _opponents(ladder) for two in others]
        write_bundled(path, ladder.name, BundledLadder(ladder.rules, anchors, tuple(results)))


def _opponents(ladder: Ladder) -> list[tuple[Anchor, list[Anchor]]]:
    """Each anchor with those that it plays as a newcomer would."""
    if ladder.rules.seats > 2:
        return [(one, [two for two in ladder.anchors if two != one]) for one in ladder.anchors]
    pairs = list(combinations(ladder.anchors, 2))
    return [(one, [two for first, two in pairs if first == one]) for one in ladder.anchors[:-1]]

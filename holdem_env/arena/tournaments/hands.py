"""All hands of a tournament, as history files. A store keeps results, not moves; deals and agents are the same whenever
they are played again, so the hands are played once more, and the results must be those in the store."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from ...history.errors import HistoryWarning
from ...history.hand_writer import HandWriter
from ..observed.saved_hands import SavedHands
from ..statistics.deals import Deals
from .hand_files import plain_names, suffix_of
from .plan import Tournament
from .shards import play_shard_again
from .store import Store
from .tournament import under_known_names


def save_hands(
    tournament: Tournament, store: Store, folder: Path | str, progress: Callable[[int, int], object] | None = None
) -> list[Path]:
    """Write all hands in the store to files in a new folder, one for each match; of agents at common tables, one. They
    are .phhs files; those of freezeouts .txt (PokerStars' format), which can say everything of the button (R10).

    Only matches between agents of the tournament whose deals the store has are written. The hands are stamped with the
    time at which they are played for the files. progress: called with the deals (sessions) done, and all there are.

    Returns the files. Raises FileExistsError if the folder is there and not empty, ValueError if a result is not the
    one in the store (an agent does not play as it did), HistoryError for a game that the format cannot express, and
    AgentFailed.
    """
    folder = Path(folder)
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty; name a new folder")
    tournament = under_known_names(tournament, store)
    here = set(tournament.names)
    matches = [names for names in store.matches() if here.issuperset(names)]
    shards = {names: store.shards(names) for names in matches}
    total, done = sum(len(numbers) for runs in shards.values() for numbers, _ in runs), 0
    folder.mkdir(parents=True, exist_ok=True)
    files, suffix = [], suffix_of(tournament.rules, tournament.format == "freezeout")
    for number, (names, runs) in enumerate(shards.items(), 1):
        path = folder / f"{number:03}-{plain_names(names)}{suffix}"
        known = store.deals(names)
        with HandWriter(path) as writer:
            saved = SavedHands(writer, names, tournament.rules, event=" against ".join(names))
            for numbers, run in runs:
                entrants = tournament.entrants()
                players = tuple(entrants[name] for name in names)
                shard = tournament.shard_of(players, numbers, run, store.key(run))
                _check_same(names, known, play_shard_again(shard, saved))
                done += len(numbers)
                if progress:
                    progress(done, total)
        if saved.left_out:
            words = f"{path}: {saved.left_out:,} hands are left out, which the format cannot express"
            warnings.warn(words, HistoryWarning, stacklevel=2)
        files.append(path)
    return files


def _check_same(names: Sequence[str], known: Deals, again: Deals) -> None:
    places = {int(number): place for place, number in enumerate(known.numbers)}
    rows = [places[int(number)] for number in again.numbers]
    differ = np.flatnonzero((known.columns["chips"][rows] != again.columns["chips"]).any(axis=(1, 2)))
    if differ.size:
        deal = int(again.numbers[differ[0]])
        raise ValueError(
            f"{' against '.join(names)}: deal {deal} came out otherwise than in the store: an agent does not play as "
            "it did, so these hands cannot be written"
        )

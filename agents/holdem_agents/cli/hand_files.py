"""What `holdem match` has played so far: all hands in a file, and the result of a match that was cut short."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from holdem_env.arena import SavedHands
from holdem_env.arena.matches.match import MatchResult, summarize
from holdem_env.compiled.records import Records
from holdem_env.game.rules import Rules
from holdem_env.history import HandWriter
from holdem_env.history.decisions import SUFFIX


class SoFar:
    """Keeps the results of a match as they come (`finished` of `play_match`). saved: writes the hands, too; or None.
    rotations: how often each deal is played."""

    def __init__(self, rules: Rules, rotations: int, saved: SavedHands | None) -> None:
        self._rules, self._rotations = rules, rotations
        self._won: list[tuple[NDArray[np.int64], NDArray[np.float64]]] = []
        if saved is not None:
            self.take_moves = saved.take_moves
        self._saved = saved

    def __call__(self, tables: Records, seating: NDArray[np.int64]) -> None:
        """Take hands that are over, (N,) TABLE records. seating: (N, seats), which agent sits where."""
        chips = (tables["seats"]["stack"] - tables["start_stack"])[:, : self._rules.seats]
        mine = np.where(seating == 0, chips, 0).sum(axis=1) / self._rules.unit
        self._won.append((tables["table_id"].astype(np.int64), mine))
        if self._saved is not None:
            self._saved(tables, seating)

    def result(self, agent: str, opponent: str) -> MatchResult | None:
        """The result of the deals that were played in all rotations; None if there are none."""
        if not self._won:
            return None
        deals, won = (np.concatenate(each) for each in zip(*self._won, strict=True))
        numbers, places, counts = np.unique(deals, return_inverse=True, return_counts=True)
        sums = np.bincount(places, won, len(numbers))[counts == self._rotations]
        if not len(sums):
            return None
        return summarize(agent, opponent, sums / self._rotations, len(sums) * self._rotations)


@contextmanager
def saved_hands(path: Path | None, names: Sequence[str], rules: Rules) -> Iterator[SavedHands | None]:
    """What writes all hands of a match to a new file, which has its name when the match is over or cut short; None
    without a path.

    Raises ValueError for a name that says no format of many hands, and a game that the format cannot express;
    FileExistsError if there is a file of that name.
    """
    if path is None:
        yield None
        return
    if path.suffix == SUFFIX:
        hands = path.with_suffix(".phhs")
        raise ValueError(f"{path}: save the hands as {hands}, then `holdem convert {hands} {path}`")
    cut_short: BaseException | None = None
    with HandWriter(path) as writer:
        if writer.format == "phh":
            raise ValueError(f"{path}: a .phh holds one hand; name a .phhs file, or .txt for PokerStars' format")
        try:
            yield SavedHands(writer, names, rules, event=" against ".join(names))
        except BaseException as error:
            if not writer.hands:
                raise
            cut_short = error
    if cut_short is not None:
        raise cut_short

"""HandShelf: the collections of hands that pages can replay, from histories, training runs, tournaments, and games
played here."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from threading import Lock
from typing import TYPE_CHECKING, Any

from holdem_env.arena.observed.big_pots import replayed
from holdem_env.arena.tournaments.store import Store
from holdem_env.history import HandCollection, PlayedHands, ReplayedHand
from holdem_env.history.collection import Hands
from holdem_env.history.formats import PHH, PHHS, histories_in
from holdem_env.utils.shown_names import shown_name

from ..answers import ApiError, with_minus
from ..site import Site, ids_of

if TYPE_CHECKING:
    from ...playing.game import HumanGame

BIG_POTS = 100  # of a tournament, that can be replayed


@dataclass(frozen=True)
class Shelf(ABC):
    """One collection. id: its name in addresses; title: what people call it."""

    id: str
    title: str
    kind = ""
    """ "history", "run", "tournament" or "play"."""

    @abstractmethod
    def open(self) -> Hands:
        """Read the hands. Raises OSError or ValueError if that cannot be done."""

    @property
    def files(self) -> list[Path]:
        return []

    def stamp(self) -> Hashable:
        """Something that changes when the hands do, here when each file was written last, and how long it is. Raises
        OSError if they are gone."""
        return tuple((str(file), file.stat().st_mtime_ns, file.stat().st_size) for file in self.files)

    def known(self, hand: ReplayedHand, folded: bool) -> frozenset[int] | None:
        """The cards that may be shown; None for all. folded: whether folded cards are asked for."""
        return hand.known

    def facts(self) -> dict[str, Any]:
        """For the list of collections: date, in seconds since 1970, when it was written last; of hands that somebody
        plays here opponents, chips and rate, what the person won."""
        try:
            return {"date": max((written / 1e9 for _, written, _ in self.stamp()), default=None)}  # type: ignore[attr-defined]
        except OSError:
            return {"date": None}


@dataclass(frozen=True)
class HistoryShelf(Shelf):
    """A file or folder of histories."""

    path: Path = Path()
    kind = "history"

    @property
    def files(self) -> list[Path]:
        return histories_in(self.path) if self.path.is_dir() else [self.path]

    def open(self) -> Hands:
        return HandCollection(self.path)


@dataclass(frozen=True)
class RunShelf(HistoryShelf):
    """The hands that a training run has kept of its matches: the PHH files in its folder."""

    kind = "run"

    @property
    def files(self) -> list[Path]:
        return files_of_run(self.path)

    def open(self) -> Hands:
        return HandCollection(self.files)


@dataclass(frozen=True)
class TournamentShelf(HistoryShelf):
    """The biggest pots of a tournament's store."""

    kind = "tournament"

    def open(self) -> Hands:
        with Store(self.path) as store:
            pots, rules = store.pots(BIG_POTS), store.rules
        tables = [replayed(pot, rules) for pot in pots]
        return PlayedHands(tables, [pot["players"] for pot in pots], [f"deal {pot['deal']}" for pot in pots])


@dataclass(frozen=True)
class PlayedShelf(Shelf):
    """The finished hands of somebody who plays here. The opponents' folded cards lie face down unless they are asked
    for."""

    game: HumanGame = None  # type: ignore[assignment]
    begun: float = 0.0
    kind = "play"

    def open(self) -> Hands:
        finished = list(self.game.finished)
        names = [[shown_name(name) for name in self.game.names]] * len(finished)
        return PlayedHands([hand.table for hand in finished], names, [hand.number for hand in finished])

    def stamp(self) -> Hashable:
        return id(self.game), len(self.game.finished)

    def facts(self) -> dict[str, Any]:
        result, names = self.game.results, self.game.names
        others = [shown_name(name) for seat, name in enumerate(names) if seat != self.game.seat]
        won = {"chips": result.chips, "rate": with_minus(f"{result.rate_text} {result.unit.name}")}
        return {"date": self.begun, "opponents": list(dict.fromkeys(others)), **won}

    def known(self, hand: ReplayedHand, folded: bool) -> frozenset[int] | None:
        """The person's own cards, the board and what was shown, or all."""
        if folded:
            return None
        table = hand.table
        seats = [seat for seat in range(table.rules.seats) if seat == self.game.seat or table.is_shown(seat)]
        return frozenset([*table.board, *(card for seat in seats for card in table.hole_cards(seat))])


class HandShelf:
    """All collections of a site; each is read when it is first asked for, and again when it has changed."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._opened: dict[str, tuple[Hashable, Hands]] = {}
        self._lock = Lock()

    def shelves(self) -> list[Shelf]:
        return [*self._played(), *self._histories(), *self._runs(), *self._tournaments()]

    def find(self, name: str) -> Shelf:
        """The collection with this id. Raises ApiError (404) if there is none."""
        for shelf in self.shelves():
            if shelf.id == name:
                return shelf
        raise ApiError(404, "There is no such collection of hands here: choose one from the list.")

    def hands(self, shelf: Shelf) -> Hands:
        """The hands of a collection. Raises ApiError (400) if it cannot be read."""
        with self._lock:
            try:
                stamp = shelf.stamp()
                kept = self._opened.get(shelf.id)
                if kept is None or kept[0] != stamp:
                    kept = self._opened[shelf.id] = stamp, shelf.open()
            except (OSError, ValueError) as error:
                raise ApiError(400, f"{shelf.title} cannot be read: {error}") from error
            return kept[1]

    def add(self, name: str, content: bytes) -> Shelf:
        """Keep a file of hands that was sent. Raises ApiError (400) for one without hands that can be read."""
        plain = re.sub(r"[^A-Za-z0-9_.-]+", "_", Path(name.replace("\\", "/")).name).strip("-.")[-80:] or "hands"
        folder = Path(mkdtemp(dir=self._site.uploads))
        (folder / plain).write_bytes(content)
        try:
            hands = HandCollection(folder / plain)
        except (OSError, ValueError) as error:
            raise ApiError(400, f"{plain} cannot be read: {str(error).replace(str(folder / plain), plain)}") from error
        if not len(hands):
            why = f" {hands.problems[0].reason}." if hands.problems else ""
            raise ApiError(400, f"{plain} has no hands that can be read.{why}")
        [(word, path)] = ids_of([plain], taken=self._site.histories).items()
        self._site.histories[word] = folder / path
        return self.find(f"history-{word}")

    def count(self, shelf: Shelf) -> int | None:
        """How many hands a collection has, if it has been read or that takes no time."""
        if isinstance(shelf, PlayedShelf):
            return len(shelf.game.finished)
        kept = self._opened.get(shelf.id)
        return None if kept is None else len(kept[1])

    def _played(self) -> Iterator[Shelf]:
        for name, table in self._site.tables.items():
            if table.game is not None and table.game.finished:
                yield PlayedShelf(f"play-{name}", f"Played here: {table.title}", table.game, table.begun)

    def _histories(self) -> Iterator[Shelf]:
        if self._site.keep is not None and self._site.keep.is_dir() and histories_in(self._site.keep):
            yield HistoryShelf("kept", "Hands that you have played", self._site.keep)
        for name, path in self._site.histories.items():
            yield HistoryShelf(f"history-{name}", path.name or str(path), path)

    def _runs(self) -> Iterator[Shelf]:
        folders = sorted(self._site.runs.iterdir()) if self._site.runs.is_dir() else []
        named = {folder.name: folder for folder in folders if folder.is_dir() and files_of_run(folder)}
        for name, folder in ids_of(named).items():
            yield RunShelf(f"run-{name}", f"Training run {shown_name(folder)}", named[folder])

    def _tournaments(self) -> Iterator[Shelf]:
        for name, path in self._site.tournaments.items():
            yield TournamentShelf(f"tournament-{name}", f"Tournament {path.name}: its biggest pots", path)


def files_of_run(folder: Path) -> list[Path]:
    """The PHH files in a run folder."""
    return sorted(path for path in folder.iterdir() if PHHS.matches(path) or PHH.matches(path))

"""Entrants that join and leave while a tournament is played: its files are read again when they change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

from holdem_env.arena.tournaments.plan import Tournament
from holdem_env.arena.tournaments.store import Store, in_words
from holdem_env.utils.shown_names import shown_reason

from .tokens import digests_of, tokens_file

POLL_SECONDS = 1.0  # seconds between two looks at the files


class Changes:
    """The agents of a tournament as its files have them now. Other changes of the file wait for the next start.

    file: of the tournament; load: reads it again. store: its results, beside which the tokens are. admit: called when
    agents have changed, with the tournament and the digests of its bots' tokens by name. say: called with a sentence
    about each change, and about what cannot be.
    """

    def __init__(
        self,
        tournament: Tournament,
        file: Path,
        load: Callable[[], Tournament],
        store: Path,
        admit: Callable[[Tournament, Mapping[str, str]], object],
        say: Callable[[str], object],
    ) -> None:
        self._tournament, self._new = tournament, False
        self._files, self._load, self._store = (file, tokens_file(store)), load, store
        self._admit, self._say = admit, say
        self._seen, self._next_look = self._state(), 0.0

    def are_there(self) -> bool:
        """Whether agents have changed since `take`."""
        if not self._new and monotonic() >= self._next_look:
            self._next_look = monotonic() + POLL_SECONDS
            if (state := self._state()) != self._seen:
                self._seen = state
                self._look_again()
        return self._new

    def take(self, wait: bool = False) -> Tournament | None:
        """The tournament with its new agents; None if they are the same. wait: until they change."""
        while not self.are_there() and wait:
            sleep(POLL_SECONDS)
        is_new, self._new = self._new, False
        return self._tournament if is_new else None

    def _read(self) -> tuple[Tournament, Mapping[str, str]]:
        """What the files have now. Raises ValueError or OSError for what cannot be."""
        found = self._load()
        found.check_agents()
        with Store(self._store) as results:
            if changed := results.changed(found):
                raise ValueError(f"{in_words(changed)}; a new version must be an entry of its own")
        return found, digests_of(found, self._store)

    def _look_again(self) -> None:
        try:
            read, digests = self._read()
        except (OSError, ValueError) as error:
            self._say(f"The agents stay as they are: {shown_reason(error)}")
            return
        before, self._tournament = self._tournament, self._tournament.model_copy(update={"agents": read.agents})
        for name in self._tournament.names:
            if name not in before.names:
                self._say(f"{name} enters the tournament.")
        for name in before.names:
            if name not in self._tournament.names:
                self._say(f"{name} leaves the tournament.")
        self._new = self._tournament.agents != before.agents
        self._admit(self._tournament, digests)

    def _state(self) -> list[tuple[int, int] | None]:
        found: list[tuple[int, int] | None] = [None] * len(self._files)
        for place, file in enumerate(self._files):
            with suppress(OSError):
                status = file.stat()
                found[place] = status.st_mtime_ns, status.st_size
        return found

"""What a tournament of remote bots offers around its matches: a public page with the standings and who is connected; to
each bot its own hands, as its seats saw them, and scrimmages. Nobody else's cards reach anybody while it is played."""

from __future__ import annotations

from collections.abc import Collection
from html import escape
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from holdem_env.arena.tournaments.hand_files import own_hands
from holdem_env.arena.tournaments.plan import Tournament
from holdem_env.arena.tournaments.scrimmages import play_scrimmage, store_of_scrimmages
from holdem_env.arena.tournaments.standings import standings
from holdem_env.arena.tournaments.store import Store
from holdem_env.arena.tournaments.tournament import Listening
from holdem_env.utils.shown_names import shown_name

EACH = 5.0  # seconds between two computations of the standings, for all viewers
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="10"><title>{title}</title>
<style>body{{font:16px/1.5 system-ui,sans-serif;max-width:80rem;margin:0 auto;padding:1rem;color-scheme:light dark}}
svg{{max-width:100%;height:auto}}table{{margin:1rem 0;display:block;overflow-x:auto}}
td,th{{padding:.1rem .6rem}}</style></head>
<body><h1>{title}</h1><p>{here}</p>{standings}</body></html>
"""


class ConnectedPair(NamedTuple):
    """The server for two bots that are connected: one that leaves now is waited for as in a match, and no longer."""

    address: str
    bots: frozenset[str]

    def who_is_here(self) -> frozenset[str]:
        return self.bots

    def is_changed(self) -> bool:
        return False

    def new_tournament(self, wait: bool = False) -> None:
        """It has no other agents."""

    def say(self, words: str) -> None:
        """Nobody else hears it."""

    def was_here(self, name: str) -> bool:
        return True

    def say_waiting(self, names: Collection[str], seconds: float, matches: int) -> None:
        """Nobody is waited for."""


class Board:
    """store: the tournament's results. hands: the folder in which its hands are written, if they are. scrimmages: the
    most hands of a scrimmage that a bot asks for; 0 for none."""

    def __init__(self, tournament: Tournament, store: Path, hands: Path | None = None, scrimmages: int = 0) -> None:
        self._store, self._shown, self._until = store, "", 0.0
        self.hands, self.scrimmages = hands, scrimmages
        self.show(tournament)

    def show(self, tournament: Tournament) -> None:
        """The tournament has other agents from now on."""
        self._tournament = tournament
        self._names = {each.remote: name for name, each in tournament.entrants().items() if each.remote}

    def page(self, here: Collection[str], bots: int, waiting: str = "") -> str:
        """The page as it is now. here: who is connected, of how many remote bots. waiting: for whom, as a sentence."""
        if monotonic() > self._until:
            with Store(self._store) as results:
                is_new = not results.hands() and not results.forfeits()
                self._shown = "<p>No match is finished yet.</p>" if is_new else standings(results)._repr_html_()
            self._until = monotonic() + EACH
        names = ", ".join(sorted(map(shown_name, here)))
        words = f"{len(here)} of {bots} remote bots are connected{': ' if names else ''}{names}. {waiting}"
        return PAGE.format(title=escape(shown_name(self._store.stem)), here=escape(words), standings=self._shown)

    def hands_of(self, bot: str) -> bytes:
        """The hands of a bot in finished shards: a zip archive of history files."""
        assert self.hands is not None
        return own_hands(self.hands, self._names[bot])

    def scrimmage(self, bot: str, asked: Any, listening: Listening) -> dict[str, Any]:
        """Play the scrimmage that a bot asks for, and return its result. asked: {"against": an agent, "hands": N}.

        Raises ValueError for what cannot be played, and if one of the two forfeits.
        """
        against, hands = (asked.get("against"), asked.get("hands")) if isinstance(asked, dict) else (None, None)
        if not isinstance(against, str) or type(hands) is not int or not 0 < hands <= self.scrimmages:
            raise ValueError(f'must be {{"against": an agent, "hands": 1 to {self.scrimmages:,}}}, got {asked!r:.200}')
        remote = {name: bot for bot, name in self._names.items()}
        if remote.get(against, bot) not in listening.who_is_here() or bot not in listening.who_is_here():
            raise ValueError(f"{against} and {bot} must both be connected")
        pair = self._names[bot], against
        pair_here = ConnectedPair(listening.address, frozenset({bot, remote.get(against, bot)}))
        found = play_scrimmage(self._tournament, pair, hands, store_of_scrimmages(self._store), pair_here)
        rate, half_width = found.unit.numbers(*found.rate)
        figures = {found.unit.key: float(rate), "half_width_95": float(half_width), "hands": found.hands}
        return {"against": against, **figures}

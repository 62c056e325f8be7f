"""The public board of a tournament that remote bots play: its standings and who is connected, as a page; and to each
bot its own hands, as its seats saw them. Nobody else's cards reach anybody while the tournament is played."""

from __future__ import annotations

from collections.abc import Collection
from html import escape
from pathlib import Path
from time import monotonic

from holdem_env.arena.tournaments.hand_files import own_hands
from holdem_env.arena.tournaments.standings import standings
from holdem_env.arena.tournaments.store import Store
from holdem_env.utils.shown_names import shown_name

EACH = 5.0
"""Seconds in which the standings are reckoned once, however many look at them."""
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="10"><title>{title}</title>
<style>body{{font:16px/1.5 system-ui,sans-serif;max-width:64rem;margin:0 auto;padding:1rem;color-scheme:light dark}}
svg{{max-width:100%;height:auto}}table{{margin:1rem 0}}td,th{{padding:.1rem .6rem}}</style></head>
<body><h1>{title}</h1><p>{here}</p>{standings}</body></html>
"""


class Board:
    """The page. store: the tournament's results. hands: the folder in which its hands are written, if they are."""

    def __init__(self, store: Path, hands: Path | None = None) -> None:
        self._store, self._shown, self._until = store, "", 0.0
        self.hands = hands

    def page(self, here: Collection[str], bots: int) -> str:
        """The page as it is now. here: who is connected, of how many remote bots."""
        if monotonic() > self._until:
            self._shown = self._standings()
            self._until = monotonic() + EACH
        names = ", ".join(sorted(map(shown_name, here)))
        words = f"{len(here)} of {bots} remote bots are connected{': ' if names else '.'}{names}"
        return PAGE.format(title=escape(shown_name(self._store.stem)), here=escape(words), standings=self._shown)

    def hands_of(self, bot: str) -> tuple[str, bytes]:
        """The hands of a bot in finished shards: the suffix of a history file, and its content."""
        assert self.hands is not None
        return own_hands(self.hands, bot)

    def _standings(self) -> str:
        with Store(self._store) as results:
            if not results.hands() and not results.forfeits():
                return "<p>No match is finished yet.</p>"
            return standings(results, **results.reporting())._repr_html_()

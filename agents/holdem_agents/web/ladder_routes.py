"""The ladder: /api/ladder."""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from typing import Any

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from holdem_env.arena.tournaments.store import StoreError
from holdem_env.utils.shown_names import shown_name

from ..ladder import LadderStore, ladder_tables
from ..ladder.page import ladder_view
from ..ladder.standings import EXPLANATION
from .site import Site

Stamp = tuple[float, int]


def routes(site: Site) -> list[Route]:
    """The routes of a site."""
    watched = WatchedLadder(site.ladder_file)

    async def ladders(_: Request) -> Response:
        return JSONResponse(await run_sync(watched.view))

    return [Route("/api/ladder", ladders)]


class WatchedLadder:
    """The ladders of the package and of a store, read again when the file has changed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._known: tuple[Stamp, dict[str, Any]] | None = None
        self._lock = Lock()

    def view(self) -> dict[str, Any]:
        """All that the page shows. Of a file that cannot be read there is a sentence, beside the package's ladders."""
        with self._lock:
            stamp = self._stamp()
            if self._known is None or self._known[0] != stamp:
                self._known = stamp, self._read()
            return self._known[1]

    def _stamp(self) -> Stamp:
        try:
            status = self.path.stat()
        except OSError:
            return 0.0, 0
        return status.st_mtime, status.st_size

    def _read(self) -> dict[str, Any]:
        about = {"file": shown_name(str(self.path)), "explanation": EXPLANATION, "sentence": None}
        if not self.path.is_file():
            return {**about, "ladders": _views(None)}
        try:
            with LadderStore(self.path) as store:
                return {**about, "ladders": _views(store)}
        except (StoreError, OSError) as error:
            sentence = str(error).removeprefix(f"{self.path}: ")
            return {**about, "ladders": _views(None), "sentence": sentence[:1].upper() + sentence[1:] + "."}


def _views(store: LadderStore | None) -> list[dict[str, Any]]:
    return [ladder_view(table) for table in ladder_tables(store).values()]

"""The ladder: /api/ladder."""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from threading import Lock
from typing import Any

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from holdem_env.arena.tournaments.ladder import EXPLANATION, LadderTable
from holdem_env.arena.tournaments.store import StoreError
from holdem_env.utils.shown_names import shown_name

from ..catalog import titles_of
from ..ladder import ladder_tables
from .site import Site

Stamp = tuple[tuple[str, float, int], ...]


def routes(site: Site) -> list[Route]:
    """The routes of a site."""
    watched = WatchedLadder(site.ladder_folder)

    async def ladders(_: Request) -> Response:
        return JSONResponse(await run_sync(watched.view))

    return [Route("/api/ladder", ladders)]


class WatchedLadder:
    """The ladders of the package and of a folder, read again when a file in it has changed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._known: tuple[Stamp, dict[str, Any]] | None = None
        self._lock = Lock()

    def view(self) -> dict[str, Any]:
        """All that the page shows. Of a store that cannot be read there is a sentence, beside the package's ladders."""
        with self._lock:
            stamp = self._stamp()
            if self._known is None or self._known[0] != stamp:
                self._known = stamp, self._read()
            return self._known[1]

    def _stamp(self) -> Stamp:
        try:
            files = [(path, path.stat()) for path in sorted(self.folder.iterdir())]
        except OSError:
            return ()
        return tuple((path.name, status.st_mtime, status.st_size) for path, status in files)

    def _read(self) -> dict[str, Any]:
        about = {"folder": shown_name(str(self.folder)), "explanation": EXPLANATION, "sentence": None}
        try:
            return {**about, "ladders": _views(self.folder)}
        except (StoreError, OSError) as error:
            sentence = str(error)
            return {**about, "ladders": _views(None), "sentence": sentence[:1].upper() + sentence[1:] + "."}


def _views(folder: Path | None) -> list[dict[str, Any]]:
    return [_view(table) for table in ladder_tables(folder).values()]


def _view(table: LadderTable) -> dict[str, Any]:
    """A ladder as data: no number is infinite there, an unknown half width is null."""
    return {
        "name": table.ladder.name,
        "title": table.ladder.title,
        "titles": titles_of(row.name for row in table.rows),
        "estimate": table.ladder.estimate,
        "anchors": list(table.anchors),
        "svg": table.svg(),
        "svg_narrow": table.svg(layout="narrow"),
        "rows": [
            {
                "name": shown_name(row.name),
                "against": {anchor: _rate(*rate) for anchor, rate in row.against.items()},
                "hands": row.hands,
                "added": row.added,
                "note": row.note,
            }
            for row in table.rows
        ],
    }


def _rate(mean: float, half: float) -> dict[str, float | None]:
    return {"mean": mean if isfinite(mean) else None, "half_width": half if isfinite(half) else None}

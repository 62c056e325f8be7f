"""The web application: the routes of every page, the pages' files, the guard before them all.

A page NAME has its routes in `web/NAME/routes.py`, listed here in ROOMS, and its script in `static/NAME.js`, listed in
`static/app.js`.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from holdem_env.render.theme import COLOURS, FONT, SUIT_COLOURS, prefix_of

from . import lobby
from .answers import UNEXPECTED, ApiError, api_error, error_answer, http_error
from .charts import routes as charts
from .guard import HEADERS, BodyLimits, Guard
from .play import routes as play
from .replay import routes as replay
from .site import Site
from .slow_requests import ImpatientProtocol
from .solve import routes as solve
from .watch import routes as watch

STATIC = Path(__file__).parent / "static"
TYPES = {".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".png": "image/png"} | {
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
"""The files that are served, by suffix. Machines may have other ideas of the types, so they are set here."""

ROOMS = (lobby, play, replay, watch, charts, solve)  # the modules with routes: each has `routes(site)`

log = logging.getLogger(__name__)


def make_app(site: Site) -> Starlette:
    """The application of `holdem web` for a site."""
    routes: list[BaseRoute] = [route for room in ROOMS for route in room.routes(site)]
    routes += [Route("/theme.css", theme_route), Mount("/", PageFiles())]
    return Starlette(
        routes=routes,
        middleware=[
            Middleware(Guard, host=site.host, port=site.port, token=site.token),
            Middleware(BodyLimits),
        ],
        exception_handlers={
            ApiError: api_error,
            HTTPException: http_error,
            ClientDisconnect: _gone,
            Exception: _unexpected,
        },
    )


def server_config(site: Site, **settings: Any) -> uvicorn.Config:
    """How uvicorn serves a site. settings: more of uvicorn's."""
    fixed: dict[str, Any] = {"server_header": False, "lifespan": "off", "ws": "none", "http": ImpatientProtocol}
    return uvicorn.Config(make_app(site), log_level="warning", access_log=False, **fixed, **settings)


async def _gone(_: Request, __: Exception) -> Response:
    """For a body that broke off: nobody reads it."""
    return error_answer(400, "The request broke off.")


async def _unexpected(_: Request, error: Exception) -> Response:
    """The answer to an error of ours, which Starlette raises again for the server's log."""
    answer = error_answer(500, UNEXPECTED)
    answer.headers.update(HEADERS)  # it is made outside of the guard
    return answer


class PageFiles(StaticFiles):
    """The files in static/ that belong to the pages; others that lie there, such as Python's, are not served."""

    def __init__(self) -> None:
        super().__init__(directory=STATIC, html=True)

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        found, stat = super().lookup_path(path)
        is_served = stat is not None and (Path(found).is_dir() or Path(found).suffix in TYPES)
        return (found, stat) if is_served else ("", None)

    def file_response(self, full_path: str | os.PathLike[str], *args: object, **named: object) -> Response:
        answer: Response = super().file_response(full_path, *args, **named)  # type: ignore[arg-type]
        kind = TYPES.get(Path(full_path).suffix)
        if kind and "content-type" in answer.headers:
            is_text = kind.startswith(("text/", "application/"))
            answer.headers["content-type"] = f"{kind}; charset=utf-8" if is_text else kind
        return answer


def theme_css() -> str:
    """The colours of `render.theme` as variables (--page, --ink, --suit-h ...) on :root, light and dark.

    Without data-theme on <html> they follow the reader's settings; data-theme="light" or "dark" chooses, for pictures
    in the page, too.
    """
    light, dark = (";".join(f"--{name}:{each[column]}" for name, each in COLOURS.items()) for column in (1, 2))
    suits = ";".join(f"--suit-{suit}:{colour}" for suit, colour in SUIT_COLOURS.items())
    chosen = "".join(
        f":root[data-theme={theme}] .{prefix_of('auto')}-{name}{{{each[0]}:{each[column]}}}"
        for theme, column in (("light", 1), ("dark", 2))
        for name, each in COLOURS.items()
    )
    return (
        f":root{{color-scheme:light;--font:{FONT};{light};{suits}}}\n"
        f"@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}\n"
        f":root[data-theme=dark]{{color-scheme:dark;{dark}}}\n{chosen}\n"
    )


async def theme_route(_: Request) -> Response:
    """GET /theme.css"""
    return Response(theme_css(), media_type="text/css")

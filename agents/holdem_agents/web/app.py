"""The web application: the routes of every page, the pages' files, the guard before them all.

A page NAME has its routes in `web/NAME/routes.py`, listed here in ROOMS, and its script in `static/NAME.js`, listed in
`static/app.js`.
"""

from __future__ import annotations

import logging
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route

from . import lobby
from .answers import UNEXPECTED, ApiError, api_error, error_answer, http_error
from .charts import routes as charts
from .guard import HEADERS, BodyLimits, Guard
from .page_files import PageFiles, theme_route
from .play import routes as play
from .replay import routes as replay
from .site import Site
from .slow_requests import ImpatientProtocol
from .solve import routes as solve
from .watch import routes as watch

ROOMS = (lobby, play, replay, watch, charts, solve)
"""The modules with routes: each has `routes(site)`."""

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

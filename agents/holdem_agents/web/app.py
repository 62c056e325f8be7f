"""The web application: routes of play, replay, watch, charts, ladder, the pages' files, the guard before them all."""

from __future__ import annotations

import logging

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route

from . import chart_routes, ladder_routes, play_routes, replay_routes, site_routes, watch_routes
from .answers import UNEXPECTED, ApiError, error_answer, http_error, told_error
from .guard import HEADERS, MAX_BODY, Guard
from .page_files import PageFiles, theme_route
from .site import Site

ROOMS = (site_routes, play_routes, replay_routes, watch_routes, chart_routes, ladder_routes)
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
            Middleware(RequestBodyLimitMiddleware, max_body_size=MAX_BODY),
        ],
        exception_handlers={ApiError: told_error, HTTPException: http_error, Exception: _unexpected},
    )


async def _unexpected(_: Request, error: Exception) -> Response:
    """The answer to an error of ours, which Starlette raises again for the server's log."""
    answer = error_answer(500, UNEXPECTED)
    answer.headers.update(HEADERS)  # it is made outside of the guard
    return answer

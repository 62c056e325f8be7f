"""Solving spots: /api/solve."""

from __future__ import annotations

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from holdem_env.cards.text import cards_text
from holdem_env.solvers.subgames import SubgameSolution

from ..answers import ApiError, body_of
from ..guard import SOLUTION
from ..site import Site
from .desk import Desk
from .places import place, summary
from .spots import range_cells, read_spot, said, size_of_spot, size_view

LONGEST_PATH = 1_000


def routes(site: Site) -> list[Route]:
    """The routes of a site."""
    pages = SolveRoutes(Desk(site))
    return [
        Route("/api/solve", pages.state),
        Route("/api/solve", pages.solve, methods=["POST"]),
        Route("/api/solve/size", pages.size, methods=["POST"]),
        Route("/api/solve/range", pages.cells, methods=["POST"]),
        Route("/api/solve/stop", pages.stop, methods=["POST"]),
        Route(SOLUTION, pages.open, methods=["POST"]),
        Route("/api/solve/solution", pages.solution),
        Route("/api/solve/solution.npz", pages.file),
        Route("/api/solve/place", pages.place),
    ]


class SolveRoutes:
    """Answers what the page asks."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def state(self, _: Request) -> Response:
        """Whether something is being solved, and how far it is."""
        return JSONResponse(self._desk.view())

    async def solve(self, request: Request) -> Response:
        """Begin to solve a spot."""
        spot = read_spot(await body_of(request))
        await run_sync(self._desk.solve, spot)
        return JSONResponse(self._desk.view(), 201)

    async def size(self, request: Request) -> Response:
        """How large a spot is."""
        spot = read_spot(await body_of(request))
        return JSONResponse(size_view(await run_sync(size_of_spot, spot)))

    async def cells(self, request: Request) -> Response:
        """A range's kinds of hands, for the grid."""
        text = (await body_of(request)).get("text")
        if not isinstance(text, str):
            raise ApiError(400, "A range is text.")
        return JSONResponse({"cells": range_cells(text)})

    async def stop(self, _: Request) -> Response:
        """End the solve with what there is."""
        self._desk.stop()
        return JSONResponse(self._desk.view())

    async def open(self, request: Request) -> Response:
        """A solution's file that the browser sends."""
        path = self._desk.new_path()
        with path.open("wb") as file:
            async for piece in request.stream():
                file.write(piece)
        await run_sync(self._desk.open, path)
        return JSONResponse(self._desk.view())

    def solution(self, _: Request) -> Response:
        """The latest solution as a whole."""
        spot = self._desk.spot
        return JSONResponse(summary(self._solution()) | {"spot": None if spot is None else spot.model_dump()})

    def file(self, _: Request) -> Response:
        """The latest solution's file."""
        name = f"{cards_text(self._solution().board)}.npz"
        assert self._desk.path is not None
        return FileResponse(self._desk.path, media_type="application/zip", filename=name)

    def place(self, request: Request) -> Response:
        """What is at the end of a path in the latest solution."""
        text, number = (request.query_params.get(name, "") for name in ("path", "number"))
        if len(text) > LONGEST_PATH:
            raise ApiError(400, "This path is too long.")
        solution = self._solution()
        if number and number != str(self._desk.number):
            raise ApiError(409, "There is another solution now: reload the page to see it.")
        with said():
            found = place(solution, [word.strip() for word in text.split(",") if word.strip()])
        return JSONResponse(found)

    def _solution(self) -> SubgameSolution:
        if self._desk.solution is None:
            raise ApiError(404, "Nothing has been solved here yet.")
        return self._desk.solution

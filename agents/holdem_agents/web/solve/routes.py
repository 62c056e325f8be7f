"""Solving spots: /api/solve."""

from __future__ import annotations

from threading import Lock

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from holdem_env.cards.text import cards_text
from holdem_env.solvers.solution import Solution

from ..answers import ApiError, body_of
from ..guard import SOLUTION
from ..site import Site
from .desk import Desk
from .hand_spots import first_spots
from .locks import lock_at, locks_of, read_lock
from .places import place, run_outs, summary, values_at
from .spots import range_cells, read_spot, said, size_of_spot, size_view

LONGEST_PATH = 1_000


def routes(site: Site) -> list[Route]:
    """The routes of a site."""
    pages = SolveRoutes(site, Desk(site))
    return [
        Route("/api/solve", pages.state),
        Route("/api/solve", pages.solve, methods=["POST"]),
        Route("/api/solve/size", pages.size, methods=["POST"]),
        Route("/api/solve/range", pages.cells, methods=["POST"]),
        Route("/api/solve/first", pages.first),
        Route("/api/solve/stop", pages.stop, methods=["POST"]),
        Route(SOLUTION, pages.open, methods=["POST"]),
        Route("/api/solve/solution", pages.solution),
        Route("/api/solve/file", pages.file),
        Route("/api/solve/place", pages.place),
        Route("/api/solve/values", pages.values),
        Route("/api/solve/runouts", pages.run_outs),
        Route("/api/solve/lock", pages.lock, methods=["POST"]),
    ]


class SolveRoutes:
    """Answers what the page asks."""

    def __init__(self, site: Site, desk: Desk) -> None:
        self._site, self._desk = site, desk
        self._one_at_a_time = Lock()

    def state(self, _: Request) -> Response:
        return JSONResponse(self._desk.view())

    async def solve(self, request: Request) -> Response:
        spot = read_spot(await body_of(request))
        await run_sync(self._desk.solve, spot)
        return JSONResponse(self._desk.view(), 201)

    async def size(self, request: Request) -> Response:
        spot = read_spot(await body_of(request))
        return JSONResponse(size_view(await run_sync(size_of_spot, spot)))

    async def cells(self, request: Request) -> Response:
        text = (await body_of(request)).get("text")
        if not isinstance(text, str):
            raise ApiError(400, "A range is text.")
        return JSONResponse({"cells": range_cells(text)})

    def first(self, _: Request) -> Response:
        with self._one_at_a_time:
            return JSONResponse(first_spots(self._site))

    async def stop(self, _: Request) -> Response:
        self._desk.stop()
        return JSONResponse(self._desk.view())

    async def open(self, request: Request) -> Response:
        path = self._desk.new_path()
        try:
            with path.open("wb") as file:
                async for piece in request.stream():
                    file.write(piece)
            await run_sync(self._desk.open, path)
        except BaseException:  # the browser broke off, a spot is being solved, the disk is full
            path.unlink(missing_ok=True)
            raise
        return JSONResponse(self._desk.view())

    def solution(self, _: Request) -> Response:
        solution, spot = self._solution(), self._desk.spot
        asked = None if spot is None else spot.model_dump(exclude={"locked"})
        return JSONResponse(summary(solution) | {"spot": asked, "locks": locks_of(solution)})

    def file(self, _: Request) -> Response:
        name = f"{cards_text(self._solution().board)}.solution"
        assert self._desk.path is not None
        return FileResponse(self._desk.path, media_type="application/zip", filename=name)

    def place(self, request: Request) -> Response:
        solution, path = self._place(request)
        with said():
            return JSONResponse(place(solution, path))

    def values(self, request: Request) -> Response:
        solution, path = self._place(request)
        with said(), self._one_at_a_time:
            return JSONResponse({"values": values_at(solution, path)})

    def run_outs(self, request: Request) -> Response:
        solution, path = self._place(request)
        with said(), self._one_at_a_time:
            return JSONResponse(run_outs(solution, path))

    async def lock(self, request: Request) -> Response:
        """A lock of the decision at the end of a path: see `locks.lock_at`."""
        body = await body_of(request)
        path, solution = self._path(body.pop("path", "")), self._solution(str(body.pop("number", "")))
        with said():
            return JSONResponse(await run_sync(lock_at, solution, path, read_lock(body)))

    def _place(self, request: Request) -> tuple[Solution, list[str]]:
        asked = request.query_params
        path = self._path(asked.get("path", ""))
        return self._solution(asked.get("number", "")), path

    def _path(self, text: object) -> list[str]:
        """The moves and cards of a path. Raises ApiError (400) for none."""
        if not isinstance(text, str) or len(text) > LONGEST_PATH:
            raise ApiError(400, "This path is too long.")
        return [word.strip() for word in text.split(",") if word.strip()]

    def _solution(self, number: str = "") -> Solution:
        """The latest solution. Raises ApiError: 404 if there is none, 409 if it is not the one that a page has."""
        if self._desk.solution is None:
            raise ApiError(404, "Nothing has been solved here yet.")
        if number and number != str(self._desk.number):
            raise ApiError(409, "There is another solution now: reload the page to see it.")
        return self._desk.solution

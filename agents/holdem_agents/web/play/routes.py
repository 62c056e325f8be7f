"""Playing at tables: /api/play."""

from __future__ import annotations

import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from secrets import token_hex
from typing import Any

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from ..answers import ApiError, body_of, checked_id
from ..site import Site
from .hints import finished_hand, hints_of, review_of
from .table_request import make_game, table_request
from .tables import PlayTable

MAX_TABLES = 50
ACTIONS = ("move", "show", "muck", "next", "leave", "retry", "check_fold", "void")
Answer = Callable[[Request], Awaitable[Response]]


def routes(site: Site) -> list[Route]:
    """The routes of a site."""
    tables = Tables(site)
    site.on_close.append(tables.close)
    found = [
        Route("/api/play", tables.listed, methods=["GET"]),
        Route("/api/play", tables.sit_down, methods=["POST"]),
        Route("/api/play/{tid}", tables.view, methods=["GET"]),
        Route("/api/play/{tid}/events", tables.events, methods=["GET"]),
        Route("/api/play/{tid}/hints", tables.hints, methods=["GET"]),
        Route("/api/play/{tid}/review", tables.review, methods=["GET"]),
        Route("/api/play/{tid}/costs", tables.costs, methods=["GET"]),
        Route("/api/play/{tid}/hands.phhs", tables.hands, methods=["GET"]),
    ]
    return found + [Route(f"/api/play/{{tid}}/{what}", tables.action(what), methods=["POST"]) for what in ACTIONS]


class Tables:
    """The live tables of a site, by id, and what is asked of them."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.tables: dict[str, PlayTable] = site.tables

    async def listed(self, _: Request) -> Response:
        """GET /api/play: the tables, the latest first."""
        rows = [
            {
                "table": table.tid,
                "title": table.title,
                "hands": (table.view["result"] or {}).get("hands", 0),
                "chips": (table.view["result"] or {}).get("chips", 0),
                "over": table.is_over,
            }
            for table in reversed(self.tables.values())
        ]
        return JSONResponse({"tables": rows})

    async def sit_down(self, request: Request) -> Response:
        """POST /api/play: a new table. What takes long goes on after the answer; the view says so."""
        asked = await run_sync(table_request, self.site, await body_of(request))
        self._make_room()
        table = PlayTable(
            token_hex(6),
            asked.rules,
            asked.company,
            lambda: make_game(self.site, asked),
            asked.pace,
            self.site.keep,
            self.site.unable(asked.rules),
        )
        self.tables[table.tid] = table
        await run_sync(table.is_ready.wait, self.site.patience)
        if table.error is not None:
            del self.tables[table.tid]
            raise _sentence_of(table.error)
        return JSONResponse({"table": table.tid}, 201)

    def _make_room(self) -> None:
        """Take away the oldest table that is over, if there are too many. Raises ApiError (409) if none is."""
        if len(self.tables) < MAX_TABLES:
            return
        over = [tid for tid, table in self.tables.items() if table.is_over]
        if not over:
            raise ApiError(409, f"{MAX_TABLES} tables are open; leave one of them first.")
        self.tables.pop(over[0]).close()

    async def view(self, request: Request) -> Response:
        return Response(self._table(request).text, media_type="application/json")

    async def events(self, request: Request) -> Response:
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        return StreamingResponse(self._table(request).events(), media_type="text/event-stream", headers=headers)

    def action(self, what: str) -> Answer:
        async def answer(request: Request) -> Response:
            table, body = self._table(request), await body_of(request)
            return JSONResponse(await run_sync(table.act, what, body.get("version"), body))

        return answer

    async def hints(self, request: Request) -> Response:
        table, agent = self._table(request), self._adviser(request)
        return JSONResponse(await run_sync(hints_of, self.site, table, agent))

    async def review(self, request: Request) -> Response:
        table, agent = self._table(request), self._adviser(request)
        hand, folded = _hand_in(request, "folded")
        return JSONResponse(await run_sync(review_of, self.site, table, hand, folded, agent))

    async def costs(self, request: Request) -> Response:
        table, (hand, flop) = self._table(request), _hand_in(request, "flop")

        def judged() -> dict[str, Any]:
            finished, _, seat = finished_hand(table, hand)
            return table.costs.of(finished, seat, flop)

        return JSONResponse(await run_sync(judged))

    async def hands(self, request: Request) -> Response:
        text = await run_sync(saved_hands, self._table(request))
        named = {"content-disposition": 'attachment; filename="hands.phhs"'}
        return Response(text, media_type="text/plain", headers=named)

    def close(self) -> None:
        for table in self.tables.values():
            table.close()

    def _table(self, request: Request) -> PlayTable:
        tid = checked_id(request.path_params["tid"], "a table")
        if tid not in self.tables:
            raise ApiError(404, "There is no such table. It is gone when `holdem web` is restarted.")
        return self.tables[tid]

    def _adviser(self, request: Request) -> str | None:
        given = request.query_params.get("agent", "")
        if not given:
            return None
        if checked_id(given, "an agent") not in self.site.agents:
            raise ApiError(400, f"There is no agent {given!r}; choose one that the page lists.")
        return given


def _hand_in(request: Request, option: str) -> tuple[int, bool]:
    """The number of a hand, and an option that is 0 (the default) or 1. Raises ApiError (400)."""
    hand, chosen = request.query_params.get("hand", ""), request.query_params.get(option, "0")
    if not hand.isascii() or not hand.isdecimal() or len(hand) > 9 or chosen not in ("0", "1"):
        raise ApiError(400, f"Give the number of a hand, and {option}=0 or {option}=1.")
    return int(hand), chosen == "1"


def saved_hands(table: PlayTable) -> str:
    """The finished hands as the text of a .phhs file. Raises ApiError where there are none, or PHH cannot have them."""
    with table.locked_game() as game, tempfile.TemporaryDirectory() as folder:
        if not game.finished:
            raise ApiError(409, "No hand is over yet.")
        path = Path(folder, "hands.phhs")
        try:
            game.save(path)
        except ValueError as error:
            raise ApiError(400, str(error)) from None
        return path.read_text(encoding="utf-8")


def _sentence_of(error: Exception) -> Exception:
    """What is shown of a table that could not be set up: what the person can mend, else the error itself."""
    mendable: tuple[type[Exception], ...] = (ValueError, TypeError, OSError, ModuleNotFoundError)
    return ApiError(400, str(error)) if isinstance(error, mendable) else error

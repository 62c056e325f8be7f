"""Watching training runs and tournaments: /api/watch."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from holdem_env.arena.tournaments.store import StoreError
from holdem_env.render.charts import Layout
from holdem_env.utils.shown_names import shown_name

from ...runs.charts import charts_of
from ...runs.reading import RunFolder
from ..answers import ApiError, checked_id
from ..site import Site
from .curves import compared
from .runs import WatchedRuns, details, listed
from .tournaments import WatchedTournament

PAUSE = 1.0  # seconds between two looks at the files
HEARTBEAT = 15.0  # seconds after which a silent stream says that it is there

MAX_RUNS = 100  # runs that are laid over each other: as many ids as an address has room for
LIST_PAUSE = 3.0  # seconds between two looks at all runs
IN_LIST = (
    *("id", "name", "kind", "game", "state", "sentence", "deal", "done", "total", "is_most", "hands"),
    *("seconds_ago", "seconds_left"),
)
"""What a list says of a tournament."""


def routes(site: Site) -> list[Route]:
    """The routes of a site."""
    return [*_runs(site), *_tournaments(site)]


def asked_layout(request: Request) -> Layout:
    """For which width drawings are asked. Raises ApiError for an unknown one."""
    layout = request.query_params.get("layout", "wide")
    if layout not in ("wide", "narrow"):
        raise ApiError(400, "The layout is wide or narrow.")
    return "narrow" if layout == "narrow" else "wide"


def _runs(site: Site) -> list[Route]:
    runs = WatchedRuns(site.runs, site.cache)

    def chosen(names: list[str]) -> dict[str, RunFolder]:
        if not 1 <= len(names) <= MAX_RUNS:
            raise ApiError(400, f"Choose one to {MAX_RUNS} runs.")
        known = runs.ids()
        for name in names:
            if checked_id(name, "a run") not in known:
                raise ApiError(404, f"There is no run {name} in the folder of runs any more.")
        return {name: runs.run(known[name]) for name in dict.fromkeys(names)}

    def every_run(request: Request) -> Response:
        asked = request.query_params
        number = asked.get("page", "1")
        if not number.isascii() or not number.isdigit() or len(number) > 9:
            raise ApiError(400, f"`page` must be a whole number, got {shown_name(number)!r}.")
        page = runs.page(asked.get("search", ""), asked.get("sort", "-written"), int(number))
        return JSONResponse({"folder": shown_name(site.runs), **page})

    def one_run(request: Request) -> Response:
        [(name, run)] = chosen([request.path_params["run"]]).items()
        return JSONResponse({**details(name, run), "agent": site.run_agent(run.final)})

    def charts(request: Request) -> Response:
        found, layout = chosen(request.query_params.getlist("run")), asked_layout(request)
        drawn: list[dict[str, Any]] = [
            {"name": each.name, "group": each.group, "title": each.title, "svg": each.svg(layout)}
            for each in charts_of(list(found.values()))
        ]
        return JSONResponse({"charts": drawn, "runs": [listed(name, run.summary) for name, run in found.items()]})

    def curves(request: Request) -> Response:
        found = chosen(request.query_params.getlist("run"))
        summaries = [listed(name, run.summary) for name, run in found.items()]
        return JSONResponse({"charts": compared(found), "runs": summaries})

    def events(request: Request) -> Response:
        names = request.query_params.getlist("run")
        paths = [run.path for run in chosen(names).values()] if names else None

        if paths is None:
            return file_events(site, runs.stamps, LIST_PAUSE)
        return file_events(site, lambda: [RunFolder(path).stamps for path in paths])

    return [
        Route("/api/watch/runs", every_run),
        Route("/api/watch/runs/{run}", one_run),
        Route("/api/watch/charts", charts),
        Route("/api/watch/curves", curves),
        Route("/api/watch/events", events),
    ]


def _tournaments(site: Site) -> list[Route]:
    watched = {name: WatchedTournament(name, path) for name, path in site.tournaments.items()}

    def chosen(request: Request) -> WatchedTournament:
        name = checked_id(request.path_params["tournament"], "a tournament")
        if name not in watched:
            raise ApiError(404, f"There is no tournament {name}: name its file with --tournament.")
        return watched[name]

    def every_tournament(_: Request) -> Response:
        views = [each.view() for each in watched.values()]
        return JSONResponse({"tournaments": [{key: view[key] for key in IN_LIST} for view in views]})

    def one_tournament(request: Request) -> Response:
        return JSONResponse(chosen(request).view())

    def report(request: Request) -> Response:
        tournament = chosen(request)
        try:
            return HTMLResponse(tournament.report())
        except (StoreError, OSError) as error:
            raise ApiError(409, str(error).replace(f"{tournament.path}", tournament.name)) from None
        except ModuleNotFoundError as error:
            raise ApiError(409, f"The report cannot be made: {error}") from None

    def events(request: Request) -> Response:
        tournament = chosen(request)
        return file_events(site, lambda: tournament.stamp)

    return [
        Route("/api/watch/tournaments", every_tournament),
        Route("/api/watch/tournaments/{tournament}", one_tournament),
        Route("/api/watch/tournaments/{tournament}/report", report),
        Route("/api/watch/tournaments/{tournament}/events", events),
    ]


def file_events(site: Site, look: Callable[[], Any], pause: float = PAUSE) -> StreamingResponse:
    """Server-sent events: {"change": n}, the first at once and then one whenever `look` returns something else."""
    return StreamingResponse(_lines(site, look, pause), media_type="text/event-stream")


async def _lines(site: Site, look: Callable[[], Any], pause: float) -> AsyncIterator[str]:
    seen: Any = None
    change, silent = 0, 0.0
    while not site.closing:
        now = await run_in_threadpool(look)
        if change == 0 or now != seen:
            change, seen, silent = change + 1, now, 0.0
            yield f"data: {json.dumps({'change': change})}\n\n"
        elif silent >= HEARTBEAT:
            silent = 0.0
            yield ": still here\n\n"
        await asyncio.sleep(pause)
        silent += pause

"""What the pages may choose from: /api/site."""

from __future__ import annotations

from typing import Any

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from holdem_env.game.rules import Rules
from holdem_env.game.title import game_title
from holdem_env.utils.version import __version__

from .offered_agents import about, known_to_tell
from .site import Site

PAGES = ("play", "replay", "watch", "charts")
FIRST_GAME, FIRST_AGENT = "heads-up-no-limit", "blueprint_100bb"
"""What is suggested where the command line names no agent."""


def routes(site: Site) -> list[Route]:
    """The routes of a site."""

    async def listed(_: Request) -> Response:
        return JSONResponse(await run_sync(site_of, site))

    return [Route("/api/site", listed, methods=["GET"])]


def site_of(site: Site) -> dict[str, Any]:
    """GET /api/site"""
    return {
        "version": __version__,
        "agents": [_agent(site, name, what) for name, what in site.agents.items()],
        "rules": [_game(name, rules) for name, rules in site.rules.items()],
        "default": suggested(site),
        "pages": list(PAGES),
    }


def _agent(site: Site, name: str, what: str) -> dict[str, Any]:
    """What there is to say of an agent before it plays. tells_probabilities and seats are None where only making the
    agent would tell."""
    agent = site.loaded.get(name)
    tells, seats = known_to_tell(what), None
    if agent is not None:
        trained_on = getattr(agent, "trained_on", None)
        tells, seats = agent.tells_probabilities, None if trained_on is None else trained_on.seats
    return {"id": name, "name": name, "about": about(what), "tells_probabilities": tells, "seats": seats}


def _game(name: str, rules: Rules) -> dict[str, Any]:
    title, unit = game_title(rules), rules.big_blind
    return {
        "id": name,
        "title": title if name in title else f"{title} ({name})",
        "seats": rules.seats,
        "stack_bb": max(rules.starting_stacks) / unit if unit else None,
        "structure": rules.structure,
        "is_session": rules.session is not None,
    }


def suggested(site: Site) -> dict[str, Any]:
    """What a new table is unless the person changes it: the first agent of the command line, at its own game."""
    agent = next(iter(site.agents_given), FIRST_AGENT)
    game = site.game_of(agent) or FIRST_GAME
    return {"rules": game, "seats": site.rules[game].seats, "opponents": [agent], "kind": "hands"}

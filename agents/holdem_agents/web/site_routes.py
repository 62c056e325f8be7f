"""What the pages may choose from: /api/site."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from holdem_env.game.rules import Rules
from holdem_env.game.title import game_title
from holdem_env.utils.version import __version__

from ..shipped.fitting import card_of, in_the_box, offered
from ..shipped.fitting import game_of as box_game
from .answers import ApiError, checked_id
from .offered_agents import about, known_to_tell
from .site import Site
from .watched_runs import card_html

PAGES = ("play", "replay", "watch", "charts", "ladder")
FIRST_GAME, FOR_ANY_GAME = "heads-up-no-limit", "tight_aggressive"
"""What is suggested where the command line names no agent: the agent in the box that was made for the game, or one that
plays any."""


def routes(site: Site) -> list[Route]:
    """The routes of a site."""

    async def listed(_: Request) -> Response:
        return JSONResponse(await run_sync(site_of, site))

    def card(request: Request) -> Response:
        name = checked_id(request.path_params["agent"], "an agent")
        text = card_of(name)
        if text is None:
            raise ApiError(404, f"There is no model card of {name}.")
        return JSONResponse({"agent": name, "html": card_html(text)})

    return [Route("/api/site", listed, methods=["GET"]), Route("/api/site/cards/{agent}", card, methods=["GET"])]


def site_of(site: Site) -> dict[str, Any]:
    """GET /api/site"""
    agents = site.agents
    return {
        "version": __version__,
        "agents": [_agent(site, name, what) for name, what in agents.items()],
        "rules": [_game(name, rules, agents) for name, rules in site.rules.items()],
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
    elif (own := box_game(what)) is not None:
        seats = own.seats
    said = {"id": name, "name": name, "about": about(what), "tells_probabilities": tells, "seats": seats}
    return {**said, "is_made_for_games": what in in_the_box(), "has_card": card_of(what) is not None}


def _game(name: str, rules: Rules, agents: Collection[str]) -> dict[str, Any]:
    """What there is to say of a game. first: the agents in the box that were made for it."""
    title, unit = game_title(rules), rules.big_blind
    return {
        "id": name,
        "title": title if name in title else f"{title} ({name})",
        "seats": rules.seats,
        "stack_bb": max(rules.starting_stacks) / unit if unit else None,
        "structure": rules.structure,
        "is_session": rules.session is not None,
        "first": [agent for agent in offered(rules) if agent in agents],
    }


def suggested(site: Site) -> dict[str, Any]:
    """What a new table is unless the person changes it: the first agent of the command line, at its own game."""
    offers = [*offered(site.rules[FIRST_GAME]), FOR_ANY_GAME] if FIRST_GAME in site.rules else [FOR_ANY_GAME]
    agent = next(iter(site.agents_given), offers[0])
    game = site.game_of(agent) or FIRST_GAME
    return {"rules": game, "seats": site.rules[game].seats, "opponents": [agent], "kind": "hands"}

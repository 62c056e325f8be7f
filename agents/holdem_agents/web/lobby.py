"""What the pages may choose from: /api/site."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from holdem_env.game.rules import Rules
from holdem_env.utils.version import __version__

from ..catalog import title_of
from ..shipped.fitting import card_of, in_the_box, offered
from ..shipped.fitting import game_of as box_game
from .answers import ApiError, checked_id
from .offered_agents import about, known_to_give_probabilities
from .offered_games import described, in_families
from .site import Site
from .watch.runs import card_html

FIRST_GAME, FOR_ANY_GAME = "heads-up-no-limit", "tight_aggressive"
"""What is suggested where the command line names no agent: the agent in the box that was made for the game, or one that
plays any."""


def routes(site: Site) -> list[Route]:
    """The routes of a site."""

    async def listed(request: Request) -> Response:
        asked = request.query_params
        return JSONResponse(await run_sync(site_of, site, asked.get("search", ""), asked.getlist("agent")))

    def card(request: Request) -> Response:
        name = checked_id(request.path_params["agent"], "an agent")
        text = card_of(name)
        if text is None:
            raise ApiError(404, f"There is no model card of {name}.")
        return JSONResponse({"agent": name, "html": card_html(text)})

    return [Route("/api/site", listed, methods=["GET"]), Route("/api/site/cards/{agent}", card, methods=["GET"])]


def site_of(site: Site, search: str = "", also: Sequence[str] = ()) -> dict[str, Any]:
    """GET /api/site. Of training runs, the latest ones that the search finds, and those in `also`."""
    runs = site.offered_runs(search, also)
    agents = site.named | runs.agents
    return {
        "version": __version__,
        "untrusted": runs.untrusted,
        "runs": {"count": runs.total, "found": runs.found},
        "agents": [_agent(site, name, what) for name, what in agents.items()],
        "rules": [_game(site, name, rules, agents) for name, rules in in_families(site.rules).items()],
        "default": suggested(site),
    }


def _agent(site: Site, name: str, what: str) -> dict[str, Any]:
    """What there is to say of an agent before it plays. gives_probabilities and seats are None where only making the
    agent would tell."""
    agent = site.loaded.get(name)
    tells, seats = known_to_give_probabilities(what), None
    if agent is not None:
        trained_on = agent.facts.trained_on
        tells, seats = agent.gives_probabilities, None if trained_on is None else trained_on.seats
    elif (own := box_game(what)) is not None:
        seats = own.seats
    said = {
        "id": name,
        "name": name,
        "title": title_of(name),
        "about": about(what),
        "gives_probabilities": tells,
        "seats": seats,
    }
    return {**said, "is_made_for_games": what in in_the_box(), "has_card": card_of(what) is not None}


def _game(site: Site, name: str, rules: Rules, agents: Mapping[str, str]) -> dict[str, Any]:
    """What there is to say of a game. first: the agents in the box that were made for it. cannot: those that are known
    to be unable to play it."""
    said = described(name, rules)
    return {
        **said,
        "stack_bb": said["stack_bb"] if rules.big_blind else None,
        "cannot": site.unable(rules, agents),
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

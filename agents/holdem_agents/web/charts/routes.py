"""Charts of what agents do before the flop, and of ranges: /api/charts."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from holdem_env.agents.protocol import Agent, StrategyUnknown
from holdem_env.agents.range_copies import check_two_cards
from holdem_env.agents.short_names import short_names
from holdem_env.cards.ranges import Range
from holdem_env.engine.legality import IllegalMove
from holdem_env.game.differences import nearest_preset
from holdem_env.game.rules import Rules
from holdem_env.game.title import game_title
from holdem_env.render.hand_chart import range_svg

from ...catalog import title_of
from ...runs.config import error_text
from ...shipped.fitting import game_of, unable
from ..answers import ApiError, checked_id
from ..latest import Latest
from ..offered_agents import about, known_to_give_probabilities
from ..offered_games import described, in_families
from ..site import Site
from ..watch.routes import asked_layout
from .preflop import PreflopTree, charted_rules, node

KEPT_TREES = 12
LONGEST = 2_000  # characters of a range that is typed in


def routes(site: Site) -> list[Route]:
    """The routes of a site."""
    trees = _Trees(site)

    def choices(_: Request) -> Response:
        games = {name: rules for name, rules in in_families(site.rules).items() if _has_ranges(rules)}
        return JSONResponse(
            {"agents": _agents(site), "rules": [_game(site, name, rules) for name, rules in games.items()]}
        )

    def agent(request: Request) -> Response:
        name = checked_id(request.path_params["agent"], "an agent")
        return JSONResponse({"id": name, "trained_on": _trained_on(site, trees.agent(name))})

    def preflop(request: Request) -> Response:
        asked = request.query_params
        name, game = checked_id(asked.get("agent"), "an agent"), checked_id(asked.get("rules"), "a game")
        seats, stack = _number(asked.get("seats"), "seats", int), _number(asked.get("stack"), "stack", float)
        line = [_move(word) for word in asked.get("line", "").split(",") if word]
        tree = trees.tree(name, game, seats, stack)
        try:
            found = node(tree, line, _shown(site, name), asked_layout(request))
        except IllegalMove as error:
            raise ApiError(400, f"This line cannot be played: {error}.") from None
        except ApiError:
            raise
        except Exception as error:  # of somebody's agent
            raise ApiError(409, f"{_shown(site, name)} does not answer: {error}") from error
        return JSONResponse({"agent": name, "rules": game, "seats": tree.rules.seats, **found})

    def typed_range(request: Request) -> Response:
        text = request.query_params.get("text", "")
        if len(text) > LONGEST:
            raise ApiError(400, f"A range has at most {LONGEST:,} characters here.")
        try:
            hands = Range(text)
        except ValueError as error:
            raise ApiError(400, _sentence(error)) from None
        svg = range_svg(hands, layout=asked_layout(request))
        return JSONResponse({"text": text, "hands": float(hands.weights.sum()), "kinds": len(hands), "svg": svg})

    return [
        Route("/api/charts", choices),
        Route("/api/charts/agents/{agent}", agent),
        Route("/api/charts/preflop", preflop),
        Route("/api/charts/range", typed_range),
    ]


class _Trees:
    def __init__(self, site: Site) -> None:
        self._site, self._trees = site, Latest[PreflopTree](KEPT_TREES)

    def agent(self, name: str) -> Agent:
        """The agent with an id. Raises ApiError if there is none, or if it cannot be made."""
        if name not in self._site.agents:
            raise ApiError(404, f"There is no agent {name}.")
        try:
            return self._site.agent(name)
        except Exception as error:  # a model's file, or somebody's code
            raise ApiError(409, f"The agent {name} cannot be made: {error}") from error

    def tree(self, name: str, game: str, seats: int | None, stack: float | None) -> PreflopTree:
        """An agent's tree in a game. Raises ApiError for what does not fit together."""
        if game not in self._site.rules:
            raise ApiError(404, f"There is no game {game}.")
        try:
            rules = charted_rules(self._site.rules[game], seats, stack)
        except ValueError as error:
            raise ApiError(400, _sentence(error)) from None
        if name in unable(rules) and (own := game_of(name)) is not None:  # said at once, without loading it
            raise ApiError(400, f"{title_of(name)} plays {game_title(own)} with {own.seats} seats, not this game.")
        agent = self.agent(name)
        try:  # a tree keeps its agent, so the agent's id is of no other
            return self._trees.get((id(agent), rules), lambda: PreflopTree(agent, rules))
        except (ValueError, StrategyUnknown) as error:
            raise ApiError(400, _sentence(error)) from None


def _has_ranges(rules: Rules) -> bool:
    try:
        check_two_cards(rules)
    except ValueError:
        return False
    return True


def _agents(site: Site) -> list[dict[str, str]]:
    """Those that may know their strategy: of some it is known only when they are made."""
    return [
        {"id": name, "name": _shown(site, name), "title": title_of(_shown(site, name)), "about": about(path)}
        for name, path in site.agents.items()
        if known_to_give_probabilities(path) is not False
    ]


def _shown(site: Site, name: str) -> str:
    path = site.agents.get(name, name)
    return short_names([path])[path]


def _game(site: Site, name: str, rules: Rules) -> dict[str, Any]:
    return {**described(name, rules), "cannot": site.unable(rules)}


def _trained_on(site: Site, agent: Agent) -> dict[str, Any] | None:
    """The game that an agent was made for, if it says so: the charts begin there."""
    rules = agent.facts.trained_on
    if not isinstance(rules, Rules):
        return None
    preset, _ = nearest_preset(rules)
    return _game(site, preset, rules) if preset in site.rules else None


def _number(text: str | None, what: str, kind: type[int] | type[float]) -> Any:
    if text in (None, ""):
        return None
    try:
        number = kind(str(text))
    except ValueError:
        raise ApiError(400, f"{what}: give a number, not {text!r}.") from None
    if not 0 < number < 1e6:
        raise ApiError(400, f"{what}: give a number above 0, not {text}.")
    return number


def _move(word: str) -> int:
    try:
        return int(word)
    except ValueError:
        raise ApiError(400, f"line: {word!r} is no move; give numbers, such as -1,0,6.") from None


def _sentence(error: Exception) -> str:
    is_invalid = isinstance(error, ValidationError)
    text = "; ".join(map(error_text, error.errors())) if is_invalid else str(error).strip()  # type: ignore[attr-defined]
    return f"{text[:1].upper()}{text[1:]}."

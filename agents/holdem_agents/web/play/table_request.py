"""From what a page asks to a game at a table: the rules with its changes, the agents, and whether they fit."""

from __future__ import annotations

from typing import Any, NamedTuple

from pydantic import ValidationError

from holdem_env.agents.protocol import Agent
from holdem_env.game.rules import Rules
from holdem_env.game.session_rules import Level, SessionRules
from holdem_env.table.table import Table
from holdem_env.utils.shown_names import why_not_a_name

from ...playing import HumanGame
from ...playing.opponents import YOU, seat_names
from ..answers import ApiError, checked_id
from ..site import Site

KINDS = ("hands", "cash", "freezeout")
LONGEST_NAME = 24
LARGEST_SEED = 2**53 - 1  # what a number of JavaScript holds
MAX_PACE = 5_000
HANDS_A_LEVEL = 10
LEVELS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)  # what the blinds of a freezeout are multiplied by
PRIZES = {3: (1.0,), 6: (0.65, 0.35), 10: (0.5, 0.3, 0.2)}  # the most players -> the shares of the prize pool
HAND_FOR_A_TRIAL = 1


class TableRequest(NamedTuple):
    """What a page asks for, checked as far as it goes without the agents."""

    rules: Rules
    company: str
    """How many sit there, and against whom: the end of the table's title."""
    opponents: tuple[str, ...]
    """Ids of agents: one for all seats, or one a seat."""
    seed: int | None
    name: str
    pace: int


def table_request(site: Site, body: dict[str, Any]) -> TableRequest:
    """The table that a page asks for. Raises ApiError (400) that says what is wrong."""
    known = {"rules", "seats", "stacks", "ante", "opponents", "kind", "seed", "name", "pace"}
    if unknown := sorted(set(body) - known):
        raise ApiError(400, f"{unknown[0][:40]!r} is nothing that a table has.")
    rules = _rules(site, body)
    opponents = _opponents(site, body.get("opponents"), rules.seats)
    others = ", ".join(dict.fromkeys(opponents))
    company = f"{'heads-up' if rules.seats == 2 else f'{rules.seats} seats'}, against {others}"
    seed = _number(body, "seed", 0, LARGEST_SEED)
    pace = _number(body, "pace", 0, MAX_PACE)
    return TableRequest(rules, company, opponents, seed, _name(body.get("name")), site.pace if pace is None else pace)


def make_game(site: Site, asked: TableRequest) -> HumanGame:
    """The game that was asked for, with the first hand dealt. It may take long: agents are loaded, and code may be
    compiled. Raises ValueError for agents that do not play this game, and what loading them raises."""
    agents = [site.new_agent(name) for name in asked.opponents]
    for agent in {id(agent): agent for agent in agents}.values():
        check_fit(agent, asked.rules)
    others = agents * (asked.rules.seats - 1) if len(agents) == 1 else agents
    names = seat_names(dict(enumerate(others, 1)), asked.rules.seats, asked.name)
    return HumanGame(asked.rules, agents, seed=asked.seed, names=names)


def check_fit(agent: Agent, rules: Rules) -> None:
    """Raise ValueError if an agent does not play a game, by asking it for a move in one hand of it."""
    twin = agent.clone()
    try:
        twin.move(Table(rules, seed=0, hand=HAND_FOR_A_TRIAL))
    except ValueError as error:
        raise ValueError(f"{agent.name} does not play this game: {error}") from error
    finally:
        twin.close()


def _rules(site: Site, body: dict[str, Any]) -> Rules:
    given = site.rules.get(checked_id(body.get("rules"), "a game"))
    if given is None:
        raise ApiError(400, "There is no such game; choose one that the page lists.")
    changes: dict[str, Any] = {}
    if (seats := _number(body, "seats", 2, 10)) is not None:
        changes["seats"] = seats
    if (ante := _number(body, "ante", 0, 10**12)) is not None:
        changes["ante"] = ante
    if (stacks := body.get("stacks")) is not None:
        if isinstance(stacks, bool) or not isinstance(stacks, int | str) or len(str(stacks)) > 20:
            raise ApiError(400, 'Stacks are chips, such as 200, or big blinds, such as "50bb".')
        changes["stacks"] = stacks
    try:
        return _with_session(given.replace(**changes), body.get("kind", "hands"), given.session is not None)
    except ValidationError as error:
        raise ApiError(400, _sentence(error)) from None
    except ValueError as error:
        raise ApiError(400, str(error)) from None


def _with_session(rules: Rules, kind: object, has_own: bool) -> Rules:
    """The rules as single hands, a cash game or a freezeout; a game with a session of its own keeps it."""
    if kind not in KINDS:
        raise ApiError(400, f"The kind of a game is one of {', '.join(map(repr, KINDS))}.".replace("'", '"'))
    if has_own or kind == "hands":
        return rules
    if kind == "cash":
        # A broke player, person or agent, brings a new stack: a cash game goes on until the person leaves.
        return rules.replace(session=SessionRules(kind="cash", rebuy=max(rules.starting_stacks)))
    return rules.replace(session=freezeout(rules))


def freezeout(rules: Rules) -> SessionRules:
    """A tournament of one table: the blinds rise every few hands, and the best places share the prize pool."""
    levels = tuple(Level(times=times, hands=HANDS_A_LEVEL) for times in LEVELS[:-1])
    prizes = next(shares for most, shares in PRIZES.items() if rules.seats <= most)
    return SessionRules(levels=(*levels, Level(times=LEVELS[-1])), prizes=prizes)


def _opponents(site: Site, given: object, seats: int) -> tuple[str, ...]:
    if not isinstance(given, list) or len(given) not in (1, seats - 1):
        raise ApiError(400, f"Name one agent for all other seats, or one for each of the {seats - 1}.")
    names = tuple(checked_id(name, "an agent") for name in given)
    for name in names:
        if name not in site.agents:
            raise ApiError(400, f"There is no agent {name!r}; choose one that the page lists.")
    return names


def _name(given: object) -> str:
    if given is None or given == "":
        return YOU
    if not isinstance(given, str) or len(given) > LONGEST_NAME:
        raise ApiError(400, f"A name is a text of at most {LONGEST_NAME} characters.")
    if wrong := why_not_a_name(given):
        raise ApiError(400, wrong)
    return given


def _number(body: dict[str, Any], name: str, least: int, most: int) -> int | None:
    given = body.get(name)
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, int) or not least <= given <= most:
        raise ApiError(400, f"{name.capitalize()}: give a whole number, {least} to {most:,}.")
    return given


def _sentence(error: ValidationError) -> str:
    first = error.errors()[0]
    where = ".".join(map(str, first["loc"]))
    what = first["msg"].removeprefix("Value error, ")
    return f"{where}: {what}" if where and not what.startswith(where) else what

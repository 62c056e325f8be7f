"""Replaying hands: /api/replay."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from holdem_env.agents.protocol import Agent
from holdem_env.game.street_names import STREETS
from holdem_env.history import HistoryError
from holdem_env.history.collection import Hands
from holdem_env.utils.shown_names import shown_name

from ...playing.assumed_ranges import Assumed, hands_of
from ..answers import ApiError, checked_id
from ..guard import UPLOAD
from ..latest import Latest
from ..site import Site
from ..solve.hand_spots import spot_of_hand
from .collections import HandShelf, Shelf
from .hand import StepsOfHand
from .players import Players

MAX_HANDS, WORST = 100, 20  # how many of the latest hands are judged, and of the worst decisions shown

PAGE = 100  # hands on one page of a list
PROBLEMS, NAMES = 20, 500
KEPT = 16  # hands, and agents, kept for the next question about them
YES, NO = ("1", "true", "yes"), ("0", "false", "no")


def routes(site: Site) -> list[Route]:
    """The routes of a site."""
    replay = Replay(site)
    return [
        Route("/api/replay", replay.collections),
        Route(UPLOAD, replay.open, methods=["POST"]),
        Route("/api/replay/{id}", replay.list),
        Route("/api/replay/{id}/players", replay.players),
        Route("/api/replay/{id}/players/winnings", replay.winnings),
        Route("/api/replay/{id}/mistakes", replay.mistakes),
        Route("/api/replay/{id}/{hand:int}.phh", replay.as_phh),
        Route("/api/replay/{id}/{hand:int}.png", replay.as_png),
        Route("/api/replay/{id}/{hand:int}.gif", replay.as_gif),
        Route("/api/replay/{id}/{hand:int}/advice", replay.advice),
        Route("/api/replay/{id}/{hand:int}/spot", replay.spot),
        Route("/api/replay/{id}/{hand:int}", replay.hand),
    ]


class Replay:
    """Answers what the replay page asks. Hands are numbered from 1, in the order of their collection."""

    def __init__(self, site: Site) -> None:
        self._site, self._shelf = site, HandShelf(site)
        self._steps, self._players = Latest[StepsOfHand](KEPT), Latest[Players](KEPT)
        self._mistakes, self._lock = Latest[dict[str, Any]](KEPT), Lock()

    def collections(self, request: Request) -> Response:
        shelves = self._shelf.shelves()
        listed = [
            {
                "id": shelf.id,
                "title": shelf.title,
                "kind": shelf.kind,
                "hands": self._shelf.count(shelf),
                **shelf.facts(),
            }
            for shelf in shelves
        ]
        return JSONResponse({"collections": listed})

    async def open(self, request: Request) -> Response:
        """A file of hands that the browser sends: kept until the server ends, and listed like one of the command
        line."""
        name, content = request.query_params.get("name", ""), await request.body()
        return JSONResponse({"id": (await run_sync(self._shelf.add, name, content)).id})

    def list(self, request: Request) -> Response:
        """The hands of a collection, or those that a search finds, a page at a time."""
        shelf, hands = self._collection(request)
        asked = request.query_params
        found = _searched(hands, asked.get("street"), asked.get("min_pot"), asked.get("agent"), asked.get("showdown"))
        pages = max(1, -(-len(found) // PAGE))
        page = min(_whole_number(asked.get("page") or "1", "page"), pages)
        return JSONResponse(
            {
                "id": shelf.id,
                "title": shelf.title,
                "kind": shelf.kind,
                "hands": len(hands),
                "found": len(found),
                "page": page,
                "pages": pages,
                "players": [shown_name(name) for name in hands.players[:NAMES]],
                "problems": [_sentence(problem) for problem in hands.problems[:PROBLEMS]],
                "problem_count": hands.problem_count,
                "rows": [_row(hands, number) for number in found[(page - 1) * PAGE : page * PAGE]],
            }
        )

    def players(self, request: Request) -> Response:
        return JSONResponse(self._players_of(request).figures())

    def winnings(self, request: Request) -> Response:
        players, asked = self._players_of(request), request.query_params
        try:
            return JSONResponse({"svg": players.winnings_svg(asked.get("player", ""), asked.get("layout", "wide"))})
        except KeyError:
            raise ApiError(404, "There is no such player here: choose one from the list.") from None

    def mistakes(self, request: Request) -> Response:
        """What a player's decisions lose. It takes long, so that one list is made at a time."""
        _, hands = self._collection(request)
        player = request.query_params.get("player", "").strip()
        key = hands, len(hands), player
        return JSONResponse(self._mistakes.get(key, lambda: mistakes_of(hands, player)))

    def hand(self, request: Request) -> Response:
        shelf, hands = self._collection(request)
        number = self._number(request, hands)
        steps = self._replayed(request, shelf, hands, number)
        view = steps.view(request.query_params.get("layout", "wide"))
        neighbours = {"previous": number - 1 or None, "next": number + 1 if number < len(hands) else None}
        more = {"id": shelf.id, "title": shelf.title, "kind": shelf.kind, "number": number, "of": len(hands)}
        more["cannot"] = self._site.unable(steps.hand.table.rules)
        return JSONResponse(view | more | neighbours)

    def advice(self, request: Request) -> Response:
        shelf, hands = self._collection(request)
        steps = self._replayed(request, shelf, hands, self._number(request, hands))
        seat = _whole_number(request.query_params.get("seat", ""), "seat", least=0)
        agent = self._agent(checked_id(request.query_params.get("agent"), "an agent"))
        with self._lock:
            return JSONResponse({"steps": steps.advice(seat, agent)})

    def spot(self, request: Request) -> Response:
        shelf, hands = self._collection(request)
        hand = self._replayed(request, shelf, hands, self._number(request, hands)).hand
        street = _whole_number(request.query_params.get("street", ""), "street", least=0)
        return JSONResponse(spot_of_hand(self._site, hand.table, hand.players, street))

    def as_phh(self, request: Request) -> Response:
        steps, name = self._asked(request)
        try:
            return _file(steps.phh().encode(), "text/plain; charset=utf-8", f"{name}.phh")
        except ValueError as problem:
            raise ApiError(400, f"PHH cannot say this hand: {_sentence(problem)}") from problem

    def as_png(self, request: Request) -> Response:
        steps, name = self._asked(request)
        place = min(_whole_number(request.query_params.get("step", "0"), "step", least=0), len(steps.steps) - 1)
        return _file(_picture(lambda: steps.png(place, _theme(request))), "image/png", f"{name}-{place}.png")

    def as_gif(self, request: Request) -> Response:
        steps, name = self._asked(request)
        return _file(_picture(lambda: steps.gif(_theme(request))), "image/gif", f"{name}.gif")

    # What is asked for

    def _collection(self, request: Request) -> tuple[Shelf, Hands]:
        shelf = self._shelf.find(checked_id(request.path_params["id"], "a collection of hands"))
        return shelf, self._shelf.hands(shelf)

    def _number(self, request: Request, hands: Hands) -> int:
        number = int(request.path_params["hand"])
        if not 1 <= number <= len(hands):
            raise ApiError(404, f"There is no hand {number} here: this collection has hands 1 to {len(hands)}.")
        return number

    def _asked(self, request: Request) -> tuple[StepsOfHand, str]:
        """The hand, and what a file of it is called."""
        shelf, hands = self._collection(request)
        number = self._number(request, hands)
        return self._replayed(request, shelf, hands, number), f"{shelf.id}-{number}"

    def _replayed(self, request: Request, shelf: Shelf, hands: Hands, number: int) -> StepsOfHand:
        folded = _yes_or_no(request.query_params.get("folded"), "folded") or False
        return self._steps.get((hands, number, folded), lambda: _steps(shelf, hands, number, folded))

    def _players_of(self, request: Request) -> Players:
        _, hands = self._collection(request)
        return self._players.get(hands, lambda: Players(hands))

    def _agent(self, name: str) -> Agent:
        if name not in self._site.agents:
            raise ApiError(404, "There is no such agent here: choose one from the list.")
        try:
            return self._site.new_agent(name)
        except Exception as problem:
            raise ApiError(400, f"The agent {name} cannot be made: {problem}") from problem


def _steps(shelf: Shelf, hands: Hands, number: int, folded: bool) -> StepsOfHand:
    try:
        hand = hands.replay(number - 1)
    except HistoryError as problem:
        raise ApiError(400, f"This hand cannot be replayed. {_sentence(problem)}") from problem
    return StepsOfHand(hand, shelf.known(hand, folded))


def _searched(
    hands: Hands, street: str | None, min_pot: str | None, agent: str | None, showdown: str | None
) -> list[int]:
    try:
        return hands.search(street or None, min_pot or None, agent or None, _yes_or_no(showdown, "showdown"))
    except ValueError as problem:
        raise ApiError(400, _sentence(problem)) from problem


def _row(hands: Hands, number: int) -> dict[str, Any]:
    summary = hands.summary(number)
    return {
        "number": number + 1,
        "hand": summary.hand,
        "players": [shown_name(name) for name in summary.players],
        "pot": _plain(summary.pot),
        "big_blind": _plain(summary.big_blind),
        "street": summary.street_name,
        "showdown": summary.showdown,
        "payoffs": None if summary.payoffs is None else [_plain(chips) for chips in summary.payoffs],
    }


def _plain(amount: float) -> float | int:
    return int(amount) if amount == int(amount) else amount


def _sentence(problem: Exception) -> str:
    """A problem without the paths of this machine."""
    if not isinstance(problem, HistoryError):
        return str(problem)
    file = None if problem.file is None else problem.file.replace("\\", "/").rpartition("/")[2]
    return str(HistoryError(file, problem.hand, problem.reason, problem.line, problem.action_index, problem.action))


def _picture(draw: Callable[[], bytes]) -> bytes:
    try:
        return draw()
    except (ModuleNotFoundError, RuntimeError) as problem:  # the extra is missing, or a font
        raise ApiError(400, str(problem)) from problem


def _file(content: bytes, kind: str, name: str) -> Response:
    return Response(content, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def _theme(request: Request) -> str:
    return "dark" if request.query_params.get("theme") == "dark" else "light"


def _yes_or_no(given: str | None, what: str) -> bool | None:
    if not given:
        return None
    if given not in (*YES, *NO):
        raise ApiError(400, f"{what}: give 1 or 0.")
    return given in YES


def _whole_number(given: str, what: str, least: int = 1) -> int:
    if not (given.isascii() and given.isdigit() and len(given) < 10 and int(given) >= least):
        raise ApiError(400, f"{what}: give a whole number, {least} or more.")
    return int(given)


def mistakes_of(hands: Hands, player: str) -> dict[str, Any]:
    """The worst decisions of a player on turns and rivers, as `holdem mistakes` has them. Raises ApiError (400) where
    no hand can be judged."""
    from holdem_env.arena.best_responses.mistakes import judged_hands  # compiled code
    from holdem_env.arena.best_responses.mistakes_table import sentences

    if not player:
        raise ApiError(400, "Say whose decisions are judged: give the name of a player.")
    own = hands_of(hands, player, hands.search(agent=player)[-MAX_HANDS:])
    if not own.tables:
        why = "".join(f" {count:,} {reason}." for reason, count in own.left_out.items())
        raise ApiError(400, f"There is no hand of {player!r} here that can be judged.{why}")
    assumed = Assumed(None)
    judged = judged_hands(own.tables, assumed, own.seats)
    judged.unjudged += own.left_out
    rows = [
        {
            "number": own.numbers[each.hand] + 1,
            "hand": own.names[each.hand],
            "solve": STREETS.index(each.street),
            **{name: getattr(each, name) for name in ("street", "cards", "board", "made", "best", "loss")},
        }
        for each in judged.worst[:WORST]
        if each.loss > 0
    ]
    mean, half, count = judged.mean()
    facts = {"hands": judged.hands, "decisions": count, "mean": mean, "half_width": half if count > 1 else None}
    return {**facts, "assumed": assumed.sentence, "sentences": sentences(judged), "rows": rows}

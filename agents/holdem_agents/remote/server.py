"""The server that remote bots join: WebSockets for them, and a Unix socket for the processes that play."""

from __future__ import annotations

import asyncio
import math
import socket
import threading
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from holdem_env.arena.isolation.limits import Limits
from holdem_env.arena.tournaments.plan import Tournament
from holdem_env.protocols import wire
from holdem_env.utils.plain_data import json_of

from ..web.slow_requests import ImpatientProtocol
from .board import HEADERS, Board
from .changes import Changes
from .matches import LOST, Answers, Bot, Connection, Lateness, Unwelcome
from .tokens import whose

PATH = "/play"
LARGEST_MESSAGE = 2**20  # bytes of a bot's message
LARGEST_BODY, LARGEST_HEAD = 1_000, 8_192
PING, PONG = 10.0, 10.0  # seconds between two pings, and in which each must be answered
MAX_FRAMES, FRAMES_PER_SECOND = 1_000, 10.0
"""Frames that are no whole message, such as pings and pieces, which a bot may send at once and in the long run."""
MAX_STRANGERS = 256  # open connections that have shown no token. Above it, the oldest of them is closed
WANTED_FILES = 65_536
"""File descriptors, as far as the system allows them: the server shares them with the store of results."""
STALE = 5.0  # seconds after which nobody is waited for, if play has not said so again
LINGER = 2.0  # seconds after the end of a connection in which a bot may read why
BEARER = "bearer "
NO_TOKEN = "This is no token of the tournament.\n"


class BotProtocol(WebSocketsSansIOProtocol):
    """uvicorn's, which waits for ever for a client to read. Here it has LINGER seconds, and each frame counts."""

    doorway: Doorway
    _spare, _counted = float(MAX_FRAMES), 0.0
    _over: Any = None

    def handle_ping(self) -> None:
        if self._has_frame():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._has_frame():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        if self._has_frame():
            super().handle_cont(event)

    def _has_frame(self) -> bool:
        """Whether the client may send another frame that is no message. If not, its connection ends."""
        now = self.loop.time()
        self._spare = min(MAX_FRAMES, self._spare + FRAMES_PER_SECOND * (now - self._counted)) - 1
        self._counted = now
        if self._spare < 0 and not self.close_sent:
            why = "it sent too many pings or pieces of messages"
            self.conn.fail(1008, why)
            self.close_sent = True
            self.transport.write(b"".join(self.conn.data_to_send()))
            self._over = {"type": "websocket.disconnect", "code": 1008, "reason": why, "barred": True}
            self.loop.call_later(LINGER / 2, self.queue.put_nowait, self._over)  # it may read why until then
            self.loop.call_later(LINGER, self.transport.abort)
        return self._spare >= 0

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has hung up: before anybody has said why it is barred, if it is."""
        if self._over is not None:
            self.queue.put_nowait(self._over)
        super().connection_lost(exc)

    async def send(self, message: Any) -> None:
        """A message of ours. uvicorn forgets that a refusal is one, and complains of each."""
        await super().send(message)
        if message["type"] == "websocket.accept":
            self.doorway.admit(self.transport.get_extra_info("socket").fileno())
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.loop.call_later(LINGER, self.transport.abort)

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        super().on_task_complete(task)
        self.loop.call_later(LINGER, self.transport.abort)


class Doorway(socket.socket):
    """A listening socket that bounds the open connections which have shown no token. It closes the oldest of them, and
    refuses no address: a whole class may stand behind one."""

    _strangers: list[socket.socket]

    def accept(self) -> tuple[socket.socket, Any]:
        connection, address = super().accept()
        self._strangers = [each for each in getattr(self, "_strangers", ()) if each.fileno() >= 0]
        self._strangers.append(connection)
        if len(self._strangers) > MAX_STRANGERS:
            with suppress(OSError):
                self._strangers.pop(0).shutdown(socket.SHUT_RDWR)
        return connection, address

    def admit(self, number: int) -> None:
        """The connection with this file descriptor has shown a token."""
        self._strangers = [each for each in self._strangers if each.fileno() != number]


def _reserve_files() -> None:
    """Raise the limit of open files: without one, no journal of the store could be opened."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = WANTED_FILES if hard == resource.RLIM_INFINITY else min(WANTED_FILES, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


async def _body_of(request: Request) -> bytes:
    """The body of a request. Raises ValueError for one above LARGEST_BODY."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > LARGEST_BODY:
            raise ValueError(f"must have at most {LARGEST_BODY:,} bytes")
    return body


class RemoteBots:
    """The server, as a context, in a thread of its own. `run` of a tournament takes it as `listening`.

    digests: of the tokens, by the names of the bots. at: the socket that listens for them, which it takes over.
    reconnect: seconds in which a bot may come back; limits: what it may take. say: called with a sentence, in that
    thread, when a bot comes or goes. certificate, key: files, for wss. board: what else it offers
    browsers and bots. changes: of the tournament's agents, if they may change. Raises OSError for files that are none.
    """

    def __init__(
        self,
        digests: Mapping[str, str],
        at: socket.socket,
        reconnect: float,
        limits: Limits,
        say: Callable[[str], object],
        certificate: Path | None = None,
        key: Path | None = None,
        board: Board | None = None,
    ) -> None:
        self._board = board
        self.changes: Changes | None = None
        _reserve_files()
        self._at, self._say = Doorway(at.family, at.type, at.proto, at.detach()), say
        self._reconnect, self._limits = reconnect, limits
        self._digests: dict[str, str] = {}
        self._lateness = Lateness()
        self._bots: dict[str, Bot] = {}
        self._admit(digests)
        self._folder = TemporaryDirectory(prefix="holdem-")
        self.address = str(Path(self._folder.name, "bots"))
        self._config = uvicorn.Config(
            Starlette(routes=[WebSocketRoute(PATH, self._welcome), *self._pages()]),
            http=ImpatientProtocol,
            ws=type("Door", (BotProtocol,), {"doorway": self._at}),
            ws_max_size=LARGEST_MESSAGE,
            h11_max_incomplete_event_size=LARGEST_HEAD,
            ws_ping_interval=PING,
            ws_ping_timeout=PONG,
            ssl_certfile=certificate,
            ssl_keyfile=key,
            lifespan="off",
            server_header=False,
            access_log=False,
            log_config=None,  # uvicorn's closes the handlers that the program has
            log_level="critical",  # what strangers send is no line on the organiser's terminal
        )
        self._config.load()
        self._loop, self._end = asyncio.new_event_loop(), asyncio.Event()
        self._why = Unwelcome("the tournament is over", 1000)
        self._is_ready = threading.Event()
        self._connected, self._nobody = 0, asyncio.Event()
        self._nobody.set()
        self._waited_for, self._waiting, self._waited_at = set[str](), "", -math.inf
        self._showing, self._scrimmaging = asyncio.Lock(), asyncio.Lock()
        self._asking: set[str] = set()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def who_is_here(self) -> frozenset[str]:
        return frozenset(name for name, bot in self._bots.copy().items() if bot.connection is not None)

    @property
    def port(self) -> int:
        return int(self._at.getsockname()[1])

    def was_here(self, name: str) -> bool:
        bot = self._bots.get(name)
        return bot is not None and bot.was_here

    def say_waiting(self, names: Collection[str], seconds: float, matches: int) -> None:
        """Say who is waited for, once for each of them, with the time of day since when; the board says it, too."""
        since, shards = datetime.now() - timedelta(seconds=seconds), f"{matches} shard{'s' if matches != 1 else ''}"
        words = f"Waiting for {', '.join(names)} since {since:%H:%M}; {shards} wait."
        is_new = not self._is_waiting() or bool({*names} - self._waited_for)
        self._waited_for, self._waiting, self._waited_at = {*names}, words, monotonic()
        if is_new:
            self._say(words)

    def _is_waiting(self) -> bool:
        """Whether play still waits: it says so twice a second."""
        return monotonic() - self._waited_at < STALE

    def is_changed(self) -> bool:
        return self.changes is not None and self.changes.are_there()

    def new_tournament(self, wait: bool = False) -> Tournament | None:
        return None if self.changes is None else self.changes.take(wait)

    def say(self, words: str) -> None:
        self._say(words)

    def admit(self, digests: Mapping[str, str]) -> None:
        """From now on these bots may join and no others, whose connections end."""
        self._loop.call_soon_threadsafe(self._admit, dict(digests))

    def _admit(self, digests: Mapping[str, str]) -> None:
        for name in self._bots.keys() - digests.keys():
            self._bots.pop(name).leave()
        for name in digests.keys() - self._bots.keys():
            self._bots[name] = Bot(name, self._reconnect, self._limits, self._lateness)
        self._digests = dict(digests)

    def __enter__(self) -> RemoteBots:
        self._thread.start()
        self._is_ready.wait()
        return self

    def __exit__(self, kind: Any, *_: object) -> None:
        if kind is not None:
            self._why = Unwelcome("the tournament is interrupted; come back", 1012)
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()
        self._at.close()
        self._folder.cleanup()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        server = uvicorn.Server(self._config)
        self._lateness.tick()
        async with await asyncio.start_unix_server(self._play, self.address):
            serving = asyncio.create_task(server.serve(sockets=[self._at]))
            self._is_ready.set()
            await self._end.wait()
            for bot in self._bots.values():
                if bot.connection is not None:
                    bot.connection.end(self._why)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._nobody.wait(), LINGER)
            server.should_exit = server.force_exit = True
            await serving
            for late in server.server_state.connections:  # they came while it ended, and would never be answered
                late.transport.abort()

    async def _welcome(self, websocket: WebSocket) -> None:
        """A bot joins: hold its connection until it is over."""
        name = self._who(websocket)
        if name is None:
            await websocket.send_denial_response(PlainTextResponse(NO_TOKEN, 401))
            return
        bot = self._bots[name]
        if (barred := bot.barred_until - self._loop.time()) > 0:
            await websocket.send_denial_response(PlainTextResponse(f"Come back in {barred:.0f} s.\n", 503))
            return
        if bot.connection is not None:
            await websocket.send_denial_response(PlainTextResponse(f"{name} is connected already.\n", 503))
            return
        connection = Connection(websocket)
        bot.joined(connection)  # at once: nobody else may join with this token from now on
        self._connected += 1
        self._nobody.clear()
        try:
            await self._hold(bot, connection, websocket)
        finally:
            self._connected -= 1
            if not self._connected:
                self._nobody.set()

    def _who(self, asks: HTTPConnection) -> str | None:
        given = asks.headers.get("authorization", "")
        token = given[len(BEARER) :] if given.lower().startswith(BEARER) else ""
        return whose(token.strip(), self._digests)

    def _pages(self) -> list[Route]:
        pages = [Route("/token", self._token)]
        if self._board is None:
            return pages
        pages.append(Route("/", self._show))
        if self._board.hands:
            pages.append(Route("/hands", self._hands))
        if self._board.scrimmages:
            pages.append(Route("/scrimmages", self._scrimmage, methods=["POST"]))
        return pages

    async def _token(self, request: Request) -> Response:
        """Whether a token is one: for clients whose WebSockets do not tell why they were refused."""
        return PlainTextResponse(NO_TOKEN, 401) if self._who(request) is None else PlainTextResponse("It is one.\n")

    async def _hands(self, request: Request) -> Response:
        assert self._board is not None
        if (name := self._who(request)) is None:
            return PlainTextResponse(NO_TOKEN, 401)
        async with self._showing:
            content = await asyncio.to_thread(self._board.hands_of, name)
        return Response(content, media_type="application/zip", headers=HEADERS)

    async def _scrimmage(self, request: Request) -> Response:
        """Play a scrimmage that a bot asks for, one at a time; the answer is its result."""
        assert self._board is not None
        if (name := self._who(request)) is None:
            return PlainTextResponse(NO_TOKEN, 401)
        if name in self._asking:
            return PlainTextResponse(f"{name} has asked for a scrimmage already.\n", 429)
        self._asking.add(name)
        try:
            body = await _body_of(request)
            async with self._scrimmaging:
                found = await asyncio.to_thread(self._board.scrimmage, name, json_of(body), self)
        except ValueError as error:
            return PlainTextResponse(f"{error}\n", 400)
        finally:
            self._asking.discard(name)
        return JSONResponse(found)

    async def _show(self, request: Request) -> HTMLResponse:
        assert self._board is not None
        async with self._showing:
            waiting = self._waiting if self._is_waiting() else ""
            page = await asyncio.to_thread(self._board.page, self.who_is_here(), len(self._bots), waiting)
        return HTMLResponse(page, headers=HEADERS)

    async def _hold(self, bot: Bot, connection: Connection, websocket: WebSocket) -> None:
        """Exchange messages with a bot until its connection is over, and close it."""
        why = Unwelcome(LOST, 1006)
        try:
            await websocket.accept()
            self._say(f"{bot.name} is here.")
            why = await connection.exchange(bot)
        finally:
            bot.joined(None, why)
        if why is not self._why:
            self._say(f"{bot.name} is gone: {why}.")
        with suppress(Exception):  # it may be gone already
            async with asyncio.timeout(LINGER):
                await websocket.close(why.code, str(why))

    async def _play(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A process plays a match of a bot's."""
        if (bot := self._bots.get((await wire.read(reader))["bot"])) is None:  # it left before its shard began
            writer.write(_packed(Answers([], left=True)))
            await writer.drain()
            writer.close()
            return
        match = bot.begin()
        following = asyncio.create_task(wire.read(reader))
        try:
            while True:
                asked = await following
                following, lines = asyncio.create_task(wire.read(reader)), asked["lines"].encode()
                if not asked["answers"]:
                    match.tell(lines)
                    continue
                asking = asyncio.create_task(match.ask(lines, asked["answers"]))
                await asyncio.wait({asking, following}, return_when=asyncio.FIRST_COMPLETED)
                if not asking.done():  # the process that plays has ended
                    asking.cancel()
                    break
                writer.write(_packed(asking.result()))
                await writer.drain()
        except (OSError, EOFError):
            pass  # the process that plays has ended
        finally:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)
            bot.end(match)
            writer.close()


def _packed(found: Answers) -> bytes:
    return wire.packed(found._asdict() | {"lines": [line.decode() for line in found.lines]})

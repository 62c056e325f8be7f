"""Remote bots and the matches that they play, all in one event loop: what is asked of each, and what it has answered.
The messages of all matches of a bot go over its one connection, each with the number of its match in the first line."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from typing import NamedTuple

from starlette.websockets import WebSocket

from holdem_env.arena.isolation.limits import Limits
from holdem_env.protocols.json_lines.answers import WrongAnswer, answer_of, border

MAX_MESSAGE = 2**18
"""Bytes of a message, unless one line is longer: libraries refuse messages of a megabyte, and pings wait behind one."""
SLOW = 20.0  # seconds in which a bot must take a message
MAX_HEARD = 4 * 2**20  # bytes that a match keeps of a bot's answers
BYE = b'{"type":"bye"}\n'
LOST = "its connection was lost"
FREE_AWAY = 10.0  # seconds that a bot may be away while it is asked, in all, before they count as thinking
BARRED = 5.0  # seconds for which a bot that broke the rules of its connection may not come back
TOO_LARGE = 1009  # the code of a connection that a message above the limit has ended
TICK = 0.02  # seconds between two looks at whether the server is late
SPARE_MESSAGES = 100  # messages that a bot may send beyond the answers that it was asked for


class Unwelcome(Exception):
    """Why a connection is over, as a sentence. code: of WebSocket's. is_barred: whether the bot broke a rule."""

    def __init__(self, why: str, code: int = 1008, is_barred: bool = False) -> None:
        super().__init__(why)
        self.code, self.is_barred = code, is_barred


class Connection:
    """A bot's connection."""

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket
        self._waiting: asyncio.Queue[str] = asyncio.Queue()
        self.allowed = SPARE_MESSAGES  # messages for matches that are over: answers may be on their way
        self._over: asyncio.Future[Unwelcome] = asyncio.get_running_loop().create_future()

    def send(self, match: int, lines: bytes) -> None:
        """Send lines of a match when the bot takes them."""
        for piece in _pieces(lines):
            self._waiting.put_nowait(f"{match}\n{piece.decode()}")

    def end(self, why: Unwelcome) -> None:
        if not self._over.done():
            self._over.set_result(why)

    async def exchange(self, bot: Bot) -> Unwelcome:
        """Move messages both ways until it is over. Returns why."""
        tasks = {asyncio.ensure_future(each) for each in (self._read(bot), self._write(), self._over)}
        done, others = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        return done.pop().result()

    async def _read(self, bot: Bot) -> Unwelcome:
        while True:
            message = await self._websocket.receive()
            if message["type"] == "websocket.disconnect":
                code = message.get("code", 1006)
                return Unwelcome(message.get("reason") or LOST, code, "barred" in message or code == TOO_LARGE)
            if (text := message.get("text")) is None:
                return Unwelcome("a message must be text", 1003, True)
            number, _, lines = text.partition("\n")
            match = bot.matches.get(number.strip())
            if match is not None:
                match.heard(lines.encode())
            asked = match or self
            asked.allowed -= 1
            if asked.allowed < 0:
                return Unwelcome("it sent more messages than it was asked for answers", is_barred=True)
            if match is not None and match.size > MAX_HEARD:
                return Unwelcome(f"it sent more than {MAX_HEARD:,} bytes before it was asked", is_barred=True)

    async def _write(self) -> Unwelcome:
        while True:
            text = await self._waiting.get()
            try:
                async with asyncio.timeout(SLOW):
                    await self._websocket.send_text(text)
            except TimeoutError:
                return Unwelcome(f"it did not read for {SLOW:g} s")
            except Exception:  # whatever the server raises once the connection is lost
                return Unwelcome(LOST, 1006)


def _pieces(lines: bytes) -> Iterator[bytes]:
    """Lines in pieces of at most MAX_MESSAGE bytes, unless one is longer."""
    start = 0
    while start < len(lines):
        end = len(lines)
        if end - start > MAX_MESSAGE:
            end = lines.rfind(b"\n", start, start + MAX_MESSAGE) + 1 or lines.find(b"\n", start) + 1
        yield lines[start:end]
        start = end


class Lateness:
    """By how much the event loop is late: what clients send may keep it busy, and no bot thinks in that time."""

    def __init__(self) -> None:
        self._past, self._due = 0.0, math.inf

    @property
    def seconds(self) -> float:
        return self._past + max(0.0, asyncio.get_running_loop().time() - self._due)

    def tick(self) -> None:
        """Look at the clock now, and every TICK seconds from now on."""
        loop = asyncio.get_running_loop()
        self._past, self._due = self.seconds, loop.time() + TICK
        loop.call_at(self._due, self.tick)


class Bot:
    """A bot that may join. reconnect: seconds in which it may come back. limits: what it may take."""

    def __init__(self, name: str, reconnect: float, limits: Limits, lateness: Lateness) -> None:
        self.name, self.reconnect, self.limits, self.lateness = name, reconnect, limits, lateness
        self.free_away, self.barred_until, self.has_left = FREE_AWAY, 0.0, False
        self.was_here = False
        self.connection: Connection | None = None
        self.last_closed = LOST
        self.matches: dict[str, BotMatch] = {}
        self._numbers = count(1)

    def joined(self, connection: Connection | None, why: Unwelcome | None = None) -> None:
        """It has a connection now, or none any more, and why."""
        self.connection = connection
        self.was_here |= connection is not None
        self.last_closed = str(why or LOST)
        if why is not None and why.is_barred:
            self.barred_until = asyncio.get_running_loop().time() + BARRED
        self._wake_matches()

    def leave(self) -> None:
        """It is no longer in the tournament: what is being asked of it is over."""
        self.has_left = True
        if self.connection is not None:
            self.connection.end(Unwelcome("it has left the tournament", 1000))
        self._wake_matches()

    def _wake_matches(self) -> None:
        for match in self.matches.values():
            match.changed.set()

    def begin(self) -> BotMatch:
        match = BotMatch(self, next(self._numbers))
        self.matches[str(match.number)] = match
        return match

    def end(self, match: BotMatch) -> None:
        match.tell(BYE)
        del self.matches[str(match.number)]
        if self.connection is not None:
            self.connection.allowed += match.allowed


class Answers(NamedTuple):
    """lines: of the bot. away: for how many seconds it was not connected. thought: how many seconds count as its
    thinking: neither the first that it was away, nor those by which the server was late. error: why there are not as
    many lines as were asked for; "" where there are. left: it is no longer in the tournament."""

    lines: list[bytes]
    away: float = 0.0
    thought: float = 0.0
    error: str = ""
    left: bool = False


class BotMatch:
    """One match of a bot. If the bot comes back, all that is not answered is asked again, from `hello` on."""

    def __init__(self, bot: Bot, number: int) -> None:
        self.number, self.changed = number, asyncio.Event()
        self.size, self.allowed = 0, 0  # bytes of answers that nobody has asked for yet, messages that it may send
        self._bot = bot
        self._hello = b""
        self._greeted: Connection | None = None
        self._asked: Connection | None = None
        self._heard: list[bytes] = []
        self._skipped = 0

    def tell(self, lines: bytes) -> None:
        """Send lines that have no answer, if the bot knows of this match."""
        if self._greeted is not None and self._greeted is self._bot.connection:
            self._greeted.send(self.number, lines)
        if lines == BYE:
            self._greeted = None

    def heard(self, text: bytes) -> None:
        """Lines that the bot has sent."""
        lines = [line for each in text.split(b"\n") if (line := each.strip())]
        skipped = min(self._skipped, len(lines))
        self._skipped -= skipped
        self._heard += lines[skipped:]
        self.size += sum(map(len, lines))
        self.changed.set()

    async def ask(self, lines: bytes, answers: int) -> Answers:
        """Send lines, and return the answers: as many, or fewer and why."""
        limits, self._asked = self._bot.limits, None
        limit = limits.seconds_for(answers) if self._hello else limits.seconds_to_start
        loop, thought, away = asyncio.get_running_loop(), 0.0, 0.0
        while not self._is_answered(answers):
            if self._bot.has_left:
                return Answers([], away, thought, left=True)
            connection = self._bot.connection
            if connection is not None and connection is not self._asked:
                self._ask(connection, lines, answers)
            thinks = limit - thought
            left = thinks if connection else min(thinks + self._bot.free_away, self._bot.reconnect - away)
            if left <= 0:
                is_lost = connection is None and away >= self._bot.reconnect
                lost = f"did not come back within {self._bot.reconnect:g} s ({self._bot.last_closed})"
                error = lost if is_lost else f"gave no answer within {limit:g} s"
                if away and not is_lost:
                    error += f"; its connection ended meanwhile ({self._bot.last_closed})"
                return Answers(self._taken(answers), away, thought, error)
            self.changed.clear()
            began, before = loop.time(), self._bot.lateness.seconds
            with suppress(TimeoutError):
                await asyncio.wait_for(self.changed.wait(), left)
            passed = loop.time() - began
            passed -= min(passed, self._bot.lateness.seconds - before)
            if connection is None:  # who leaves while it is asked may think elsewhere
                away += passed
                spared = min(passed, self._bot.free_away)
                self._bot.free_away -= spared
                passed -= spared
            thought += passed
        self._hello = self._hello or lines
        return Answers(self._taken(answers), away, thought)

    def _ask(self, connection: Connection, lines: bytes, answers: int) -> None:
        is_new = self._greeted is not connection
        if is_new:  # what came over the old connection may be part of an answer
            self._heard, self.size, self._skipped = [], 0, int(bool(self._hello))
            lines = self._hello + lines
        self.allowed = answers + SPARE_MESSAGES
        connection.send(self.number, lines)
        self._greeted = self._asked = connection

    def _is_answered(self, answers: int) -> bool:
        """Whether all answers are there, or one that says why the others are not coming."""
        if self._asked is None or len(self._heard) >= answers:
            return self._asked is not None
        return bool(self._heard) and b'"error"' in self._heard[-1] and _gives_up(self._heard[-1])

    def _taken(self, answers: int) -> list[bytes]:
        taken, self._heard = self._heard[:answers], self._heard[answers:]
        self.size = sum(map(len, self._heard))
        return taken


def _gives_up(line: bytes) -> bool:
    """Whether a line says that no more answers are coming."""
    try:
        with border():
            answer_of(line)
    except WrongAnswer:
        return True
    return False

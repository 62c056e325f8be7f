"""JSON over HTTP: one server, asked with POST, with retries, by `httpx` (the extra `online`). The server is not
trusted: its answers have a total time and a largest size, and no redirect is followed. A key is read from the
environment for each request and kept nowhere: not in objects, their reprs or error messages."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Coroutine, Mapping
from email.utils import parsedate_to_datetime
from threading import Lock, Thread
from time import monotonic, time
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from urllib.parse import urlsplit
from weakref import finalize

from ..utils.plain_data import json_of

if TYPE_CHECKING:
    import httpx

BUSY = (429, 503)  # status codes of servers that have not taken a request: asking again does nothing twice
FAILED = (500, 502, 504)  # status codes of servers that may have done what they were asked, or not
LONGEST_WAIT = 60.0  # seconds that a client waits at most between two attempts, whatever the server asks for
LONGEST = 600.0  # seconds that a request takes at most, with all that it is sent again; also the longest timeout
SPARE = 0.5
"""Seconds beyond the timeout after which an answer that keeps coming is cut off. So silence ends by the timeout of the
connection, after which the request may be sent again."""
LARGEST = 2**22  # bytes of an answer
UNCOMPRESSED = {"Accept-Encoding": "identity"}  # a few compressed bytes can be a gigabyte
SHOWN = 300
KEY_NAME = re.compile(r"[A-Z0-9_]*API_KEY[A-Z0-9_]*")
"""The environment variables that may be sent to a server: a config from somebody else should reach no other secret."""


class HttpError(OSError):
    """A server could not be reached, answered too late, refused a request, or sent no JSON. The message names the
    address, says what was wrong, and holds no key."""


class JsonServer:
    """A server that is sent JSON objects and answers with JSON objects.

    url: its address, to which paths are joined. timeout: seconds to wait for a connection, and for the whole of an
    answer, at most LONGEST. retries: how many more times a request is sent, within LONGEST seconds in all. backoff:
    seconds before the second retry; each further one waits twice as long, or as long as the server asks for with
    Retry-After, at most a minute. key_name: the environment variable that holds a key for `Authorization: Bearer`, or
    None.

    Answers of more than LARGEST bytes are errors, and so are redirects. Threads may share one; copies have connections
    of their own. Raises ValueError for an invalid address or one with a password, for a timeout out of
    range, and for a key that is not there.
    """

    def __init__(
        self, url: str, timeout: float = 30.0, retries: int = 4, backoff: float = 0.5, key_name: str | None = None
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"url: {url!r} is not an address such as http://127.0.0.1:8000/v1")
        if parts.username or parts.password:
            raise ValueError(f"url: the address of {parts.hostname} holds a name or password; leave it out")
        if not 0 < timeout <= LONGEST:
            raise ValueError(f"timeout: {timeout} is not between 0 and {LONGEST:g} seconds")
        if key_name is not None and not KEY_NAME.fullmatch(key_name):
            raise ValueError(f"the variable of a key has API_KEY in its name, in capitals; {key_name!r} has not")
        if key_name is not None and not os.environ.get(key_name):
            raise ValueError(f"set the environment variable {key_name} to the key for {url}")
        self.url, self.timeout, self.retries, self.backoff = url.rstrip("/"), timeout, retries, backoff
        self.key_name = key_name
        self._lock = Lock()
        self._line: _Line | None = None

    def post(self, path: str, body: Mapping[str, Any], is_repeatable: bool = True) -> dict[str, Any]:
        """Send a JSON object to url/path, and return the object in the answer.

        is_repeatable: whether the request may be sent again when the server may have done it already: after a lost
        connection or a status of FAILED. Requests that surely were not taken are sent again in any case.
        Raises HttpError. The library's exceptions are not passed on: they hold the request, and so the key.
        """
        address = f"{self.url}/{path}"
        line = self._opened()
        reply = line.wait_for(self._post(line.client, address, body, is_repeatable))
        if reply.answer is None:
            raise HttpError(self._without_key(f"{address}: {reply.problem}"))
        return reply.answer

    def close(self) -> None:
        """Close the connections; the next request opens one again."""
        with self._lock:
            line, self._line = self._line, None
        if line is not None:
            line.end()

    def __reduce__(self) -> tuple[type[JsonServer], tuple[Any, ...]]:
        return JsonServer, (self.url, self.timeout, self.retries, self.backoff, self.key_name)

    def __repr__(self) -> str:
        return f"<JsonServer {self.url}>"

    def _opened(self) -> _Line:
        """The connections. A process that was forked has none of its parent's."""
        with self._lock:
            if self._line is None or self._line.process != os.getpid():
                self._line = _Line(self, self.timeout)
            return self._line

    async def _post(
        self, client: httpx.AsyncClient, address: str, body: Mapping[str, Any], is_repeatable: bool
    ) -> _Reply:
        """The reply to a request, which is sent until it is good, or final."""
        ends = monotonic() + LONGEST
        for sent in range(self.retries + 1):
            reply = await self._ask(client, address, body, is_last=sent == self.retries)
            if reply.again == "never" or (reply.again == "if repeatable" and not is_repeatable):
                break
            wait = reply.wait if reply.wait is not None else self.backoff * 2 ** (sent - 1) if sent else 0.0
            if sent == self.retries or monotonic() > ends:
                break
            await asyncio.sleep(min(wait, LONGEST_WAIT))
        return reply

    async def _ask(self, client: httpx.AsyncClient, address: str, body: Mapping[str, Any], is_last: bool) -> _Reply:
        """The reply to a request that is sent once. is_last: whether the reason of a refusal is read."""
        import httpx

        try:
            async with (
                asyncio.timeout(self.timeout + SPARE),  # a connection's timeout starts over with every byte
                client.stream("POST", address, json=body, headers=self._headers()) as response,
            ):
                status = response.status_code
                again: Again = "surely" if status in BUSY else "if repeatable" if status in FAILED else "never"
                if again != "never" and not is_last:
                    return _Reply(None, f"HTTP {response.status_code}", again, _asked_wait(response))
                content = await _limited(response)
        except TimeoutError:
            return _Reply(None, f"no whole answer within {self.timeout:g} s")
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            return _Reply(None, self._problem(error), "surely")
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            return _Reply(None, self._problem(error), "if repeatable")
        if content is None:
            return _Reply(None, f"an answer of more than {LARGEST:,} bytes")
        return _read(response, content)

    def _headers(self) -> dict[str, str]:
        """Those of a request: with the key if there is one, and never with a password of a .netrc file."""
        key = {} if self.key_name is None else {"Authorization": f"Bearer {os.environ.get(self.key_name, '')}"}
        return UNCOMPRESSED | key

    def _problem(self, error: Exception) -> str:
        first: BaseException = error
        while cause := first.__cause__ or first.__context__:
            first = cause
        if "Timeout" in type(error).__name__:
            return f"no answer within {self.timeout:g} s"
        if isinstance(first, ConnectionRefusedError):
            return "the connection was refused: is the server running?"
        return f"no answer ({type(first).__name__}: {str(first)[:SHOWN]})"

    def _without_key(self, text: str) -> str:
        key = os.environ.get(self.key_name, "") if self.key_name else ""
        return text.replace(key, "(the key)") if key else text


class _Line:
    """The connections to a server, and the event loop that they live in, in a thread: notebooks have a running loop. It
    ends with its owner. process: the number of the process that has it."""

    def __init__(self, owner: JsonServer, timeout: float) -> None:
        import httpx

        self.process = os.getpid()
        self.client = httpx.AsyncClient(timeout=timeout, limits=httpx.Limits(max_connections=None))
        self._loop = asyncio.new_event_loop()
        self.end = finalize(owner, self._end)  # at most once
        Thread(target=_run, args=(self._loop,), daemon=True).start()

    def wait_for(self, work: Coroutine[Any, Any, _Reply]) -> _Reply:
        waited = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return waited.result()
        finally:
            waited.cancel()

    def _end(self) -> None:
        """Close the connections and end the thread, without waiting: any thread may be the one that drops the owner."""
        if self.process == os.getpid():  # a process that was forked has no such thread
            asyncio.run_coroutine_threadsafe(self._closed(), self._loop)

    async def _closed(self) -> None:
        await self.client.aclose()
        self._loop.stop()


def _run(loop: asyncio.AbstractEventLoop) -> None:
    loop.run_forever()
    loop.close()


Again = Literal["surely", "if repeatable", "never"]
"""When a request may be sent again: the server surely has not taken it, or may have."""


class _Reply(NamedTuple):
    """The object in an answer, or None and what was wrong; whether to ask again, and after how many seconds."""

    answer: dict[str, Any] | None
    problem: str
    again: Again = "never"
    wait: float | None = None


def _asked_wait(response: httpx.Response) -> float | None:
    """The seconds that a server asks to wait, by number or by date; None if it asks for nothing."""
    asked = response.headers.get("Retry-After", "")
    try:
        return max(0.0, float(asked) if asked.strip().isdigit() else parsedate_to_datetime(asked).timestamp() - time())
    except ValueError:
        return None


async def _limited(response: httpx.Response) -> bytes | None:
    """What an answer holds, as it was sent; None if that is too large."""
    content = b""
    async for part in response.aiter_raw():
        content += part
        if len(content) > LARGEST:
            return None
    return content


def _read(response: httpx.Response, content: bytes) -> _Reply:
    text = content.decode(errors="replace")
    try:
        answer = json_of(content)
    except ValueError:
        answer = None
    if response.status_code != 200:
        reason = _error_in(answer) or text.strip() or response.reason_phrase
        return _Reply(None, f"HTTP {response.status_code}: {reason[:SHOWN]}")
    if not isinstance(answer, dict):
        return _Reply(None, f"the answer is not a JSON object: {text[:SHOWN]!r}")
    return _Reply(answer, "")


def _error_in(answer: Any) -> str:
    text = answer
    for name in ("error_msg", "error", "message", "detail"):
        if isinstance(text, dict) and name in text:
            text = text[name]
    return text if isinstance(text, str) else ""

"""JSON over HTTP: one server, asked with POST, with retries. It needs the package `requests`, the extra `online`.

The server may be a stranger's: its answers have a total time and a largest size, and no redirect is followed. A key is
read from the environment for each request and kept nowhere: not in objects, their reprs or error messages.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Mapping
from contextlib import suppress
from threading import Lock, Timer, local
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from ..utils.plain_data import json_of

if TYPE_CHECKING:
    import requests

BUSY = (429, 503)
"""Status codes of servers that have not taken a request: asking again does nothing twice."""
FAILED = (500, 502, 504)
"""Status codes of servers that may have done what they were asked, or not."""
LONGEST_WAIT = 60.0
"""Seconds that a client waits at most between two attempts, whatever the server asks for."""
LONGEST = 600.0
"""Seconds that a request takes at most, with all that it is sent again; also the longest timeout."""
SPARE = 0.5
"""Seconds beyond the timeout after which an answer that keeps coming is cut off. So silence ends by the socket's own
timeout, after which the request may be sent again."""
LARGEST = 2**22
"""Bytes of an answer."""
UNCOMPRESSED = {"Accept-Encoding": "identity"}
"""A few compressed bytes can be a gigabyte."""
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

    Answers of more than LARGEST bytes are errors, and so are redirects. Threads may share one; each has connections of
    its own, and so have copies. Raises ValueError for an invalid address or one with a password, for a timeout out of
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
        if key_name is not None:
            _check_key(key_name, url)
        self.url, self.timeout, self.retries, self.backoff = url.rstrip("/"), timeout, retries, backoff
        self.key_name = key_name
        self._sessions = local()

    def post(self, path: str, body: Mapping[str, Any], is_repeatable: bool = True) -> dict[str, Any]:
        """Send a JSON object to url/path, and return the object in the answer.

        is_repeatable: whether the request may be sent again when the server may have done it already: after a lost
        connection or a status of FAILED. Requests that surely were not taken are sent again in any case.
        Raises HttpError.
        """
        address = f"{self.url}/{path}"
        reply = self._sent(address, body, is_repeatable)
        if reply.answer is None:
            raise HttpError(self._without_key(f"{address}: {reply.problem}"))
        return reply.answer

    def close(self) -> None:
        """Close this thread's connections; the next request opens one again."""
        for session, _ in vars(self._sessions).values():
            session.close()
        vars(self._sessions).clear()

    def __reduce__(self) -> tuple[type[JsonServer], tuple[Any, ...]]:
        return JsonServer, (self.url, self.timeout, self.retries, self.backoff, self.key_name)

    def __repr__(self) -> str:
        return f"<JsonServer {self.url}>"

    def _sent(self, address: str, body: Mapping[str, Any], is_repeatable: bool) -> _Reply:
        """The reply to a request. The library's exceptions are not passed on: they hold the request, and so the key."""
        import requests
        import urllib3

        session, deadline = self._session(is_repeatable)
        try:
            with deadline:
                response = session.post(
                    address,
                    json=body,
                    headers=UNCOMPRESSED,
                    timeout=self.timeout,
                    auth=self._authorized,
                    allow_redirects=False,
                    stream=True,
                )
                content = response.raw.read(LARGEST + 1, decode_content=False)
                if len(content) > LARGEST:
                    response.close()
        except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
            return _Reply(None, self._late() if deadline.is_over else self._problem(error))
        if deadline.is_over:  # without a length, an answer that is cut off looks whole
            return _Reply(None, self._late())
        if len(content) > LARGEST:
            return _Reply(None, f"an answer of more than {LARGEST:,} bytes")
        return _read(response, content)

    def _session(self, is_repeatable: bool) -> tuple[requests.Session, _Deadline]:
        """This thread's session, which keeps its connection open, and the deadline of its answers."""
        sessions = vars(self._sessions)
        name = "repeatable" if is_repeatable else "once"
        if name not in sessions:
            deadline = _Deadline(self.timeout)
            sessions[name] = _new_session(self.retries, self.backoff, is_repeatable, deadline), deadline
        found: tuple[requests.Session, _Deadline] = sessions[name]
        return found

    def _authorized(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        """Add the key to a request. Without one, nothing is added: no password from a .netrc file either."""
        if self.key_name is not None:
            request.headers["Authorization"] = f"Bearer {os.environ.get(self.key_name, '')}"
        return request

    def _late(self) -> str:
        return f"no whole answer within {self.timeout:g} s"

    def _problem(self, error: Exception) -> str:
        """What an exception of the libraries says, in words."""
        text = str(error)
        if "timed out" in text.lower() or "timeout" in type(error).__name__.lower():
            return f"no answer within {self.timeout:g} s"
        if "refused" in text.lower():
            return "the connection was refused: is the server running?"
        reason = getattr(error.args[0], "reason", error.args[0]) if error.args else error
        return f"no answer ({type(reason).__name__}: {str(reason)[:SHOWN]})"

    def _without_key(self, text: str) -> str:
        """A text in which a server, or a library, may have repeated the key."""
        key = os.environ.get(self.key_name, "") if self.key_name else ""
        return text.replace(key, "(the key)") if key else text


class _Reply(NamedTuple):
    """The object in an answer, or None and what was wrong."""

    answer: dict[str, Any] | None
    problem: str


def _check_key(name: str, url: str) -> None:
    if not KEY_NAME.fullmatch(name):
        raise ValueError(f"the variable of a key has API_KEY in its name, in capitals; {name!r} has not")
    if not os.environ.get(name):
        raise ValueError(f"set the environment variable {name} to the key for {url}")


class _Deadline:
    """Of the answers to a thread: it shuts down the socket of one that takes longer than `seconds`. The timeout
    of a socket does not, as it starts over with every byte. As a context manager it is one request, which may be sent
    several times.

    is_over: whether it has shut down the latest one. is_last: whether there is no time left to send it again.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds + SPARE
        self._timer: Timer | None = None
        self._lock = Lock()
        self._ends = monotonic()
        self.is_over = False

    def __enter__(self) -> None:
        self._ends = monotonic() + LONGEST
        self.is_over = False

    def __exit__(self, *_: object) -> None:
        self._stop()

    @property
    def is_last(self) -> bool:
        return self.is_over or monotonic() > self._ends

    def begin(self, connection: socket.socket) -> None:
        """The request was sent; its answer is awaited."""
        self._stop()
        timer = Timer(self._seconds, lambda: self._end(connection, timer))
        timer.daemon = True
        self._timer = timer
        timer.start()

    def _stop(self) -> None:
        with self._lock:
            timer, self._timer = self._timer, None
        if timer is not None:
            timer.cancel()

    def _end(self, connection: socket.socket, timer: Timer) -> None:
        with self._lock:
            if self._timer is not timer:
                return  # it fired while its answer came: the next request is not late
            self.is_over = True
        with suppress(OSError), socket.fromfd(connection.fileno(), socket.AF_INET, socket.SOCK_STREAM) as same:
            same.shutdown(socket.SHUT_RDWR)  # below TLS, whose own shutdown waits for the other side


def _new_session(retries: int, backoff: float, is_repeatable: bool, deadline: _Deadline) -> requests.Session:
    import requests
    import urllib3

    class Retry(urllib3.Retry):
        def get_retry_after(self, response: urllib3.BaseHTTPResponse) -> float | None:
            asked = super().get_retry_after(response)
            return None if asked is None else min(asked, LONGEST_WAIT)

        def increment(self, method: str | None = None, url: str | None = None, *args: Any, **kwargs: Any) -> Retry:
            further = super().increment(method, url, *args, **kwargs)
            if deadline.is_last:
                raise kwargs.get("error") or urllib3.exceptions.MaxRetryError(kwargs["_pool"], url or "")
            if response := kwargs.get("response"):
                response.close()  # urllib3 would read the rest of it, however much that is
            return further

    class Adapter(requests.adapters.HTTPAdapter):
        def get_connection_with_tls_context(self, *args: Any, **kwargs: Any) -> urllib3.HTTPConnectionPool:
            pool = super().get_connection_with_tls_context(*args, **kwargs)
            if not hasattr(pool.ConnectionCls, "deadline"):
                pool.ConnectionCls = _timed(pool.ConnectionCls, deadline)
            return pool

    retry = Retry(
        total=retries,
        read=None if is_repeatable else 0,
        other=None if is_repeatable else 0,
        allowed_methods=None,  # POST, too
        status_forcelist=BUSY + FAILED if is_repeatable else BUSY,
        backoff_factor=backoff,
        backoff_max=LONGEST_WAIT,
        raise_on_status=False,
    )
    session = requests.Session()
    for scheme in ("http://", "https://"):
        session.mount(scheme, Adapter(max_retries=retry))
    return session


def _timed(kind: Any, deadline: _Deadline) -> Any:
    """A class of connections whose answers have a deadline."""

    def getresponse(self: Any) -> Any:
        deadline.begin(self.sock)
        return kind.getresponse(self)

    return type(kind.__name__, (kind,), {"getresponse": getresponse, "deadline": deadline})


def _read(response: requests.Response, content: bytes) -> _Reply:
    """What a whole answer says."""
    text = content.decode(errors="replace")
    try:
        answer = json_of(content)
    except ValueError:
        answer = None
    if response.status_code != 200:
        reason = _error_in(answer) or text.strip() or response.reason
        return _Reply(None, f"HTTP {response.status_code}: {reason[:SHOWN]}")
    if not isinstance(answer, dict):
        return _Reply(None, f"the answer is not a JSON object: {text[:SHOWN]!r}")
    return _Reply(answer, "")


def _error_in(answer: Any) -> str:
    """The message in the JSON of an error, in one of the usual places; "" if there is none."""
    text = answer
    for name in ("error_msg", "error", "message", "detail"):
        if isinstance(text, dict) and name in text:
            text = text[name]
    return text if isinstance(text, str) else ""

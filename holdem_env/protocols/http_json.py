"""JSON over HTTP: one server, asked with POST, with retries. It needs the package `requests`, the extra `online`.

A key is read from the environment for each request and kept nowhere: not in objects, their reprs or error messages.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from threading import local
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

if TYPE_CHECKING:
    import requests

BUSY = (429, 503)
"""Status codes of servers that have not taken a request: asking again does nothing twice."""
FAILED = (500, 502, 504)
"""Status codes of servers that may have done what they were asked, or not."""
LONGEST_WAIT = 60.0
"""Seconds that a client waits at most between two attempts, whatever the server asks for."""
SHOWN = 300
KEY_NAME = re.compile(r"[A-Z0-9_]*API_KEY[A-Z0-9_]*")
"""The environment variables that may be sent to a server: a config from somebody else should reach no other secret."""


class HttpError(OSError):
    """A server could not be reached, answered too late, refused a request, or sent no JSON. The message names the
    address, says what was wrong, and holds no key."""


class JsonServer:
    """A server that is sent JSON objects and answers with JSON objects.

    url: its address, to which paths are joined. timeout: seconds to wait for a connection, and for an answer. retries:
    how many more times a request is sent. backoff: seconds before the second retry; each further one waits twice as
    long, or as long as the server asks for with Retry-After, at most a minute. key_name: the environment variable that
    holds a key for `Authorization: Bearer`, or None.

    Threads may share one; each has connections of its own, and so have copies. Raises ValueError for an address that is
    none or holds a password, and for a key that is not there.
    """

    def __init__(
        self, url: str, timeout: float = 30.0, retries: int = 4, backoff: float = 0.5, key_name: str | None = None
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"url: {url!r} is not an address such as http://127.0.0.1:8000/v1")
        if parts.username or parts.password:
            raise ValueError(f"url: the address of {parts.hostname} holds a name or password; leave it out")
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
        for session in vars(self._sessions).values():
            session.close()
        vars(self._sessions).clear()

    def __reduce__(self) -> tuple[type[JsonServer], tuple[Any, ...]]:
        return JsonServer, (self.url, self.timeout, self.retries, self.backoff, self.key_name)

    def __repr__(self) -> str:
        return f"<JsonServer {self.url}>"

    def _sent(self, address: str, body: Mapping[str, Any], is_repeatable: bool) -> _Reply:
        """The reply to a request. The library's exceptions are not passed on: they hold the request, and so the key."""
        import requests

        session = self._session(is_repeatable)
        try:
            response = session.post(
                address, json=body, timeout=self.timeout, auth=self._authorized, allow_redirects=False
            )
        except requests.RequestException as error:
            return _Reply(None, self._problem(error))
        try:
            answer = response.json()
        except ValueError:
            answer = None
        if response.status_code != 200:
            told = _error_in(answer) or response.text.strip() or response.reason
            return _Reply(None, f"HTTP {response.status_code}: {told[:SHOWN]}")
        if not isinstance(answer, dict):
            return _Reply(None, f"the answer is no JSON object: {response.text[:SHOWN]!r}")
        return _Reply(answer, "")

    def _session(self, is_repeatable: bool) -> requests.Session:
        """This thread's session, which keeps its connection open."""
        sessions = vars(self._sessions)
        name = "repeatable" if is_repeatable else "once"
        if name not in sessions:
            sessions[name] = _new_session(self.retries, self.backoff, is_repeatable)
        session: requests.Session = sessions[name]
        return session

    def _authorized(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        """Add the key to a request. Without one, nothing is added: no password from a .netrc file either."""
        if self.key_name is not None:
            request.headers["Authorization"] = f"Bearer {os.environ.get(self.key_name, '')}"
        return request

    def _problem(self, error: requests.RequestException) -> str:
        """What an exception of the library says, in words."""
        told = str(error)
        if "timed out" in told.lower() or "timeout" in type(error).__name__.lower():
            return f"no answer within {self.timeout:g} s"
        if "refused" in told.lower():
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


def _new_session(retries: int, backoff: float, is_repeatable: bool) -> requests.Session:
    import requests
    import urllib3

    class Retry(urllib3.Retry):
        def get_retry_after(self, response: urllib3.BaseHTTPResponse) -> float | None:
            asked = super().get_retry_after(response)
            return None if asked is None else min(asked, LONGEST_WAIT)

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
        session.mount(scheme, requests.adapters.HTTPAdapter(max_retries=retry))
    return session


def _error_in(answer: Any) -> str:
    """The message in the JSON of an error, in one of the usual places; "" if there is none."""
    told = answer
    for name in ("error_msg", "error", "message", "detail"):
        if isinstance(told, dict) and name in told:
            told = told[name]
    return told if isinstance(told, str) else ""

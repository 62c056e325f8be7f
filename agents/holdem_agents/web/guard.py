"""Who may talk to the server: its own pages in a browser that was given the token, and nobody else.

Loopback is no wall. Any page that a person has open may send requests to 127.0.0.1; a name of its own may point there
(DNS rebinding); and another program's pages on another port share the cookies. So each request must name one of our
hosts, must not come from another origin, and must bring the token that was made at this start.
"""

from __future__ import annotations

from collections.abc import Collection
from hmac import compare_digest
from ipaddress import ip_address
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .answers import error_answer

MAX_BODY = 64 * 1024  # bytes that a request may bring
UPLOAD, SOLUTION = "/api/replay/open", "/api/solve/open"  # where a browser sends a file of hands, and one of a solution
SPOTS = ("/api/solve", "/api/solve/size", "/api/solve/lock")  # and where spots and their locks
MAX_FILE, MAX_SOLUTION = 32 * 1024 * 1024, 256 * 1024 * 1024  # how many bytes they may have
MAX_SPOT = 4 * 1024 * 1024  # of a spot, whose locks have a strategy for each hand
LIMITS = {UPLOAD: MAX_FILE, SOLUTION: MAX_SOLUTION, **dict.fromkeys(SPOTS, MAX_SPOT)}
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
EVERYWHERE = ("0.0.0.0", "::", "[::]", "")  # hosts that stand for all addresses of this machine
SAFE_METHODS = ("GET", "HEAD")
HEADERS = {
    "content-security-policy": "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
"""Of every answer."""
NO_TOKEN = """<!doctype html><html lang="en"><meta charset="utf-8"><title>holdem web</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:4rem auto;padding:0 1rem}
@media (prefers-color-scheme:dark){body{background:#14171b;color:#eef1f4}}</style>
<h1>This browser has no key</h1>
<p>Open the address that <code>holdem web</code> printed in its terminal: it ends in <code>?token=…</code>. Each start
of <code>holdem web</code> makes a new one.</p></html>"""


class Guard:
    """ASGI middleware: lets only requests pass that come from our own pages and bring the token.

    host, port: where the server listens. token: made at this start (`Site.token`).
    """

    def __init__(self, app: ASGIApp, host: str, port: int, token: str) -> None:
        self.app, self.token = app, token
        self.cookie = f"holdem_{port}"  # cookies of one host are shared by its ports
        self._port, self._everywhere = port, host in EVERYWHERE
        self._hosts = hosts_of(host, port)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        answer = self._refusal(scope) or self._greeting(scope)
        await (answer or self.app)(scope, receive, _with_headers(scope, send))

    def _refusal(self, scope: Scope) -> Response | None:
        headers, method = Headers(scope=scope), scope["method"]
        host = headers.get("host", "").lower()
        if len(headers.getlist("host")) != 1 or not self._is_ours(host):
            return error_answer(400, "The request names another host than this server's. Open the address it printed.")
        if method not in (*SAFE_METHODS, "POST"):
            return error_answer(405, f"The server does not take {method[:20]} requests.")
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        if origin is not None and origin.lower() != f"http://{host}":
            return error_answer(403, "The request comes from another page.")
        if site in ("cross-site", "same-site") and not _is_visit(headers, method):
            return error_answer(403, "The request comes from another page.")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > 9 or int(length) > most_bytes(scope):
            return error_answer(413, "The request is too big.")
        if method == "POST" and origin is None and site != "same-origin":
            return error_answer(403, "The request does not say from which page it comes.")
        return None

    def _is_ours(self, host: str) -> bool:
        """Whether the header Host names us. If the server listens everywhere, any address may be its own: a number
        cannot be rebound, a name can."""
        if host in self._hosts:
            return True
        name, _, port = host.rpartition(":") if self._port != 80 else (host, "", "80")
        return self._everywhere and port == str(self._port) and _is_address(name)

    def _greeting(self, scope: Scope) -> Response | None:
        """The answer to a browser that brings the token in the address, or brings none; None if its cookie has it."""
        if scope["path"] == "/" and scope["method"] == "GET":
            given = parse_qs(scope["query_string"].decode("latin-1")).get("token")
            if given and self._is_token(given[0]):
                return self._welcome()
        if self._is_token(self._cookie_of(Headers(scope=scope))):
            return None
        if scope["path"].startswith("/api/"):
            return error_answer(401, "This browser has no key: open the address that `holdem web` printed.")
        return HTMLResponse(NO_TOKEN, 401)

    def _welcome(self) -> Response:
        """Keep the token in a cookie, and take it out of the address."""
        answer = RedirectResponse("/", 303)
        answer.set_cookie(self.cookie, self.token, path="/", httponly=True, samesite="strict")
        return answer

    def _cookie_of(self, headers: Headers) -> str:
        parts = [part.strip() for line in headers.getlist("cookie") for part in line.split(";")]
        named = [part.partition("=")[2] for part in parts if part.startswith(f"{self.cookie}=")]
        return named[0] if named else ""

    def _is_token(self, given: str) -> bool:
        return compare_digest(given.encode(), self.token.encode())


def most_bytes(scope: Scope) -> int:
    """How long the body of a request may be."""
    return LIMITS.get(scope["path"], MAX_BODY)


class BodyLimits:
    """Answers 413 to a body that is too long, whether or not its length was said."""

    def __init__(self, app: ASGIApp) -> None:
        self._limited = {limit: RequestBodyLimitMiddleware(app, limit) for limit in (MAX_BODY, *LIMITS.values())}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._limited[most_bytes(scope) if scope["type"] == "http" else MAX_BODY](scope, receive, send)


def hosts_of(host: str, port: int) -> Collection[str]:
    """What the header Host may say, in small letters."""
    names = {*LOOPBACK, *(() if host in EVERYWHERE else (bracketed(host).lower(),))}
    return {f"{name}:{port}" for name in names} | (names if port == 80 else set())


def bracketed(host: str) -> str:
    """A host as it stands in an address: IPv6 in brackets."""
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def _is_address(name: str) -> bool:
    try:
        ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


def _is_visit(headers: Headers, method: str) -> bool:
    """Whether somebody follows a link from elsewhere to a page of ours, of which that other page sees nothing."""
    mode, destination = headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest")
    return method == "GET" and mode == "navigate" and destination == "document"


def _with_headers(scope: Scope, send: Send) -> Send:
    kept = "no-store" if scope["path"].startswith("/api/") else "no-cache"

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers.setdefault("cache-control", kept)
        await send(message)

    return sending

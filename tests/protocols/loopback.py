"""HTTP servers on loopback, for tests of clients: each answers POST requests with JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any, NamedTuple


class Asked(NamedTuple):
    """A request. port: the client's, of the connection."""

    path: str
    body: dict[str, Any]
    headers: dict[str, str]
    port: int


class Reply(NamedTuple):
    """A response that is not plain JSON with status 200."""

    status: int = 200
    body: object = None
    headers: dict[str, str] = {}
    raw: bytes | None = None


DROP = object()
"""As an answer: the connection is closed without one."""


class Loopback:
    """A server whose answers a function gives; `asked` holds the requests. An answer that is a function writes its own
    bytes."""

    def __init__(self, answer: Callable[[Asked], Any]) -> None:
        self.answer, self.asked, self.lock = answer, list[Asked](), Lock()
        self.url = ""

    def handle(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        asked = Asked(handler.path, body, dict(handler.headers), handler.client_address[1])
        with self.lock:
            self.asked.append(asked)
        reply = self.answer(asked)
        if reply is DROP or callable(reply):
            handler.close_connection = True
            if callable(reply):
                with suppress(OSError):  # the client hangs up
                    reply(handler.wfile)
            return
        reply = reply if isinstance(reply, Reply) else Reply(body=reply)
        content = json.dumps(reply.body).encode() if reply.raw is None else reply.raw
        handler.send_response(reply.status)
        for name, value in {"Content-Length": str(len(content)), **reply.headers}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(content)


@contextmanager
def serving(answer: Callable[[Asked], Any]) -> Iterator[Loopback]:
    """A server on a free port of loopback, as long as the block runs."""
    loopback = Loopback(answer)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # headers and body are two packets, and the second would wait for the first

        def do_POST(self) -> None:
            loopback.handle(self)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    loopback.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield loopback
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

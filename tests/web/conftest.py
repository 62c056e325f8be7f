"""A server of the pages, and a page in Chromium that looks at it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from processes import wait_until
from web.places import NO_RUNS, free_port

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
FLAGS += ["--disable-component-update", "--disable-sync"]

SLOWEST = 120_000
"""Milliseconds that a page may take: the first hand, and the first solution, may wait for the compiler."""


class Server:
    """The pages of a site, served on a port of this machine. It can be stopped, and started again with all tables."""

    def __init__(self, site: Any) -> None:
        self.site = site
        self._uvicorn: Any = None
        self.start()

    @property
    def base(self) -> str:
        """The address without the token."""
        return f"http://127.0.0.1:{self.site.port}"

    def start(self) -> None:
        """Listen, and come back once it does."""
        import uvicorn

        from holdem_agents.web.app import server_config

        self.site.closing = False
        self._uvicorn = uvicorn.Server(server_config(self.site, port=self.site.port))
        self._thread = threading.Thread(target=self._uvicorn.run, daemon=True)
        self._thread.start()
        wait_until(lambda: self._uvicorn.started, 30)

    def stop(self) -> None:
        """Break all connections; tables stay in the site."""
        self.site.closing = True
        self._uvicorn.should_exit = self._uvicorn.force_exit = True
        self._thread.join(30)

    def token_path(self, path: str = "/") -> str:
        """The address that a browser without the cookie opens, and the page it is led to."""
        return f"{self.base}/?token={self.site.token}#{path.lstrip('#')}"


@pytest.fixture
def serve() -> Iterator[Callable[..., Server]]:
    """serve(**settings of Site) -> a Server; agents play without pauses."""
    pytest.importorskip("starlette")
    pytest.importorskip("uvicorn")
    from holdem_agents.web.site import Site

    servers: list[Server] = []

    def started(**settings: Any) -> Server:
        servers.append(Server(Site(**{"port": free_port(), "pace": 0, "runs": NO_RUNS, **settings})))
        return servers[-1]

    yield started
    for server in servers:
        server.stop()
        server.site.close()


@pytest.fixture
def server(serve: Callable[..., Server], tmp_path: Path) -> Server:
    """A server of the shipped agents and games, without runs and histories."""
    return serve(runs=tmp_path / "runs")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """Debian's Chromium. Of one module, as Playwright's event loop must not stay for other tests."""
    playwright = pytest.importorskip("playwright.sync_api")
    if not CHROMIUM.exists():
        pytest.skip(f"there is no {CHROMIUM}: `apt-get install chromium`")
    playwright.expect.set_options(timeout=SLOWEST)
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Any, server: Server) -> Iterator[Callable[..., Any]]:
    """open_page(path, **settings of a browser context) -> a page of its own browser, which has the server's cookie.

    At the end no page may have said that anything was wrong; what a page is known to say stands in `page.expected`.
    """
    contexts, said = [], []

    def opened(path: str = "/play", **settings: Any) -> Any:
        context = chromium.new_context(**{"viewport": {"width": 1280, "height": 800}, **settings})
        context.set_default_timeout(SLOWEST)
        contexts.append(context)
        page = context.new_page()
        page.expected = []
        watch(page)
        page.goto(server.token_path(path))
        return page

    def watch(page: Any) -> None:
        page.on("pageerror", lambda error: said.append((page, str(error))))
        page.on("console", lambda message: message.type == "error" and said.append((page, message.text)))

    yield opened
    for context in contexts:
        context.close()
    wrong = [text for page, text in said if not any(part in text for part in page.expected)]
    assert not wrong, f"the page says: {wrong}"


@pytest.fixture
def browser_page(open_page: Callable[..., Any]) -> Any:
    """A page at 1,280 px that shows the lobby."""
    return open_page("/play")

"""`holdem web`: pages to play, replay and watch, for a browser on this machine."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import sys
import threading
import webbrowser
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from holdem_env.utils.extras import explain_missing_extra

from .console import flag, option, user_errors
from .listening import listening_at
from .model_commands import Trust

if TYPE_CHECKING:
    from ..web.site import Site

LOOPBACK = "127.0.0.1"
GRACE = 2.0  # seconds that requests under way have to finish after Ctrl-C


def web_command(
    port: Annotated[int, option("N", "Port to listen at; 0: any free one.", min=0, max=65535)] = 8765,
    no_browser: Annotated[bool, flag("Print the address, and open no browser.", "--no-browser")] = False,
    host: Annotated[
        str,
        option(
            "HOST", "Address to listen at. With the default only this machine can reach the pages; 0.0.0.0 lets others."
        ),
    ] = LOOPBACK,
    agent: Annotated[
        list[str] | None, option("AGENT", "A file that is an agent, for the pages to choose. May be repeated.")
    ] = None,
    rules: Annotated[
        list[Path] | None, option("FILE", "A YAML file with the fields of Rules. May be repeated.")
    ] = None,
    history: Annotated[
        list[Path] | None, option("PATH", "A hand history, or a folder of them, to replay. May be repeated.")
    ] = None,
    tournament: Annotated[
        list[Path] | None, option("FILE", "The store of a tournament, to watch. May be repeated.")
    ] = None,
    runs: Annotated[Path, option("FOLDER", "Parent of the run folders.")] = Path("runs"),
    trust: Trust = False,
    keep: Annotated[
        Path | None, option("FOLDER", "Where the hands that you play are kept. Default: your data folder.")
    ] = None,
) -> None:
    """Play against agents, replay hands and watch training in the browser. Ctrl-C ends it.

    Only a browser that has opened the printed address can use the pages, and unless --host says otherwise it must be on
    this machine.
    """
    with user_errors(), explain_missing_extra("holdem web"):
        from platformdirs import user_data_path

        from ..web.site import make_site

        hint = (
            "If `holdem web` runs already, use that one; else choose another port, such as --port 0 for any free one."
        )
        listening = listening_at(host, port, hint)
        site = make_site(
            agents=agent or (),
            rules=rules or (),
            histories=history or (),
            tournaments=tournament or (),
            runs=runs,
            trust=trust,
            keep=keep or user_data_path("holdem_env") / "hands",
            host=host,
            port=listening.getsockname()[1],
        )
        site.load_given()
        _serve(site, listening, browse=not no_browser)


def _serve(site: Site, listening: socket.socket, browse: bool) -> None:
    import uvicorn

    from ..web.app import server_config
    from ..web.warming import warm_in_the_background

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            warm_in_the_background(site)
            typer.echo(f"Open {site.address}\nCtrl-C ends it.")
            if browse:
                threading.Thread(target=webbrowser.open, args=(site.address,), daemon=True).start()

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            site.close()  # streams to browsers end by themselves then
            with suppress(TimeoutError):
                await asyncio.wait_for(super().shutdown(sockets), GRACE)
            typer.echo("")
            _end_process()

    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    Server(server_config(site)).run(sockets=[listening])


def _end_process() -> NoReturn:
    """End the process whatever its threads do.

    A thread may be compiling for minutes. The interpreter's own exit would wait for it, or, if it is a daemon, destroy
    LLVM under it, which ends with SIGSEGV or SIGABRT.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)

"""`listening_at`, for commands that serve: the socket, or a sentence why there is none."""

from __future__ import annotations

import socket

import typer

from .exit_status import FAILED


def listening_at(host: str, port: int, hint: str) -> socket.socket:
    """A socket that listens there. Exits with a message, which ends with the hint, if it cannot."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host.strip("[]"), port))
        made.listen(128)
    except OSError as error:
        made.close()
        why = error.strerror or str(error)
        typer.echo(f"holdem: cannot listen at {host} port {port}: {why}. {hint}", err=True)
        raise typer.Exit(FAILED) from None
    return made

"""What all commands of `holdem` print to, and how an error that the user can put right is told."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import typer
from rich.console import Console

console = Console(highlight=False)


@contextmanager
def user_errors() -> Iterator[None]:
    """What a user can put right is told in a line; HOLDEM_DEBUG=1 shows where it came from."""
    try:
        yield
    except (ValueError, TypeError, OSError) as error:
        if os.environ.get("HOLDEM_DEBUG"):
            raise
        fail(str(error))


def fail(message: str) -> NoReturn:
    """End with a message on stderr."""
    typer.echo(f"holdem: {message}", err=True)
    raise typer.Exit(2)

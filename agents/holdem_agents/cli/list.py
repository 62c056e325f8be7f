"""`holdem list`: what there is to choose from."""

from __future__ import annotations

from typing import Annotated

import typer

from holdem_env.utils.validation import suggestion

from .console import console, user_errors


def list_command(
    what: Annotated[
        str | None, typer.Argument(help="presets, agents, configs or encoders. Default: all of them.")
    ] = None,
) -> None:
    """List what there is to choose from: games, agents, configurations and encoders."""
    from .listing import TABLES

    with user_errors():
        if what is not None and what not in TABLES:
            raise ValueError(f"there is no list of {what!r}: {suggestion(what, list(TABLES))}")
        for name in [what] if what else TABLES:
            table = TABLES[name]()
            if not console.is_terminal:
                table.box = None
            for column in table.columns:
                column.overflow, column.no_wrap = "fold", column.header == "name"
            console.print(table)

"""`holdem replay`: hand histories checked against the rules, and what was read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from holdem_env.history.formats import FORMATS, in_words

from .console import flag, option, say, user_errors


def replay_command(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help=f"Hand histories, {in_words(FORMATS.all())}, also as .xz and .gz; "
            "folders of them, and patterns such as 'hands/2026-*.txt'.",
        ),
    ],
    hand: Annotated[
        str | None, option("NAME", "Show one hand, by its name in the file or for a bot, move by move.")
    ] = None,
    game: Annotated[
        Path | None, option("FILE", "ACPC: the game definition. Default: the file that the log names.")
    ] = None,
    ignore_results: Annotated[
        bool, flag("Take the moves, whatever result is stated; count where they differ.", "--ignore-results")
    ] = False,
) -> None:
    """Replay hand histories, check every move and result against the rules, and say what was read.

    That is: hands, games, players and what they have won, and the hands that were left out and why.
    """
    from .replaying import show_hand, summary

    with user_errors():
        text, is_good = summary(files, game, ignore_results) if hand is None else (show_hand(files, game, hand), True)
    say(text)
    if not is_good:
        raise typer.Exit(1)

"""`holdem push`: a model file and its card, to the Hugging Face Hub."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from holdem_env.agents.hub import SCHEME, push
from holdem_env.utils.extras import explain_missing_extra

from .console import console, flag, user_errors


def push_command(
    model: Annotated[Path, typer.Argument(help="A model file (.safetensors), such as a run's final.safetensors.")],
    repository: Annotated[str, typer.Argument(metavar="USER/NAME", help="Of the Hub; it is made if there is none.")],
    private: Annotated[bool, flag("Nobody else sees a repository that is made.", "--private")] = False,
) -> None:
    """Put a model file and its card on the Hugging Face Hub, where `hf:USER/NAME` is an agent."""
    with user_errors(), explain_missing_extra("holdem push"):
        console.print(f"{push(model, repository, private)}: `holdem match {SCHEME}:{repository} random` plays it")

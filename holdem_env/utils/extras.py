"""The optional packages of the extra `train`, and the error message when one is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

EXTRA = frozenset(
    {
        *("choix", "jinja2", "joblib", "matplotlib", "rich", "sb3_contrib", "scipy", "stable_baselines3"),
        *("tensorboard", "torch", "typer", "yaml"),
    }
)
"""Modules that the extra `train` installs."""


@contextmanager
def explain_missing_extra(what: str) -> Iterator[None]:
    """If a module of the extra is missing, the ModuleNotFoundError says that `what` needs it and how to install it."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in EXTRA:
            raise
        message = f'{what} needs the package {error.name!r}; install it with: pip install "holdem_env[train]"'
        raise ModuleNotFoundError(message, name=error.name) from error

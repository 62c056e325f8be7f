"""Errors of making an agent, sent from one process to another."""

from __future__ import annotations

import builtins


def described_error(error: Exception) -> tuple[str, str, str]:
    """The name of the nearest built-in class of an error, its message, and the file of a missing module."""
    kind = next(each for each in type(error).__mro__ if getattr(builtins, each.__name__, None) is each)
    own = "" if kind is type(error) or isinstance(error, OSError | ValueError) else f"{type(error).__name__}: "
    return kind.__name__, f"{own}{error}", str(getattr(error, "path", None) or "")


def raised_again(kind: str, message: str, path: str) -> Exception:
    """The error that `described_error` describes."""
    made = getattr(builtins, kind, None)
    if not (isinstance(made, type) and issubclass(made, Exception)):
        return ValueError(message)
    if issubclass(made, ImportError):
        return made(message, path=path or None)
    try:
        return made(message)
    except TypeError:
        return ValueError(message)

"""Calling what makes an agent, so that errors say which agent it was."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..utils.suggestions import did_you_mean, keywords_of
from .protocol import Agent


def made(who: str, make: Callable[..., Agent], parameters: Mapping[str, Any], *first: Path | str) -> Agent:
    """What a class or function makes. who: the agent's name or file. first: its first argument: a loader's path.

    Raises TypeError for parameters that it does not have: the message suggests near ones, and lists all. An OSError in
    it says which agent it was.
    """
    form = inspect.signature(make)
    form = form.replace(parameters=list(form.parameters.values())[len(first) :], return_annotation=form.empty)
    known = keywords_of(form)
    if wrong := [name for name in parameters if known is not None and name not in known]:
        hint = did_you_mean(wrong[0], known or ())
        raise TypeError(
            f"agent {who}: it has no parameter {wrong[0]!r}{f' ({hint})' if hint else ''}; its parameters are {form}"
        )
    try:
        form.bind(**parameters)
    except TypeError as error:
        raise TypeError(f"agent {who}: {error}; its parameters are {form}") from None
    with naming(who):
        return make(*first, **parameters)


def named(agent: Agent, name: str) -> Agent:
    """The agent, with this name if its author has given it none."""
    if isinstance(agent, Agent) and not agent.class_is_named and agent.name == type(agent).__name__:
        agent.name = name
    return agent


@contextmanager
def naming(who: str) -> Iterator[None]:
    """An OSError, of a file that an agent cannot open for example, says which agent it was."""
    try:
        yield
    except OSError as error:
        if who in str(error):
            raise
        if error.errno is None:
            raise type(error)(f"agent {who}: {error}") from error
        raise type(error)(error.errno, f"agent {who}: {error.strerror}", error.filename) from error

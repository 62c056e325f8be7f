"""Dialogues: what language models were asked and what they answered, as JSON lines, one for each call."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Lock, local
from time import perf_counter
from typing import Any

from ...utils.atomic import append
from ..http_json import KEY_NAME

VARIABLE = "HOLDEM_DIALOGUES"
"""Names the folder in which this process, and those that it starts, save the calls of their agents. Jails have none."""
SHORTEST_KEY = 8  # shorter values of a key's variable, such as "none", are no secrets
_writing = Lock()
_counted = local()


@contextmanager
def saving_dialogues(folder: Path | None) -> Iterator[None]:
    """Save the calls of agents in a folder, a file for each process; None saves nothing. Raises OSError."""
    if folder is None:
        yield
        return
    folder.mkdir(parents=True, exist_ok=True)
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = str(folder.absolute())
    try:
        yield
    finally:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before


@contextmanager
def saved_call(about: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Save the call that is made in this context, if a folder is set, with what is `about` it.

    Yields a dict that takes "answer" and "refusal". An error is saved, too.
    """
    outcome: dict[str, Any] = {"answer": None, "refusal": None}
    _counted.tokens, begun = None, perf_counter()
    try:
        yield outcome
    except Exception as error:
        outcome["error"] = f"{type(error).__name__}: {error}"
        raise
    finally:
        if folder := os.environ.get(VARIABLE):
            took = {"tokens": _counted.tokens, "seconds": round(perf_counter() - begun, 3)}
            save_call(Path(folder) / f"{os.getpid()}.jsonl", {**about, **outcome, **took})


def count_tokens(prompt: int, completion: int) -> None:
    """Count tokens for the call that this thread makes."""
    if prompt or completion:
        before = getattr(_counted, "tokens", None) or {"in": 0, "out": 0}
        _counted.tokens = {"in": before["in"] + prompt, "out": before["out"] + completion}


def save_call(path: Path, call: Mapping[str, Any]) -> None:
    """Append a call as a line, without the keys of this process. Warns if the file cannot be written."""
    line = json.dumps(call, ensure_ascii=False, default=str)
    for name, key in os.environ.items():
        if KEY_NAME.fullmatch(name) and len(key) >= SHORTEST_KEY:
            line = line.replace(json.dumps(key, ensure_ascii=False)[1:-1], "(the key)")
    try:
        with _writing:
            append(path, f"{line}\n")
    except OSError as error:
        warnings.warn(f"dialogues are not saved: {error}", RuntimeWarning, stacklevel=2)

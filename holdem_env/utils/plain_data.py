"""Untrusted plain data: JSON within limits, what is asked of YAML and JSON alike, and the border
at which whatever such data raise becomes one kind of error."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from math import isfinite
from typing import Any

DEEPEST = 100
"""Lists and mappings within each other."""
MAX_REASON = 300
MAX_DIGITS = 400
"""Of one number; what is read into one takes time that grows with their square."""
STRING = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)', re.DOTALL)
"""A string of JSON. One without an end goes to the end of the text: to try again at each quote takes quadratic time."""
BRACKETS = re.compile(r"[\[\]{}]")


@contextmanager
def untrusted(failure: Callable[[str], Exception], *known: type[Exception]) -> Iterator[None]:
    """The border around untrusted data: all that is raised inside, from RecursionError to MemoryError, is raised
    as `failure(reason)`. known: errors of ours that pass as they are."""
    try:
        yield
    except known:
        raise
    except Exception as error:
        raise failure(_reason(error)) from None


def _reason(error: Exception) -> str:
    """An error's message on one short line, after its type where that says more."""
    kind = "" if isinstance(error, ValueError | OSError) else type(error).__name__
    try:
        said = "".join(sign if sign.isprintable() else " " for sign in str(error)[:MAX_REASON])
    except Exception:  # of the error's own method, and of a stack that is full
        said = ""
    return ": ".join(filter(None, [kind, said])) or type(error).__name__


def json_of(text: str | bytes) -> Any:
    """The data in JSON text.

    Raises:
        ValueError: For other text, and for what JSON allows and nothing here needs: names that a mapping has twice,
            NaN and infinities, numbers of more than MAX_DIGITS digits, half a surrogate pair, nesting beyond DEEPEST.
    """
    text = text.decode("utf-8") if isinstance(text, bytes) else text
    if text.count("[") + text.count("{") > DEEPEST + 1:
        _check_nesting(text)
    found = _DECODER.decode(text)
    if "\\u" in text:  # escapes are the only way to half a pair
        json.dumps(found, ensure_ascii=False).encode("utf-8")
    return found


def _check_nesting(text: str) -> None:
    """Raise ValueError for JSON that is nested too deep, before anything is made of it."""
    depth = 0
    for bracket in BRACKETS.findall(STRING.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        if depth > DEEPEST + 1:  # the whole is no list in another
            raise ValueError(_too_deep())


def _int(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"a number has {len(digits):,} digits, at most {MAX_DIGITS} are read")
    return int(digits)


def _float(digits: str) -> float:
    number = float(digits)
    if len(digits) > MAX_DIGITS or not isfinite(number):
        raise ValueError("a number is too large or has too many digits")
    return number


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is no number of JSON")


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is there twice")
    return found


_DECODER = json.JSONDecoder(parse_int=_int, parse_float=_float, parse_constant=_no_number, object_pairs_hook=_each_once)


def check_depth(data: Any) -> None:
    """Raise ValueError for lists and mappings that are nested more than DEEPEST deep, or hold themselves, as those of
    YAML may: other code takes a step of recursion for each."""
    level = [data]
    for _ in range(DEEPEST + 1):
        inner = {id(each): each for container in level for each in _within(container)}
        if not inner:
            return
        level = list(inner.values())
    raise ValueError(_too_deep())


def check_names(fields: Mapping[Any, Any]) -> None:
    """Raise ValueError for a field whose name is no text."""
    for name in fields:
        if not isinstance(name, str):
            hint = "; YAML reads yes, no, on and off as true and false" if isinstance(name, bool) else ""
            raise ValueError(f"{name!r} is no name of a field; names are text, in quotes if need be{hint}")


def _within(container: Any) -> Iterable[Any]:
    """The lists and mappings directly in one."""
    values = container.values() if isinstance(container, Mapping) else container
    return (
        [each for each in values if isinstance(each, Mapping | list)] if isinstance(container, Mapping | list) else []
    )


def _too_deep() -> str:
    return f"nested more than {DEEPEST} deep"

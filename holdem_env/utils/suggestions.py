"""What a misspelt name may have meant, and keywords that a function does not have."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import ParamSpec, TypeVar

Given = ParamSpec("Given")
Made = TypeVar("Made")
ALMOST_THE_SAME = 0.8
SHORTEST_PART = 3
MAX_NEAR = 4
SEATS = ("num_players", "n_players", "players", "num_seats", "seats")
"""What other libraries call the number of seats."""


def nearest(name: object, known: Iterable[str]) -> list[str]:
    """The known names that a misspelt one may have meant, best first: the same but for hyphens and the like, or one
    that is almost the same, or those that hold it as a part, or one that is somewhat like it; none if no name is."""
    names, plain = list(known), _plain(name)
    if same := [one for one in names if _plain(one) == plain]:
        return same
    if almost := get_close_matches(str(name), names, 1, ALMOST_THE_SAME):
        return almost
    holding = [one for one in names if len(plain) >= SHORTEST_PART and plain in _plain(one)]
    return sorted(holding, key=len)[:MAX_NEAR] or get_close_matches(str(name), names, 1)


def _plain(name: object) -> str:
    return re.sub(r"[^a-z0-9]", "", str(name).lower())


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """ "did you mean 'x'?" if known names are near, otherwise nothing."""
    *first, last = map(repr, near) if (near := nearest(name, known)) else [""]
    return f"did you mean {', '.join(first)}{' or ' if first else ''}{last}?" if last else ""


def suggestion(name: object, known: Sequence[str]) -> str:
    """ "did you mean 'x'?" if known names are near, otherwise the list of known names."""
    return did_you_mean(name, known) or f"known are {', '.join(map(repr, known))}."


def keywords_of(form: Signature) -> list[str] | None:
    """The parameters that can be given by name; None if any can."""
    if any(one.kind is Parameter.VAR_KEYWORD for one in form.parameters.values()):
        return None
    by_name = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
    return [name for name, one in form.parameters.items() if one.kind in by_name and name != "self"]


def known_keywords(called: str) -> Callable[[Callable[Given, Made]], Callable[Given, Made]]:
    """Decorate a function so that the TypeError for a keyword that it does not have suggests the right one.

    called: the name by which people know the function.
    """

    def decorate(function: Callable[Given, Made]) -> Callable[Given, Made]:
        known = keywords_of(signature(function)) or []

        @wraps(function)
        def checked(*args: Given.args, **keywords: Given.kwargs) -> Made:
            for name, value in keywords.items():
                if name in SEATS and name not in known and "rules" in known:
                    raise TypeError(f"{called} has no parameter {name!r}: give rules=Rules(seats={value!r})")
                if name not in known:
                    raise TypeError(f"{called} has no parameter {name!r}: {suggestion(name, known)}")
            return function(*args, **keywords)

        return checked

    return decorate

"""Our docstrings as reStructuredText.

They are plain prose, with code in single backticks. What a parameter, field or attribute means stands in a line, or a
sentence, that begins with its name:

    rules: the game. seed, hand: which deck is dealt; a line that goes on
        may be indented.

These become definition lists. An indented block is code, and everything else stays prose: no character of it is markup.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise
from typing import Any

from sphinx.application import Sphinx

NAMES = r"\**[A-Za-z_]\w*(?:, \**[A-Za-z_]\w*)*"
EXPLANATION = re.compile(rf"({NAMES}): (?=\S)")
LATER_EXPLANATION = re.compile(rf"(?<=[.;] )({NAMES}): (?=\S)")
CODE = re.compile(r"(`[^`]+`)")
MARKUP = re.compile(r"[*|\\]|_\b")
NEW_SENTENCE = re.compile(r"[A-Z`]")
FIELD_OF_TUPLE = "Alias for field number"  # Python's own, where a field has no docstring
NAME = re.compile(r"`\w+(\.\w+)*(\(\))?`")
OWN_PARAGRAPH = ("Raises ", "Returns ")
OUTCOME = re.compile(r"(?<=\.) (?=Raises |Returns )")
SECTION = re.compile(r"[A-Z]\w+:")
FIELD_OF_SELF = re.compile(r"\bself\.([a-z]\w*)\b[^=\n]*=[^=]")


def names_of(thing: Any) -> set[str]:
    """The names that a docstring may explain: parameters, fields, attributes."""
    try:
        names = set(inspect.signature(thing).parameters)
    except (TypeError, ValueError):
        names = set()
    if inspect.isclass(thing):
        names |= {name for name in dir(thing) if not name.startswith("__")}
        names |= {name for base in thing.__mro__ for name in getattr(base, "__annotations__", ())}
        names |= _set_by(thing.__init__)
    return names


def _set_by(method: Any) -> set[str]:
    try:
        return set(FIELD_OF_SELF.findall(inspect.getsource(method)))
    except (OSError, TypeError):
        return set()


def as_rest(lines: Iterable[str], known: set[str]) -> Iterator[str]:
    """A docstring's lines as reStructuredText; known: the names that it may explain."""
    for blank, group in groupby(lines, lambda line: not line.strip()):
        if not blank:
            yield from _block(list(group), known)
            yield ""


def _block(lines: list[str], known: set[str]) -> Iterator[str]:
    """Lines without a blank one between them: a session of Python's shell, code, or prose and explanations."""
    prompt = next((k for k, line in enumerate(lines) if line.lstrip().startswith(">>>")), len(lines))
    prose, shell = lines[:prompt], lines[prompt:]
    if prose and min(map(_indent, prose)) >= 4:
        yield from ["::", "", *prose, ""]
    elif prose:
        yield from _prose(prose, known)
    yield from shell


def _prose(lines: list[str], known: set[str]) -> Iterator[str]:
    section = len(lines) > 1 and SECTION.fullmatch(lines[0].strip()) is not None
    if section:  # "Attributes:" and the like, with the explanations indented
        yield from [lines[0], ""]
        lines = [line[4:] for line in lines[1:]]
    explained: list[str] = []
    plain: list[str] = []
    for line in lines:
        if _explains(line, known, anything=section or bool(explained)):
            yield from _paragraph(plain)
            plain = []
            explained.append(line)
        elif explained and _goes_on(explained[-1], line):
            explained[-1] += " " + line.strip()
        else:
            yield from _definitions(explained, known)
            explained = []
            plain.append(line)
    yield from _paragraph(plain)
    yield from _definitions(explained, known)


def _explains(line: str, known: set[str], anything: bool) -> bool:
    found = EXPLANATION.match(line)
    return found is not None and (anything or _known(found[1], known))


def _known(names: str, known: set[str]) -> bool:
    return all(name.lstrip("*") in known for name in names.split(", "))


def _goes_on(before: str, line: str) -> bool:
    """Whether a line belongs to the explanation before it."""
    if _indent(line):
        return True
    return not line.startswith(OWN_PARAGRAPH) and not (before.endswith((".", ":")) and NEW_SENTENCE.match(line))


def _definitions(explained: list[str], known: set[str]) -> Iterator[str]:
    rest: list[str] = []  # what the last explanation is followed by in its line
    for text in explained:
        text, *outcome = OUTCOME.split(text, maxsplit=1)
        rest += outcome
        starts = [0, *(m.start() for m in LATER_EXPLANATION.finditer(text) if _known(m[1], known)), len(text)]
        for first, last in pairwise(starts):
            names, _, meaning = text[first:last].partition(": ")
            yield ", ".join(f"``{name}``" for name in names.split(", "))
            yield from [f"    {_escaped(meaning.strip())}", ""]
    yield from _paragraph(rest)


def _paragraph(lines: list[str]) -> Iterator[str]:
    if lines:
        yield from _escaped("\n".join(lines)).split("\n")
        yield ""


def _escaped(text: str) -> str:
    """Nothing but code in backticks is markup; where it is a name it may be a reference."""
    return "".join(map(_part, CODE.split(text)))


def _part(part: str) -> str:
    if NAME.fullmatch(part):
        return part
    if CODE.fullmatch(part):
        return f"`{part}`"
    return MARKUP.sub(lambda mark: f"\\{mark[0]}", part)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def process(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Called by autodoc with every docstring."""
    written = [] if lines and lines[0].startswith(FIELD_OF_TUPLE) else lines
    lines[:] = as_rest(written, names_of(thing))


def setup(app: Sphinx) -> dict[str, Any]:
    """What Sphinx asks of an extension."""
    app.connect("autodoc-process-docstring", process)
    return {"parallel_read_safe": True}

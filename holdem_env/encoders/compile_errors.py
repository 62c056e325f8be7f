"""Why a user's encoder function cannot be compiled, in a sentence: function, file and line, and the bad name."""

from __future__ import annotations

import builtins
import dis
import inspect
import re
from collections.abc import Callable, Collection, Sequence
from difflib import get_close_matches
from typing import Any

from ..engine.record import RULES, SEAT, TABLE
from .base import EncoderError

NO_FIELD = re.compile(r"no field '(\w+)'")
NO_NAME = re.compile(r"name '(\w+)' is not defined")
NO_ATTRIBUTE = re.compile(r"has no attribute '(\w+)'")
UNTYPED = re.compile(r"Untyped global name '(\w+)'")
STORED = re.compile(r"setitem\((array\(.*?\)), .*, (.*)\)$", re.MULTILINE)
STEPS = ("Failed in nopython", "During:", "File ", "There are", "<source elided>")


def check_arguments(function: Callable[..., None], what: str, wanted: Sequence[str]) -> None:
    """Raise EncoderError if a function does not take the arguments of such an encoder."""
    given = list(inspect.signature(function).parameters)
    if len(given) != len(wanted):
        raise EncoderError(
            f"{what} {function.__name__!r} ({_place(function, None)}) takes ({', '.join(given)}); it is called with "
            f"({', '.join(wanted)})"
        )


def explained(error: Exception, function: Callable[..., None], what: str) -> EncoderError:
    """The compiler's error as an EncoderError: one sentence, whose cause is the compiler's error cut to its core."""
    message, line = _message_and_line(error, function)
    found = EncoderError(f"{what} {function.__name__!r} ({_place(function, line)}): {message}")
    found.__cause__ = _cut(error)
    return found


def _message_and_line(error: Exception, function: Callable[..., None]) -> tuple[str, int | None]:
    text = str(error)
    if isinstance(error, KeyError) or NO_FIELD.search(text):
        found = NO_FIELD.search(text)
        return _no_field(found[1] if found else str(error.args[0]), function)
    if found := NO_NAME.search(text):
        code = function.__code__
        names = {*code.co_varnames, *function.__globals__, *vars(builtins)}
        return f"there is no name {found[1]!r}{_near(found[1], names)}", _line_of(function, found[1])
    if found := NO_ATTRIBUTE.search(text):
        known = dir(getattr(error, "obj", None))
        return f"{text.splitlines()[0]}{_near(found[1], known)}", _line_of(function, found[1])
    if found := UNTYPED.search(text):
        return (
            f"it uses {found[1]!r}, which is neither a number nor a compiled function; decorate a function that it "
            "calls with holdem_env.compiled.inline",
            _line_of(function, found[1]),
        )
    line = getattr(getattr(error, "loc", None), "line", None)
    if found := STORED.search(text):
        return f"it writes a {_plain(found[2])} to an {_plain(found[1])}; only numbers can be written", line
    if "return_value" in text:
        return "it returns a value; an encoder returns nothing, and writes to its last argument", line
    return _core(text), line


def _no_field(name: str, function: Callable[..., None]) -> tuple[str, int | None]:
    """A field that the table t or the rules r, the first two arguments, do not have."""
    instruction = _instruction(function, name)
    code = function.__code__
    previous = {one.argval for one in _before(function, instruction)}
    is_rules = len(code.co_varnames) > 1 and code.co_varnames[1] in previous
    fields = list(RULES.fields or ()) if is_rules else [*(TABLE.fields or ()), *(SEAT.fields or ())]
    message = f"{'the rules have' if is_rules else 'a table has'} no field {name!r}{_near(name, fields)}"
    return f"{message} (holdem_env/engine/record.py has all)", _line(instruction)


def _near(name: str, known: Collection[str] | None) -> str:
    near = get_close_matches(name, [one for one in known or () if not one.startswith("_")], n=3)
    return f"; near are {', '.join(near)}" if near else ""


def _instructions(function: Callable[..., None]) -> list[dis.Instruction]:
    return list(dis.get_instructions(function))


def _instruction(function: Callable[..., None], name: str) -> dis.Instruction | None:
    """The first instruction that reads this name, as a variable or an attribute."""
    return next((one for one in _instructions(function) if one.argval == name), None)


def _before(function: Callable[..., None], instruction: dis.Instruction | None) -> list[dis.Instruction]:
    """The instruction before this one, which loads the object whose attribute it reads."""
    found = _instructions(function)
    place = found.index(instruction) if instruction in found else 0
    return found[max(place - 1, 0) : place]


def _line(instruction: dis.Instruction | None) -> int | None:
    return instruction.positions.lineno if instruction and instruction.positions else None


def _line_of(function: Callable[..., None], name: str) -> int | None:
    return _line(_instruction(function, name))


def _place(function: Callable[..., None], line: int | None) -> str:
    return f"{function.__code__.co_filename}, line {line or function.__code__.co_firstlineno}"


def _plain(kind: str) -> str:
    """Numba's name of a type as people say it."""
    if kind.startswith("array("):
        return f"array of {kind.removeprefix('array(').split(',')[0]}"
    return "text" if kind.startswith(("Literal[str]", "unicode")) else kind


def _core(text: str) -> str:
    """The lines of Numba's error that say what is wrong, as one line."""
    lines: list[str] = []
    for line in map(str.strip, text.splitlines()):
        if lines and (not line or line.startswith(STEPS)):
            break
        if line and not line.startswith(STEPS):
            lines.append(line)
    return " ".join(lines) or text.strip()


def _cut(error: Exception) -> Exception:
    """The same error without its traceback through the compiler, and with the core of its message."""
    try:
        made: Any = type(error)(_core(str(error)))
    except TypeError:  # an error that is made from something else than a message
        made = error.with_traceback(None)
    cut: Exception = made
    return cut

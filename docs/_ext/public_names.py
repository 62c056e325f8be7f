"""Objects as their users know them: by public names, with the annotations of the source.

An object is written in one module (`holdem_env.game.rules`) and imported from another (`holdem_env.Rules`). Pages use
the second name; references to the first, and to the name alone (`Rules.preset`), lead there. A class that users meet
but never import stands in a page as `{home of NAME}`, or `{home of NAME beside OTHER}` if there are two of that name:
where it is written is looked up.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

from docutils import nodes
from pydantic import BaseModel
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError
from sphinx.util.inspect import stringify_signature

import holdem_env

HOME_OF = re.compile(r"\{home of (\w+)(?: beside (\w+))?\}")
LONGEST_DEFAULT = 40
NOTHING = inspect.Parameter.empty


def imported(name: str) -> Any:
    """The object of a dotted name."""
    module, _, rest = name, "", ""
    while module not in sys.modules:
        module, _, last = module.rpartition(".")
        rest = f"{last}.{rest}" if rest else last
    found: Any = sys.modules[module]
    for part in filter(None, rest.split(".")):
        found = getattr(found, part)
    return found


def home_of(thing: Any) -> str:
    """The dotted name under which an object is written in the source."""
    return f"{thing.__module__}.{thing.__qualname__}"


@cache
def homes_of(name: str) -> set[str]:
    """Where classes of this name are written in the library."""
    return {home_of(thing) for thing in _library() if thing.__name__ == name}


def _library() -> Iterator[type]:
    for found in walk_packages(holdem_env.__path__, "holdem_env."):
        if found.name.endswith("__main__"):
            continue
        with suppress(ModuleNotFoundError):  # of an extra that the documentation does not need
            yield from filter(_is_ours, vars(import_module(found.name)).values())


def _is_ours(thing: Any) -> bool:
    return inspect.isclass(thing) and thing.__module__.startswith("holdem_env.")


def fill_in(app: Sphinx, page: str, source: list[str]) -> None:
    """Put the homes of classes into a page."""

    def home(found: re.Match[str]) -> str:
        modules = {home.rpartition(".")[0] for home in homes_of(found[2])} if found[2] else None
        homes = [home for home in homes_of(found[1]) if modules is None or home.rpartition(".")[0] in modules]
        if len(homes) != 1:
            raise ExtensionError(f"{page}: {found[0]}: classes of this name are {homes}")
        return homes[0]

    source[0] = HOME_OF.sub(home, source[0])


class Shown:
    """A default as it is shown."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _shown(parameter: inspect.Parameter, typed: bool) -> inspect.Parameter:
    if parameter.default is not NOTHING:
        text = repr(parameter.default)
        parameter = parameter.replace(default=Shown("..." if text[0] == "<" or len(text) > LONGEST_DEFAULT else text))
    return parameter if typed else parameter.replace(annotation=NOTHING)


def sign(
    app: Sphinx, what: str, name: str, thing: Any, options: Any, arguments: str | None, returned: str | None
) -> tuple[str, str | None] | None:
    """The signature with annotations as the source has them (NDArray[np.int64]), not as they are evaluated.

    Docstrings explain the fields of pydantic's models: of these, names and defaults are enough.
    """
    if arguments is None or what not in ("class", "exception", "function", "method"):
        return None
    model = inspect.isclass(thing) and issubclass(thing, BaseModel)
    signature = inspect.signature(thing)
    parameters = list(signature.parameters.values())
    if what == "method" and parameters and parameters[0].name == "self":
        parameters = parameters[1:]
    signature = signature.replace(parameters=[_shown(parameter, typed=not model) for parameter in parameters])
    text = stringify_signature(signature, unqualified_typehints=True, show_return_annotation=False)
    result = signature.return_annotation
    return text, None if inspect.isclass(thing) or not isinstance(result, str) else result


def _documented(env: BuildEnvironment) -> dict[str, str]:
    """Other names of documented objects -> the name in the pages: where they are written, and their own name alone."""
    other: dict[str, str] = {}
    for public, entry in env.domaindata["py"]["objects"].items():
        if entry.objtype in ("class", "exception", "function"):
            other.setdefault(public.rpartition(".")[2], public)
            other.setdefault(home_of(imported(public)), public)
    return other


def resolve(app: Sphinx, env: BuildEnvironment, node: addnodes.pending_xref, shown: nodes.Node) -> nodes.Node | None:
    """A reference by another name than the public one."""
    if node.get("refdomain") != "py":
        return None
    known = _documented(env)
    parts = node["reftarget"].split(".")
    for length in range(len(parts), 0, -1):
        if public := known.get(".".join(parts[:length])):
            target = ".".join([public, *parts[length:]])
            return env.get_domain("py").resolve_xref(env, node["refdoc"], app.builder, "obj", target, node, shown)
    return None


def setup(app: Sphinx) -> dict[str, Any]:
    """What Sphinx asks of an extension."""
    app.connect("source-read", fill_in)
    app.connect("autodoc-process-signature", sign)
    app.connect("missing-reference", resolve)
    return {"parallel_read_safe": True}

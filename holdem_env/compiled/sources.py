"""Which files decide what a function's machine code is.

Numba's own cache looks only at the file a function stands in: after a change of a helper in another file it would go on
running the old machine code. So the place of all machine code of the core (`CORE_ROOMS`, which import one another and
nothing else) is named by a digest of the core's files. A function anywhere else depends on the core and on the files
that its own file imports, directly or not, whether they belong to this package, to its own, or to nobody's.
"""

from __future__ import annotations

import hashlib
import re
import sys
import sysconfig
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent.parent
CORE_ROOMS = ("utils", "compiled", "cards", "game", "engine", "equities", "encoders")
INSTALLED = {"site-packages", "dist-packages"}
STANDARD_LIBRARY = Path(sysconfig.get_path("stdlib"))

FROM = re.compile(r"^[ \t]*from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n;]*)", re.MULTILINE)
IMPORT = re.compile(r"^[ \t]*import[ \t]+([^\n;#]*)", re.MULTILINE)
COMMENT = re.compile(r"#[^\n]*")


def core_sources(package: Path = PACKAGE) -> list[Path]:
    """The files of the core: its sources and tables."""
    return sorted(path for room in CORE_ROOMS for path in (package / room).rglob("*") if _is_source(path))


def _is_source(path: Path) -> bool:
    return path.suffix in {".py", ".npz"} and "__pycache__" not in path.parts


def digest_of(sources: Iterable[Path], *more: object) -> str:
    """A short digest of files and of whatever else decides what comes out."""
    digest = hashlib.sha256(repr(more).encode())
    for path in sources:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def is_core(path: Path) -> bool:
    """Whether a file belongs to the core."""
    return any(path.is_relative_to(PACKAGE / room) for room in CORE_ROOMS)


def sources_of(function: Callable[..., Any]) -> list[Path]:
    """A function's file, and those outside the core that it imports, directly or not."""
    given = function.__globals__
    package = given.get("__package__") or ""
    return _sources(Path(function.__code__.co_filename).resolve(), given.get("__name__", ""), package)


@cache
def _sources(path: Path, name: str, package: str) -> list[Path]:
    own, found, waiting = name.partition(".")[0], {path}, [(path, package)]
    while waiting:
        for imported in imported_modules(*waiting.pop()):
            file = _file_of(imported)
            if file is not None and file not in found and not is_core(file) and _is_ours(file, imported, own):
                found.add(file)
                waiting.append((file, imported if file.name == "__init__.py" else imported.rpartition(".")[0]))
    return sorted(found)


def imported_modules(path: Path, package: str) -> Iterator[str]:
    """The modules that a file imports, by their full names, and names in them, which may be modules, too."""
    text = path.read_text(encoding="utf-8", errors="replace")
    for found in FROM.finditer(text):
        module = _absolute(found[1], package)
        yield module
        names = COMMENT.sub("", found[2]).strip("() \t\n").split(",")
        yield from (f"{module}.{name.split()[0]}" for name in names if name.strip())
    for found in IMPORT.finditer(text):
        yield from (name.split()[0] for name in found[1].split(",") if name.strip())


def _absolute(name: str, package: str) -> str:
    level = len(name) - len(name.lstrip("."))
    if level == 0:
        return name
    base = package.split(".")[: len(package.split(".")) - level + 1]
    return ".".join([*base, *filter(None, [name[level:]])])


def _file_of(name: str) -> Path | None:
    """The source of a module, whether it is loaded or not; None for what has none, or is no module."""
    module = sys.modules.get(name)
    if module is None:
        parent, _, _ = name.rpartition(".")
        places = getattr(sys.modules.get(parent), "__path__", ()) if parent else None
        found = PathFinder.find_spec(name, places) if places != () else None
        file = found.origin if found else None
    else:
        file = getattr(module, "__file__", None)
    return Path(file).resolve() if file and file.endswith(".py") else None


def _is_ours(file: Path, name: str, own: str) -> bool:
    """Whether somebody may edit a file: of this package, of the function's own, or of no installed one."""
    if name.partition(".")[0] in (own, PACKAGE.name):
        return True
    return not INSTALLED.intersection(file.parts) and not file.is_relative_to(STANDARD_LIBRARY)

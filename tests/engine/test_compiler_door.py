"""Only holdem_env/compiled knows the compiler, and it knows no poker; tricks are loaded only where they are used."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from holdem_env.compiled.sources import CORE_ROOMS, PACKAGE, core_sources, imported_modules

pytestmark = pytest.mark.stands_on("holdem_env", "agents", "benchmarks")

REPOSITORY = Path(__file__).resolve().parent.parent.parent
COMPILED = PACKAGE / "compiled"
OUTSIDE = [
    path
    for folder in (PACKAGE, REPOSITORY / "agents", REPOSITORY / "benchmarks")
    for path in sorted(folder.rglob("*.py"))
    if not path.is_relative_to(COMPILED)
]


def imports(path: Path, within: type[ast.AST] | tuple[type[ast.AST], ...] = ()) -> Iterator[str]:
    """The modules that a file imports; all that are written down, but those within some kinds of statements."""
    waiting: list[ast.AST] = [ast.parse(path.read_text())]
    while waiting:
        node = waiting.pop()
        if within and isinstance(node, within):
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")
        waiting += ast.iter_child_nodes(node)


@pytest.mark.slow
def test_nobody_else_imports_numba_or_llvmlite() -> None:
    found = {
        (str(path), name)
        for path in OUTSIDE
        for name in imports(path)
        if name.partition(".")[0] in ("numba", "llvmlite")
    }
    assert not found


@pytest.mark.parametrize("path", sorted(COMPILED.rglob("*.py")), ids=lambda path: str(path.relative_to(COMPILED)))
def test_compiled_imports_nothing_of_the_library_but_utils(path: Path) -> None:
    depth = len(path.relative_to(COMPILED).parts)
    for name in imports(path):
        assert not name.startswith("holdem_"), name
        level = len(name) - len(name.lstrip("."))
        assert level <= depth or name == "." * (depth + 1) + "utils", name


def test_the_insides_are_imported_where_they_are_used_only() -> None:
    for path in COMPILED.glob("*.py"):
        at_import = set(imports(path, within=ast.FunctionDef))
        assert not any(name.startswith((".insides", "numba.core", "numba.np", "llvmlite.")) for name in at_import), path


def test_the_core_imports_nothing_of_the_library_but_the_core() -> None:
    """So a digest of its files tells what any of its machine code is."""
    rooms = {f"holdem_env.{room}" for room in CORE_ROOMS} | {"holdem_env"}
    for path in core_sources():
        if path.suffix == ".py":
            package = ".".join(path.relative_to(PACKAGE.parent).parts[:-1])
            for name in imported_modules(path, package):
                if name.partition(".")[0] == "holdem_env":
                    assert ".".join(name.split(".")[:2]) in rooms, (path, name)

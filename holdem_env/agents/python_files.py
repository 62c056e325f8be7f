"""Agents from Python files: `make_agent("mybot.py")`, `holdem match mybot.py tight_aggressive`."""

from __future__ import annotations

import ast
import inspect
import os
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from ..utils.extras import extra_of, install_command
from ..utils.suggestions import nearest
from .making import made, named, naming
from .protocol import Agent

PYTHON_SUFFIX = "py"
MAKER = "make_agent"
LARGEST = 2**22  # bytes of a file that is looked through for imports


def load_python(path: Path, parameters: dict[str, Any]) -> Agent:
    """Run a Python file, and make the agent that it defines: what its function `make_agent` returns, or else its one
    instance of Agent, or else its one subclass of Agent or TableAgent. parameters: of the function or the class.

    An agent without a name gets the file's. Errors of the file itself are raised as they are, but an OSError says which
    agent's it is.
    Raises ValueError for a file with no agent or several, and for a syntax error; TypeError for parameters that the
    agent does not have; ModuleNotFoundError, whose `path` is the file, if a module that it imports is missing.
    """
    return named(_made(path, run_file(path), parameters), path.stem)


def run_file(path: Path) -> ModuleType:
    """The file as a module. Its name in sys.modules, where pickle and inspect look for it, says which file it is."""
    name = f"holdem_agent_in_{path.resolve().with_suffix('').as_posix().replace('.', '_')}"
    spec = spec_from_file_location(name, path, loader=_AsItIs(name, str(path)))
    assert spec is not None  # as the loader is given
    assert spec.loader is not None
    sys.modules[name] = module = module_from_spec(spec)
    try:
        with naming(str(path)), _neighbours(path):
            spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, SyntaxError):
            code = f": {error.text.strip()}" if error.text else ""
            raise ValueError(f"{error.filename or path}, line {error.lineno}: {error.msg}{code}") from error
        if isinstance(error, ModuleNotFoundError):
            raise _missing(path, error) from error
        raise
    return module


class _AsItIs(SourceFileLoader):
    """Compiles the file that is there: Python's cache cannot tell it from one of the same second and length."""

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


def imported_beside(path: Path) -> Iterator[Path]:
    """The files beside a Python file that it imports: modules, and whole packages."""
    try:
        if path.stat().st_size > LARGEST:
            return
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, RecursionError, MemoryError, OSError):  # `make_agent` raises it again
        return
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module] if node.module else [alias.name for alias in node.names]
        for name in names:
            root = path.parent / name.split(".")[0]
            if root.with_suffix(f".{PYTHON_SUFFIX}").is_file():
                yield root.with_suffix(f".{PYTHON_SUFFIX}")
            if (root / f"__init__.{PYTHON_SUFFIX}").is_file():
                yield from sorted(each for each in root.rglob("*") if each.is_file() and each.suffix != ".pyc")


@contextmanager
def _neighbours(path: Path) -> Iterator[None]:
    """Let a file import modules beside it, also later. Raises ValueError if another module has the name of one."""
    found: dict[Path, None] = {}
    _add_imported(Path(os.path.abspath(path)), found)
    for other in found:
        name = other.parent.name if other.name == f"__init__.{PYTHON_SUFFIX}" else other.stem
        loaded = sys.modules.get(name)
        if loaded is not None and Path(getattr(loaded, "__file__", None) or "").resolve() != other.resolve():
            raise ValueError(
                f"{path}: imports {other.name} from its folder, but another module {name!r} is in use here "
                f"({getattr(loaded, '__file__', None) or 'of Python'}); give it another name, or play with isolation"
            )
    folder = os.path.abspath(path.parent)
    if not found:
        yield
        return
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        sys.path.remove(folder)
        if folder not in sys.path:
            sys.path.append(folder)


def _add_imported(path: Path, found: dict[Path, None]) -> None:
    """Add what a file imports from its folder, directly or not: modules, and of packages the first file."""
    for other in imported_beside(path):
        package = path.parent / other.parent.name / f"__init__.{PYTHON_SUFFIX}"
        if (other.parent == path.parent or other == package) and other not in found:
            found[other] = None
            _add_imported(other, found)


def _missing(path: Path, error: ModuleNotFoundError) -> ModuleNotFoundError:
    frames = traceback.extract_tb(error.__traceback__)
    who = next((frame for frame in reversed(frames) if "importlib" not in frame.filename), None)
    where = str(path)
    if who:
        where = f"{path if Path(who.filename).resolve() == path.resolve() else who.filename}, line {who.lineno}"
    root = (error.name or "").split(".")[0]
    extra = extra_of(root)
    advice = f"; install it with: {install_command(extra)}" if extra else ""
    return ModuleNotFoundError(
        f"{where}: imports {error.name!r}, which is not installed{advice}", name=error.name, path=str(path)
    )


def _made(path: Path, module: ModuleType, parameters: dict[str, Any]) -> Agent:
    """The agent of a module. What the module imports from elsewhere is not its own."""
    maker = getattr(module, MAKER, None)
    if inspect.isfunction(maker) and maker.__module__ == module.__name__:
        agent = made(str(path), maker, parameters)
        if not isinstance(agent, Agent):
            raise ValueError(f"{path}: {MAKER} must return an Agent (holdem_env.agents.protocol), got {agent!r}")
        return agent
    instances = {id(thing): thing for thing in vars(module).values() if isinstance(thing, Agent)}
    if len(instances) == 1 and not parameters:
        return next(iter(instances.values()))
    kinds = [thing for thing in vars(module).values() if inspect.isclass(thing) and issubclass(thing, Agent)]
    own = [kind for kind in kinds if kind.__module__ == module.__name__]
    classes = [kind for kind in own if not inspect.isabstract(kind)]
    bases = {base for kind in classes for base in kind.__mro__[1:]}
    classes = [kind for kind in dict.fromkeys(classes) if kind not in bases]
    if not classes and not instances:
        _check_abstract(path, own)
    if len(classes) != 1 or len(instances) > 1:
        things = [kind.__name__ for kind in classes]
        things += [f"an instance of {type(agent).__name__}" for agent in instances.values()]
        raise ValueError(
            f"{path}: a file of an agent has one subclass of Agent or TableAgent, or one instance, or a function "
            f"{MAKER}; this one has {', '.join(things) or 'none of them'}"
        )
    return made(str(path), classes[0], parameters)


def _check_abstract(path: Path, kinds: Iterable[type[Agent]]) -> None:
    for kind in kinds:
        for name in sorted(kind.__abstractmethods__):
            near = nearest(name, [each for each in vars(kind) if not each.startswith("_")])
            hint = f"; did you mean it by {near[0]!r}?" if near else ""
            raise ValueError(f"{path}: {kind.__name__} has no method {name!r}{hint}")

"""How the engine is compiled and where its machine code is kept.

Numba's own cache looks only at the file a function stands in: after a change of a helper in another module it
would go on running the old machine code. So everything compiled here is cached in a folder named by a digest of
*all* engine and encoder sources (and of the versions of Python, NumPy and Numba): any edit opens a new folder, and
old ones are swept away.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import llvmlite.binding as llvm
import numba
import numpy as np
from numba import types
from numba.core import config, event
from numba.core.dispatcher import Dispatcher

from .indexing import EngineCompiler

PACKAGE = Path(__file__).resolve().parent.parent
COMPILED_ROOMS = ("compiled", "cards", "game", "engine", "equities", "encoders")
CACHE_VARIABLE = "HOLDEM_CACHE_DIR"
FOLDER_PREFIX = "holdem-"
FOLDERS_KEPT = 3

Function = TypeVar("Function", bound=Callable[..., Any])


class CompileCacheWarning(UserWarning):
    """No folder could be written for the compiled engine: every process will compile it again."""


def compiled_sources(package: Path = PACKAGE) -> list[Path]:
    """The files whose text decides what the machine code is."""
    return sorted(path for room in COMPILED_ROOMS for path in (package / room).rglob("*") if _is_source(path))


def _is_source(path: Path) -> bool:
    return path.suffix in {".py", ".npz"} and "__pycache__" not in path.parts


def source_digest(sources: Iterable[Path]) -> str:
    """A short digest of the sources and of what turns them into machine code: versions, and bounds checking."""
    versions = sys.version_info[:3], np.__version__, numba.__version__, config.BOUNDSCHECK
    digest = hashlib.sha256(repr(versions).encode())
    for path in sources:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _candidate_roots() -> list[Path]:
    """Where machine code may live, best first: the user's choice, beside the package, the user's cache folder."""
    if chosen := os.environ.get(CACHE_VARIABLE):
        return [Path(chosen)]
    from platformdirs import user_cache_path  # only needed here; keeps the import of the engine light

    return [PACKAGE / "__pycache__", user_cache_path("holdem_env")]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _sweep(root: Path, keep: Path) -> None:
    """Remove the machine code of all but the newest few versions of the sources."""
    folders = [folder for folder in root.glob(f"{FOLDER_PREFIX}*") if folder.is_dir() and folder != keep]
    folders.sort(key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in folders[FOLDERS_KEPT - 1 :]:
        shutil.rmtree(folder, ignore_errors=True)


def cache_folder() -> Path | None:
    """The folder for this version of the sources, made if need be; None if nothing can be written anywhere."""
    name = FOLDER_PREFIX + source_digest(compiled_sources())
    roots = _candidate_roots()
    for root in roots:
        folder = root / name
        if folder.is_dir() and os.access(folder, os.W_OK):
            return folder
        if _writable(folder):
            _sweep(root, folder)
            return folder
    warnings.warn(
        f"holdem_env cannot keep its compiled engine: {' and '.join(map(str, roots))} cannot be written. Each process "
        f"will compile it again (half a minute). Set {CACHE_VARIABLE} to a folder that can be written.",
        CompileCacheWarning,
        stacklevel=2,
    )
    return None


CACHE_FOLDER = None if config.DISABLE_JIT else cache_folder()
OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True, "cache": CACHE_FOLDER is not None}
# What a user writes keeps Python's indices, which count from the end if they are negative.
OURS: dict[str, Any] = {**OPTIONS, "pipeline_class": EngineCompiler}
# Small functions are only called by compiled ones, and need no door to Python: it takes a third of compiling them.
NOT_FOR_PYTHON = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def _compile(function: Function, *signature: Any, **options: Any) -> Function:
    """njit with our options and our cache folder. Numba fixes a function's cache place when it is decorated."""
    previous = config.CACHE_DIR
    config.CACHE_DIR = str(CACHE_FOLDER or "")
    try:
        return numba.njit(*signature, **_options(function), **options)(function)  # type: ignore[no-any-return]
    finally:
        config.CACHE_DIR = previous


def _options(function: Callable[..., Any]) -> dict[str, Any]:
    """A function that stands in no file (typed into a shell, say) has no place in the cache."""
    options = OURS if Path(function.__code__.co_filename).is_relative_to(PACKAGE) else OPTIONS
    return options if os.path.exists(function.__code__.co_filename) else {**options, "cache": False}


def inline(function: Function) -> Function:
    """A small function of the engine, merged into its callers."""
    return _compile(function, forceinline=True, **NOT_FOR_PYTHON)


def compiled(function: Function) -> Function:
    """A larger function of the engine, called and not merged."""
    return _compile(function)


def kernel(function: Function) -> Function:
    """An entry point for Python: takes arrays, loops over tables. Each one is compiled with all that it calls, but for
    what is compiled apart."""
    entry = _compile(function)
    if not config.DISABLE_JIT:
        _before_compiling(entry, lambda: load_apart(function))
    return entry


def kernel_of(signature: Any, function: Function) -> Function:
    """An entry point of an explicit signature, such as one that takes first-class functions; compiled at once."""
    load_apart(function)
    return _compile(function, signature)


def typed(signature: Any) -> Callable[[Function], Function]:
    """A function of a fixed signature, compiled at once, that can be handed to a kernel as a first-class value."""

    def compile_typed(function: Function) -> Function:
        load_apart(function)
        return _compile(function, signature)

    return compile_typed


def address_of(entry: Any, arguments: tuple[Any, ...]) -> int:
    """Where the machine code of an entry point begins, for arguments of these types; it returns nothing. Only for who
    calls it as C does, and 0 where that must not be: run as plain Python, or bounds-checked, its errors would get lost.
    """
    if config.DISABLE_JIT or config.BOUNDSCHECK:
        return 0
    load_apart(entry.py_func)
    entry.compile(arguments)
    code = entry.overloads[arguments]
    return int(code.library.get_pointer_to_function(code.fndesc.llvm_cfunc_wrapper_name))


def _before_compiling(entry: Any, load: Callable[[], None]) -> None:
    """Have `load` called before Numba compiles an entry point, or takes it from the cache, for new types of arguments:
    machine code can only be loaded when the addresses that it calls are known."""
    compile_for = entry._compile_for_args

    def load_and_compile(*args: Any, **kwargs: Any) -> Any:
        load()
        return compile_for(*args, **kwargs)

    entry._compile_for_args = load_and_compile


class _Apart:
    """A function compiled apart, as its callers' sources know it until its address is needed."""

    def __init__(self, function: Callable[..., Any], signature: Any) -> None:
        self.py_func, self._signature = function, signature
        self.symbol = f"{function.__module__}.{function.__qualname__}"
        self.external = types.ExternalFunction(self.symbol, signature)
        self._compiled: Any = None

    def load(self) -> None:
        """Compile the function, or take it from the cache, and give its address to whoever links against its name."""
        if self._compiled is None:
            load_apart(self.py_func)
            self._compiled = _compile(self.py_func, self._signature)
            code = self._compiled.overloads[self._signature.args]
            llvm.add_symbol(self.symbol, code.library.get_pointer_to_function(code.fndesc.llvm_cfunc_wrapper_name))


_apart: dict[Any, _Apart] = {}


def apart(*arguments: Any) -> Callable[[Function], Function]:
    """A large function of the engine that many kernels call, compiled once for all of them, for arguments of these
    types; it returns nothing. Linked into each kernel as usual, its optimization would be paid for once a kernel.

    Plain Python calls it as it is. So that an index out of bounds reaches Python as an error, a bounds-checked engine
    links it as usual.
    """

    def decorate(function: Function) -> Function:
        if config.DISABLE_JIT or config.BOUNDSCHECK:
            return compiled(function)
        made = _Apart(function, types.void(*arguments))
        _apart[made.external] = made
        return made.external  # type: ignore[no-any-return]

    return decorate


def load_apart(function: Any) -> None:
    """Load everything compiled apart that a function calls, itself or through functions that it is linked with."""
    for called in _called_by(function):
        called.load()


def _called_by(function: Any) -> list[_Apart]:
    """The functions compiled apart that a compiled function's source names, or those that it names and so on."""
    found, seen, waiting = [], set(), [function]
    while waiting:
        code = waiting.pop()
        for name in code.__code__.co_names:
            value = code.__globals__.get(name)
            if isinstance(value, types.ExternalFunction) and value in _apart:
                found.append(_apart[value])
            elif isinstance(value, Dispatcher) and value not in seen:
                seen.add(value)
                waiting.append(value.py_func)
    return found


class _FirstCompilation(event.Listener):
    """Tells the user, once and only when it really happens, why the first call takes so long."""

    told = False

    def on_start(self, event: Any) -> None:
        function = event.data["dispatcher"].py_func
        if not self.told and (function.__module__ or "").startswith("holdem_env"):  # exec gives functions no module
            self.told = True
            if _first_in(CACHE_FOLDER):
                _tell("holdem_env: compiling the rules engine, this once (half a minute); later starts take a second.")

    def on_end(self, event: Any) -> None:
        pass


def _first_in(folder: Path | None) -> bool:
    """Whether no process compiled into this folder before; leaves a mark that one now has."""
    if folder is None:
        return False  # the warning about the missing folder has said it
    try:
        (folder / "compiled").touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def _tell(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


if not config.DISABLE_JIT:
    event.register("numba:compile", _FirstCompilation())

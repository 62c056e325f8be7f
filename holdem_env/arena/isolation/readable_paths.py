"""Which files an agent's process may read: those of Python and of this library, and its own."""

from __future__ import annotations

import os
import re
import shutil
import sys
import sysconfig
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from ...agents.named_files import named_files, named_in
from ...agents.python_files import PYTHON_SUFFIX
from ...compiled.cache import CACHE_FOLDER
from ...compiled.sources import PACKAGE

SYSTEM = ("/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/opt", "/nix/store", "/gnu/store")
SETTINGS = (
    *("ld.so.cache", "localtime", "timezone", "passwd", "group", "nsswitch.conf", "hosts", "host.conf", "gai.conf"),
    *("resolv.conf", "services", "ssl", "pki", "ca-certificates", "alternatives", "os-release", "mime.types"),
)
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
KERNEL = (
    *("/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/filesystems", "/proc/loadavg", "/proc/sys/kernel"),
    *("/proc/sys/vm", "/proc/version", "/sys/devices/system"),
)
HEAVY = re.compile(r"^\s*(?:import|from)\s+(torch|stable_baselines3|sb3_contrib)\b", re.MULTILINE)


@cache
def of_python() -> tuple[str, ...]:
    """What Python, installed packages and this library need. The working directory and the home are not among it,
    though Python may import from there: they hold what is nobody's business."""
    private = {Path(each).resolve() for each in ("/", Path.home(), Path.cwd())}
    paths = [Path(each or ".").resolve() for each in sys.path]
    found = [path for path in paths if path not in private]
    found += [Path(each) for each in (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix)]
    found += [Path(each) for each in sysconfig.get_paths().values()]
    found += [PACKAGE, *_our_agents(), *([CACHE_FOLDER] if CACHE_FOLDER else [])]
    found += [Path(sys.executable), *map(Path, SYSTEM), *map(Path, DEVICES), *map(Path, KERNEL)]
    found += [Path("/etc", each) for each in SETTINGS]
    return tuple(dict.fromkeys(str(path) for path in found if path not in private))


def _our_agents() -> list[Path]:
    from importlib.util import find_spec

    spec = find_spec("holdem_agents")
    return [Path(each) for each in (spec.submodule_search_locations or ())] if spec else []


def of_agent(made_of: Mapping[str, Any]) -> tuple[str, ...]:
    """The files that a config names, and those that a config file among them names; of programs and Python files their
    folders, too, and what runs a program."""
    named = named_in(made_of, any_name=True)
    found: dict[Path, None] = {}
    for path in named.files:
        found[path.resolve()] = None
        if path.suffix.removeprefix(".") == PYTHON_SUFFIX or os.access(path, os.X_OK):
            found[path.resolve().parent] = None
    for command in named.commands:
        found |= dict.fromkeys(_of_command(command))
    return tuple(map(str, found))


def _of_command(words: Sequence[str]) -> Iterator[Path]:
    """The folders of the files that a command names, the folders that it names, its program, where that is installed,
    and its libraries."""
    for word in map(Path, words):
        if word.is_file():
            yield word.resolve().parent
        elif word.is_dir():
            yield word.resolve()
    if program := shutil.which(words[0]):
        for path in dict.fromkeys((Path(program).absolute(), Path(program).resolve())):
            yield path
            yield _installation(path)
            if (libraries := path.parent.parent / "lib").is_dir():
                yield libraries


def _installation(program: Path) -> Path:
    """The folder that a program is installed in: that of "bin" or of a version manager's "shims", if it is in one, so
    that its libraries are there."""
    folder = program.parent.parent if program.parent.name in ("bin", "shims") else program.parent
    return program if folder in (Path("/"), Path.home(), Path.cwd()) else folder


def modules_for(made_of: Mapping[str, Any]) -> list[str]:
    """Modules that are slow to import and that this agent will need, by the files it is made of."""
    found: dict[str, None] = {}
    for path in named_files(made_of):
        if path.suffix in OURS:
            found[OURS[path.suffix]] = None
        elif path.suffix.removeprefix(".") == PYTHON_SUFFIX:
            with suppress(OSError):
                found |= dict.fromkeys(HEAVY.findall(path.read_text(encoding="utf-8", errors="replace")))
    return list(found)


OURS = {
    ".safetensors": "holdem_agents.warm_up",
    ".zip": "holdem_agents.sb3_agent",
    ".pt": "holdem_agents.old_pt_files",
}
"""What loads the model files of this library's agents, by suffix."""

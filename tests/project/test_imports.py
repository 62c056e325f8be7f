"""No module imports itself by a detour, and none needs Linux to be imported. lint-imports sees to rooms and files; here
packages count as modules, too."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

pytestmark = pytest.mark.stands_on("holdem_env", "agents")

REPOSITORY = Path(__file__).resolve().parent.parent.parent


def test_no_module_imports_one_that_imports_it():
    """Imports that are only for types count, and so do those in functions. `static_order` raises CycleError, which
    names the modules of a circle."""
    graph = grimp.build_graph("holdem_env", "holdem_agents", cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    assert len(imports["holdem_env"]) > 5
    assert len(list(TopologicalSorter(imports).static_order())) == len(imports)


def test_the_table_of_the_arenas_rooms_is_that_of_the_contracts():
    contracts = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    [of_arena] = [each["layers"] for each in contracts if each.get("containers") == ["holdem_env.arena"]]
    floors = [layer.split(" | ") for layer in of_arena]
    asks = {
        room: [name for lower in floors[k + 1 :] for name in lower] for k, floor in enumerate(floors) for room in floor
    }
    for each in contracts:
        sources = [name.removeprefix("holdem_env.arena.") for name in each.get("source_modules", [])]
        for room in set(sources) & set(asks):
            forbidden = {name.removeprefix("holdem_env.arena.") for name in each["forbidden_modules"]}
            asks[room] = [name for name in asks[room] if name not in forbidden]
    text = (REPOSITORY / "CONTRIBUTING.md").read_text()
    shown = {room: re.findall(r"`(\w+)/`", rest) for room, rest in re.findall(r"^\| `(\w+)/` \| (.*) \|$", text, re.M)}
    assert {room: sorted(shown[room]) for room in asks} == {room: sorted(names) for room, names in asks.items()}


AS_ON_WINDOWS = """
import importlib, os, pkgutil, signal, sys

import holdem_agents, holdem_env

found = [
    module.name
    for package in (holdem_env, holdem_agents)
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + ".")
    if not module.name.endswith((".__main__", ".isolation.serving"))  # the second runs in jails, on Linux
]


def import_all():
    for name in found:
        importlib.import_module(name)


import_all()  # with it, the packages of others, which know themselves what Windows lacks
for name in [name for name in sys.modules if name.startswith(("holdem_env", "holdem_agents"))]:
    del sys.modules[name]
for name in ("fcntl", "grp", "pty", "pwd", "resource", "termios"):
    sys.modules[name] = None
for name in dir(signal):
    if name.startswith("SIG") and name not in ("SIGABRT", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM"):
        delattr(signal, name)
for name in (
    "fork getloadavg getuid killpg memfd_create pidfd_open pread pwrite sched_getaffinity set_blocking setpgrp setsid "
    "statvfs sysconf uname MFD_CLOEXEC O_CLOEXEC"
).split():
    delattr(os, name)
sys.platform = "win32"
import_all()
print(len(found))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="takes away what Linux has")
def test_every_module_can_be_imported_without_what_windows_lacks():
    done = subprocess.run([sys.executable, "-c", AS_ON_WINDOWS], cwd=REPOSITORY, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout) > 500

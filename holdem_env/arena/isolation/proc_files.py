"""What the kernel says of other processes, in /proc and by their clocks: nothing here is the agent's word."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass

PAGE, TICK = (os.sysconf("SC_PAGE_SIZE"), 1 / os.sysconf("SC_CLK_TCK")) if sys.platform == "linux" else (4096, 0.01)
PROCESSOR_CLOCK = 2  # CPUCLOCK_SCHED, of a whole process


@dataclass(frozen=True)
class Status:
    """A process, from its line in /proc/PID/stat. seconds: of its own processor time; of_ended: of that of its children
    that have ended."""

    pid: int
    parent: int
    is_ended: bool
    seconds: float
    of_ended: float


def status_of(pid: int) -> Status | None:
    """A process's status; None if there is none."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            text = file.read()
    except OSError:
        return None
    words = text[text.rindex(b")") + 2 :].split()  # a name may hold blanks and brackets
    own, ended = int(words[11]) + int(words[12]), int(words[13]) + int(words[14])
    return Status(pid, int(words[1]), words[0] in (b"Z", b"X"), own * TICK, ended * TICK)


def descendants_of(pid: int) -> list[Status]:
    """All processes that stem from one, without it. Those whose parent has ended stem from the nearest subreaper."""
    children: dict[int, list[Status]] = {}
    for name in os.listdir("/proc"):
        if name.isdecimal() and (status := status_of(int(name))):
            children.setdefault(status.parent, []).append(status)
    found: list[Status] = []
    waiting = children.get(pid, [])[:]
    while waiting:
        status = waiting.pop()
        found.append(status)
        waiting += children.get(status.pid, [])
    return found


def resident_bytes(pids: Iterable[int]) -> int:
    """What these processes hold in memory together. Memory that they share counts for each."""
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/statm", "rb") as file:
                total += int(file.read().split()[1])
        except (OSError, IndexError):  # it has ended
            continue
    return total * PAGE


def processor_seconds(pid: int) -> float | None:
    """The processor time of a process with all its threads; None if it has ended."""
    try:
        return time.clock_gettime((~pid << 3) | PROCESSOR_CLOCK)
    except OSError:
        return None

"""What the kernel says, in /proc, of a process and of all that stem from it."""

from __future__ import annotations

import os
import sys
from typing import NamedTuple

PAGE, TICK = (os.sysconf("SC_PAGE_SIZE"), 1 / os.sysconf("SC_CLK_TCK")) if sys.platform == "linux" else (4096, 0.01)


class Usage(NamedTuple):
    """What processes hold and have taken together. seconds: of processor time, with that of children that have ended
    and were waited for. resident: bytes in memory; what they share counts for each. threads: of all of them."""

    processes: int = 0
    seconds: float = 0.0
    resident: int = 0
    threads: int = 0


def usage_of(first: int) -> Usage:
    """Of all processes of a process namespace. first: the first one there, from which all others stem."""
    processes, seconds, resident, threads, waiting = 0, 0.0, 0, 0, [first]
    while waiting:
        pid = waiting.pop()
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:
                text = file.read()
            tasks = os.listdir(f"/proc/{pid}/task")
            threads += len(tasks)
            for thread in tasks:
                with open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
                    waiting += map(int, file.read().split())
        except OSError:  # it has ended meanwhile
            continue
        words = text[text.rindex(b")") + 2 :].split()  # a name may hold blanks and brackets
        processes += 1
        seconds += sum(map(int, words[11:15])) * TICK
        resident += int(words[21]) * PAGE
    return Usage(processes, seconds, resident, threads)

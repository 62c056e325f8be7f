"""How a process ended, in words."""

from __future__ import annotations

import signal

WORDS = {
    signal.SIGSEGV: "segmentation fault",
    signal.SIGABRT: "aborted",
    signal.SIGKILL: "killed, perhaps because the machine ran out of memory",
    signal.SIGBUS: "bus error",
    signal.SIGFPE: "arithmetic error",
    signal.SIGILL: "illegal instruction",
    signal.SIGXCPU: "too much processor time",
    signal.SIGTERM: "terminated",
}
TAIL = 200
SIGNALLED = 128


def how_it_ended(status: int, doing: str) -> str:
    """How a process ended, from its exit status as shells give it. doing: when, such as "while it played"."""
    if status > SIGNALLED:  # no need to say when
        number = status - SIGNALLED
        known = next((words for known, words in WORDS.items() if known == number), None)
        return f"its process ended: {known or 'a signal'} (signal {number})"
    return f"its process ended with exit status {status} {doing}"


def with_tail(reason: str, printed: str) -> str:
    """A reason, with the end of what the process printed last."""
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    if not lines:
        return reason
    return f"{reason}; it printed last: {lines[-1][-TAIL:]!r}"

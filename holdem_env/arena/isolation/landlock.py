"""Landlock, with which a process gives up for good what it needs not: files, TCP, signals to others (Linux 5.13).

Unlike file modes it binds root, too.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable
from contextlib import suppress

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same on all architectures
ASK_VERSION, PATH_BENEATH = 1, 1
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
TRUNCATE = 1 << 14
ACCESSES = {1: 13, 2: 14, 3: 15, 5: 16}
"""From which version on there are so many kinds of access to files."""
TCP = 0b11  # bind and connect
SCOPES = 0b11  # abstract Unix sockets and signals
TCP_SINCE, SCOPES_SINCE = 4, 6
READ = EXECUTE | READ_FILE | READ_DIR
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | 1 << 15
"""What may be allowed of a file; the other accesses are of folders."""


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


_libc = ctypes.CDLL(None, use_errno=True)


def _call(number: int, *arguments: object) -> int:
    given = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    return int(_libc.syscall(ctypes.c_long(number), *given))


def version() -> int:
    """The version of Landlock's interface; 0 if the kernel has none, or has switched it off."""
    return max(0, _call(CREATE_RULESET, None, 0, ASK_VERSION))


def restrict(readable: Iterable[str], writable: Iterable[str], network: bool) -> int:
    """From now on this process and its children may read and run what is beneath the readable paths, do everything
    beneath the writable ones, and nothing with other files. Paths that there are not are left out.

    network: whether they may bind and connect TCP sockets; from version 4 on. From version 6 on they can send no
    signals to processes outside, and reach no abstract Unix sockets there. Files that are open stay open.
    Needs no_new_privs. Returns the version; 0: nothing was restricted. Raises OSError.
    """
    known = version()
    if not known:
        return 0
    everything = (1 << max(count for since, count in ACCESSES.items() if since <= known)) - 1
    tcp = TCP if known >= TCP_SINCE and not network else 0
    asked = _Ruleset(everything, tcp, SCOPES if known >= SCOPES_SINCE else 0)
    size = 8 if known < TCP_SINCE else 16 if known < SCOPES_SINCE else 24
    ruleset = _checked(_call(CREATE_RULESET, ctypes.byref(asked), size, 0), "create a ruleset")
    try:
        for path in dict.fromkeys(readable):
            _allow(ruleset, path, READ & everything)
        for path in dict.fromkeys(writable):
            _allow(ruleset, path, everything)
        _checked(_call(RESTRICT_SELF, ruleset, 0), "restrict this process")
    finally:
        os.close(ruleset)
    return known


def _allow(ruleset: int, path: str, accesses: int) -> None:
    with suppress(OSError):
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            if not os.path.isdir(path):
                accesses &= OF_FILES
            rule = _PathBeneath(accesses, fd)
            _checked(_call(ADD_RULE, ruleset, PATH_BENEATH, ctypes.byref(rule), 0), f"allow {path}")
        finally:
            os.close(fd)


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"Landlock cannot {what}: {os.strerror(number)}")
    return result

"""Locking a process in before an agent's code runs there. Called in the child that a nursery has forked."""

from __future__ import annotations

import ctypes
import fcntl
import os
import resource
import signal
import socket
import struct
import tempfile
from collections.abc import Sequence
from contextlib import suppress

from . import landlock

SET_PDEATHSIG, SET_DUMPABLE, CAPBSET_DROP, SET_CHILD_SUBREAPER, SET_NO_NEW_PRIVS = 1, 4, 24, 36, 38
CAPABILITY_VERSION = 0x20080522
CAPABILITIES = 64
SET_INTERFACE_FLAGS, IFF_UP = 0x8914, 1
NEW_NETWORK, NEW_IPC, NEW_USER = 0x40000000, 0x08000000, 0x10000000
FILE_BYTES = 64 * 2**20
OPEN_FILES = 256
PROCESSOR_SECONDS = 24 * 3600
"""The kernel's own limit, should nobody else be there to end the process."""
OUT_OF_MEMORY_SCORE = 500  # of 1000: whom the kernel ends first when memory runs out

_libc = ctypes.CDLL(None, use_errno=True)


def _prctl(option: int, value: int) -> None:
    _libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0)


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Sets(ctypes.Structure):
    _fields_ = (("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32))


def leave_the_network() -> bool:
    """Move this process and its children into a network of their own, where they find only each other, if the system
    lets it. Returns whether it did."""
    if not _unshared():
        return False
    request = struct.pack("16sh14x", b"lo", IFF_UP)
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as channel:
        fcntl.ioctl(channel, SET_INTERFACE_FLAGS, request)
    return True


def _unshared() -> bool:
    """A network namespace of this process's own: as root, or else as a user who is root in a namespace of users."""
    if _libc.unshare(NEW_NETWORK | NEW_IPC) == 0:
        return True
    user, group = os.getuid(), os.getgid()
    if _libc.unshare(NEW_USER | NEW_NETWORK | NEW_IPC) != 0:
        return False
    with suppress(OSError):
        for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
            with open(f"/proc/self/{name}", "w") as file:
                file.write(text)
    return True


def become_subreaper() -> None:
    """From now on, processes whose parents have ended become this one's children, if they stem from it."""
    _prctl(SET_CHILD_SUBREAPER, 1)


def be_unreadable() -> None:
    """No other process of the same user may read this one's memory."""
    _prctl(SET_DUMPABLE, 0)


def confine(parent: int, scratch: str, readable: Sequence[str], writable: Sequence[str], network: bool) -> None:
    """Lock this process in: it dies with its parent, gains no rights, has limits, and reads and writes only the files
    it may. scratch: its own folder, which it may write to."""
    os.setsid()
    _prctl(SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it died before this process could learn of it
        os._exit(1)
    become_subreaper()
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write(str(OUT_OF_MEMORY_SCORE))
    _limit_resources()
    os.environ |= {"HOME": scratch, "TMPDIR": scratch}
    tempfile.tempdir = None  # that of the nursery, if it has made a temporary file
    is_alone = not network and leave_the_network()
    _prctl(SET_NO_NEW_PRIVS, 1)
    devices = ("/dev/null", "/dev/zero", "/dev/full", "/dev/tty")
    landlock.restrict([*readable, f"/proc/{os.getpid()}"], [scratch, *writable, *devices], network or is_alone)
    _drop_capabilities()
    be_unreadable()


def _limit_resources() -> None:
    limits = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: FILE_BYTES,
        resource.RLIMIT_NOFILE: OPEN_FILES,
        resource.RLIMIT_CPU: PROCESSOR_SECONDS,
    }
    for which, most in limits.items():
        _, hard = resource.getrlimit(which)
        value = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(which, (value, value))


def _drop_capabilities() -> None:
    """What root may do beyond its own files. Nothing happens to others, who have no capabilities."""
    for capability in range(CAPABILITIES):
        _prctl(CAPBSET_DROP, capability)
    header, sets = _Header(CAPABILITY_VERSION, 0), (_Sets * 2)()
    _libc.capset(ctypes.byref(header), ctypes.byref(sets))

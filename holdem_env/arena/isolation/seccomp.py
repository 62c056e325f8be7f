"""The filter of system calls in a jail, a program that libseccomp makes: system calls newer than it was written for,
and those that agents have no business with, do not exist there (ENOSYS)."""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import socket
from functools import cache
from typing import Any

from .limits import IsolationUnavailable

LAST = 450  # the newest system call that may exist in a jail (set_mempolicy_home_node, Linux 5.17)
ALLOW, ERROR = 0x7FFF0000, 0x00050000
NOT_EQUAL, EQUAL, MASKED_EQUAL = 1, 4, 7
INT = 0xFFFFFFFF  # the bits of an int: the kernel does not look at the others of a register, so neither may the filter
NAMESPACES, PARENT, THREAD, EXIT_SIGNAL = 0x7E020080, 0x8000, 0x10000, 0xFF
"""Flags of clone; NAMESPACES with that of time."""
FAMILIES = (socket.AF_INET, socket.AF_INET6, 16)  # 16: netlink, by which programs list their network interfaces
LOCKS = (6, 7, 37, 38)
FCNTL = (*range(6), 9, 11, 12, 13, 14, 16, 1030, 1031, 1032, 1034)
"""Commands of fcntl without locks, leases, notices, seals, and signals: SIGCONT would wake a jail that was stopped."""
SIGNALS = range(1, 65)
SHARED, ANONYMOUS = 0x01, 0x20
"""Flags of mmap that stand together for memory which outlives its mapping, and is no process's."""
REFUSED = """
acct add_key adjtimex bpf chroot clock_adjtime clock_settime clone3 delete_module fanotify_init fanotify_mark
finit_module fremovexattr fsconfig fsetxattr fsmount fsopen fspick get_kernel_syms getpmsg init_module
inotify_add_watch inotify_init inotify_init1 io_uring_enter io_uring_register io_uring_setup ioperm iopl ioprio_set
kcmp kexec_file_load kexec_load keyctl lookup_dcookie lremovexattr lsetxattr memfd_create memfd_secret migrate_pages
modify_ldt mount mount_setattr move_mount move_pages mq_getsetattr mq_notify mq_open mq_timedreceive mq_timedsend
mq_unlink msgctl msgget msgrcv msgsnd name_to_handle_at nfsservctl open_by_handle_at open_tree perf_event_open
personality pidfd_getfd pivot_root process_madvise process_vm_readv process_vm_writev ptrace query_module quotactl
quotactl_fd reboot removexattr request_key semctl semget semop semtimedop setdomainname sethostname setns settimeofday
setxattr shmat shmctl shmdt shmget swapoff swapon sysfs syslog timer_create timer_settime umount umount2 unshare
uselib userfaultfd ustat vhangup
"""
CONDITIONAL = ("clone", "fcntl", "flock", "mmap", "prlimit64", "rt_sigaction", "socket")


class _Comparison(ctypes.Structure):
    _fields_ = (("argument", ctypes.c_uint), ("how", ctypes.c_int), ("one", ctypes.c_uint64), ("two", ctypes.c_uint64))


@cache
def filter_program() -> bytes:
    """The filter, as bubblewrap takes it. Raises IsolationUnavailable where libseccomp is missing or refuses a rule."""
    try:
        library = ctypes.CDLL("libseccomp.so.2")
    except OSError:
        raise IsolationUnavailable(
            "isolation: process needs libseccomp: apt-get install libseccomp2 (Fedora: dnf install libseccomp)"
        ) from None
    library.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.seccomp_init(ERROR | errno.ENOSYS))
    try:
        _add_rules(library, context)
        return _exported(library, context)
    finally:
        library.seccomp_release(context)


def _add_rules(library: Any, context: Any) -> None:
    def number(name: str) -> int:
        return int(library.seccomp_syscall_resolve_name(name.encode()))

    def add(name: str | int, *comparisons: tuple[int, ...], action: int = ALLOW) -> None:
        call = number(name) if isinstance(name, str) else name
        if call < 0:  # not on this machine's architecture
            return
        given = (_Comparison * len(comparisons))(*(_Comparison(*each) for each in comparisons))
        if failed := library.seccomp_rule_add_array(context, action, call, len(comparisons), given):
            raise IsolationUnavailable(f"libseccomp refuses a rule for {name}: {os.strerror(-failed)}")

    special = {number(name) for name in (*REFUSED.split(), *CONDITIONAL)}
    for call in {*range(LAST + 1)} - special:
        add(call)
    flags = NAMESPACES | PARENT | THREAD | EXIT_SIGNAL
    add("clone", (0, MASKED_EQUAL, flags, THREAD))
    add("clone", (0, MASKED_EQUAL, flags, int(signal.SIGCHLD)))
    for family in FAMILIES:
        add("socket", _is(0, int(family)))
    add("prlimit64", _is(0, 0))
    for one in (0, SHARED, ANONYMOUS):
        add("mmap", (3, MASKED_EQUAL, SHARED | ANONYMOUS, one))
    _add_silent(add)


def _add_silent(add: Any) -> None:
    """What succeeds without doing anything. Locks: SQLite wants them, and they are a memory that agents share. Signals
    at the end of children: an agent that could ignore them would hide the children's processor time."""
    nothing = ERROR
    add("flock", action=nothing)
    for command in LOCKS:
        add("fcntl", _is(1, command), action=nothing)
    for command in FCNTL:
        add("fcntl", _is(1, command))
    child = int(signal.SIGCHLD)
    add("rt_sigaction", _is(0, child), (1, NOT_EQUAL, 0), action=nothing)
    add("rt_sigaction", _is(0, child), (1, EQUAL, 0))
    for number in SIGNALS:
        if number != child:
            add("rt_sigaction", _is(0, number))


def _is(argument: int, value: int) -> tuple[int, int, int, int]:
    return argument, MASKED_EQUAL, INT, value


def _exported(library: Any, context: Any) -> bytes:
    file = os.memfd_create("filter")
    try:
        if failed := library.seccomp_export_bpf(context, file):
            raise IsolationUnavailable(f"libseccomp cannot write its filter: {os.strerror(-failed)}")
        return os.pread(file, os.fstat(file).st_size, 0)
    finally:
        os.close(file)

"""What goes between a jail and the process that plays: messages as JSON, so that reading runs nothing, and memory."""

from __future__ import annotations

import json
import mmap
import os
import socket
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...utils.plain_data import json_of, untrusted

HEADER = struct.Struct("<I")
MOST_BYTES = 2**20
MOST_FDS = 8
CHUNK = 65_536


class WireError(ValueError):
    """Something came that is not a message."""


def send(channel: socket.socket, message: dict[str, Any], fds: Sequence[int] = ()) -> None:
    """Send a message, and open files with it. Raises OSError, among them TimeoutError."""
    body = json.dumps(message, separators=(",", ":")).encode()
    data = HEADER.pack(len(body)) + body
    sent = socket.send_fds(channel, [data], fds) if fds else channel.send(data)
    if sent < len(data):
        channel.sendall(data[sent:])


def receive(channel: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """Wait for a message from a process that is trusted, with the files that came with it; None at the end."""
    data, fds, _, _ = socket.recv_fds(channel, HEADER.size, MOST_FDS)
    while data and len(data) < HEADER.size:
        data += channel.recv(HEADER.size - len(data))
    if not data:
        return None
    (length,) = HEADER.unpack(data)
    body = b""
    while len(body) < length:
        part = channel.recv(min(length - len(body), CHUNK))
        if not part:
            return None
        body += part
    message: dict[str, Any] = json.loads(body)
    return message, fds


class Inbox:
    """Messages from an untrusted process, which arrive in pieces. Open files that it sends are dropped."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel, self._data = channel, b""

    def read(self) -> bool:
        """Read without waiting. Returns False once the other side has closed. Raises OSError."""
        try:
            part = self._channel.recv(CHUNK, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return True
        self._data += part
        return bool(part)

    def message(self) -> dict[str, Any] | None:
        """The next message, or None until all of it has arrived. Raises WireError for an invalid one."""
        if len(self._data) < HEADER.size:
            return None
        (length,) = HEADER.unpack(self._data[: HEADER.size])
        if length > MOST_BYTES:
            raise WireError(f"a message of {length:,} bytes")
        end = HEADER.size + length
        if len(self._data) < end:
            return None
        body, self._data = self._data[HEADER.size : end], self._data[end:]
        with untrusted(lambda why: WireError(f"a message that is not JSON ({why})")):
            message = json_of(body)
        if not isinstance(message, dict):
            raise WireError("a message that is not a JSON object")
        return message


SEALS = "F_SEAL_SHRINK", "F_SEAL_GROW", "F_SEAL_SEAL"


class SharedMemory:
    """An anonymous file of a fixed size, and its bytes.

    fd: the open file, to be sent to another process. bytes: (size,) uint8, zeros at first.
    """

    def __init__(self, name: str, size: int) -> None:
        import fcntl  # not everywhere

        self.fd = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        try:
            os.ftruncate(self.fd, size)
            fcntl.fcntl(self.fd, fcntl.F_ADD_SEALS, sum(getattr(fcntl, seal) for seal in SEALS))
            self.bytes = mapped(self.fd, size)
        except BaseException:
            os.close(self.fd)
            raise

    def close(self) -> None:
        """Close the file; its bytes stay valid."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def __del__(self) -> None:
        self.close()


def mapped(fd: int, size: int) -> NDArray[np.uint8]:
    """The bytes of an open file, shared with all who map it: (size,) uint8."""
    return np.frombuffer(mmap.mmap(fd, size), np.uint8)

"""Messages between processes: four bytes of length, JSON, so that reading runs nothing, and open files beside it. By
them a jail is asked, and the server of remote bots."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import Sequence
from typing import Any

from ..utils.plain_data import json_of, untrusted

HEADER = struct.Struct("<I")
MAX_BYTES = 2**20
MAX_FDS = 8
CHUNK = 65_536


class WireError(ValueError):
    """Something came that is not a message."""


def packed(message: dict[str, Any]) -> bytes:
    """The bytes of a message."""
    body = json.dumps(message, separators=(",", ":")).encode()
    return HEADER.pack(len(body)) + body


async def read(reader: asyncio.StreamReader) -> dict[str, Any]:
    """As `receive`, in an event loop. Raises EOFError at the end."""
    (length,) = HEADER.unpack(await reader.readexactly(HEADER.size))
    message: dict[str, Any] = json.loads(await reader.readexactly(length))
    return message


def send(channel: socket.socket, message: dict[str, Any], fds: Sequence[int] = ()) -> None:
    """Send a message, and open files with it. Raises OSError, among them TimeoutError."""
    data = packed(message)
    sent = socket.send_fds(channel, [data], fds) if fds else channel.send(data)
    if sent < len(data):
        channel.sendall(data[sent:])


def receive(channel: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """Wait for a message from a process that is trusted, with the files that came with it; None at the end."""
    data, fds, _, _ = socket.recv_fds(channel, HEADER.size, MAX_FDS)
    while data and len(data) < HEADER.size:
        data += channel.recv(HEADER.size - len(data))
    if not data:
        return None
    (length,) = HEADER.unpack(data)
    body = bytearray()
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
        if length > MAX_BYTES:
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

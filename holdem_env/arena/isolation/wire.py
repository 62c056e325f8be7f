"""Messages between processes: a length, and JSON. Plain data only, so that reading one cannot run code."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Sequence
from typing import Any

HEADER = struct.Struct("<I")
MOST_BYTES = 2**20
MOST_FDS = 8
CHUNK = 65_536


class WireError(ValueError):
    """Something came that is no message."""


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
    """What has come from a process that is not trusted, piece by piece. Open files that it sends are dropped."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel, self._data = channel, b""

    def read(self) -> bool:
        """Take what is there, without waiting. Returns False at the end of the line. Raises OSError."""
        try:
            part = self._channel.recv(CHUNK, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return True
        self._data += part
        return bool(part)

    def message(self) -> dict[str, Any] | None:
        """The next message, if it is whole. Raises WireError for what is none."""
        if len(self._data) < HEADER.size:
            return None
        (length,) = HEADER.unpack(self._data[: HEADER.size])
        if length > MOST_BYTES:
            raise WireError(f"a message of {length:,} bytes")
        end = HEADER.size + length
        if len(self._data) < end:
            return None
        body, self._data = self._data[HEADER.size : end], self._data[end:]
        try:
            message = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise WireError("a message that is not JSON") from error
        if not isinstance(message, dict):
            raise WireError("a message that is no JSON object")
        return message

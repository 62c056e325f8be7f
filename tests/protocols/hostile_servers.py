"""What a stranger's server may send so that its client waits for long, or runs out of memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import cycle, repeat
from threading import Event
from typing import BinaryIO

Answer = Callable[[BinaryIO], None]
PAUSE = 0.05
OK = b"HTTP/1.1 200 OK\r\n"
KILOBYTES = b"x" * 2**16


def slowly(parts: Iterator[bytes], first: bytes = b"") -> Answer:
    """Parts with a pause before each, until the client hangs up."""

    def write(out: BinaryIO) -> None:
        out.write(first)
        for part in parts:
            Event().wait(PAUSE)
            out.write(part)

    return write


def byte_by_byte(parts: bytes) -> Iterator[bytes]:
    """Single bytes, for ever."""
    return (bytes([byte]) for byte in cycle(parts))


def at_once(first: bytes, parts: Iterator[bytes]) -> Answer:
    """Parts without end, as fast as they are read."""

    def write(out: BinaryIO) -> None:
        out.write(first)
        for part in parts:
            out.write(part)

    return write


def slow_servers() -> dict[str, Answer]:
    """Answers that go on, byte by byte."""
    return {
        "body with a length": slowly(byte_by_byte(b" "), OK + b"Content-Length: 1000000\r\n\r\n"),
        "body without a length": slowly(byte_by_byte(b" "), OK + b"\r\n"),
        "body in chunks": slowly(repeat(b"1\r\n \r\n"), OK + b"Transfer-Encoding: chunked\r\n\r\n"),
        "error": slowly(byte_by_byte(b" "), b"HTTP/1.1 503 No\r\nContent-Length: 1000000\r\n\r\n"),
        "status": slowly(byte_by_byte(b"H")),
        "headers": slowly(byte_by_byte(b"X: y\r\n"), OK),
        "continue": slowly(repeat(b"HTTP/1.1 100 Continue\r\n\r\n")),
    }


def endless_servers() -> dict[str, Answer]:
    """Answers that go on, as fast as they are read."""
    return {
        "body": at_once(OK + b"\r\n", repeat(KILOBYTES)),
        "body with a length": at_once(OK + b"Content-Length: 1000000000000\r\n\r\n", repeat(KILOBYTES)),
        "busy": at_once(b"HTTP/1.1 503 No\r\n\r\n", repeat(KILOBYTES)),
        "header": at_once(OK + b"X: ", repeat(KILOBYTES)),
        "headers": at_once(OK, repeat(b"X: y\r\n")),
    }


def whole(answer: object) -> Answer:
    """An answer that is all right, in two parts."""
    content = json.dumps(answer).encode()
    head = OK + f"Content-Length: {len(content)}\r\n\r\n".encode()
    return slowly(iter([content[:9], content[9:]]), head)

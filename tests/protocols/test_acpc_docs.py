"""The commands of docs/acpc.md, run as a reader runs them: one terminal for the dealer, another for the program."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pages import DOCS, REPOSITORY, blocks

PAGE = DOCS / "acpc.md"
SECONDS = 120
TOGETHER = ("./bot", "for")
"""Lines that are typed while the command before them runs."""


def commands() -> list[str]:
    return [line for block in blocks(PAGE, "") for line in block.splitlines()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    if shutil.which("cc") is None or os.name != "posix":
        pytest.skip("there is no C compiler, or no shell")
    (tmp_path / "examples").symlink_to(REPOSITORY / "examples")
    config, _ = blocks(PAGE, "yaml")
    (tmp_path / "mybot.yaml").write_text(config)
    return tmp_path


@contextmanager
def started(command: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, shell=True, cwd=folder, stdout=pipe, stderr=pipe, text=True, start_new_session=True
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def typed(command: str, port: int) -> str:
    """A command with the interpreter of the tests, and a port that is free."""
    first, rest = command.replace("9001", str(port)).split(" ", 1)
    return f"{f'{shlex.quote(sys.executable)} -m holdem_agents.cli' if first == 'holdem' else first} {rest}"


@pytest.mark.slow
def test_what_the_page_shows_works(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    lines = commands()
    outputs: dict[str, str] = {}
    for first, second in zip(lines, [*lines[1:], ""], strict=True):
        if first.startswith(TOGETHER):
            continue
        with started(typed(first, port), folder) as process:
            if second.startswith("./bot"):
                assert process.stdout is not None
                outputs[first] = process.stdout.readline()  # the ports: now it listens
            if second.startswith(TOGETHER):
                with started(typed(second, port), folder) as other:
                    out, errors = process.communicate(timeout=SECONDS)
                    if second.startswith("./bot"):
                        assert other.wait(SECONDS) == 0
            else:
                out, errors = process.communicate(timeout=SECONDS)
            assert process.returncode == 0, f"{first}: {out}{errors}"
            outputs[first] = outputs.get(first, "") + out
    compiling, serving, replaying, *matches = outputs.values()
    assert compiling == ""
    assert serving.startswith(f"{port} 0\nSCORE:")
    assert "200 hands replayed" in replaying
    assert "no problems" in replaying
    assert len(matches) == 2
    assert matches[0].splitlines()[0] == matches[1].splitlines()[0].replace("mybot", "acpc")
    assert "bb/100" in matches[0]

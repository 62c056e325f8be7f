"""Check an agent in its own process, so that its errors and endless loops cannot stop the check."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

REACHING = "nothing reached for outside the hand"
PROCESS = "the process lives and ends in time"
LOADING = "loading the agent"
OF_WAITING = 10.0
"""Seconds that the process gets beyond its time, to say where it stands."""
FAULTS = "faults.txt"
PROGRAM = f"{__package__}.check_process"


def checked_apart(job: Mapping[str, Any], timeout: float | None) -> tuple[list[str], list[tuple[str, str]]]:
    """Check an agent in a new process. job: what check_process reads. Returns the checks that finished, and
    (check, message) of each finding.

    Raises what make_agent raises for an agent that cannot be made.
    """
    # Results must carry this word, which the process removes from the job before it loads the agent.
    word = secrets.token_hex(16)
    with tempfile.TemporaryDirectory(prefix="holdem-check-", ignore_cleanup_errors=True) as folder:
        given = json.dumps({**job, "word": word, "folder": folder, "timeout": timeout})
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "TMPDIR": folder}
        child = subprocess.Popen(
            [sys.executable, "-m", PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            env=environment,
            start_new_session=True,
        )
        try:
            wait = None if timeout is None else timeout + OF_WAITING
            said, complained = child.communicate(given, timeout=wait)
        except subprocess.TimeoutExpired:
            _end(child)
            said, complained = child.communicate()
            child.returncode = child.returncode or -signal.SIGTERM
        finally:
            _end(child)
        faults = _read(Path(folder) / FAULTS)
    lines = [line for line in map(_parsed, said.splitlines()) if line and line.pop("word", None) == word]
    found = _result(lines, child.returncode, complained, faults, timeout)
    steps = [line["step"] for line in lines if "step" in line and line["step"] != LOADING]
    return steps if any("done" in line for line in lines) else steps[:-1], found


def _parsed(line: str) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _end(child: subprocess.Popen[str]) -> None:
    """End the process, and those that it has started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(child.pid, signal.SIGKILL)
        else:
            child.kill()


def _result(
    lines: list[dict[str, Any]], status: int, complained: str, faults: str, timeout: float | None
) -> list[tuple[str, str]]:
    """The findings in what the process has said, and in how it ended."""
    from .agent_errors import raised_again

    for line in lines:
        if "not_made" in line:
            raise raised_again(*line["not_made"])
    found = [(line["check"], line["message"]) for line in lines if "message" in line]
    if any("done" in line for line in lines):
        return found
    steps = [line["step"] for line in lines if "step" in line]
    during = f" while this was checked: {steps[-1]}" if steps else " before the agent was loaded"
    place = _place(faults)
    at = f" ({place})" if place else ""
    if "Timeout (" in faults or status == -signal.SIGTERM:
        how = f"was not over after {timeout:g} seconds{during}{at}. Give it more time, or look for an endless loop"
    elif status < 0:
        how = f"was ended by {signal.Signals(-status).name}{during}{at}"
    else:
        how = f"ended with exit status {status}{during}{at}: something ended it, such as os._exit or sys.exit"
    last = complained.strip().splitlines()[-1:]
    return [*found, (PROCESS, f"The agent's process {how}." + (f" Its last words: {last[0]}" if last else ""))]


def _place(faults: str) -> str:
    """The innermost line of Python outside of the libraries in what faulthandler wrote: "mybot.py:12"."""
    from .audit_events import libraries

    for line in faults.split("most recent call first")[-1].splitlines():
        parts = line.strip().split('"')
        if len(parts) == 3 and parts[0] == "File " and not parts[1].startswith((*libraries(), "<")):
            number = parts[2].removeprefix(", line ").split()[0]
            return f"{os.path.basename(parts[1])}:{number}"
    return ""


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""

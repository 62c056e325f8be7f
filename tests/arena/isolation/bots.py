"""Files of agents that misbehave, written for a test; and whether this system can jail them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from textwrap import dedent, indent

import pytest

from holdem_env.arena.isolation.jail import bwrap, check_available
from holdem_env.arena.isolation.limits import IsolationUnavailable

TRY = ("--unshare-user", "--unshare-pid", "--ro-bind", "/", "/", "--proc", "/proc", "true")


def why_no_jail() -> str:
    """Why agents cannot be jailed here; "" if they can."""
    try:
        check_available()
        tried = subprocess.run([str(bwrap()), *TRY], capture_output=True, text=True)
    except IsolationUnavailable as error:
        return str(error)
    return tried.stderr.strip() if tried.returncode else ""


WHY = "" if os.environ.get("CI") == "true" else why_no_jail()
needs_jail = pytest.mark.skipif(bool(WHY), reason=WHY)
"""With CI=true a missing jail is a failure."""

BOT = """
import ctypes, json, os, signal, socket, subprocess, sys, time
import numpy as np
from holdem_env.agents import Agent


class Bot(Agent):
    def act(self, tables, rules, rows):
        moves = np.zeros(len(rows), np.int64)
{act}
        return moves
{more}
"""


def bot(folder: Path, act: str = "", more: str = "", name: str = "bot") -> str:
    """The path of a file with an agent that checks and calls, but for these lines of `act`, and more methods."""
    path = folder / f"{name}.py"
    path.write_text(BOT.format(act=indent(dedent(act), " " * 8), more=indent(dedent(more), " " * 4)))
    return str(path)


def show(expression: str) -> str:
    """Lines that raise an error whose message is the value of an expression, or the error it raises."""
    return f"""
    try:
        shown = repr(({expression}))
    except BaseException as error:
        shown = type(error).__name__ + ": " + str(error)
    raise RuntimeError(shown)
    """

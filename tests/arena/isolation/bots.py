"""Files of agents that misbehave, written for a test."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

BOT = """
import ctypes, json, os, signal, socket, subprocess, sys, time
import numpy as np
from holdem_env.players import Agent


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


def tell(expression: str) -> str:
    """Lines that raise an error whose message is the value of an expression, or the error it raises."""
    return f"""
    try:
        told = repr(({expression}))
    except BaseException as error:
        told = type(error).__name__ + ": " + str(error)
    raise RuntimeError(told)
    """

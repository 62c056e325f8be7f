"""Small bots for the tests, as Python programs in files."""

from __future__ import annotations

import sys
from pathlib import Path

FRAME = """
import json, os, sys, time

def say(answer):
    sys.stdout.write((answer if isinstance(answer, str) else json.dumps(answer)) + "\\n")
    sys.stdout.flush()

def decide(m):
    return {"move": "call"}

def on_hello(m):
    say({})

def on_decision(m):
    say({"id": m["id"], **decide(m)})

def on_other(m):
    pass

HERE

for line in sys.stdin:
    message = json.loads(line)
    {"hello": on_hello, "decision": on_decision}.get(message["type"], on_other)(message)
"""
RAISER = """
def decide(m):
    legal = m["legal"]
    strong = m["hole_cards"][0][0] == m["hole_cards"][1][0] or "A" in m["hole_cards"][0] + m["hole_cards"][1]
    if strong and legal["raise_min"]:
        return {"move": "raise", "to": legal["raise_min"]}
    return {"move": "check" if legal["check"] else "call" if legal["call"] <= 3 * m["game"]["blinds"][1] else "fold"}
"""
"""The source of a bot that plays by its cards."""


def program(folder: Path, changes: str = "", name: str = "bot") -> list[str]:
    """The command of a bot that calls, with some of its functions rewritten."""
    file = folder / f"{name}.py"
    file.write_text(FRAME.replace("HERE", changes))
    return [sys.executable, str(file)]

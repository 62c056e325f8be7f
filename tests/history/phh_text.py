"""PHH texts for the tests: a hand with some fields changed, several hands in one file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from holdem_env import Table
from holdem_env.history import HandRecord, phh

# Three players, 1/2; p1 has the small blind, p3 the button. p1 checks and calls down and loses to p3's kings.
HAND: dict[str, Any] = {
    "variant": "NT",
    "antes": [0, 0, 0],
    "blinds_or_straddles": [1, 2, 0],
    "min_bet": 2,
    "starting_stacks": [200, 200, 200],
    "actions": [
        "d dh p1 AhQd", "d dh p2 2c7s", "d dh p3 KsKc", "p3 cbr 6", "p1 cc", "p2 f",
        "d db 9c8d2h", "p1 cc", "p3 cbr 10", "p1 cc",
        "d db 3s", "p1 cc", "p3 cc",
        "d db 4c", "p1 cc", "p3 cbr 20", "p1 cc",
        "p3 sm KsKc", "p1 sm",
    ],
}  # fmt: skip
HAND_PAYOFFS = [-36, -2, 38]
FOLDED = ["d dh p1 AhQd", "d dh p2 2c7s", "d dh p3 KsKc", "p3 f", "p1 f"]

TWO_PLAYERS: dict[str, Any] = {
    "variant": "NT",
    "antes": [0, 0],
    "blinds_or_straddles": [1, 2],
    "min_bet": 2,
    "starting_stacks": [200, 200],
    "actions": ["d dh p1 AhQd", "d dh p2 2c7s", "p2 f"],
}


def text(fields: dict[str, Any] | None = None, **changes: Any) -> str:
    """PHH text of the fields, changed; a field given as None is left out, a string is a TOML string."""
    lines = []
    for name, value in ((HAND if fields is None else fields) | changes).items():
        if value is not None:
            shown = str(value).lower() if isinstance(value, bool) else repr(value)
            lines.append(f"{name} = {shown}\n")
    return "".join(lines)


def hand(fields: dict[str, Any] | None = None, **changes: Any) -> HandRecord:
    """The record of such a text."""
    return phh.loads(text(fields, **changes))


def replayed(fields: dict[str, Any] | None = None, **changes: Any) -> Table:
    """Its table."""
    return hand(fields, **changes).replay()


def several(path: Path, *texts: str) -> Path:
    """A .phhs file of these records, numbered from 1."""
    path.write_text("".join(f"[{k}]\n{record}\n" for k, record in enumerate(texts, 1)))
    return path

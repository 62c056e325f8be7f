"""What stands in the files of training runs, as runs that must be the same can be compared."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

CLOCKS = {"seconds", "time/fps", "time/time_elapsed", "time/iterations", "exploiter_seconds", "exploiter_cpu_seconds"}


def rows_of(path: Path) -> list[dict[str, object]]:
    """The rows of a CSV file without times; numbers as float32, whatever their type was when they were written."""
    with path.open(newline="") as file:
        return [
            {name: _number(text) for name, text in row.items() if name not in CLOCKS} for row in csv.DictReader(file)
        ]


def _number(text: str) -> object:
    try:
        return np.float32(text)
    except ValueError:
        return text

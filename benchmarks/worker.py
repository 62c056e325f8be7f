"""One checkout's side of a comparison: a process that reports how long it took to start, and then measures the rows of
one benchmark on request. Requests and answers are lines of JSON. Only `against.py` starts it.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from importlib.util import find_spec

from .measure import Contestant, Stopwatch, turn


def start_up() -> dict[str, float]:
    """Import the library and play, which compiles what is not compiled yet; returns the seconds of each stage."""
    with Stopwatch() as importing:
        from . import environments
    with Stopwatch() as hand:
        environments.one_table(decisions=1)()
    with Stopwatch() as step:
        environments.tables(seats=2, num_tables=1024, steps=1)()
    return {
        "import": importing.seconds,
        "the first hand of holdem_v0": hand.seconds,
        "the first step of Tables": step.seconds,
    }


def main(benchmark: str) -> None:
    """Report which library this is and how it started, then answer until there are no more requests."""
    found = find_spec("holdem_env")
    report(file=found and found.origin)
    stages = start_up() if benchmark == "environments" else {}
    rows = import_module(f".{benchmark}", __package__).own_rows()
    report(stages=stages, rows=list(rows))
    ready: dict[str, Contestant] = {}  # of the row that is being measured; others make room
    for line in sys.stdin:
        request = json.loads(line)
        if request["row"] not in ready:
            ready.clear()
            ready[request["row"]] = rows[request["row"]]()
            ready[request["row"]]()
        report(rate=turn(ready[request["row"]], request["seconds"]))


def report(**answer: object) -> None:
    """One line of JSON."""
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])

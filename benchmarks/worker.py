"""One checkout's side of a comparison: a process that tells how long it took to start, and then measures what it is
asked for. Questions and answers are lines of JSON. Only `against.py` starts it.
"""

from __future__ import annotations

import json
import sys
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


def main() -> None:
    """Tell which library this is and how it started, then answer until there are no more questions."""
    found = find_spec("holdem_env")
    tell(file=found and found.origin)
    stages = start_up()
    from .environments import own_rows

    rows = own_rows()
    tell(stages=stages, rows=list(rows))
    ready: dict[str, Contestant] = {}  # of the row that is being measured; others make room
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["row"] not in ready:
            ready.clear()
            ready[asked["row"]] = rows[asked["row"]]()
            ready[asked["row"]]()
        tell(rate=turn(ready[asked["row"]], asked["seconds"]))


def tell(**answer: object) -> None:
    """One line of JSON."""
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()

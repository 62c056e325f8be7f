"""What each compiler trick brings: `Tables.step` and the first compilation with all tricks but one.

Every figure is the processor time of processes of their own, in which `HOLDEM_COMPILER_TRICKS` names the tricks that
are in use. They take turns, round by round, and the medians of the rounds are compared: a busy machine slows them all.
A trick that brings less than 10 % everywhere should go. How much longer a step of `Tables` takes without each:

| trick | heads-up and six-handed, 1,024 to 65,536 tables |
|---|---|
| prefetch | 8 to 137 % |
| indexing | 10 to 29 % |
| bet_sizes | 8 to 15 % |
| calls | up to 12 %; a step of the AEC environment, which then makes several calls, takes 1.5 times as long |
| columns | up to 8 %; without it, no other record may have fields of these names |
| noinline | up to 12 %; the first compilation takes 87 s instead of 31 s |
| borrowing | up to 10 %; a turn to solve takes 3.4 times as long, Leduc 2.4, training a blueprint 1.3 times |
| general_types | nothing; the first compilation takes 16 % longer |
| lanes | nothing here; a turn to solve takes twice as long |
| sturdy_cache | nothing: it is there for broken files and full disks |
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from holdem_env.compiled.tricks import TRICKS, VARIABLE

from .measure import Options, ratios, spread

TABLES = (1_024, 8_192, 65_536)
SEATS = (2, 6)
ALL = "all"

FIRST = """
import time
from holdem_env import Rules, Table, Tables
table = Table(Rules(), seed=1)
while not table.is_over:
    table.check_call()
tables = Tables(Rules(seats=2, blinds=(1, 2), stacks=200), num_tables=64)
tables.step(tables.random_actions())
print(time.process_time())
"""
STEPS = """
import json, statistics, sys, time
from holdem_env import Rules, Tables
taken = {}
for seats in json.loads(sys.argv[1]):
    for number in json.loads(sys.argv[2]):
        tables = Tables(Rules(seats=seats, blinds=(1, 2), stacks=200), number)
        steps, times = max(1, 120_000 // number), []
        for _ in range(6):
            spent = 0.0
            for _ in range(steps):
                actions = tables.random_actions()
                start = time.thread_time()
                tables.step(actions)
                spent += time.thread_time() - start
            times.append(spent / (steps * number) * 1e9)
        taken[f"{seats} seats, {number:,}"] = statistics.median(times[1:])
print(json.dumps(taken))
"""


def in_process(script: str, tricks: str, cache: Path, *arguments: str) -> str:
    """What a script prints in a process of its own, with these tricks."""
    environment = os.environ | {VARIABLE: tricks, "HOLDEM_CACHE_DIR": str(cache)}
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout


def variants() -> dict[str, str]:
    """By a name, the tricks that are in use."""
    without = {f"without {trick}": ",".join(TRICKS.keys() - {trick}) for trick in TRICKS}
    return {ALL: ALL, **without, "none": "none"}


def main(options: Options) -> None:
    with tempfile.TemporaryDirectory() as folder:
        caches = {name: Path(folder) / name.replace(" ", "-") for name in variants()}
        first = {name: float(in_process(FIRST, chosen, caches[name])) for name, chosen in variants().items()}
        steps: dict[str, list[dict[str, float]]] = {name: [] for name in variants()}
        sizes = json.dumps(SEATS), json.dumps(TABLES)
        for _ in range(options.repeats):
            for name, chosen in variants().items():
                steps[name].append(json.loads(in_process(STEPS, chosen, caches[name], *sizes)))
    show(first, steps)


def show(first: dict[str, float], steps: dict[str, list[dict[str, float]]]) -> None:
    """A line for each variant: nanoseconds a table and step, and by how much that is above all tricks."""
    cases = list(steps[ALL][0])
    print(f"{'':18}" + "".join(f"{case:>20}" for case in cases) + f"{'first compilation':>20}")
    for name, rounds in steps.items():
        line = f"{name:18}"
        for case in cases:
            usual = [seen[case] for seen in rounds]
            more = ratios(usual, [seen[case] for seen in steps[ALL]]).median - 1
            line += f"{spread(usual).median:>9.1f} ns ({more:+5.1%})".rjust(20)
        print(line + f"{first[name]:>18.1f} s")


if __name__ == "__main__":
    main()

"""This checkout beside another one of the project: `python -m benchmarks NAME --against PATH`.

The benchmarks that can be compared have a function `own_rows`, which uses public names alone: it runs with both sides.

Each side is copied and runs in processes of its own, with caches that begin empty. They take turns, new, old, new, old.
Where a process happens to lie in memory makes a few percent, so both are started several times. The printed ratios
are of a turn of the new side to the turn of the old one that follows it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .measure import Options, Spread, on_one_core, print_columns, ratios, spread

STARTED, COMPILED = "started, compiled before", "started for the first time"
COMPARABLE = ("environments", "learners", "solvers", "arena")
"""The benchmarks with `own_rows`."""
ENOUGH = 3
"""Turns that a verdict needs."""
Pairs = dict[str, tuple[list[float], list[float]]]
"""By row: the measurements of the new side and of the old one, turn by turn."""


@dataclass(frozen=True)
class Plan:
    """launches: how many fresh processes of each side measure. compilations: how many caches begin empty.
    tolerance: a slowdown that passes, as a part of the old figure."""

    launches: int = 3
    compilations: int = 3
    tolerance: float = 0.03


class Worker:
    """A running process of one side."""

    def __init__(self, process: subprocess.Popen[str], side: Side) -> None:
        self._process, self._checkout = process, side.checkout
        found = self._answer()["file"]
        if not Path(found or "").is_relative_to(side.copy):
            raise SystemExit(f"{side.checkout}: its process found {found}")
        about = self._answer()
        self.stages: dict[str, float] = about["stages"]
        self.rows: list[str] = about["rows"]

    def rate(self, row: str, seconds: float) -> float:
        """Work per second of one turn."""
        assert self._process.stdin
        self._process.stdin.write(json.dumps({"row": row, "seconds": seconds}) + "\n")
        self._process.stdin.flush()
        return float(self._answer()["rate"])

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"{self._checkout}: its process ended; what it said stands above")
        return json.loads(line)  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Side:
    """A checkout, and the copy of it that is measured: nothing is written into the checkout, and an edit meanwhile
    changes nothing."""

    checkout: Path
    copy: Path

    def make_copy(self) -> None:
        """The library of the checkout, and these benchmarks, whichever the checkout has."""
        for source in (*(self.checkout / name for name in ("holdem_env", "agents", "configs")), Path(__file__).parent):
            if source.is_dir():
                shutil.copytree(source, self.copy / source.name, ignore=shutil.ignore_patterns("__pycache__"))

    @contextmanager
    def started(self, benchmark: str, cache: str = "compiled-0") -> Iterator[Worker]:
        """A fresh process for a benchmark, with its machine code in a folder of this name."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        environment["PYTHONPATH"] = os.pathsep.join((str(self.copy), str(self.copy / "agents")))
        environment["HOLDEM_CACHE_DIR"] = str(self.copy / cache)
        with subprocess.Popen(
            [sys.executable, "-m", "benchmarks.worker", benchmark],
            cwd=self.copy,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdin
            assert process.stdout
            try:
                yield Worker(process, self)
            except BaseException:
                process.kill()  # it may be compiling
                raise
            finally:
                process.stdin.close()
                process.stdout.close()


def compare(benchmarks: Sequence[str], new: Path, old: Path, options: Options, plan: Plan) -> bool:
    """Measure both and print the ratios. Returns whether something is slower than the tolerance allows."""
    slower = False
    with TemporaryDirectory(prefix="holdem-bench-") as scratch:
        sides = tuple(Side(path, Path(scratch, name)) for path, name in ((new, "new"), (old, "old")))
        for side in sides:
            side.make_copy()
            print(f"{side.copy.name}: {side.checkout}{commit(side.checkout)}")
        for benchmark in benchmarks:
            if benchmark == "environments":
                seconds = starts(sides, options, plan)
                slower |= print_pairs("Starting: seconds, less is better", seconds, plan, rates=False)
            title = f"{benchmark.capitalize()}: work a second, more is better"
            slower |= print_pairs(title, turns(benchmark, sides, options, plan), plan, rates=True)
    return slower


def starts(sides: tuple[Side, ...], options: Options, plan: Plan) -> Pairs:
    """How long both take to start, on all cores: with empty caches, and with full ones."""
    pairs: Pairs = {}
    launches = [(COMPILED, f"compiled-{count}") for count in range(plan.compilations)]
    for title, cache in launches + [(STARTED, "compiled-0")] * options.repeats:
        if not options.wants(title) and title == STARTED:
            continue  # the first compilation is needed by what comes later
        for which, side in enumerate(sides):
            with side.started("environments", cache) as worker:
                for stage, seconds in {**worker.stages, "in all": sum(worker.stages.values())}.items():
                    pairs.setdefault(f"{title}: {stage}", ([], []))[which].append(seconds)
    return pairs


@on_one_core()
def turns(benchmark: str, sides: tuple[Side, ...], options: Options, plan: Plan) -> Pairs:
    """Work per second of all rows of a benchmark, in several processes of each side."""
    pairs: Pairs = {}
    for _ in range(plan.launches):
        with ExitStack() as running:
            workers = [running.enter_context(side.started(benchmark)) for side in sides]
            for row in filter(options.wants, workers[0].rows):
                seen = pairs.setdefault(row, ([], []))
                for _ in range(options.repeats):
                    for worker, rates in zip(workers, seen, strict=True):
                        rates.append(worker.rate(row, options.seconds))
    return pairs


def print_pairs(title: str, pairs: Pairs, plan: Plan, rates: bool) -> bool:
    """A table of both sides, the ratios new/old and what they say; returns whether something is slower."""
    print(f"\n{title}: median and quartiles; new/old turn by turn")
    lines, words = [("", "new", "old", "new/old", "")], []
    for row, (new, old) in pairs.items():
        ratio = ratios(new, old)
        words.append(verdict(ratio, plan.tolerance, rates, enough=len(new) >= ENOUGH))
        between = "{:.3f} ({:.3f} to {:.3f})".format(*ratio)
        lines.append((row, str(spread(new)), str(spread(old)), between, words[-1]))
    print_columns(lines)
    return "slower" in words


def verdict(ratio: Spread, tolerance: float, rates: bool, enough: bool = True) -> str:
    """What new/old says: nothing where the difference is within the tolerance, and "unsure" where turns disagree or are
    not enough."""
    change = ratio if rates else Spread(1 / ratio.median, 1 / ratio.high, 1 / ratio.low)
    if change.median < 1 - tolerance:
        return "slower" if enough and change.high < 1 else "slower? unsure"
    if change.median > 1 + tolerance:
        return "faster" if enough and change.low > 1 else "faster? unsure"
    return ""


def commit(checkout: Path) -> str:
    """The commit of a checkout in brackets, where git knows it."""
    describe = ["git", "-C", str(checkout), "describe", "--always", "--dirty"]
    try:
        return f" ({subprocess.run(describe, capture_output=True, text=True, check=True).stdout.strip()})"
    except (OSError, subprocess.CalledProcessError):
        return ""

"""The desk: one spot at a time is solved in a process of its own, and the latest solution is kept."""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from math import isfinite
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Lock, Thread
from time import monotonic
from typing import Any

from holdem_env.solvers.bar import Pace
from holdem_env.solvers.solution import Solution, load_solution
from holdem_env.solvers.subgames import solve_subgame

from ..answers import ApiError
from ..site import Site
from .spots import MAX_MEMORY, Spot, sentence, size_of_spot

LOST = "The process that solved this spot has ended. Has the machine run out of memory?"
BUSY = "A spot is being solved: stop it first, or wait."


class Desk:
    """What is being solved for a site, and the latest solution with its file. spot: what was asked for, of a solution
    that was found here. number: how many solutions there were."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._lock = Lock()
        self._process: Any = None
        self._line: Connection | None = None
        self._progress: dict[str, Any] = {"phase": "empty"}
        self._begun = 0.0
        self.solution: Solution | None = None
        self.number = 0
        self._names = count(1)
        self.path: Path | None = None
        self.spot: Spot | None = None
        site.on_close.append(self.close)

    def view(self) -> dict[str, Any]:
        """How far it is. phase: empty, solving, stopping, loading, done or failed."""
        with self._lock:
            is_running = self._process is not None
            more = {"seconds": monotonic() - self._begun} if is_running else {}
            return {**self._progress, **more, "number": self.number}

    def solve(self, spot: Spot) -> None:
        """Begin to solve a spot. Raises ApiError (400) for one that cannot be, and (409) while another is solved."""
        size_of_spot(spot)
        processes = get_context("spawn")
        with self._lock:
            if self._process is not None:
                raise ApiError(409, BUSY)
            path = self.new_path()
            ours, theirs = processes.Pipe()
            process = processes.Process(target=work, args=(spot, path, theirs), daemon=True)
            process.start()
            theirs.close()
            self._process, self._line, self._begun = process, ours, monotonic()
            unknown = dict.fromkeys(("percent", "seconds_left"))
            self._progress = {"phase": "solving", "iterations": 0, "accuracy": spot.accuracy, **unknown}
        Thread(target=self._follow, args=(process, ours, path, spot), daemon=True).start()

    def stop(self) -> None:
        with self._lock:
            if self._line is not None and self._progress["phase"] == "solving":
                self._progress["phase"] = "stopping"
                with suppress(OSError):
                    self._line.send("stop")

    def open(self, path: Path) -> None:
        """Keep the solution in a file. Raises ApiError (400) for a file without one, (409) while a spot is solved."""
        if self._process is not None:
            raise ApiError(409, BUSY)
        try:
            self._keep(path)
        except (ValueError, OSError, MemoryError) as error:
            raise ApiError(400, sentence(str(error).removeprefix(f"{path}: "))) from None

    def close(self) -> None:
        if (process := self._process) is not None:
            process.kill()

    def new_path(self) -> Path:
        return self._site.uploads / f"solution-{next(self._names)}.solution"

    def _follow(self, process: Any, line: Connection, path: Path, spot: Spot) -> None:
        problem: str | None = LOST
        with suppress(EOFError, OSError):
            while True:
                heard = line.recv()
                if isinstance(heard, dict):
                    self._change(**heard)
                else:
                    problem = heard  # None is the end of a solve that went well
                    break
        process.join()
        line.close()
        if problem is None:
            self._change(phase="loading")
            problem = self._loaded(path, spot)
        if problem is not None:
            with self._lock:
                self._process = self._line = None
                self._progress |= {"phase": "failed", "sentence": problem}

    def _loaded(self, path: Path, spot: Spot) -> str | None:
        """Keep the solution in a file; a sentence if that cannot be done."""
        try:
            self._keep(path, spot)
        except (ValueError, OSError, MemoryError) as error:
            return sentence(f"the solution cannot be kept: {error}")
        return None

    def _keep(self, path: Path, spot: Spot | None = None) -> None:
        solution = load_solution(path)
        if solution.is_whole:
            raise ValueError("this is the solution of a whole game, got no spot")
        with self._lock:
            old, self.path, self.solution, self.spot = self.path, path, solution, spot
            self.number += 1
            self._process = self._line = None
            self._progress |= {"phase": "done"}
        if old is not None:
            old.unlink(missing_ok=True)

    def _change(self, **news: Any) -> None:
        with self._lock:
            self._progress |= news


def work(spot: Spot, path: Path, line: Connection) -> None:
    """Solve a spot in this process and write the solution; progress, and at the end None or a problem, go by the line.
    It stops early when something comes by the line, or nobody is there any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ctrl-C is the server's, whose end closes the line
    problem: str | None = None
    try:
        solution = solve_subgame(
            **spot.arguments(),
            accuracy=spot.accuracy,
            most_memory=MAX_MEMORY,
            progress=_progress(line, spot.accuracy),
            stop=line.poll,
        )
        assert solution.spot is not None
        solution.spot = solution.spot.model_copy(update={"parts": spot.parts})
        solution.save(path)
    except (ValueError, OSError, MemoryError) as error:
        problem = sentence(str(error) or "there is not enough memory")
    with suppress(OSError):  # the server may have ended
        line.send(problem)


def _progress(line: Connection, accuracy: float) -> Callable[[int, float], None]:
    pace = Pace(accuracy)

    def send(iterations: int, percent: float) -> None:
        known = percent if isfinite(percent) else None
        line.send({"iterations": iterations, "percent": known, "seconds_left": pace.seconds_left(iterations, percent)})

    return send

"""`solve_boards`: one spot solved on many boards, as a table and a page; what a folder has is not solved again."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ...cards.text import cards_text
from ...render.html_tables import data_table
from ...solvers.card_tables.isomorphism import representative_flops
from ...solvers.reading import read_subgame_board
from ...solvers.subgames import solve_subgame
from ...utils.atomic import write_atomically
from ...utils.runner import Interrupted, Interruptible, Runner
from ..reports.csv_files import CsvTable, write_csv

DONE, TABLE, PAGE = "boards.jsonl", "boards.csv", "boards.html"
"""The files of a folder: a line for each board that is solved, and what they say together."""
TO_HALF_WIDTH = 1.96
HIDDEN = ("weight", "iterations", "seconds", "exploitability")  # columns that stand behind all others, and have no mean
Row = dict[str, Any]
Boards = Sequence[tuple[str, int]]  # boards as text, each with its weight


def representative(flops: int) -> Boards:
    """This many flops that stand for all 22,100."""
    return [(cards_text(cards), weight) for cards, weight in representative_flops(flops)]


def boards_in(file: Path) -> Boards:
    """The boards of a file with one in each line, perhaps a weight behind it. Raises ValueError for another line."""
    found = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        words = line.partition("#")[0].replace(",", " ").split()
        if not words:
            continue
        weight = words.pop() if words[-1].isdigit() and len(words) > 1 else "1"
        try:
            found.append((cards_text(read_subgame_board("".join(words))), int(weight)))
        except ValueError as error:
            raise ValueError(f"{file}, line {number}: {error}") from None
    if not found:
        raise ValueError(f"{file}: there is no board in it")
    return found


@dataclass
class SolvedBoards:
    """What became of the boards. rows: of those that are solved, by their order. failed: what went wrong with others.
    is_interrupted: whether the user pressed ctrl-C."""

    rows: list[Row] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    is_interrupted: bool = False

    def columns(self) -> list[str]:
        """The names of all columns, the board first; moves that only some boards have come last."""
        return [name for name in dict.fromkeys(name for row in self.rows for name in row) if name not in HIDDEN]

    def mean(self, name: str) -> tuple[float, float]:
        """The weighted mean of a column, and half the width of its 95 % interval, as if boards were drawn at random."""
        weights = np.array([row["weight"] for row in self.rows], np.float64)
        values = np.array([row.get(name, 0.0) for row in self.rows], np.float64)
        weights /= weights.sum()
        mean = float(weights @ values)
        if len(self.rows) < 2:
            return mean, float("nan")
        error = np.sqrt((weights**2 @ (values - mean) ** 2) * len(values) / (len(values) - 1))
        return mean, float(TO_HALF_WIDTH * error)

    def _means(self) -> list[str]:
        return ["{:.3f} ± {:.3f}".format(*self.mean(name)) for name in self.columns()[1:]]

    def in_words(self) -> str:
        parts = [f"{name} {mean}" for name, mean in zip(self.columns()[1:], self._means(), strict=True)]
        return f"{len(self.rows):,} boards, means with 95 % intervals: {', '.join(parts)}"

    def write(self, folder: Path) -> tuple[Path, Path]:
        """Write the table as CSV and as a page, and return both files."""
        shown = self.columns()
        names = [*shown, *(HIDDEN[0], HIDDEN[3], HIDDEN[1], HIDDEN[2])]
        write_csv(folder / TABLE, CsvTable(names, [[row.get(name, 0.0) for name in names] for row in self.rows]))
        body = [[row["board"], *(f"{row.get(name, 0.0):.3f}" for name in shown[1:])] for row in self.rows]
        table = data_table(shown, [["mean", *self._means()], *body])
        page = (
            '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Boards</title>'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            "<style>:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:1.5rem}</style></head>"
            f"<body><h1>{len(self.rows):,} boards</h1>{table}</body></html>\n"
        )
        write_atomically(folder / PAGE, page)
        return folder / TABLE, folder / PAGE


def solve_boards(
    boards: Boards,
    arguments: dict[str, Any],
    folder: Path,
    jobs: int = 1,
    interrupts: type[Interruptible] | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> SolvedBoards:
    """Solve a spot on all boards, `jobs` at a time with a thread each. An interrupted call goes on.

    arguments: of `solve_subgame`, without the board. interrupts: a class whose contexts hear of ctrl-C, as in `Runner`.
    progress: is called with how many boards are done. Raises ValueError for a folder of another spot.
    """
    spot = json.dumps(arguments, default=str, sort_keys=True)
    folder.mkdir(parents=True, exist_ok=True)
    rows = {row["board"]: row for row in _read(folder / DONE, spot)}
    lines = [spot, *map(json.dumps, rows.values())]
    write_atomically(folder / DONE, "".join(f"{line}\n" for line in lines))  # without half a line of a killed process
    waiting = [board for board, _ in boards if board not in rows]
    tasks = [({**arguments, "board": board}, interrupts) for board in waiting]
    found, done = SolvedBoards(), len(boards) - len(waiting)
    progress(done)
    with Runner(jobs, interrupts=interrupts) as runner, (folder / DONE).open("a", encoding="utf-8") as file:
        try:
            for outcome in runner.run(solve_board, tasks, retries=1):
                if outcome.error is not None:
                    found.failed.append(f"{outcome.task[0]['board']}: {outcome.error}")
                elif outcome.value is not None:
                    rows[outcome.value["board"]] = outcome.value
                    print(json.dumps(outcome.value), file=file, flush=True)
                done += 1
                progress(done)
        except Interrupted:
            found.is_interrupted = True
    found.rows = [{**rows[board], "weight": weight} for board, weight in boards if board in rows]
    return found


def solve_board(task: tuple[dict[str, Any], type[Interruptible] | None]) -> Row | None:
    """Solve one board; None if ctrl-C ended it before its end. task: the arguments of `solve_subgame`, interrupts."""
    given, interrupts = task
    solution = None
    if interrupts is None:
        solution = solve_subgame(**given, threads=1)
    else:
        with interrupts() as heard:
            solution = solve_subgame(**given, threads=1, stop=lambda: heard.asked)
    if solution is None or solution.solver is not None:
        return None
    return {
        "board": given["board"],
        "ev_oop": float(solution.values[1]),
        "ev_ip": float(solution.values[0]),
        "equity_oop": float(solution.shares[1]),
        "equity_ip": float(solution.shares[0]),
        **solution.frequencies(),
        "exploitability": solution.exploitability_percent,
        "iterations": solution.iterations,
        "seconds": solution.seconds,
    }


def _read(path: Path, spot: str) -> list[Row]:
    if not path.is_file():
        return []
    first, *lines = path.read_text(encoding="utf-8").splitlines() or [spot]
    if first != spot:
        raise ValueError(f"{path.parent}: it holds another spot's boards, or other limits; name another folder")
    return [json.loads(line) for line in lines if line.endswith("}")]

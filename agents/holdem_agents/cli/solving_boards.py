"""`holdem solve --boards FILE`, `holdem solve --flops N`: one spot on many boards, as a table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import typer
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

from holdem_env.arena.reports.csv_files import CsvTable, write_csv
from holdem_env.cards.text import cards_text
from holdem_env.render.html_tables import data_table
from holdem_env.utils.atomic import write_atomically
from holdem_env.utils.runner import Interrupted, Runner

from ..progress import VisibleProgress
from .console import console
from .exit_status import FAILED, INTERRUPTED
from .solving_spots import SolvingInterrupts

DONE, TABLE, PAGE = "boards.jsonl", "boards.csv", "boards.html"
"""The files of a folder: a line for each board that is solved, and what they say together."""
TO_HALF_WIDTH = 1.96
Row = dict[str, Any]


def boards_of(file: Path | None, flops: int | None) -> list[tuple[str, int]]:
    """Boards as text, each with its weight: of a file with a board in each line, perhaps a weight behind it; or `flops`
    flops that stand for all 22,100. Raises ValueError for a line that is no board."""
    if file is None:
        from holdem_env.solvers.card_tables.flops import representative_flops

        return [(cards_text(cards), weight) for cards, weight in representative_flops(flops or 0)]
    from holdem_env.solvers.subgames.reading import read_subgame_board  # compiled code, which --help does not need

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


def solve_boards(
    boards: Sequence[tuple[str, int]], arguments: dict[str, Any], limits: dict[str, Any], folder: Path
) -> None:
    """Solve a spot on all boards, as many at a time as `threads` says, and write the table. What the folder has is not
    solved again, so an interrupted call goes on."""
    limits = {**limits, "threads": 1}
    jobs = limits.pop("jobs")
    spot = json.dumps({**arguments, "limits": limits}, default=str, sort_keys=True)
    folder.mkdir(parents=True, exist_ok=True)
    rows = {row["board"]: row for row in _read(folder / DONE, spot)}
    lines = [spot, *map(json.dumps, rows.values())]
    write_atomically(folder / DONE, "".join(f"{line}\n" for line in lines))  # without half a line of a killed process
    waiting = [board for board, _ in boards if board not in rows]
    tasks = [{**arguments, **limits, "board": board} for board in waiting]
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("boards")
    is_interrupted, failed = False, list[str]()
    with VisibleProgress(*columns, TimeRemainingColumn(), console=console, transient=True) as bar:
        task = bar.add_task("Solving", total=len(boards), completed=len(boards) - len(waiting), unit="boards")
        with Runner(jobs, interrupts=SolvingInterrupts) as runner, (folder / DONE).open("a", encoding="utf-8") as file:
            try:
                for outcome in runner.run(solve_board, tasks, retries=1):
                    if outcome.error is not None:
                        failed.append(f"{outcome.task['board']}: {outcome.error}")
                    elif outcome.value is not None:
                        rows[outcome.value["board"]] = outcome.value
                        print(json.dumps(outcome.value), file=file, flush=True)
                    bar.advance(task)
            except Interrupted:
                is_interrupted = True
    done = [{**rows[board], "weight": weight} for board, weight in boards if board in rows]
    for line in failed:
        console.print(line, style="red", soft_wrap=True, markup=False)
    if done:
        _write(folder, done)
        console.print(in_words(done), soft_wrap=True, markup=False)
        console.print(f"Written to {folder / TABLE} and {folder / PAGE}.", soft_wrap=True, markup=False)
    if is_interrupted:
        console.print("Interrupted. The same command continues.", soft_wrap=True, markup=False)
    if is_interrupted or failed:
        raise typer.Exit(INTERRUPTED if is_interrupted else FAILED)


def solve_board(given: dict[str, Any]) -> Row | None:
    """Solve one board; None if ctrl-C ended it before its end. given: the arguments of `solve_subgame`."""
    from holdem_env.solvers.subgames import solve_subgame

    solution = None
    with SolvingInterrupts() as interrupts:
        solution = solve_subgame(**given, stop=lambda: interrupts.asked)
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


def means(rows: Sequence[Row], name: str) -> tuple[float, float]:
    """The weighted mean of a column, and half the width of its 95 % interval, as if the boards were drawn at random."""
    weights = np.array([row["weight"] for row in rows], np.float64)
    values = np.array([row.get(name, 0.0) for row in rows], np.float64)
    weights /= weights.sum()
    mean = float(weights @ values)
    if len(rows) < 2:
        return mean, float("nan")
    error = np.sqrt((weights**2 @ (values - mean) ** 2) * len(rows) / (len(rows) - 1))
    return mean, float(TO_HALF_WIDTH * error)


def in_words(rows: Sequence[Row]) -> str:
    """The means over all boards."""
    parts = [f"{name} {mean:.3f} ± {half:.3f}" for name in columns_of(rows)[1:] for mean, half in [means(rows, name)]]
    return f"{len(rows):,} boards, means with 95 % intervals: {', '.join(parts)}"


def columns_of(rows: Iterable[Row]) -> list[str]:
    """The names of all columns, the board first; moves that only some boards have are behind those of the others."""
    hidden = ("weight", "iterations", "seconds", "exploitability")
    return [name for name in dict.fromkeys(name for row in rows for name in row) if name not in hidden]


def _read(path: Path, spot: str) -> list[Row]:
    """The boards that are solved. Raises ValueError for a folder of another spot."""
    if not path.is_file():
        return []
    first, *lines = path.read_text(encoding="utf-8").splitlines() or [spot]
    if first != spot:
        raise ValueError(f"{path.parent}: it holds another spot's boards, or other limits; name another folder")
    return [json.loads(line) for line in lines if line.endswith("}")]


def _write(folder: Path, rows: Sequence[Row]) -> None:
    names = [*columns_of(rows), "weight", "exploitability", "iterations", "seconds"]
    write_csv(folder / TABLE, CsvTable(names, [[row.get(name, 0.0) for name in names] for row in rows]))
    shown = columns_of(rows)
    body = [[row["board"], *(f"{row.get(name, 0.0):.3f}" for name in shown[1:])] for row in rows]
    mean = ["mean", *(f"{mean:.3f} ± {half:.3f}" for name in shown[1:] for mean, half in [means(rows, name)])]
    page = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Boards</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<style>:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:1.5rem}</style></head>"
        f"<body><h1>{len(rows):,} boards</h1>{data_table(shown, [mean, *body])}</body></html>\n"
    )
    write_atomically(folder / PAGE, page)

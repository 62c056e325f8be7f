"""`holdem standings`: the standings of a tournament in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from holdem_env.arena.tournaments.columns import Column
from holdem_env.arena.tournaments.standings import Standings, standings
from holdem_env.arena.tournaments.store import Store
from holdem_env.utils.counting import counted

from .console import console, print_table, say, user_errors

BETWEEN = 3  # characters that a column takes besides its text


def standings_command(
    store: Annotated[Path, typer.Argument(help="The database of a tournament, such as tournament.db.")],
) -> None:
    """Print the standings of a tournament, even while it runs."""
    with user_errors():
        beside = store.with_name(f"{store.name}.db")
        if not store.exists() and beside.is_file():
            raise FileNotFoundError(f"{store}: there is no such file; did you mean {beside}?")
        found = read_standings(store)
        if not found.hands and not found.forfeits:
            say(f"{store}: nothing is finished yet")
            return
        print_standings(console, found)


def read_standings(store: Path) -> Standings:
    """The standings in a store, with the settings of its latest run."""
    with Store(store) as results:
        return standings(results)


def standings_tables(found: Standings, width: int = 120) -> list[Table]:
    """The tables for a terminal of this width: the standings, and for a round robin the crosstable, where it fits."""
    found = found.shortened()
    tables = [_standings_table(found, width)] if found.rows else []
    return [*tables, *([_crosstable(found)] if _crosstable_fits(found, width) else [])]


def _crosstable_fits(found: Standings, width: int) -> bool:
    """Whether the crosstable can be read at this width: no name and no number is cut."""
    if not found.cross:
        return False
    cell = max(len(found.unit.text(*each.rate)) for each in found.cross.values())
    columns = [max(map(len, found.names)), *(max(len(name), cell) for name in found.names)]
    return 1 + sum(BETWEEN + column for column in columns) <= width


def _standings_table(found: Standings, width: int) -> Table:
    kind = "confidence sequence" if found.watched else "fixed number of hands"
    title = f"{counted(found.hands, 'hand')}; {found.confidence:.0%} intervals, {kind}"
    table = Table(title=title, title_justify="left")
    columns = found.columns
    shown = _fitting(found, columns, width)
    for column in shown:
        table.add_column(_heading(column), justify="left" if column.is_words else "right", no_wrap=not column.is_words)
    for row in found.rows:
        table.add_row(*(Text(column.cell(row, found)) for column in shown))
    if left_out := [column.heading for column in columns if column not in shown]:
        table.caption, table.caption_justify = f"Left out at this width: {'; '.join(left_out)}.", "left"
    return table


def _heading(column: Column) -> str:
    return column.heading.replace(", ", ",\n")


def _fitting(found: Standings, columns: Sequence[Column], width: int) -> list[Column]:
    """The columns that fit into a number of characters; those of the highest rank are left out first."""
    shown, sizes = list(columns), list[int]()
    for column in columns:
        lines = [*_heading(column).splitlines(), *(column.cell(row, found) for row in found.rows)]
        sizes.append(BETWEEN + max(map(len, lines), default=0))
    while (
        1 + sum(sizes) > width and (worst := max(range(len(shown)), key=lambda k: shown[k].rank)) and shown[worst].rank
    ):
        del shown[worst], sizes[worst]
    return shown


def print_standings(console: Console, found: Standings) -> None:
    """Print the tables of the standings, and below them how places come about and why somebody has forfeited."""
    for table in standings_tables(found, console.width):
        print_table(console, table)
    for line in [*_notes(found, console.width), found.explanation]:
        console.print(line, soft_wrap=True, markup=False, highlight=False)
    for name, reason in found.shortened().forfeits.items():
        console.print(f"{name} forfeited: {reason}", style="red", soft_wrap=True, markup=False)


def _notes(found: Standings, width: int) -> list[str]:
    """What stands below the tables of a round robin: its schedule, and where the crosstable is."""
    if not found.cross:
        return []
    fewest, most = found.hands_of_pairs
    notes = [f"Schedule: {found.schedule}, {fewest:,}{f' to {most:,}' if most != fewest else ''} hands of each pair."]
    if found.are_ranks_decided is not None:
        notes[0] += " All ranks are decided." if found.are_ranks_decided else " Not all ranks are decided."
    if not _crosstable_fits(found.shortened(), width):
        notes.append("The crosstable does not fit here; it is in the report: report.html, crosstable.csv.")
    return notes


def _crosstable(found: Standings) -> Table:
    table = Table(title=f"The row's agent against the column's, {found.unit.name}", title_justify="left")
    for heading in ["", *found.names]:
        table.add_column(Text(heading), justify="right")
    cells = {pair: found.unit.text(*estimate.rate) for pair, estimate in found.cross.items()}
    for one in found.names:
        table.add_row(Text(one), *(cells.get((one, two), "") for two in found.names))
    return table

"""`holdem standings`: the standings of a tournament in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from holdem_env.arena.tournaments.standings import Standings, standings
from holdem_env.arena.tournaments.store import Store
from holdem_env.utils.counting import counted

from .console import console, print_table, user_errors

WIDE = 16  # agents: a crosstable of more cannot be read in a terminal


def standings_command(
    store: Annotated[Path, typer.Argument(help="The database of a tournament, such as tournament.db.")],
) -> None:
    """Print the standings of a tournament, even while it runs."""
    with user_errors():
        found = read_standings(store)
        if not found.hands and not found.forfeits:
            console.print(f"{store}: nothing is finished yet", soft_wrap=True, markup=False)
            return
        print_standings(console, found)


def read_standings(store: Path) -> Standings:
    """The standings in a store, with the settings of its latest run."""
    with Store(store) as results:
        return standings(results, **results.reporting())


def standings_tables(found: Standings) -> list[Table]:
    """The tables for the terminal: the standings, and for a round robin of at most WIDE agents the crosstable."""
    found = found.shortened()
    return [_standings_table(found), *([_crosstable(found)] if found.cross and len(found.rows) <= WIDE else [])]


def _standings_table(found: Standings) -> Table:
    kind = "confidence sequence" if found.watched else "fixed number of hands"
    title = f"{counted(found.hands, 'hand')}; {found.confidence:.0%} intervals, {kind}"
    table = Table(title=title, title_justify="left")
    for column in found.columns:
        table.add_column(column.heading, justify="left" if column.is_words else "right")
    for cells in found.cells():
        table.add_row(*map(Text, cells))
    return table


def print_standings(console: Console, found: Standings) -> None:
    """Print the tables of the standings, and below them how places come about and why somebody has forfeited."""
    for table in standings_tables(found):
        print_table(console, table)
    for line in [*_notes(found), found.explanation]:
        console.print(line, soft_wrap=True, markup=False, highlight=False)
    for name, reason in found.shortened().forfeits.items():
        console.print(f"{name} forfeited: {reason}", style="red", soft_wrap=True, markup=False)


def _notes(found: Standings) -> list[str]:
    """What stands below the tables of a round robin: its schedule, and where the crosstable is."""
    if not found.cross:
        return []
    fewest, most = found.hands_of_pairs
    notes = [f"Schedule: {found.schedule}, {fewest:,}{f' to {most:,}' if most != fewest else ''} hands of each pair."]
    if found.are_ranks_decided is not None:
        notes[0] += " All ranks are decided." if found.are_ranks_decided else " Not all ranks are decided."
    if len(found.rows) > WIDE:
        notes.append("The crosstable is in the report: report.html, crosstable.csv.")
    return notes


def _crosstable(found: Standings) -> Table:
    table = Table(title="The row's agent against the column's, bb/100", title_justify="left")
    for heading in ["", *found.names]:
        table.add_column(Text(heading), justify="right")
    for one in found.names:
        cells: list[Any] = []
        for two in found.names:
            estimate = found.cross.get((one, two))
            cells.append("" if estimate is None else f"{estimate.bb100[0]:+.0f} ± {estimate.bb100[1]:.0f}")
        table.add_row(Text(one), *cells)
    return table

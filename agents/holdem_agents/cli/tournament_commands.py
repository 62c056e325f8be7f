"""`holdem tournament` and `holdem standings`: tournaments from YAML, their progress, and their tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import BeforeValidator
from rich.console import Console
from rich.markup import escape
from rich.measure import Measurement
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from holdem_env.agents.protocol import Agent
from holdem_env.arena import Aivat, AllInValue, Estimate, estimates, one_against_all, play_deals
from holdem_env.arena.matches.match import Column
from holdem_env.arena.statistics.results import HUNDRED
from holdem_env.arena.tournaments.shards import Played
from holdem_env.arena.tournaments.standings import Row, Standings, standings
from holdem_env.arena.tournaments.store import Store
from holdem_env.arena.tournaments.tournament import Tournament, run
from holdem_env.game.rules import Rules

from ..training.config import ConfigError, problems_in_words, read_yaml, rules_in_words
from .console import console, user_errors

WIDEST = 1_000  # characters in a line


class TournamentConfig(Tournament):
    """A tournament as a file says it: rules may be a preset's name, or `preset:` with changes."""

    rules: Annotated[Rules, BeforeValidator(rules_in_words)]


def load_tournament(path: str | Path, **changes: Any) -> Tournament:
    """Read and check a configuration; changes go before what it says. Raises ConfigError, or FileNotFoundError."""
    path, content = read_yaml(path)
    changes = {key: value for key, value in changes.items() if value is not None}
    with problems_in_words(path):
        tournament = TournamentConfig(**{**content, **changes})
    wrong, right = ("hands", "sessions") if tournament.format == "freezeout" else ("sessions", "hands")
    if wrong in changes:
        raise ConfigError(f"{path}: {wrong} says nothing with format: {tournament.format}; give {right}")
    return tournament


def play_tournament(tournament: Tournament, store: Path, console: Console, retry: bool = False) -> bool:
    """Play with a bar that tells the time left; returns whether it came to its end, not to a Ctrl-C. retry: who
    forfeited before may try again."""
    tournament.check_agents()
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("deals")
    bar = Progress(*columns, TimeRemainingColumn(), console=console, disable=not console.is_terminal)
    with Store(store, create=True) as results:
        if retry:
            results.pardon()
        task = bar.add_task("playing", total=None)

        def told(played: Played, done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)
            if played.failed:
                console.print(f"{played.failed[0]} forfeits: {played.failed[1]}", style="red", markup=False)

        try:
            with bar:
                run(tournament, results, told)
        except KeyboardInterrupt:
            console.print(f"Interrupted; what was played is in {store}. The same command goes on.", markup=False)
            return False
    return True


def write_report(store: Path, folder: Path) -> Path:
    """Write the report of a store; returns the HTML file."""
    from holdem_env.arena.reports.html_report import write_report as write

    with Store(store) as results:
        return write(results, folder, **results.told())


def read_standings(store: Path) -> Standings:
    """The standings in a store, told as its latest run wanted them."""
    with Store(store) as results:
        return standings(results, **results.told())


def standings_tables(found: Standings) -> list[Table]:
    """The tables for a terminal: standings, and of a round robin the crosstable."""
    return [_standings_table(found), *([_crosstable(found)] if found.cross else [])]


def _standings_table(found: Standings) -> Table:
    kind = "confidence sequence" if found.watched else "fixed number of hands"
    table = Table(title=f"{found.hands:,} hands; {found.confidence:.0%} intervals, {kind}", title_justify="left")
    headings = ["", "agent", found.unit, "±", *(["mbb/h"] if found.format != "freezeout" else [])]
    headings += ["bankroll", "sessions" if found.format == "freezeout" else "hands", "Elo", "interval", "ms/decision"]
    nash = any(row.nash is not None for row in found.rows)
    for heading in [*headings, *(["Nash"] if nash else [])]:
        table.add_column(heading, justify="left" if heading == "agent" else "right")
    for place, row in enumerate(found.rows, 1):
        cells = [str(place), escape(row.name), *_rate(row, found.format)]
        cells += [f"{row.bankroll:+,.0f}", f"{row.hands:,}", f"{row.elo[0]:.0f}", f"{row.elo[1]:.0f}–{row.elo[2]:.0f}"]
        cells += [f"{row.ms:.4f}", *([f"{HUNDRED * (row.nash or 0):+.1f}"] if nash else [])]
        table.add_row(*cells)
    for name, reason in found.forfeits.items():
        table.add_row("–", escape(name), "forfeited:", escape(reason[:60]))
    return table


def _rate(row: Row, form: str) -> list[str]:
    mean, half = row.rate.times(HUNDRED)
    cells = [f"{mean:+.1f}", f"{half:.1f}"]
    return cells if form == "freezeout" else [*cells, f"{10 * mean:+.0f} ± {10 * half:.0f}"]


def _crosstable(found: Standings) -> Table:
    table = Table(title="The row's agent against the column's, bb/100", title_justify="left")
    for heading in ["", *found.names]:
        table.add_column(escape(heading), justify="right")
    for one in found.names:
        cells = []
        for two in found.names:
            estimate = found.cross.get((one, two))
            cells.append("" if estimate is None else f"{estimate.bb100[0]:+.0f} ± {estimate.bb100[1]:.0f}")
        table.add_row(escape(one), *cells)
    return table


def print_whole(console: Console, table: Table) -> None:
    """A table with every number in full; in a narrow terminal its lines go on below, and nothing is cut off."""
    wide = Console(file=console.file, width=WIDEST)
    wide.width = max(Measurement.get(wide, wide.options, table).maximum, console.width)
    wide.print(table)


def all_estimates(
    agents: Sequence[Agent], rules: Rules, hands: int, seed: int, progress: Callable[[int], None]
) -> list[Estimate]:
    """A match of the first agent against the second in all other seats, by every estimator that the game allows."""
    columns: list[Column] = [] if AllInValue().why_not(rules) else [AllInValue()]
    if Aivat().why_not(rules) is None:
        columns.append(Aivat.learned(rules, agents))
    deals = range(-(-hands // rules.seats))
    return estimates(play_deals(rules, agents, one_against_all(rules.seats), deals, seed, columns, progress=progress))


def tournament_command(
    config: Annotated[str, typer.Argument(help="A YAML file, or the name of one that comes along: tournament.")],
    store: Annotated[Path | None, typer.Option(help="Where results are kept; by default NAME.db.")] = None,
    report: Annotated[Path | None, typer.Option(help="Folder of the report; by default NAME-report.")] = None,
    hands: Annotated[int | None, typer.Option(min=1, help="Instead of the configuration's.")] = None,
    sessions: Annotated[int | None, typer.Option(min=1, help="The same, of freezeouts.")] = None,
    jobs: Annotated[int | None, typer.Option(help="Processes; -1 for all cores.")] = None,
    retry: Annotated[bool, typer.Option(help="Agents that forfeited before may try again.")] = False,
) -> None:
    """Play a tournament: what the store does not hold yet is played, then standings and report are written."""
    name = Path(config).stem
    place, folder = store or Path(f"{name}.db"), report or Path(f"{name}-report")
    with user_errors():
        tournament = load_tournament(config, hands=hands, sessions=sessions, jobs=jobs)
        finished = play_tournament(tournament, place, console, retry)
        for table in standings_tables(read_standings(place)):
            print_whole(console, table)
        page = write_report(place, folder)
    console.print(f"The report is {page}; the results are in {place}.", soft_wrap=True, markup=False)
    if not finished:
        raise typer.Exit(130)


def standings_command(
    store: Annotated[Path, typer.Argument(help="The results of a tournament, such as tournament.db.")],
) -> None:
    """Print the standings of a tournament, also while it runs."""
    with user_errors():
        for table in standings_tables(read_standings(store)):
            print_whole(console, table)

"""The commands `holdem ladder`: adding agents, the tables, removing."""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from holdem_env.agents.registry import make_agent
from holdem_env.agents.short_names import short_names
from holdem_env.arena.tournaments.ladder import (
    EXPLANATION,
    Ladder,
    LadderRow,
    LadderTable,
    ladder_of,
    ladder_table,
    with_newcomer,
)
from holdem_env.arena.tournaments.plan import Tournament
from holdem_env.arena.tournaments.store import Store, StoreError
from holdem_env.utils.shown_names import shown_name
from holdem_env.utils.suggestions import did_you_mean
from holdem_env.utils.validation import suggestion

from ..ladder import DEFAULT, SUFFIX, ladder_for, ladder_of_game, ladder_tables, ladders, tournaments
from .console import console, user_errors
from .exit_status import INTERRUPTED
from .model_commands import Trust, game_of, is_model, needs_trust
from .tournament_commands import load_tournament, play_tournament, print_table, table_width, write_report

ladder_app = typer.Typer(help="Rate agents against a fixed set of opponents, and keep the results over time.")

Folder = Annotated[Path, typer.Option("--folder", metavar="FOLDER", help="The folder that keeps your results.")]


@ladder_app.callback(invoke_without_command=True)
def ladder_command(context: typer.Context) -> None:
    """Rate agents against a fixed set of opponents. Without a command: print the tables."""
    if context.invoked_subcommand is None:
        show_command()


@ladder_app.command("show", epilog="Example: holdem ladder show headsup_limit")
def show_command(
    name: Annotated[
        str | None, typer.Argument(metavar="LADDER", help="One ladder, such as headsup_limit. Default: all.")
    ] = None,
    folder: Folder = DEFAULT,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write the tournament's report of your results on one ladder here."),
    ] = None,
) -> None:
    """Print the ladders: ratings with 95 % intervals, and the win rates against each opponent."""
    with user_errors():
        if folder != DEFAULT:
            _check_folder(folder)
        tables = ladder_tables(folder)
        if name is not None and name not in tables:
            raise ValueError(f"there is no ladder {name!r}: {suggestion(name, list(tables))}")
        print_ladders([tables[name]] if name else list(tables.values()))
        if report is not None:
            if name is None:
                raise ValueError("--report: name a ladder: holdem ladder show headsup_limit --report FOLDER")
            page = write_report(folder / f"{name}{SUFFIX}", report, any_version=True)
            console.print(f"The report is {page}.", soft_wrap=True, markup=False)


@ladder_app.command("add", epilog="Example: holdem ladder add runs/demo/final.safetensors --jobs 2")
def add_command(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="A name or a file.")],
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="Its name there. Default: short for its file.")
    ] = None,
    ladder: Annotated[
        str | None,
        typer.Option(
            "--ladder",
            metavar="LADDER",
            help="A ladder's name, or the YAML file of a tournament with anchors. Default: that of the game that the "
            "agent was trained for.",
        ),
    ] = None,
    folder: Folder = DEFAULT,
    hands: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Number of hands against each. Default: the ladder's."),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", metavar="N", help="Number of processes; -1 uses all cores.")] = 1,
    greedy: Annotated[
        bool, typer.Option("--greedy", show_default=False, help="Models play their most likely action.")
    ] = False,
    accept_changed: Annotated[
        bool,
        typer.Option(
            "--accept-changed", show_default=False, help="Go on although an opponent has changed since the first run."
        ),
    ] = False,
    trust: Trust = False,
) -> None:
    """Play an agent against every opponent of its game's ladder, and print the table.

    The same command again plays only what is missing. An agent whose file has changed since gets a new row.
    """
    with user_errors():
        made_of = _made_of(agent, greedy, trust)
        known, tournament = _ladder(ladder, made_of)
        tournament = tournament.model_copy(update={"hands": hands or tournament.hands, "jobs": jobs})
        name = name or f"{short_names([agent])[agent]}{' greedy' if greedy else ''}"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{known.name}{SUFFIX}"
        with Store(path, create=True, any_version=True) as store:
            tournament = with_newcomer(tournament, made_of, name, store)
        is_finished = play_tournament(tournament, path, console, accept_changed=accept_changed)
        row = tournament.names[-1]
        with Store(path, any_version=True) as store:
            if why := store.forfeits().get(row):
                store.remove(row)
                raise ValueError(f"agent {agent!r} cannot play on the ladder {known.name!r}: {why}")
            table = ladder_table(known, store)
        print_ladders([table])
        for each in table.rows:
            if each.name == row:
                words = f"{row}: rank {each.rank} of {len(table.rows)}, {rate_text(each.rate, each.half_width)} bb/100"
                console.print(f"{words}; kept in {folder}", soft_wrap=True, markup=False)
    if not is_finished:
        raise typer.Exit(INTERRUPTED)


@ladder_app.command("remove", epilog="Example: holdem ladder remove demo")
def remove_command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of a row.")],
    ladder: Annotated[str | None, typer.Option("--ladder", metavar="LADDER", help="On this ladder alone.")] = None,
    folder: Folder = DEFAULT,
) -> None:
    """Remove an agent, and all that it has played, from your folder."""
    with user_errors():
        _check_folder(folder)
        names, found = list[str](), list[str]()
        for path in sorted(folder.glob(f"{ladder or '*'}{SUFFIX}")):
            with Store(path, any_version=True) as store:
                own = [each for each in store.agents if each not in ladder_of(store).anchors]
                names += own
                if name in own:
                    store.remove(name)
                    found.append(path.stem)
        if not found:
            there = did_you_mean(name, names) or f"there are {', '.join(names)}"
            raise ValueError(f"{folder}: there is no agent {f'{name!r}; {there}' if names else 'in it'}")
    console.print(f"Removed {name} from {', '.join(found)}.", soft_wrap=True, markup=False)


def print_ladders(tables: list[LadderTable]) -> None:
    """Print ladders, and below them what the numbers mean."""
    for each in tables:
        table = text_table(each)
        if console.is_terminal and table_width(table) > console.width:
            console.print(*narrow_tables(each))
        else:
            print_table(console, table)
        words = f"Against each opponent: bb/100 by {each.ladder.estimate}."
        if each.ladder.rules.seats > 2:
            words += " The agent has one seat, the opponent all others."
        console.print(words, soft_wrap=True, markup=False, highlight=False)
    console.print(EXPLANATION, soft_wrap=True, markup=False, highlight=False)


def text_table(found: LadderTable) -> Table:
    """A ladder for the terminal."""
    table = Table(title=found.ladder.title, title_justify="left")
    for heading in ("", "agent", "bb/100", *found.anchors, "hands", "added", ""):
        table.add_column(Text(heading), justify="left" if heading in ("agent", "") else "right")
    for row in found.rows:
        table.add_row(str(row.rank), Text(shown_name(row.name)), *_cells(row, _rates(found, row)))
    return table


def narrow_tables(found: LadderTable) -> tuple[Table, Table]:
    """A ladder for a narrow terminal: the ratings, and the win rates with letters in place of the opponents' names."""
    letters = dict(zip(found.anchors, "abcdefghijklmnopqrstuvwxyz", strict=False))
    ratings = Table(title=found.ladder.title, title_justify="left")
    rates = Table(title="against the opponents with these letters", title_justify="left")
    for heading in ("", "agent", "bb/100", "hands", "added", ""):
        ratings.add_column(Text(heading), justify="left" if heading in ("agent", "") else "right")
    rates.add_column("")
    for anchor in found.anchors:
        rates.add_column(letters.get(anchor, anchor), justify="right")
    for row in found.rows:
        name = Text(f"{letters.get(row.name, ' ')} {shown_name(row.name)}")
        ratings.add_row(str(row.rank), name, *_cells(row, []))
        rates.add_row(str(row.rank), *_rates(found, row))
    return ratings, rates


def _rates(found: LadderTable, row: LadderRow) -> list[str]:
    return [rate_text(*row.against[anchor]) if anchor in row.against else "" for anchor in found.anchors]


def _cells(row: LadderRow, rates: list[str]) -> list[str]:
    return [rate_text(row.rate, row.half_width), *rates, f"{row.hands:,}", row.added, row.note]


def rate_text(mean: float, half: float) -> str:
    """A win rate for people: "+12 ± 3"."""
    return f"{mean:+.0f} ± {half:.0f}" if isfinite(half) else f"{mean:+.0f} ± ∞"


def _check_folder(folder: Path) -> None:
    if not folder.exists():
        raise FileNotFoundError(f"{folder}: there is no such folder; `holdem ladder add` makes one")
    if not folder.is_dir():
        raise StoreError(f"{folder}: this is a file; ladders are kept in a folder, a store for each")


def _made_of(agent: str, greedy: bool, trust: bool) -> dict[str, Any]:
    """What an agent of the command line is made of."""
    made_of: dict[str, Any] = {"agent": agent}
    if greedy and is_model(agent):
        made_of["deterministic"] = True
    if trust and needs_trust(agent):
        made_of["trust"] = True
    return made_of


def _ladder(given: str | None, made_of: dict[str, Any]) -> tuple[Ladder, Tournament]:
    """The ladder to play on, and its tournament. Raises ValueError for an agent of a game that has none."""
    made = make_agent(made_of)
    if given is not None and given not in ladders():
        if not Path(given).is_file():
            raise ValueError(f"there is no ladder {given!r}: {suggestion(given, list(ladders()))}; or give a YAML file")
        tournament = load_tournament(given)
        return ladder_for(Path(given).stem, tournament), tournament
    name = given or ladder_of_game(game_of(None, [made]))
    if name is None:
        raise ValueError(
            f"there is no ladder for the game of {made_of['agent']}; there are {', '.join(ladders())}. --ladder names "
            "one of these, or a YAML file: a tournament with anchors"
        )
    return ladders()[name], tournaments()[name]

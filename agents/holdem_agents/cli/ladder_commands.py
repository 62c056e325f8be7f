"""The commands `holdem ladder`: adding agents, the tables, removing, building the ladder of the package."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from holdem_env.agents.registry import make_agent
from holdem_env.agents.short_names import short_names
from holdem_env.arena.reports.ladder_page import ladder_page, rate_text
from holdem_env.arena.tournaments.ladder import HANDS, Ladder, Progress, add, own_agents
from holdem_env.arena.tournaments.ladder_table import EXPLANATION, LadderRow, LadderTable, ladder_table
from holdem_env.game.given_rules import as_rules
from holdem_env.utils.atomic import write_atomically
from holdem_env.utils.shown_names import shown_name
from holdem_env.utils.suggestions import did_you_mean

from ..ladder.games import CONFIGS, begun_by, game_for, game_named, ladders
from ..ladder.stores import DEFAULT, build, ladder_tables, opened, rules_in
from ..progress import VisibleProgress
from .console import console, user_errors
from .exit_status import INTERRUPTED
from .model_commands import Trust, game_of, is_model, needs_trust
from .tournament_commands import print_table, table_width

BUILDING = Path("ladder-build")

ladder_app = typer.Typer(help="Rate agents against a fixed set of opponents, and keep the results over time.")

Folder = Annotated[Path, typer.Option("--ladder", metavar="FOLDER", help="The folder that keeps your results.")]
Hands = Annotated[int, typer.Option("--hands", metavar="N", min=1, help="Number of hands against each opponent.")]
Jobs = Annotated[int, typer.Option("--jobs", metavar="N", help="Number of processes; -1 uses all cores.")]


@ladder_app.callback(invoke_without_command=True)
def ladder_command(context: typer.Context) -> None:
    """Rate agents against a fixed set of opponents. Without a command: print the tables."""
    if context.invoked_subcommand is None:
        show_command()


@ladder_app.command("show", epilog="Example: holdem ladder show headsup_limit")
def show_command(
    game: Annotated[str | None, typer.Argument(help="One ladder, such as headsup_limit. Default: all.")] = None,
    folder: Folder = DEFAULT,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write the tables to this page instead.")
    ] = None,
) -> None:
    """Print the ladders: ratings with 95 % intervals, and the win rates against each opponent."""
    with user_errors():
        found = _tables(game, folder)
        if html is not None:
            write_atomically(html, ladder_page(found))
            console.print(f"The page is {html}.", soft_wrap=True, markup=False)
            return
        print_ladders(found)


@ladder_app.command("add", epilog="Example: holdem ladder add runs/demo/final.safetensors --jobs 2")
def add_command(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="A name or a file.")],
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="Its name there. Default: short for its file.")
    ] = None,
    folder: Folder = DEFAULT,
    hands: Hands = HANDS,
    jobs: Jobs = 1,
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules",
            metavar="GAME",
            help="The game, a ladder's name, a preset or a YAML file. A game without a ladder begins a new one. "
            "Default: the game that the agent was trained for.",
        ),
    ] = None,
    greedy: Annotated[
        bool, typer.Option("--greedy", show_default=False, help="Models play their most likely action.")
    ] = False,
    trust: Trust = False,
) -> None:
    """Play an agent against every opponent of its game's ladder, and print the table.

    The same command again plays only what is missing. An agent whose file has changed since gets a new row.
    """
    with user_errors():
        made_of = _made_of(agent, greedy, trust)
        ladder = _ladder(rules, made_of, ladders(rules_in(folder)))
        if greedy and name is None:
            name = f"{short_names([agent])[agent]} greedy"
        with opened(folder, ladder.name, create=True) as store:
            assert store is not None
            try:
                with _progress() as bar:
                    done = add(store, ladder, made_of, name, hands, jobs, _reporter(bar, ladder.name))
            except KeyboardInterrupt:
                words = f"Interrupted; the results so far are in {folder}. The same command continues."
                console.print(words, soft_wrap=True, markup=False)
                raise typer.Exit(INTERRUPTED) from None
            table = ladder_table(ladder, store)
    row = next((each for each in table.rows if each.name == done.name), None)
    if not done.new_hands:
        console.print(f"{done.name} has played all of this already.", soft_wrap=True, markup=False)
    print_ladders([table])
    if row is not None:
        words = f"{row.name}: rank {row.rank} of {len(table.rows)}, {rate_text(row.rate, row.half_width)} bb/100"
        console.print(f"{words}; kept in {folder}", soft_wrap=True, markup=False)


@ladder_app.command("remove", epilog="Example: holdem ladder remove demo")
def remove_command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of a row.")],
    game: Annotated[str | None, typer.Option("--game", metavar="GAME", help="On this ladder alone.")] = None,
    folder: Folder = DEFAULT,
) -> None:
    """Remove an agent, and all that it has played, from your folder."""
    with user_errors():
        _check_folder(folder)
        known, names, found = ladders(rules_in(folder)), list[str](), list[str]()
        for ladder in [game_named(game, known)] if game else known.values():
            with opened(folder, ladder.name) as store:
                own = own_agents(store, ladder) if store else {}
                names += own
                if store is not None and name in own:
                    store.remove(name)
                    found.append(ladder.name)
        if not found:
            raise ValueError(_no_such_row(name, names, folder))
    console.print(f"Removed {name} from {', '.join(found)}.", soft_wrap=True, markup=False)


@ladder_app.command("build", epilog="Example: holdem ladder build agents/holdem_agents/ladder/ladder.json --jobs 2")
def build_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The JSON file to write.")],
    games: Annotated[list[str] | None, typer.Argument(metavar="GAME", help="Ladders. Default: the package's.")] = None,
    folder: Annotated[
        Path, typer.Option("--ladder", metavar="FOLDER", help="The folder that keeps every deal, to continue with.")
    ] = BUILDING,
    hands: Hands = HANDS,
    jobs: Jobs = 1,
) -> None:
    """Play the opponents of the ladders against each other, and write the ladder that comes with the package.

    For who maintains the package: after one of its agents has changed.
    """
    with user_errors():
        known = ladders()
        chosen = [game_named(name, known) for name in games or CONFIGS]
        try:
            with _progress() as bar:
                build(file, folder, chosen, hands, jobs, lambda name: _reporter(bar, name))
        except KeyboardInterrupt:
            console.print("Interrupted. The same command continues.", soft_wrap=True, markup=False)
            raise typer.Exit(INTERRUPTED) from None
    console.print(f"Written to {file}; every deal is in {folder}.", soft_wrap=True, markup=False)


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
    table = Table(title=found.title, title_justify="left")
    for heading in ("", "agent", "bb/100", *found.anchors, "hands", "added", ""):
        table.add_column(Text(heading), justify="left" if heading in ("agent", "") else "right")
    for row in found.rows:
        rates = [rate_text(*row.against[anchor]) if anchor in row.against else "" for anchor in found.anchors]
        table.add_row(str(row.rank), Text(shown_name(row.name)), *_cells(row, rates))
    return table


def narrow_tables(found: LadderTable) -> tuple[Table, Table]:
    """A ladder for a narrow terminal: the ratings, and the win rates with letters in place of the opponents' names."""
    letters = dict(zip(found.anchors, "abcdefghijklmnopqrstuvwxyz", strict=False))
    ratings = Table(title=found.title, title_justify="left")
    rates = Table(title="against the opponents with these letters", title_justify="left")
    for heading in ("", "agent", "bb/100", "hands", "added", ""):
        ratings.add_column(Text(heading), justify="left" if heading in ("agent", "") else "right")
    rates.add_column("")
    for anchor in found.anchors:
        rates.add_column(letters.get(anchor, anchor), justify="right")
    for row in found.rows:
        name = Text(f"{letters.get(row.name, ' ')} {shown_name(row.name)}")
        ratings.add_row(str(row.rank), name, *_cells(row, []))
        cells = [rate_text(*row.against[anchor]) if anchor in row.against else "" for anchor in found.anchors]
        rates.add_row(str(row.rank), *cells)
    return ratings, rates


def _cells(row: LadderRow, rates: list[str]) -> list[str]:
    return [rate_text(row.rate, row.half_width), *rates, f"{row.hands:,}", row.added, row.note]


def _tables(game: str | None, folder: Path) -> list[LadderTable]:
    """The ladders that are asked for. Raises ValueError for an unknown one, FileNotFoundError for a named folder that
    is not there."""
    if folder != DEFAULT:
        _check_folder(folder)
    if game is None:
        return list(ladder_tables(folder).values())
    ladder = game_named(game, ladders(rules_in(folder)))
    with opened(folder, ladder.name) as store:
        return [ladder_table(ladder, store)]


def _check_folder(folder: Path) -> None:
    if not folder.exists():
        raise FileNotFoundError(f"{folder}: there is no such folder; `holdem ladder add` makes one")


def _made_of(agent: str, greedy: bool, trust: bool) -> dict[str, Any]:
    """What an agent of the command line is made of."""
    made_of: dict[str, Any] = {"agent": agent}
    if greedy and is_model(agent):
        made_of["deterministic"] = True
    if trust and needs_trust(agent):
        made_of["trust"] = True
    return made_of


def _ladder(given: str | None, made_of: dict[str, Any], known: dict[str, Ladder]) -> Ladder:
    """The ladder to play on. Raises ValueError for an agent of a game that has none."""
    agent = make_agent(made_of)
    if given in known:
        return known[str(given)]
    rules = as_rules(given) if given is not None else game_of(None, [agent])
    found = game_for(rules, known.values())
    if found is not None:
        return found
    if given is not None:
        return begun_by(given, rules, known)
    raise ValueError(
        f"there is no ladder for the game of {made_of['agent']}; there are {', '.join(known)}. --rules GAME, with a "
        "preset or a YAML file, plays on another game's ladder, and begins one where there is none"
    )


def _no_such_row(name: str, names: list[str], folder: Path) -> str:
    if not names:
        return f"{folder}: there is no agent in it"
    return f"{folder}: there is no agent {name!r}; {did_you_mean(name, names) or 'there are ' + ', '.join(names)}"


def _progress() -> VisibleProgress:
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("hands")
    return VisibleProgress(*columns, TimeRemainingColumn(), console=console, transient=True)


def _reporter(bar: VisibleProgress, name: str) -> Progress:
    task = bar.add_task(name, total=None, unit="hands")

    def report(done: int, total: int) -> None:
        bar.update(task, completed=done, total=total)

    return report

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
from holdem_env.arena.statistics.intervals import check_intervals
from holdem_env.game.given_rules import as_rules
from holdem_env.utils.atomic import write_whole
from holdem_env.utils.shown_names import shown_name
from holdem_env.utils.suggestions import did_you_mean

from ..ladder.box import build as build_box
from ..ladder.games import CONFIGS, LadderGame, begun_by, game_for, game_named, ladder_games
from ..ladder.page import ladder_page, rate_text
from ..ladder.playing import HANDS, Told, add
from ..ladder.standings import EXPLANATION, LadderRow, LadderTable, ladder_table, ladder_tables
from ..ladder.store import DEFAULT, LadderStore, open_if_there
from ..progress import VisibleProgress
from .console import console, user_errors
from .exit_status import INTERRUPTED
from .model_commands import MODELS, Trust, game_of, is_pickle
from .tournament_commands import print_whole, whole_width

BUILDING = Path("ladder-build.db")

ladder_app = typer.Typer(help="Rate agents against a fixed set of opponents, and keep the results over time.")

StoreFile = Annotated[Path, typer.Option("--ladder", metavar="FILE", help="The file that keeps your results.")]
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
    store: StoreFile = DEFAULT,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write the tables to this page instead.")
    ] = None,
) -> None:
    """Print the ladders: ratings with 95 % intervals, and the win rates against each opponent."""
    with user_errors():
        found = _tables(game, store)
        if html is not None:
            write_whole(html, ladder_page(found))
            console.print(f"The page is {html}.", soft_wrap=True, markup=False)
            return
        print_ladders(found)


@ladder_app.command("add", epilog="Example: holdem ladder add runs/demo/final.safetensors --jobs 2")
def add_command(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="A name or a file.")],
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="Its name there. Default: short for its file.")
    ] = None,
    store: StoreFile = DEFAULT,
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
        check_intervals()
        made_of = _made_of(agent, greedy, trust)
        known = _games_of(store)
        chosen = _game(rules, made_of, known)
        if greedy and name is None:
            name = f"{short_names([agent])[agent]} greedy"
        _make_parent(store)
        with LadderStore(store, create=True) as results:
            try:
                with _progress() as bar:
                    done = add(results, chosen, made_of, name, hands, jobs, _told(bar, chosen.name))
            except KeyboardInterrupt:
                words = f"Interrupted; the results so far are in {store}. The same command continues."
                console.print(words, soft_wrap=True, markup=False)
                raise typer.Exit(INTERRUPTED) from None
            table = ladder_table(chosen, results)
    row = next((each for each in table.rows if each.player.key == done.player.key), None)
    if not done.new_hands:
        console.print(f"{done.player.name} has played all of this already.", soft_wrap=True, markup=False)
    print_ladders([table])
    if row is not None:
        words = f"{row.name}: rank {row.rank} of {len(table.rows)}, {rate_text(row.rate, row.half_width)} bb/100"
        console.print(f"{words}; kept in {store}", soft_wrap=True, markup=False)


@ladder_app.command("remove", epilog="Example: holdem ladder remove demo")
def remove_command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of a row.")],
    game: Annotated[str | None, typer.Option("--game", metavar="GAME", help="On this ladder alone.")] = None,
    store: StoreFile = DEFAULT,
) -> None:
    """Remove an agent, and all that it has played, from your file."""
    with user_errors(), LadderStore(store) as results:
        players = results.players(game).values()
        own = {each.key: each for each in players if not each.is_rung}
        found = [key for key, each in own.items() if each.name == name]
        if not found:
            raise ValueError(_no_such_row(name, [each.name for each in own.values()], store))
        results.remove(found)
        games = ", ".join(own[key].game for key in found)
    console.print(f"Removed {name} from {games}.", soft_wrap=True, markup=False)


@ladder_app.command("build", epilog="Example: holdem ladder build agents/holdem_agents/ladder/ladder.json --jobs 2")
def build_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The JSON file to write.")],
    games: Annotated[list[str] | None, typer.Argument(metavar="GAME", help="Ladders. Default: the package's.")] = None,
    store: Annotated[
        Path, typer.Option("--ladder", metavar="FILE", help="The file that keeps every deal, to continue with.")
    ] = BUILDING,
    hands: Hands = HANDS,
    jobs: Jobs = 1,
) -> None:
    """Play the opponents of the ladders against each other, and write the ladder that comes with the package.

    For who maintains the package: after an agent in the box has changed.
    """
    with user_errors():
        check_intervals()
        known = ladder_games()
        chosen = [game_named(name, known) for name in games or CONFIGS]
        with LadderStore(store, create=True) as results:
            try:
                with _progress() as bar:
                    build_box(file, results, chosen, hands, jobs, lambda name: _told(bar, name))
            except KeyboardInterrupt:
                console.print("Interrupted. The same command continues.", soft_wrap=True, markup=False)
                raise typer.Exit(INTERRUPTED) from None
    console.print(f"Written to {file}; every deal is in {store}.", soft_wrap=True, markup=False)


def print_ladders(tables: list[LadderTable]) -> None:
    """Print ladders, and below them what the numbers mean."""
    for each in tables:
        table = text_table(each)
        if console.is_terminal and whole_width(table) > console.width:
            console.print(*narrow_tables(each))
        else:
            print_whole(console, table)
        words = f"Against each opponent: bb/100 by {each.estimate}."
        if each.game.rules.seats > 2:
            words += " The agent has one seat, the opponent all others."
        console.print(words, soft_wrap=True, markup=False, highlight=False)
    console.print(EXPLANATION, soft_wrap=True, markup=False, highlight=False)


def text_table(found: LadderTable) -> Table:
    """A ladder for the terminal."""
    table = Table(title=found.title, title_justify="left")
    for heading in ("", "agent", "bb/100", *found.rungs, "hands", "added", ""):
        table.add_column(Text(heading), justify="left" if heading in ("agent", "") else "right")
    for row in found.rows:
        rates = [rate_text(*row.against[rung]) if rung in row.against else "" for rung in found.rungs]
        table.add_row(str(row.rank), Text(shown_name(row.name)), *_cells(row, rates))
    return table


def narrow_tables(found: LadderTable) -> tuple[Table, Table]:
    """A ladder for a narrow terminal: the ratings, and the win rates with letters in place of the opponents' names."""
    letters = dict(zip(found.rungs, "abcdefghijklmnopqrstuvwxyz", strict=False))
    ratings = Table(title=found.title, title_justify="left")
    rates = Table(title="against the opponents with these letters", title_justify="left")
    for heading in ("", "agent", "bb/100", "hands", "added", ""):
        ratings.add_column(Text(heading), justify="left" if heading in ("agent", "") else "right")
    rates.add_column("")
    for rung in found.rungs:
        rates.add_column(letters.get(rung, rung), justify="right")
    for row in found.rows:
        name = Text(f"{letters.get(row.name, ' ')} {shown_name(row.name)}")
        ratings.add_row(str(row.rank), name, *_cells(row, []))
        cells = [rate_text(*row.against[rung]) if rung in row.against else "" for rung in found.rungs]
        rates.add_row(str(row.rank), *cells)
    return ratings, rates


def _cells(row: LadderRow, rates: list[str]) -> list[str]:
    return [rate_text(row.rate, row.half_width), *rates, f"{row.hands:,}", row.player.added, row.note]


def _tables(game: str | None, path: Path) -> list[LadderTable]:
    """The ladders that are asked for. Raises ValueError for an unknown one, FileNotFoundError for a named store that is
    not there."""
    store = open_if_there(path)
    if store is None and path != DEFAULT:
        raise FileNotFoundError(f"{path}: there is no such file; `holdem ladder add` makes one")
    try:
        found = ladder_tables(store)
        if game is None:
            return list(found.values())
        return [ladder_table(game_named(game, ladder_games(store.games() if store else None)), store)]
    finally:
        if store is not None:
            store.close()


def _made_of(agent: str, greedy: bool, trust: bool) -> dict[str, Any]:
    """What an agent of the command line is made of."""
    made_of: dict[str, Any] = {"agent": agent}
    if greedy and Path(agent).suffix in MODELS:
        made_of["deterministic"] = True
    if trust and is_pickle(agent):
        made_of["trust"] = True
    return made_of


def _games_of(path: Path) -> dict[str, LadderGame]:
    store = open_if_there(path)
    if store is None:
        return ladder_games()
    with store:
        return ladder_games(store.games())


def _game(given: str | None, made_of: dict[str, Any], known: dict[str, LadderGame]) -> LadderGame:
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


def _no_such_row(name: str, names: list[str], store: Path) -> str:
    if not names:
        return f"{store}: there is no agent in it"
    return f"{store}: there is no agent {name!r}; {did_you_mean(name, names) or 'there are ' + ', '.join(names)}"


def _make_parent(store: Path) -> None:
    """The folder of the file that is there unless another is named."""
    if store == DEFAULT:
        store.parent.mkdir(exist_ok=True)


def _progress() -> VisibleProgress:
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("hands")
    return VisibleProgress(*columns, TimeRemainingColumn(), console=console, transient=True)


def _told(bar: VisibleProgress, name: str) -> Told:
    task = bar.add_task(name, total=None, unit="hands")

    def told(done: int, total: int) -> None:
        bar.update(task, completed=done, total=total)

    return told

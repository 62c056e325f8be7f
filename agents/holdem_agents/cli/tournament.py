"""The commands `holdem tournament` and `holdem standings`: configuration, progress bar, tables."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from holdem_env.agents.named_files import named_from
from holdem_env.agents.names import agent_names
from holdem_env.agents.short_names import short_names
from holdem_env.arena.isolation import control_groups
from holdem_env.arena.isolation.limits import FILES, PROGRAMS
from holdem_env.arena.isolation.making import Isolation
from holdem_env.arena.tournaments.hands import save_hands
from holdem_env.arena.tournaments.scrimmages import scrimmage_of, store_of_scrimmages
from holdem_env.arena.tournaments.shards import Played
from holdem_env.arena.tournaments.standings import REASON, Standings, standings
from holdem_env.arena.tournaments.store import Store, in_words
from holdem_env.arena.tournaments.tournament import Tournament, run, under_known_names
from holdem_env.utils import yaml_files
from holdem_env.utils.counting import counted
from holdem_env.utils.extras import explain_missing_extra
from holdem_env.utils.shown_names import shown_name
from holdem_env.utils.suggestions import did_you_mean

from ..progress import VisibleProgress
from ..runs.config import ConfigError, config_errors, read_yaml, shipped_configs
from ..training.config import GameRules
from ..web.remote.tokens import digests_of, new_tokens
from .console import console, print_table, say_written, user_errors
from .exit_status import FAILED, INTERRUPTED
from .listening import listening_at
from .model_commands import Trust, needs_trust

if TYPE_CHECKING:
    from ..web.remote.board import Board
    from ..web.remote.changes import Changes
    from ..web.remote.server import RemoteBots

WIDE = 16  # agents: a crosstable of more cannot be read in a terminal
TOKENS = "tokens"
"""In place of a tournament: make the tokens of the one that follows."""
OF_TRAINING = {"learner", "learners", "opponents", "budget", "observation"}  # fields that no tournament has


class TournamentConfig(Tournament):
    """A tournament as its file describes it: rules may be the name of a preset, or `preset:` with changes."""

    rules: GameRules


def load_tournament(path: str | Path, enter: Sequence[dict[str, str]] = (), **changes: Any) -> Tournament:
    """Read and check a configuration. Its relative paths begin at its file, or else at the working directory. enter:
    agents that are not in it, too. changes: values that replace those of the file, if not None.

    Raises ConfigError, or FileNotFoundError.
    """
    try:
        path, content = read_yaml(path)
    except FileNotFoundError:
        raise FileNotFoundError(f"{path}: there is no such file; {_tournaments(str(path))}") from None
    if "agents" not in content and OF_TRAINING & set(content):
        raise ConfigError(
            f"{path}: this is a configuration of `holdem train`, not of a tournament, which has `agents`; "
            f"{_tournaments(str(path))}"
        )
    changes = {key: value for key, value in changes.items() if value is not None}
    if path.parent != Path():
        for field in {"rules", "results"} & content.keys():
            content[field] = named_from(path.parent, content[field])
        if isinstance(agents := content.get("agents"), list):
            content["agents"] = [_agent_from(path.parent, each) for each in agents]
    if isinstance(agents := content.get("agents"), list):
        content["agents"] = [*agents, *enter]
    with config_errors(path):
        tournament = TournamentConfig(**{**content, **changes})
    wrong, right = ("hands", "sessions") if tournament.format == "freezeout" else ("sessions", "hands")
    if wrong in changes:
        raise ConfigError(f"{path}: {wrong} has no meaning with format: {tournament.format}; give {right}")
    return tournament


def _agent_from(folder: Path, given: Any) -> Any:
    """An entry of `agents` with its files named from a folder. It keeps the name that it has in the file."""
    given = {"agent": given} if isinstance(given, str) else given
    if not isinstance(given, dict) or not isinstance(given.get("agent"), str):
        return given
    found = {**named_from(folder, given), "name": given.get("name", given["agent"])}
    if (folder / given["agent"]).is_dir() and given["agent"] not in agent_names():
        found["agent"] = str(folder / given["agent"])
    for key in {FILES, PROGRAMS} & found.keys():
        declared = given[key] if isinstance(given[key], list) else [given[key]]
        found[key] = [str(folder / str(each)) if (folder / str(each)).exists() else each for each in declared]
    return found


def trusting(tournament: Tournament) -> Tournament:
    """The tournament with trust in all models that may run code when they are loaded."""
    agents = tuple(
        each.model_copy(update={"parameters": {"trust": True, **each.parameters}}) if needs_trust(each.agent) else each
        for each in tournament.agents
    )
    return tournament.model_copy(update={"agents": agents})


def _tournaments(given: str) -> str:
    """The tournaments that come with holdem, in words; or the one whose name is nearest."""
    known = sorted(name for name, path in shipped_configs().items() if "agents" in yaml_files.load(path))
    return did_you_mean(Path(given).stem, known) or f"holdem comes with {', '.join(map(repr, known))}"


def play_tournament(
    tournament: Tournament,
    store: Path,
    console: Console,
    retry: bool = False,
    accept_changed: bool = False,
    listening: RemoteBots | None = None,
    hands: Path | None = None,
    keep_open: bool = False,
) -> bool:
    """Play a tournament with a progress bar. Returns False if Ctrl-C interrupted it.

    retry: agents that forfeited before may play again. accept_changed: agents whose code or parameters have changed go
    on under their names. listening: where remote bots join. hands: a folder in which they are written. keep_open: wait
    for other agents when all is played, until Ctrl-C.
    """
    tournament.check_agents()
    short = short_names(tournament.names)
    unit = "sessions" if tournament.format == "freezeout" else "deals"
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn(unit)
    bar = VisibleProgress(*columns, TimeRemainingColumn(), console=console)
    with Store(store, create=True) as results:
        tournament = under_known_names(tournament, results)
        accepted = results.changed(tournament) if accept_changed else {}
        if accepted:
            words = f"Accepted as changed, with their old results: {in_words(accepted)}"
            console.print(words, soft_wrap=True, markup=False)
        task, stored = bar.add_task("playing", total=None, unit=unit), 0
        hands_each = tournament.rules.seats if tournament.is_duplicate else 1

        def update(played: Played, done: int, total: int) -> None:
            nonlocal stored
            stored = done
            bar.update(task, completed=done, total=total)
            if played.failed:
                name, reason = played.failed
                words = f"{short.get(name) or shown_name(name)} forfeits: {shown_name(reason, REASON)}"
                console.print(words, style="red", markup=False)

        def show(hands: int) -> None:
            if tournament.format != "freezeout":
                bar.update(task, completed=stored + hands // hands_each)

        try:
            with bar, listening or nullcontext():
                while True:
                    run(tournament, results, update, accept_changed, retry, show, listening, hands)
                    changes = listening.changes if listening else None
                    if changes is None:
                        break
                    if (other := changes.take()) is None and keep_open:
                        console.print("All is played. Waiting for other agents; Ctrl-C ends.", markup=False)
                        other = changes.take(wait=True)
                    if other is None:
                        break
                    tournament, retry = under_known_names(other, results), False
        except KeyboardInterrupt:
            kept = f"the results so far are in {store}" if results.hands() else "nothing is finished yet"
            console.print(f"Interrupted; {kept}. The same command continues.", soft_wrap=True, markup=False)
            return False
    return True


def save_tournament_hands(tournament: Tournament, store: Path, folder: Path, console: Console) -> None:
    """Write all hands of a store to files in a new folder, with a progress bar. Raises as `save_hands`."""
    unit = "sessions" if tournament.format == "freezeout" else "deals"
    with Store(store) as results, VisibleProgress(transient=True, console=console) as bar:
        task = bar.add_task("writing hands", total=None, unit=unit)
        files = save_hands(
            tournament, results, folder, lambda done, total: bar.update(task, completed=done, total=total)
        )
    say_written(f"{len(files)} file{'' if len(files) == 1 else 's'} of hands in {folder}", "replay", files[0])


def write_report(store: Path, folder: Path) -> Path:
    """Write the report of a store, and return its HTML file."""
    from holdem_env.arena.reports.html_report import write_report as write

    with Store(store) as results:
        return write(results, folder, **results.reporting())


def has_results(store: Path) -> bool:
    """Whether anything was played to its end, or somebody has forfeited."""
    with Store(store) as results:
        return bool(results.hands() or results.forfeits())


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
    for row in found.rows:
        table.add_row(*(Text(column.cell(row)) for column in found.columns))
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


def tournament_command(
    config: Annotated[
        str,
        typer.Argument(
            help="A YAML file, or a tournament that comes with holdem: tournament, hu_100bb, ...; or `tokens` and "
            "such a file, to make the tokens of its remote bots."
        ),
    ],
    of: Annotated[str | None, typer.Argument(metavar="[FILE]", show_default=False, help="After `tokens`.")] = None,
    enter: Annotated[
        list[str] | None,
        typer.Option(metavar="AGENT", help="Enter this agent, too, a name or a file. May be repeated."),
    ] = None,
    called: Annotated[
        list[str] | None,
        typer.Option("--as", metavar="NAME", help="Its name in the tables, one for each --enter. Default: AGENT."),
    ] = None,
    store: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Database of the results. Default: NAME.db.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Folder of the report. Default: NAME-report.")
    ] = None,
    hands: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Number of hands, instead of the configuration's.")
    ] = None,
    sessions: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Number of freezeouts, instead of the configuration's.")
    ] = None,
    jobs: Annotated[int | None, typer.Option(metavar="N", help="Number of processes; -1 uses all cores.")] = None,
    ray: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Play on the Ray cluster at this address, such as auto or ray://host:10001; local for this machine.",
        ),
    ] = None,
    retry: Annotated[
        bool, typer.Option(show_default=False, help="Let agents that forfeited before play again.")
    ] = False,
    trust: Trust = False,
    isolation: Annotated[
        Isolation | None,
        typer.Option(
            metavar="process|none",
            help="process: agents that are not this library's scripted ones play in processes of their own; none: in "
            "those of the tournament. Default: the configuration's.",
        ),
    ] = None,
    accept_changed: Annotated[
        bool,
        typer.Option(
            "--accept-changed",
            show_default=False,
            help="Go on although an agent's code or parameters have changed; its old results count as its own.",
        ),
    ] = False,
    hands_folder: Annotated[
        Path | None,
        typer.Option(
            "--save-hands",
            metavar="FOLDER",
            help="Write all hands to this new folder, one file for each match; they are played again for it. Where "
            "remote bots play they are written at once, and each bot gets its own.",
        ),
    ] = None,
    listen: Annotated[
        str | None,
        typer.Option(
            metavar="HOST:PORT",
            help="Where remote bots join, such as 0.0.0.0:8766. Agents that are meanwhile added to the file play, too, "
            "and those that are taken out leave.",
        ),
    ] = None,
    keep_open: Annotated[
        bool,
        typer.Option(
            "--keep-open", show_default=False, help="With --listen: wait for other agents when all is played."
        ),
    ] = False,
    certificate: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A certificate (PEM), for wss:// instead of ws://.")
    ] = None,
    key: Annotated[Path | None, typer.Option(metavar="FILE", help="The certificate's private key.")] = None,
    scrimmages: Annotated[
        int,
        typer.Option(metavar="N", min=0, help="Remote bots may ask for scrimmages of up to this number of hands."),
    ] = 0,
    scrimmage: Annotated[
        tuple[str, str] | None,
        typer.Option(
            metavar="A B",
            show_default=False,
            help="Play --hands more hands between these two alone, which do not count. Database: NAME-scrimmages.db.",
        ),
    ] = None,
) -> None:
    """Play a tournament, print its standings and write a report.

    The database keeps all results: the same command, or one with more hands or agents, plays only the missing ones.
    The exit status is 1 if an agent has forfeited; the others have played to the end.
    """
    if of is not None:
        _make_tokens(config, of, store)
        return
    name, database = Path(config).stem, store or Path(f"{Path(config).stem}.db")
    tokens = _tokens_of(database)
    if scrimmage:
        name, database = f"{name}-scrimmages", store_of_scrimmages(database)
    folder = report or Path(f"{name}-report")
    with user_errors():
        instead = {"hands": hands, "sessions": sessions, "isolation": isolation, **_machines(jobs, ray)}

        def load() -> Tournament:
            found = load_tournament(config, _entered(enter or [], called or []), **instead)
            return trusting(found) if trust else found

        tournament = scrimmage_of(load(), scrimmage, database) if scrimmage else load()
        if tournament.has_jails and control_groups.parents() is None:
            console.print(control_groups.WITHOUT, style="dim", soft_wrap=True)
        # Remote bots would be asked again: their hands are written as they are played.
        at_once = hands_folder if any(each.is_remote for each in tournament.agents) else None
        listening = None
        if not listen and (certificate or key or scrimmages or keep_open):
            raise ValueError("--certificate, --key, --keep-open, --scrimmages: must be given with --listen")
        if scrimmage and keep_open:
            raise ValueError("--keep-open: must be given without --scrimmage, whose two agents stay the same")
        if listen:
            with explain_missing_extra("--listen"):
                from ..web.remote.board import Board
            board = Board(tournament, database, at_once, scrimmages)
            listening = _remote_bots(tournament, board, tokens, listen, certificate, key)
            if not scrimmage:
                listening.changes = _changes(tournament, load, Path(config), database, listening, board)
        is_finished = play_tournament(
            tournament, database, console, retry, accept_changed, listening, at_once, keep_open
        )
        if not is_finished and not has_results(database):
            raise typer.Exit(INTERRUPTED)
        found = read_standings(database)
        print_standings(console, found)
        page = write_report(database, folder)
        if hands_folder is not None and is_finished and not at_once:
            save_tournament_hands(tournament, database, hands_folder, console)
    console.print(f"The report is {page}; the results are in {database}.", soft_wrap=True, markup=False)
    if not is_finished:
        raise typer.Exit(INTERRUPTED)
    if found.forfeits:
        raise typer.Exit(FAILED)


def _tokens_of(store: Path) -> Path:
    """The file with the digests of a tournament's tokens."""
    return store.with_name(f"{store.name}.tokens")


def _remote_names(tournament: Tournament) -> list[str]:
    """The names by which remote bots join. Raises ValueError if there are none."""
    if not (names := [entrant.remote for entrant in tournament.entrants().values() if entrant.remote]):
        raise ValueError("the tournament must have remote bots, such as `- remote: anna`, got none")
    return names


def _make_tokens(config: str, of: str, store: Path | None) -> None:
    """Print a new token for each remote bot of a tournament that has none."""
    with user_errors():
        if config != TOKENS:
            raise ValueError(f"must be a tournament, or {TOKENS} and a tournament, got {config} {of}")
        path = _tokens_of(store or Path(f"{Path(of).stem}.db"))
        made = new_tokens(path, _remote_names(load_tournament(of)))
    for name, token in made.items():
        typer.echo(f"{shown_name(name)} {token}")
    words = "Nobody can show them again. To make one again, delete its line in" if made else "All bots have theirs; see"
    typer.echo(f"{words} {path}.", err=True)


def _remote_bots(
    tournament: Tournament,
    board: Board,
    tokens: Path,
    listen: str,
    certificate: Path | None,
    key: Path | None,
) -> RemoteBots:
    """The server that remote bots join. Raises ValueError and OSError."""
    host, _, port = listen.rpartition(":")
    if not host or not port.isdecimal() or int(port) >= 2**16:
        raise ValueError(f"--listen: must be HOST:PORT, got {listen!r}")
    if sys.platform == "win32":
        raise ValueError("--listen: must be on Linux or macOS; Windows has no sockets that asyncio could listen at")
    if bool(certificate) != bool(key):
        raise ValueError("--certificate, --key: must be given together")
    digests = digests_of(tokens, _remote_names(tournament))
    with explain_missing_extra("--listen"):
        from ..web.remote.server import PATH, RemoteBots
    at = listening_at(host, int(port), "Choose another port.")

    limits = tournament.stranger_limits
    made = RemoteBots(digests, at, tournament.reconnect, limits, _say, certificate, key, board)
    secure, address = "s" if certificate else "", f"{host}:{at.getsockname()[1]}"
    _say(f"Remote bots join ws{secure}://{address}{PATH}. The standings are at http{secure}://{address}/.")
    return made


def _say(words: str) -> None:
    """Print a sentence that may have a stranger's name in it."""
    console.print(shown_name(words, longest=None), soft_wrap=True, markup=False, highlight=False)


def _changes(
    tournament: Tournament,
    load: Callable[[], Tournament],
    file: Path,
    database: Path,
    listening: RemoteBots,
    board: Board,
) -> Changes:
    """Looks whether agents join or leave. load: reads the tournament."""
    from ..web.remote.changes import Changes, Reading

    tokens = _tokens_of(database)

    def read() -> Reading:
        found = load()
        found.check_agents()
        with Store(database) as results:
            if changed := results.changed(found):
                raise ValueError(f"{in_words(changed)}; a new version must be an entry of its own")
        return found, digests_of(tokens, _remote_names(found))

    def admit(found: Tournament, digests: Mapping[str, str]) -> None:
        board.show(found)
        listening.admit(digests)

    return Changes(tournament, [file, tokens], read, admit, _say)


def _entered(agents: list[str], names: list[str]) -> list[dict[str, str]]:
    """The agents of --enter with their names. Raises ValueError for names that are not one for each."""
    if len(names) not in (0, len(agents)):
        raise ValueError(f"--as: must be given once for each --enter, got {len(names)} for {len(agents)}")
    return [{"agent": agent, "name": name} for agent, name in zip(agents, names or agents, strict=True)]


def _machines(jobs: int | None, ray: str | None) -> dict[str, Any]:
    """The fields of a tournament that say where it is played. On a cluster all its processors are used, unless jobs
    says otherwise."""
    if ray is None:
        return {"jobs": jobs}
    return {"jobs": -1 if jobs is None else jobs, "backend": "ray", "ray_address": ray}


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

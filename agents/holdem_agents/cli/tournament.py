"""`holdem tournament`: a tournament played, with its progress bar, its remote bots and its report."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

from holdem_env.agents.short_names import short_names
from holdem_env.arena.isolation import control_groups
from holdem_env.arena.isolation.making import Isolation
from holdem_env.arena.tournaments.hands import save_hands
from holdem_env.arena.tournaments.scrimmages import scrimmage_of, store_of_scrimmages
from holdem_env.arena.tournaments.shards import Played
from holdem_env.arena.tournaments.store import Store, in_words
from holdem_env.arena.tournaments.tournament import Tournament, run, under_known_names
from holdem_env.protocols.text.dialogues import saving_dialogues
from holdem_env.utils.extras import explain_missing_extra
from holdem_env.utils.shown_names import shown_name, shown_reason

from ..progress import VisibleProgress
from ..remote.tokens import digests_of, new_tokens, tokens_file
from .console import console, flag, option, say, say_written, user_errors
from .exit_status import FAILED, INTERRUPTED
from .listening import listening_at
from .model_commands import SaveDialogues, Trust
from .standings import print_standings, read_standings
from .tournament_file import load_tournament, trusting

if TYPE_CHECKING:
    from ..remote.board import Board
    from ..remote.server import RemoteBots

StoreFile = Annotated[Path | None, option("FILE", "Database of the results. Default: NAME.db.", "--store")]


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
        if accept_changed and (accepted := results.changed(tournament)):
            words = f"Accepted as changed, with their old results: {in_words(accepted)}"
            console.print(words, soft_wrap=True, markup=False)
        task, stored, most = bar.add_task("playing", total=None, unit=unit), 0, 0.0
        hands_each = tournament.rules.seats if tournament.is_duplicate else 1

        def update(played: Played, done: int, total: int) -> None:
            nonlocal stored, most
            stored, most = done, min(max(most, done), total)
            bar.update(task, completed=most, total=total)
            if played.failed:
                name, reason = played.failed
                words = f"{short.get(name) or shown_name(name)} forfeits: {shown_reason(reason)}"
                console.print(words, style="red", markup=False)

        def show(hands: int) -> None:
            if tournament.format != "freezeout":
                nonlocal most  # a shard that is dropped takes its hands with it
                most = max(most, stored + hands // hands_each)
                bar.update(task, completed=most)

        try:
            with bar, listening or nullcontext():
                run(tournament, results, update, accept_changed, retry, show, listening, hands, keep_open)
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
        return write(results, folder)


def has_results(store: Path) -> bool:
    """Whether anything was played to its end, or somebody has forfeited."""
    with Store(store) as results:
        return bool(results.hands() or results.forfeits())


def tournament_command(
    config: Annotated[
        str,
        typer.Argument(help="A YAML file, or a tournament that comes with holdem: tournament, hu_100bb, ..."),
    ],
    enter: Annotated[
        list[str] | None, option("AGENT", "Enter this agent, too, a name or a file. May be repeated.")
    ] = None,
    called: Annotated[
        list[str] | None, option("NAME", "Its name in the tables, one for each --enter. Default: AGENT.", "--as")
    ] = None,
    store: StoreFile = None,
    report: Annotated[Path | None, option("FOLDER", "Folder of the report. Default: NAME-report.")] = None,
    hands: Annotated[int | None, option("N", "Number of hands, instead of the configuration's.", min=1)] = None,
    sessions: Annotated[int | None, option("N", "Number of freezeouts, instead of the configuration's.", min=1)] = None,
    jobs: Annotated[int | None, option("N", "Number of processes; -1 uses all cores.")] = None,
    ray: Annotated[
        str | None,
        option(
            "ADDRESS",
            "Play on the Ray cluster at this address, such as auto or ray://host:10001; local for this machine.",
        ),
    ] = None,
    retry: Annotated[bool, flag("Let agents that forfeited before play again.")] = False,
    trust: Trust = False,
    isolation: Annotated[
        Isolation | None,
        option(
            "process|none",
            "process: agents that are not this library's scripted ones play in processes of their own; none: in those "
            "of the tournament. Default: the configuration's.",
        ),
    ] = None,
    accept_changed: Annotated[
        bool,
        flag(
            "Go on although an agent's code or parameters have changed; its old results count as its own.",
            "--accept-changed",
        ),
    ] = False,
    hands_folder: Annotated[
        Path | None,
        option(
            "FOLDER",
            "Write all hands to this new folder, one file for each match; they are played again for it. Where remote "
            "bots play they are written at once, and each bot gets its own.",
            "--save-hands",
        ),
    ] = None,
    save_dialogues: SaveDialogues = None,
    listen: Annotated[
        str | None,
        option(
            "HOST:PORT",
            "Where remote bots join, such as 0.0.0.0:8766. Agents that are meanwhile added to the file play, too, and "
            "those that are taken out leave.",
        ),
    ] = None,
    keep_open: Annotated[bool, flag("With --listen: wait for other agents when all is played.", "--keep-open")] = False,
    certificate: Annotated[Path | None, option("FILE", "A certificate (PEM), for wss:// instead of ws://.")] = None,
    key: Annotated[Path | None, option("FILE", "The certificate's private key.")] = None,
    scrimmages: Annotated[
        int, option("N", "Remote bots may ask for scrimmages of up to this number of hands.", min=0)
    ] = 0,
    scrimmage: Annotated[
        tuple[str, str] | None,
        option(
            "A B",
            "Play --hands more hands between these two alone, which do not count. Database: NAME-scrimmages.db.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Play a tournament, print its standings and write a report.

    The database keeps all results: the same command, or one with more hands or agents, plays only the missing ones.
    The exit status is 1 if an agent has forfeited; the others have played to the end.
    """
    name, database = Path(config).stem, store or Path(f"{Path(config).stem}.db")
    main = database
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
                from ..remote.board import Board
            board = Board(tournament, database, at_once, scrimmages)
            listening = _remote_bots(tournament, board, main, listen, certificate, key)
            if not scrimmage:
                from ..remote.changes import Changes

                def admit(found: Tournament, digests: Mapping[str, str]) -> None:
                    board.show(found)
                    listening.admit(digests)

                listening.changes = Changes(tournament, Path(config), load, database, admit, _say)
        with saving_dialogues(save_dialogues):
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
    say(f"The report is {page}; the results are in {database}.")
    if not is_finished:
        raise typer.Exit(INTERRUPTED)
    if found.forfeits:
        raise typer.Exit(FAILED)


def tokens_command(
    config: Annotated[str, typer.Argument(help="The tournament's YAML file.")], store: StoreFile = None
) -> None:
    """Print a new token for each remote bot of a tournament that has none."""
    with user_errors():
        database = store or Path(f"{Path(config).stem}.db")
        made = new_tokens(load_tournament(config), database)
    for name, token in made.items():
        typer.echo(f"{shown_name(name)} {token}")
    words = "Nobody can show them again. To make one again, delete its line in" if made else "All bots have theirs; see"
    typer.echo(f"{words} {tokens_file(database)}.", err=True)


def _remote_bots(
    tournament: Tournament, board: Board, store: Path, listen: str, certificate: Path | None, key: Path | None
) -> RemoteBots:
    host, _, port = listen.rpartition(":")
    if not host or not port.isdecimal() or int(port) >= 2**16:
        raise ValueError(f"--listen: must be HOST:PORT, got {listen!r}")
    if sys.platform == "win32":
        raise ValueError("--listen: must be on Linux or macOS; Windows has no sockets that asyncio could listen at")
    if bool(certificate) != bool(key):
        raise ValueError("--certificate, --key: must be given together")
    digests = digests_of(tournament, store)
    with explain_missing_extra("--listen"):
        from ..remote.server import PATH, RemoteBots
    at = listening_at(host, int(port), "Choose another port.")

    limits = tournament.stranger_limits
    made = RemoteBots(digests, at, tournament.reconnect, limits, _say, certificate, key, board)
    secure, address = "s" if certificate else "", f"{host}:{made.port}"
    _say(f"Remote bots join ws{secure}://{address}{PATH}. The standings are at http{secure}://{address}/.")
    return made


def _say(words: str) -> None:
    """Print a sentence that may have an untrusted name in it."""
    say(f"{datetime.now():%H:%M:%S} {shown_name(words, longest=None)}", highlight=False)


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

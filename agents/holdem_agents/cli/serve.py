"""The command `holdem serve`: a dealer for programs that play by the protocol of the ACPC."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from contextlib import ExitStack
from itertools import chain, count
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from holdem_env.agents.short_names import short_names
from holdem_env.protocols.acpc.connection import Watch, nobody_watches
from holdem_env.protocols.acpc.dealer import Dealer
from holdem_env.protocols.acpc.errors import PlayerFailed
from holdem_env.protocols.acpc.games import Definition, game_of
from holdem_env.protocols.acpc.match_log import FORBIDDEN, MatchLog, check_names, score_line, write_game
from holdem_env.protocols.acpc.players import OwnPlayer, Player, RemotePlayer
from holdem_env.protocols.acpc.remote import Limits
from holdem_env.utils.shown_names import shown_name

from .console import flag, option, user_errors
from .exit_status import FAILED, INTERRUPTED
from .model_commands import Trust, agent_of

AGENT_PREFIX = "agent:"
LARGEST_SEED = 2**32 - 1
FOREVER = "0 or less: no limit."
Milliseconds = float


class Match(NamedTuple):
    """A match as its arguments describe it."""

    name: str
    definition: Definition
    hands: int
    seed: str
    players: list[str]
    log: Path
    host: str


def serve_command(
    match: Annotated[str, typer.Argument(metavar="MATCH", help="Name of the match; the log is MATCH.log.")],
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAMEFILE",
            help="A game definition, one that comes with holdem, such as holdem.limit.3p.game, a YAML file of "
            "rules, or a preset.",
        ),
    ],
    hands: Annotated[int, typer.Argument(metavar="HANDS", min=1, help="Number of hands.")],
    seed: Annotated[
        str,
        typer.Argument(
            metavar="SEED|random",
            help="random: the operating system draws every card. A number: the cards of the ACPC's dealer, known to "
            "anybody who guesses one of 2**32.",
        ),
    ],
    players: Annotated[
        list[str], typer.Argument(metavar="PLAYER...", help="A name for each player; agent:NAME is an agent of ours.")
    ],
    acpc: Annotated[bool, flag("The protocol: that of the ACPC. Must be given.", "--acpc")] = False,
    ports: Annotated[
        str | None,
        option("N,N,...", "Ports of the players that connect, in order. Default: free ones.", "--ports", "-p"),
    ] = None,
    host: Annotated[str, option("HOST", "Address to listen at.")] = "127.0.0.1",
    log: Annotated[Path | None, option("FILE", "The log, instead of MATCH.log.")] = None,
    overwrite: Annotated[bool, flag("Replace an old log.", "--overwrite")] = False,
    fixed_seats: Annotated[bool, flag("Nobody moves from hand to hand.", "--fixed-seats", "-f")] = False,
    t_response: Annotated[
        Milliseconds, option("MS", f"Time for one answer. {FOREVER}", "--t-response", "--t_response")
    ] = 600_000,
    t_hand: Annotated[
        Milliseconds, option("MS", f"Time of a player for one hand. {FOREVER}", "--t-hand", "--t_hand")
    ] = 600_000,
    t_per_hand: Annotated[
        Milliseconds,
        option(
            "MS",
            f"Time of a player for the match, as an average for each hand. {FOREVER}",
            "--t-per-hand",
            "--t_per_hand",
        ),
    ] = 7_000,
    start_timeout: Annotated[
        Milliseconds,
        option(
            "MS", "Time until all players are connected. Less than 0: no limit.", "--start-timeout", "--start_timeout"
        ),
    ] = -1,
    max_invalid: Annotated[
        int, option("N", "How many answers of a player may be no legal action; each becomes a call.", min=0)
    ] = 1000,
    messages: Annotated[bool, flag("Show all messages on stderr.", "--messages")] = False,
    trust: Trust = False,
) -> None:
    """Deal a match for programs that connect by TCP, as the dealer of the ACPC does.

    The first line on stdout has the port of each player, 0 for agents of ours; the last one is the SCORE. Everything
    else goes to stderr. A player that is too slow, disconnects or is wrong too often ends the match with status 1.
    """
    with user_errors():
        if not acpc:
            raise ValueError("serve: name the protocol that the programs speak: --acpc")
        limits = Limits(
            response=_seconds(t_response),
            hand=_seconds(t_hand),
            match=hands * _seconds(t_per_hand),
            start=start_timeout / 1000 if start_timeout >= 0 else None,
            invalid=max_invalid,
        )
        what = Match(match, game_of(game), hands, seed, players, log or Path(f"{match}.log"), host)
        _check(what, overwrite)
        with ExitStack() as closing:
            seats = _players(what, _ports(ports, players), limits, trust, _say if messages else nobody_watches, closing)
            dealer = Dealer(what.definition.game, seats, hands, _seed(seed), fixed_seats=fixed_seats)
            status = _play(dealer, what, limits)
    if status:
        raise typer.Exit(status)


def _seed(given: str) -> int | None:
    if given == "random":
        return None
    if not given.isdecimal() or int(given) > LARGEST_SEED:
        raise ValueError(f"serve: SEED must be random or a number from 0 to {LARGEST_SEED}, got {given!r}")
    return int(given)


def _seconds(milliseconds: float) -> float:
    return milliseconds / 1000 if milliseconds > 0 else float("inf")


def _check(what: Match, overwrite: bool) -> None:
    """Raise ValueError or OSError for a match that cannot begin."""
    seats = what.definition.game.rules.seats
    if len(what.players) != seats:
        raise ValueError(f"serve: the game {what.definition.file} has {seats} players, not {len(what.players)}")
    if not what.name or " " in what.name:
        raise ValueError(f"serve: {what.name!r} is no name of a match; give one without spaces")
    connecting = [name for name in what.players if not name.startswith(AGENT_PREFIX)]
    check_names(connecting)
    if twice := [name for name, count in Counter(connecting).items() if count > 1]:
        raise ValueError(f"serve: players must have names of their own, got {twice[0]!r} twice")
    if what.log.exists() and not overwrite:
        raise FileExistsError(f"{what.log} exists already; name another match or log, or give --overwrite")
    if not what.log.parent.is_dir():
        raise FileNotFoundError(f"{what.log}: there is no folder {what.log.parent}")


def _ports(given: str | None, players: list[str]) -> list[int]:
    """A port for each player that connects; 0 is a free one."""
    connecting = sum(not name.startswith(AGENT_PREFIX) for name in players)
    if given is None:
        return [0] * connecting
    words = [word.strip() for word in given.split(",")]
    if len(words) != connecting or not all(word.isdecimal() and int(word) < 2**16 for word in words):
        raise ValueError(f"--ports: give {connecting} numbers, one for each player that connects, not {given!r}")
    return [int(word) for word in words]


def _players(
    what: Match, ports: list[int], limits: Limits, trust: bool, watch: Watch, closing: ExitStack
) -> list[Player]:
    rest, players = iter(ports), list[Player]()
    for name in what.players:
        player: Player
        if name.startswith(AGENT_PREFIX):
            own = name.removeprefix(AGENT_PREFIX)
            taken = {*what.players, *(each.name for each in players)}
            player = OwnPlayer(_name_of(own, taken), agent_of(own, trust=trust))
        else:
            player = RemotePlayer(name, what.host, next(rest), limits, _warn, watch)
        closing.callback(player.close)
        players.append(player)
    return players


def _name_of(agent: str, taken: Collection[str]) -> str:
    """A name for an agent of ours that a log can have and nobody else has."""
    short = short_names([agent])[agent]
    plain = "".join("_" if letter in FORBIDDEN or letter.isspace() else letter for letter in short)
    numbered = (f"{plain}_{number}" for number in count(2))
    return next(name for name in chain([plain], numbered) if name not in taken)


def _play(dealer: Dealer, what: Match, limits: Limits) -> int:
    """Play the match. Returns the exit status."""
    with what.log.open("w", encoding="utf-8", newline="\n") as file:
        log = MatchLog(file)
        log.begin(what.name, write_game(what.log, what.definition), what.hands, what.seed, limits)
        try:
            typer.echo(" ".join(str(player.port) for player in dealer.players))
            for player in dealer.players:
                if player.port:
                    typer.echo(f"{player.name}: connect to {what.host} port {player.port}", err=True)
            dealer.open(limits.start)
            totals = dealer.play(log)
        except PlayerFailed as error:
            log.ended_early(str(error))
            _warn(f"{error}. The match ended early; the finished hands are in {what.log}.")
            return FAILED
        except KeyboardInterrupt:
            log.ended_early("interrupted")
            _warn(f"interrupted; the finished hands are in {what.log}.")
            return INTERRUPTED
    typer.echo(score_line(totals, [player.name for player in dealer.players]))
    return 0


def _warn(text: str) -> None:
    typer.echo(f"holdem: {shown_name(text, longest=None)}", err=True)


def _say(direction: str, player: str, line: str) -> None:
    typer.echo(f"{direction} {player} {shown_name(line, longest=None)}", err=True)

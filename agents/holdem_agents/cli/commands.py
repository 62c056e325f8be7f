"""The commands of `holdem`, each in the module of its name."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from holdem_env.utils.version import __version__

from ..custom_code import run_own_file
from .check import check_command
from .compile import compile_command
from .console import Commands, console, option, user_errors
from .convert import convert_command
from .data import data_app
from .demo import demo_command
from .exploit import EXPLOIT_EXAMPLE, exploit_command
from .lbr import lbr_command
from .list import list_command
from .match import match_command
from .mistakes import mistakes_command
from .play import PLAY_EXAMPLES, play_command
from .push import push_command
from .replay import replay_command
from .score import SCORE_EXAMPLES, score_command
from .serve import serve_command
from .slumbot import slumbot_command
from .solve import solve_app
from .standings import standings_command
from .tournament import tokens_command, tournament_command
from .train import train_command
from .web import web_command

SOLVE_EXAMPLES = (
    "Example: holdem solve --board Ks7h2d3c9s --ip '77+, KJ+' --oop '22+, K9s+' --pot 100 --stacks 400 --sizes '75%, a'"
)

app = typer.Typer(
    cls=Commands,
    help="Train, measure and play poker agents. `holdem COMMAND --help` shows the options of a command and an example.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        console.print(f"holdem {__version__}")
        raise typer.Exit


@app.callback()
def holdem(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
    load: Annotated[
        list[Path] | None,
        option(
            "FILE.py",
            "Run this Python file first: the command knows the formats, measures, estimators, encoders and "
            "agents that it registers. May be repeated.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
) -> None:
    """The options of `holdem` itself; its help text stands above."""
    if not load:
        return
    from cloudpickle import register_pickle_by_value  # gymnasium brings it, and so does loky, which pickles with it

    with user_errors():
        for path in load:
            register_pickle_by_value(run_own_file(path))  # the processes of --jobs do not run the file


app.command("list", epilog="Example: holdem list agents")(list_command)
app.command("train", epilog="Example: holdem train headsup_nolimit_100bb --seed 1")(train_command)
app.command("match", epilog="Example: holdem match runs/demo/final.safetensors calling_station --hands 100000")(
    match_command
)
app.command("demo", epilog="Example: holdem demo")(demo_command)
app.command("replay", epilog="Example: holdem replay tests/data/pluribus.phhs --hand 133")(replay_command)
app.command("play", epilog=PLAY_EXAMPLES)(play_command)
app.command("check", epilog="Example: holdem check mybot.py")(check_command)
app.command("compile", epilog="Example: holdem compile --jobs 2")(compile_command)
app.command("convert", epilog="Example: holdem convert tests/data/pluribus.phhs mine.txt --hero Bill")(convert_command)
app.command("push", epilog="Example: holdem push runs/demo/final.safetensors me/my-agent")(push_command)
app.command("exploit", epilog=EXPLOIT_EXAMPLE)(exploit_command)
app.add_typer(data_app, name="data")
app.command("mistakes", epilog="Example: holdem mistakes blueprint_100bb --hands 200")(mistakes_command)
app.command("lbr", epilog="Example: holdem lbr tight_aggressive --hands 2000 --jobs 2")(lbr_command)
app.command(
    "serve",
    epilog="Example: holdem serve --acpc match1 holdem.limit.3p.game 1000 0 ann bob agent:tight_aggressive",
)(serve_command)
app.command("slumbot", epilog="Example: holdem slumbot tight_aggressive --hands 1000 --save slumbot.phhs")(
    slumbot_command
)
app.add_typer(solve_app, name="solve", epilog=SOLVE_EXAMPLES)
app.command("score", epilog=SCORE_EXAMPLES)(score_command)
app.command("tournament", epilog="Example: holdem tournament configs/tournament.yaml --jobs 2")(tournament_command)
app.command("tournament tokens", epilog="Example: holdem tournament tokens course.yaml")(tokens_command)
app.command("standings", epilog="Example: holdem standings tournament.db")(standings_command)
app.command("web", epilog="Example: holdem web --agent runs/demo/final.safetensors")(web_command)

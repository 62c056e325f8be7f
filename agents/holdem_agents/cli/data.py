"""The commands `holdem data`: files of hands and of solved spots, to learn from."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from holdem_env.agents.registry import make_agent
from holdem_env.arena.datasets.data_card import SUFFIX
from holdem_env.arena.datasets.hands import make_hands
from holdem_env.arena.datasets.spots import ACCURACY, make_spots
from holdem_env.utils.counting import counted

from .console import counting, option, say, user_errors
from .exit_status import INTERRUPTED
from .model_commands import game_of

data_app = typer.Typer(help="Write data to learn from: hands of agents, and solved spots.", no_args_is_help=True)

Out = Annotated[Path, option("FILE", "The new file, .npz; its card lies beside it.", "--out")]


@data_app.command("spots", epilog="Example: holdem data spots river-v1 --out river.npz")
def spots_command(
    task: Annotated[str, typer.Argument(metavar="TASK", help="A task with spots: river-v1, turn-v1, or a YAML file.")],
    out: Out,
    accuracy: Annotated[
        float, option("PERCENT", "Solve to this exploitability, in percent of the pot.", min=0.001)
    ] = ACCURACY,
) -> None:
    """Solve the spots of a task, and write each hand's strategy and EV at each decision."""
    with user_errors():
        command = shlex.join(["holdem", "data", "spots", task, "--out", str(out), "--accuracy", f"{accuracy:g}"])
        with counting("solving", None, "spots") as advance:
            found = make_spots(task, out, accuracy, command, advance)
        spots, hands = counted(len(found.names), "spot"), counted(len(found.node), "hand")
        _say(out, f"{spots}, {hands} at {counted(len(found.spot), 'decision')}")


@data_app.command("hands", epilog="Example: holdem data hands --agents tight_aggressive,pot_odds --out hands.npz")
def hands_command(
    agents: Annotated[str, option("A,B", "Names or files, with commas.")],
    out: Out,
    hands: Annotated[int, option("N", "How many, rounded up to whole deals.", min=1)] = 100_000,
    rules: Annotated[str | None, option("GAME", "A preset or a YAML file. Default: the agents' game.")] = None,
    seed: Annotated[int, option("N", "Seed of the decks.", min=0)] = 0,
    jobs: Annotated[int, option("N", "Processes that play; -1: as many as processors.")] = 1,
) -> None:
    """Play agents against each other, and write their hands: cards, moves, results.

    Ctrl-C keeps what is finished; the same command goes on.
    """
    with user_errors():
        names = agents.split(",")
        game = game_of(rules, [make_agent(name) for name in names])
        words = ["holdem", "data", "hands", "--agents", agents, "--hands", str(hands), "--seed", str(seed)]
        words += [*(["--rules", rules] if rules else []), "--out", str(out)]
        try:
            with counting("playing", hands, "hands") as advance:
                found = make_hands(names, out, hands, game, seed, jobs, shlex.join(words), advance)
        except KeyboardInterrupt:
            say("Interrupted. The same command goes on.")
            raise typer.Exit(INTERRUPTED) from None
        _say(out, f"{counted(len(found), 'hand')}, {counted(len(found.move), 'move')}")


def _say(out: Path, what: str) -> None:
    size = out.stat().st_size / 1e6
    say(f"{what}: {out}, {size:,.1f} MB, and its card {out}{SUFFIX}")

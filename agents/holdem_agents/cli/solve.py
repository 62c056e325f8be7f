"""`holdem solve`: a blueprint, which is a strategy for a whole heads-up game; or a spot, the rest of one hand."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .console import only_options, say_written, user_errors
from .solving_boards import boards_of, solve_boards
from .solving_spots import (
    MIB,
    Accuracy,
    Bits,
    Boards,
    BoardText,
    Flops,
    InPosition,
    Locks,
    Memory,
    Opened,
    OutOfPosition,
    Place,
    Pot,
    RakePercent,
    RulesName,
    SavedTo,
    Seconds,
    Sizes,
    Spot,
    StackTexts,
    TwoRanges,
    locked_in,
    open_spot,
    resume_spot,
    solve_spot,
)
from .solving_values import VALUES, is_values, resume_values_in, solve_values_of

SPOT = {
    *("ranges", "ip", "oop", "pot", "stacks", "sizes", "rules", "rake", "lock"),
    *("accuracy", "seconds", "memory", "bits", "threads", "save"),
}
"""What every solving of the rest of a hand takes."""
BLUEPRINT = {"config", "name", "minutes", "deals", "threads", "seed", "runs", "changes", "overwrite"}


def solve_command(
    context: typer.Context,
    config: Annotated[
        str | None,
        typer.Argument(
            metavar="[BLUEPRINT|values]",
            help="A strategy for a whole game: a YAML file, or the name of a configuration that comes with holdem, "
            "such as blueprint_20bb. values: a network for search, with --street.",
        ),
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Name of the run folder. Default: the configuration's name.")
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(metavar="N", min=0.01, help="Training time in minutes, instead of the configuration's budget."),
    ] = None,
    deals: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Training time in deals, instead of the budget.")
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Threads. With 1 and a budget in deals, training can be repeated exactly. Default for the rest of a "
            "hand: all cores.",
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", min=0, max=2**32 - 1, help="Seed, instead of the configuration's.")
    ] = None,
    runs: Annotated[Path, typer.Option(metavar="FOLDER", help="Parent of the run folders.")] = Path("runs"),
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Set a value of the configuration, such as cards.river=100."),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER|FILE",
            help="Continue the run in this folder, or the solution in this .npz that was stopped.",
        ),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", show_default=False, help="Replace the run runs/NAME if there is one.")
    ] = False,
    street: Annotated[
        str | None,
        typer.Option(metavar="turn|river", help="With `values`: the street whose card is still to come."),
    ] = None,
    examples: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="With `values`: solved examples. Default: 200,000.")
    ] = None,
    board: BoardText = None,
    ranges: TwoRanges = None,
    ip: InPosition = None,
    oop: OutOfPosition = None,
    pot: Pot = None,
    stacks: StackTexts = None,
    sizes: Sizes = None,
    rules: RulesName = None,
    rake: RakePercent = None,
    accuracy: Accuracy = 0.5,
    seconds: Seconds = None,
    memory: Memory = 4096,
    bits: Bits = None,
    boards: Boards = None,
    flops: Flops = None,
    lock: Locks = None,
    at: Place = "",
    save: SavedTo = None,
    opened: Opened = None,
) -> None:
    """Solve a game: train a blueprint and write it to runs/NAME/final.strategy. Or, with --board, solve the rest of a
    hand from a river, a turn or a flop, and print what both players do.

    Ctrl-C ends training after a checkpoint, and the solving of a hand with the solution so far; --resume RUN or FILE
    goes on. Pressed again, it ends at once.
    """
    with user_errors():
        if opened is not None:
            only_options(context, "--open", {"opened", "at"})
            open_spot(opened, at)
            return
        if config == VALUES:
            only_options(context, VALUES, {"config", "street", "examples", "seed", "threads", "name", "runs"})
            solve_values_of(street, examples, seed, threads or -1, name, runs)
            return
        if resume is not None and is_values(resume):
            only_options(context, "--resume of values", {"resume", "threads"})
            resume_values_in(resume, threads or -1)
            return
        limits = {"accuracy": accuracy, "seconds": seconds, "threads": threads}
        if boards is not None or flops is not None:
            if boards is not None and flops is not None:
                raise ValueError("solve: give one of --boards and --flops")
            only_options(context, f"--{'flops' if boards is None else 'boards'}", {*SPOT, "boards", "flops"})
            arguments = Spot(None, ranges or [], ip, oop, pot, stacks, sizes or [], rules, rake).arguments()
            del arguments["board"]
            limits = {"accuracy": accuracy, "seconds": seconds, "most_memory": memory * MIB, "bits": bits}
            limits |= {"locked": locked_in(lock), "jobs": threads or -1}
            solve_boards(boards_of(boards, flops), arguments, limits, save or Path("boards"))
            return
        if board is not None:
            only_options(context, "--board", {*SPOT, "board", "at"})
            spot = Spot(board, ranges or [], ip, oop, pot, stacks, sizes or [], rules, rake)
            solve_spot(spot, lock, {**limits, "most_memory": memory * MIB, "bits": bits}, at, save)
            return
        if resume is not None and resume.suffix == ".npz":
            only_options(context, "--resume of a solution", {"resume", "accuracy", "seconds", "threads", "at", "save"})
            resume_spot(resume, limits, at, save)
            return
        if resume is not None:
            keeps = f"which keeps its settings (to train longer, raise the budget in {resume / 'config.yaml'})"
            only_options(context, f"--resume of a run, {keeps}", {"resume"})
            folder = _resume(resume)
        elif config is not None:
            only_options(context, "a blueprint", BLUEPRINT)
            folder = _train(config, name, runs, _changes(changes, minutes, deals, threads, seed), overwrite)
        else:
            raise ValueError("solve: give a blueprint's configuration, --resume RUN, or --board CARDS")
    final = folder / "final.strategy"
    if final.exists():
        say_written(f"Written to {folder}", "match", final, "pot_odds")


def _changes(
    changes: list[str] | None, minutes: float | None, deals: int | None, threads: int | None, seed: int | None
) -> list[str]:
    """What the command line changes in a blueprint's configuration."""
    if minutes and deals:
        raise ValueError("solve: give either --minutes or --deals")
    budget = f"{{minutes: {minutes}}}" if minutes else f"{{deals: {deals}}}" if deals else None
    given = {"threads": threads, "seed": seed, "budget": budget}
    return [*(changes or []), *(f"{key}={value}" for key, value in given.items() if value is not None)]


def _train(config: str, name: str | None, runs: Path, changes: list[str], overwrite: bool) -> Path:
    # Imported late, as solvers and the arena are.
    from ..training.blueprints.run import load_blueprint, solve_blueprint
    from .training_runs import run_folder

    chosen = load_blueprint(config, changes)
    return solve_blueprint(chosen, run_folder(runs, name or Path(config).stem, overwrite), overwrite=overwrite)


def _resume(folder: Path) -> Path:
    from ..training.blueprints.run import resume_blueprint

    return resume_blueprint(folder)

"""`holdem solve`: a blueprint, which is a strategy for a whole heads-up game; or a spot, the rest of one hand."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .console import say_written, user_errors
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
from .solving_values import VALUES, resume_values_in, solve_values_of


def solve_command(
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
            open_spot(opened, at)
            return
        if config == VALUES:
            if minutes or deals or changes or overwrite or resume:
                raise ValueError("solve: values take --street, --examples, --seed, --threads, --name and --runs alone")
            solve_values_of(street, examples, seed, threads or -1, name, runs)
            return
        if resume is not None and resume_values_in(resume, threads or -1):
            return
        if street is not None or examples is not None:
            raise ValueError("solve: --street and --examples are for `holdem solve values`")
        limits = {"accuracy": accuracy, "seconds": seconds, "threads": threads}
        if boards is not None or flops is not None:
            if board is not None or (boards is not None and flops is not None):
                raise ValueError("solve: give one of --board, --boards and --flops")
            arguments = Spot(None, ranges or [], ip, oop, pot, stacks, sizes, rules, rake).arguments()
            del arguments["board"]
            limits = {"accuracy": accuracy, "seconds": seconds, "most_memory": memory * MIB, "bits": bits}
            limits |= {"locked": locked_in(lock), "jobs": threads or -1}
            solve_boards(boards_of(boards, flops), arguments, limits, save or Path("boards"))
            return
        if board is not None:
            if config is not None or resume is not None:
                raise ValueError("solve: give either a blueprint, or --board and what belongs to it")
            spot = Spot(board, ranges or [], ip, oop, pot, stacks, sizes, rules, rake)
            solve_spot(spot, lock, {**limits, "most_memory": memory * MIB, "bits": bits}, at, save)
            return
        if resume is not None and resume.suffix == ".npz":
            resume_spot(resume, limits, at, save)
            return
        if (config is None) == (resume is None):
            raise ValueError("solve: give a blueprint's configuration, --resume RUN, or --board CARDS")
        options = {"threads": threads, "seed": seed}
        given = [f"{key}={value}" for key, value in options.items() if value is not None]
        if minutes and deals:
            raise ValueError("solve: give either --minutes or --deals")
        given += [f"budget={{minutes: {minutes}}}"] if minutes else [f"budget={{deals: {deals}}}"] if deals else []
        if resume is not None and (given or changes or name):
            raise ValueError(
                "solve: a resumed run keeps its name and settings; give --resume RUN alone. To train longer, raise "
                f"the budget in {resume / 'config.yaml'} first"
            )
        folder = _resume(resume) if resume else _train(str(config), name, runs, [*(changes or []), *given], overwrite)
    final = folder / "final.strategy"
    if final.exists():
        say_written(f"Written to {folder}", "match", final, "pot_odds")


def _train(config: str, name: str | None, runs: Path, changes: list[str], overwrite: bool) -> Path:
    # Imported late, as solvers and the arena are.
    from ..training.blueprints.run import load_blueprint, solve_blueprint
    from .training_runs import run_folder

    chosen = load_blueprint(config, changes)
    return solve_blueprint(chosen, run_folder(runs, name or Path(config).stem, overwrite), overwrite=overwrite)


def _resume(folder: Path) -> Path:
    from ..training.blueprints.run import resume_blueprint

    return resume_blueprint(folder)

"""`holdem train`: a run of any kind by its configuration, or gone on with; and the options that runs share."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from holdem_env.utils.shown_names import shown_name

from ..runs.config import is_sweep, load_config
from ..runs.files import CONFIG, SWEEP, new_folder
from ..world import ALONE, World, together
from .console import console, flag, only_options, option, print_table, say, say_written, table_of, user_errors
from .exit_status import FAILED, INTERRUPTED

if TYPE_CHECKING:
    from ..sweeps.report import Comparison

CLOCK_STEP = 1.0  # seconds that the time of a file may lie behind the clock

A_SWEEP = "a sweep, whose file has the seeds"
OF_A_SWEEP = "changes", "seconds", "decisions", "jobs", "ray"

NewSeed = Annotated[int | None, option("N", "Seed, instead of the configuration's.", "--seed", min=0, max=2**32 - 1)]
Seconds = Annotated[
    float | None,
    option(
        "N",
        "Training time in seconds, instead of the configuration's budget; with --resume, of the whole run. "
        "Evaluation comes on top; the run says beforehand about how long it takes.",
        min=1,
    ),
]
Decisions = Annotated[
    int | None,
    option(
        "N", "Training in decisions, instead of the configuration's budget; with --resume, of the whole run.", min=1
    ),
]
Changes = Annotated[
    list[str] | None,
    option(
        "KEY=VALUE", "Set a value of the configuration, such as learner.hidden=[512,512]. May be repeated.", "--set"
    ),
]
Jobs = Annotated[
    int,
    option(
        "N",
        "Number of processes in which the learners of a league, the examples of a value network, or runs with "
        "several seeds are made at the same time. -1: as many as there are processors.",
    ),
]
RayAddress = Annotated[
    str | None,
    option(
        "ADDRESS",
        "Train them on the machines of the Ray cluster at this address, such as auto or HOST:PORT; local for this "
        "machine.",
    ),
]
Runs = Annotated[Path, option("FOLDER", "Parent of the run folders.")]


def train_command(
    context: typer.Context,
    config: Annotated[
        str | None,
        typer.Argument(help="A YAML file, or the name of a configuration that comes with holdem, such as demo."),
    ] = None,
    name: Annotated[str | None, option("NAME", "Name of the run folder. Default: the configuration's name.")] = None,
    seed: NewSeed = None,
    seeds: Annotated[
        str | None,
        option(
            "N,N,...",
            "Train with each of these seeds in runs/NAME/seed-N; runs/NAME gets a curve of all with mean and spread.",
        ),
    ] = None,
    runs: Runs = Path("runs"),
    seconds: Seconds = None,
    decisions: Decisions = None,
    changes: Changes = None,
    resume: Annotated[
        Path | None,
        option(
            "FOLDER",
            "Continue the run in this folder instead of starting one; --seconds or --decisions raise its budget.",
        ),
    ] = None,
    overwrite: Annotated[
        bool,
        flag(
            "Replace the run runs/NAME if there is one, instead of starting runs/NAME-2; with --resume, begin a run "
            "again that has no checkpoint.",
            "--overwrite",
        ),
    ] = False,
    jobs: Jobs = 1,
    ray: RayAddress = None,
) -> None:
    """Train what a configuration says, by its kind, and write it to runs/NAME: an agent (final.safetensors), a league,
    a blueprint for a whole game (final.strategy), a network of values for search, or a sweep, which compares settings.

    Ctrl-C ends training after a checkpoint, from which --resume goes on; pressed again, it ends training at once.
    """
    from ..runs.interrupts import Interrupts

    begun, Interrupts.was_pressed = time.time(), False
    with user_errors(), together() as world:
        if (config is None) == (resume is None):
            raise ValueError("train: give either a configuration or --resume RUN")
        given = [*(changes or []), *budget_of(seconds, decisions)]
        if resume is not None:
            allowed = {"resume", "overwrite", "jobs", "ray", "changes", "seconds", "decisions"}
            only_options(context, "--resume, which keeps the run's folder and seed", allowed)
            if (resume / SWEEP).is_file():
                only_options(context, A_SWEEP, {"resume", *OF_A_SWEEP})
                return _train_sweep(resume / SWEEP, given, resume, jobs, ray, world)
            folder = _resume(resume, overwrite, given, jobs, ray, world)
        else:
            if is_sweep(str(config)):
                only_options(context, A_SWEEP, {"config", "name", "runs", *OF_A_SWEEP})
                folder = run_folder(runs, name or Path(str(config)).stem)
                return _train_sweep(Path(str(config)), given, folder, jobs, ray, world)
            chosen, name = load_config(str(config), given), name or Path(str(config)).stem
            if seeds is not None:
                if seed is not None:
                    raise ValueError("train: give either --seed or --seeds")
                _train_seeds(chosen, name, runs, seeds, world, overwrite, jobs, ray)
                raise typer.Exit(INTERRUPTED if Interrupts.was_pressed else 0)
            folder = train_run(chosen, name, world.written_to(runs), seed, overwrite, jobs, ray, world)
        leads = not world.rank
    if leads:
        _show(folder, begun)
    if Interrupts.was_pressed:
        raise typer.Exit(INTERRUPTED)


def train_run(
    config: Any,
    name: str,
    runs: Path,
    seed: int | None,
    overwrite: bool = False,
    jobs: int = 1,
    ray: str | None = None,
    world: World = ALONE,
) -> Path:
    """Train in runs/name, and return that folder. seed: instead of the configuration's."""
    from ..runs import train  # PyTorch takes seconds to import, and other commands do without

    if seed is not None:
        config = config.model_copy(update={"seed": seed})
    with user_errors():
        return train(config, run_folder(runs, name, overwrite), overwrite=overwrite, world=world, jobs=jobs, ray=ray)


def _resume(folder: Path, overwrite: bool, changes: list[str], jobs: int, ray: str | None, world: World) -> Path:
    """Go on with a run; one of several seeds updates their common curve."""
    from ..runs import resume
    from ..runs.run_groups import SEEDS, summarize

    resume(folder, overwrite=overwrite, changes=changes, world=world, jobs=jobs, ray=ray)
    if (folder.parent / SEEDS).is_file():
        summarize(folder.parent)
    return folder


def _show(folder: Path, since: float) -> None:
    """Print the final matches of a run that is over, or has played them since that time; and what to do next."""
    from ..custom_code import parts_of_agent
    from ..runs.files import CROSSTABLE, is_trained
    from ..runs.run import trainable_of
    from ..training.evaluation.report import results_of

    crosstable = folder / CROSSTABLE
    if crosstable.exists() and (is_trained(folder) or crosstable.stat().st_mtime >= since - CLOCK_STEP):
        print_table(console, results_of(folder))
    config = load_config(folder / CONFIG)
    kind = trainable_of(config.kind)
    trust = ["--trust"] if parts_of_agent(config.model_dump(mode="json")) else []
    if kind.OPPONENT is None:
        say(f"Written to {folder / kind.DELIVERS}")
    else:
        say_written(f"Written to {folder}", "match", folder / kind.DELIVERS, kind.OPPONENT, *trust)


def run_folder(runs: Path, name: str, overwrite: bool = False) -> Path:
    """The folder of a new run, after a word if its name is taken."""
    from ..runs.interrupts import report

    folder = runs / name if overwrite else new_folder(runs, name)
    if folder.name != name:
        report(f"{runs / name} exists: this run is {folder.name}")
    return folder


def _train_seeds(
    config: Any, name: str, runs: Path, seeds: str, world: World, overwrite: bool, jobs: int, ray: str | None
) -> None:
    """Train with each of the seeds in such text as "0,1,2", and print a table of all. Raises ValueError."""
    from ..runs.run_groups import SEEDS, seeds_table, train_seeds

    if world.size > 1:
        raise ValueError("train: --seeds trains in one process each; leave torchrun out, and give --jobs")
    if config.kind != "learner":
        raise ValueError(f"train: --seeds is for configurations of one learner; this is a {config.kind}")
    folder = run_folder(runs, name, overwrite)
    train_seeds(config, seeds_of(seeds), folder, overwrite=overwrite, jobs=jobs, ray=ray)
    console.print(seeds_table(folder))
    say(f"Written to {folder}: {SEEDS}, curve.svg and a run for each seed")


def _train_sweep(file: Path, changes: list[str], folder: Path, jobs: int, ray: str | None, world: World) -> None:
    if world.size > 1:
        raise ValueError("train: a sweep trains each run in one process; leave torchrun out, and give --jobs")
    from ..sweeps.sweep_file import load_sweep

    plan = load_sweep(file, changes)
    from ..runs.interrupts import options_of, resume_command
    from ..sweeps.study import Study

    study = Study(plan, folder)
    outcomes, tables = study.run(jobs, ray), study.report()
    for table in tables:
        print_table(console, _comparison(table))
    if tables:
        say(f"Written to {folder}: sweep.csv, sweep.md, curve.svg")
    again = resume_command(folder, options_of(jobs, ray))
    if outcomes.failed:
        say(f"{len(outcomes.failed)} failed: {'; '.join(outcomes.failed)}. Run them again: {again}", style="red")
        raise typer.Exit(FAILED)
    if not outcomes.are_complete:
        done, left = len(outcomes.finished), len(outcomes.left)
        say(f"Interrupted; {done} runs are finished, {left} are left. Go on: {again}")
        raise typer.Exit(INTERRUPTED)


def _comparison(comparison: Comparison) -> Table:
    headings = [shown_name(heading) for heading in comparison.headings]
    rows = [(shown_name(name, None), *cells) for name, *cells in comparison.rows]
    return table_of(comparison.title, headings, rows, numbers=headings[1:])


def seeds_of(text: str) -> list[int]:
    """Seeds from text such as "0,1,2"."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and int(part) < 2**32 for part in parts):
        raise ValueError(f"--seeds: give whole numbers from 0 to 4294967295, such as 0,1,2; not {text!r}")
    return [int(part) for part in parts]


def budget_of(seconds: float | None, decisions: int | None) -> list[str]:
    """The options as a change of the configuration's budget."""
    if seconds and decisions:
        raise ValueError("give either --decisions or --seconds")
    if seconds:
        return [f"budget={{seconds: {seconds}}}"]
    return [f"budget={{decisions: {decisions}}}"] if decisions else []

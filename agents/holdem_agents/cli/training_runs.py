"""What `holdem train` does with its options: the budget, the run folder, the kind of run, the results at its end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from holdem_env.utils.runner import number_of_workers

from ..training.config import League, Training, load_any_config
from .console import console, user_errors
from .tournament import print_table

CLOCK_STEP = 1.0
"""Seconds that the time of a file may lie behind the clock."""

Jobs = Annotated[
    int,
    typer.Option(
        metavar="N",
        help="Number of processes in which the learners of a league, or runs with several seeds, train at the same "
        "time. -1: as many as there are processors.",
    ),
]
RayAddress = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Train them on the machines of the Ray cluster at this address, such as auto or HOST:PORT; local for this "
        "machine.",
    ),
]


def check_one_learner(jobs: int, ray: str | None) -> None:
    """Raise ValueError for the options of several processes, with one learner."""
    if number_of_workers(jobs) != 1 or ray is not None:
        raise ValueError("--jobs, --ray: one learner trains in one process; they are for leagues, --seeds, sweeps")


def show_results(folder: Path, since: float) -> None:
    """Print the final matches of a run that is over, or has played them since that time."""
    from ..training.evaluation.report import results_of
    from ..training.run_folder.files import CROSSTABLE, is_trained

    crosstable = folder / CROSSTABLE
    if is_trained(folder) or (crosstable.exists() and crosstable.stat().st_mtime >= since - CLOCK_STEP):
        print_table(console, results_of(folder))


def run_folder(runs: Path, name: str, overwrite: bool = False) -> Path:
    """The folder of a new run, after a word if its name is taken."""
    from ..training.interrupts import report
    from ..training.run_folder.files import new_folder

    folder = runs / name if overwrite else new_folder(runs, name)
    if folder.name != name:
        report(f"{runs / name} exists: this run is {folder.name}")
    return folder


def train_run(
    config: Training | League,
    name: str,
    runs: Path,
    seed: int | None,
    overwrite: bool = False,
    jobs: int = 1,
    ray: str | None = None,
) -> Path:
    """Train one learner or a league in runs/name, and return that folder.

    seed: instead of the configuration's. jobs, ray: of a league, as in `Runner`.
    """
    # Imported late: PyTorch takes seconds to import, and other commands do without.
    from ..training.league import train_league
    from ..training.run import train

    if seed is not None:
        config = config.model_copy(update={"seed": seed})
    with user_errors():
        if isinstance(config, League):
            folder = run_folder(runs, name, overwrite)
            return train_league(config, folder, overwrite=overwrite, jobs=jobs, ray=ray)
        check_one_learner(jobs, ray)
        return train(config, run_folder(runs, name, overwrite), overwrite=overwrite)


def train_seeds(
    config: Training | League,
    name: str,
    runs: Path,
    seed: int | None,
    seeds: str,
    overwrite: bool,
    jobs: int = 1,
    ray: str | None = None,
) -> None:
    """Train with each of the seeds in such text as "0,1,2", and print a table of all. Raises ValueError."""
    from ..training.seed_sweep import SEEDS, seeds_table
    from ..training.seed_sweep import train_seeds as train_all

    if seed is not None:
        raise ValueError("train: give either --seed or --seeds")
    if isinstance(config, League):
        raise ValueError("train: --seeds is for configurations of one learner; this is a league")
    numbers = seeds_of(seeds)
    folder = run_folder(runs, name, overwrite)
    train_all(config, numbers, folder, overwrite=overwrite, jobs=jobs, ray=ray)
    console.print(seeds_table(folder))
    console.print(f"Written to {folder}: {SEEDS}, curve.svg and a run for each seed", soft_wrap=True, markup=False)


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


def resume_run(
    folder: Path, overwrite: bool, jobs: int = 1, ray: str | None = None, changes: Sequence[str] = ()
) -> Path:
    """Go on with the run or league in a folder; one of several seeds updates their common curve.

    changes: of its configuration first, such as a larger budget. jobs, ray: of a league, as in `Runner`.
    """
    from ..training.league import resume_league
    from ..training.run import resume
    from ..training.run_folder.config import change_run_config
    from ..training.run_folder.files import CONFIG
    from ..training.seed_sweep import SEEDS, summarize

    if changes and (folder / CONFIG).is_file():
        change_run_config(folder, changes)
    if (folder / CONFIG).is_file() and isinstance(load_any_config(folder / CONFIG), League):
        return resume_league(folder, overwrite=overwrite, jobs=jobs, ray=ray)
    check_one_learner(jobs, ray)
    resume(folder, overwrite=overwrite)
    if (folder.parent / SEEDS).is_file():
        summarize(folder.parent)
    return folder

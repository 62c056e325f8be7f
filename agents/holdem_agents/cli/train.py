"""`holdem train`: an agent trained by a configuration, or a run gone on with; and the options that runs share."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from holdem_env.agents.registry import CODE, FINAL

from ..training.config import load_any_config
from .console import only_options, say_written, user_errors
from .training_runs import Jobs, RayAddress, budget_of, resume_run, show_results, train_run, train_seeds

NewSeed = Annotated[
    int | None, typer.Option("--seed", metavar="N", min=0, max=2**32 - 1, help="Seed, instead of the configuration's.")
]
Seconds = Annotated[
    float | None,
    typer.Option(
        metavar="N",
        min=1,
        help="Training time in seconds, instead of the configuration's budget; with --resume, of the whole run. "
        "Evaluation comes on top; the run says beforehand about how long it takes.",
    ),
]
Decisions = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=1,
        help="Training in decisions, instead of the configuration's budget; with --resume, of the whole run.",
    ),
]
Changes = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Set a value of the configuration, such as learner.hidden=[512,512]. May be repeated.",
    ),
]
Runs = Annotated[Path, typer.Option(metavar="FOLDER", help="Parent of the run folders.")]


def train_command(
    context: typer.Context,
    config: Annotated[
        str | None,
        typer.Argument(help="A YAML file, or the name of a configuration that comes with holdem, such as demo."),
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Name of the run folder. Default: the configuration's name.")
    ] = None,
    seed: NewSeed = None,
    seeds: Annotated[
        str | None,
        typer.Option(
            metavar="N,N,...",
            help="Train with each of these seeds in runs/NAME/seed-N; runs/NAME gets a curve of "
            "all with mean and spread.",
        ),
    ] = None,
    runs: Runs = Path("runs"),
    seconds: Seconds = None,
    decisions: Decisions = None,
    changes: Changes = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Continue the run in this folder instead of starting one; --seconds or --decisions raise its budget.",
        ),
    ] = None,
    overwrite: Annotated[
        bool,
        typer.Option(
            "--overwrite",
            show_default=False,
            help="Replace the run runs/NAME if there is one, instead of starting runs/NAME-2; with --resume, begin a "
            "run again that has no checkpoint.",
        ),
    ] = False,
    jobs: Jobs = 1,
    ray: RayAddress = None,
) -> None:
    """Train an agent and write it to runs/NAME/final.safetensors.

    Ctrl-C ends training after a checkpoint, from which --resume goes on; pressed again, it ends training at once.
    """
    begun = time.time()
    with user_errors():
        if (config is None) == (resume is None):
            raise ValueError("train: give either a configuration or --resume RUN")
        if resume is not None:
            allowed = {"resume", "overwrite", "jobs", "ray", "changes", "seconds", "decisions"}
            only_options(context, "--resume, which keeps the run's folder and seed", allowed)
            folder = resume_run(resume, overwrite, jobs, ray, [*(changes or []), *budget_of(seconds, decisions)])
        else:
            chosen = load_any_config(str(config), [*(changes or []), *budget_of(seconds, decisions)])
            if seeds is not None:
                train_seeds(chosen, name or Path(str(config)).stem, runs, seed, seeds, overwrite, jobs, ray)
                return
            folder = train_run(chosen, name or Path(str(config)).stem, runs, seed, overwrite, jobs, ray)
    show_results(folder, begun)
    final = folder / FINAL
    trust = ["--trust"] if (folder / CODE).is_dir() else []
    say_written(f"Written to {folder}", "match", final, "calling_station", *trust)

"""`holdem demo`: an agent trained for a minute, and the table of what it wins."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from holdem_env.agents.registry import FINAL

from ..runs import load_config
from .console import console, option, say_written, user_errors
from .train import NewSeed, Runs, budget_of, train_run


def demo_command(
    seconds: Annotated[float | None, option("N", "Training time in seconds, instead of one minute.", min=1)] = None,
    seed: NewSeed = None,
    runs: Runs = Path("runs"),
) -> None:
    """Train an agent for one minute (configs/demo.yaml) and play it against scripted agents."""
    from ..training.evaluation.report import results_of

    with user_errors():
        config = load_config("demo", budget_of(seconds, None))
    folder = train_run(config, "demo", runs, seed)
    console.print(results_of(folder))
    final = folder / FINAL
    say_written(f"The agent is {final}", "play", final)

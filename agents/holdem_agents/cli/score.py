"""`holdem score`: an agent measured by a task, on a card; and cards side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from holdem_env.arena import load_card, score
from holdem_env.arena.isolation.making import Isolation
from holdem_env.arena.scoring.card import PAGE
from holdem_env.arena.scoring.card_text import compared, headlines, reason_of
from holdem_env.arena.scoring.findings import Found
from holdem_env.arena.scoring.measure import BUDGETS, Budget
from holdem_env.arena.scoring.scoring import default_folder
from holdem_env.arena.scoring.task import TASKS, load_task
from holdem_env.protocols.text.dialogues import saving_dialogues
from holdem_env.utils.shown_names import shown_name
from holdem_env.utils.validation import suggestion

from ..progress import VisibleProgress
from .console import console, flag, only_options, option, print_table, say, user_errors
from .exit_status import INTERRUPTED
from .model_commands import SaveDialogues

SCORE_EXAMPLES = (
    "Examples: holdem score blueprint_20bb --task hu-20bb-v1 --jobs 2; "
    "holdem score --compare runs/scores/a/card.json runs/scores/b/card.json"
)


def score_command(
    context: typer.Context,
    agent: Annotated[
        list[str] | None, typer.Argument(metavar="AGENT", help="The agent: a name or a file. With --compare: cards.")
    ] = None,
    task: Annotated[str | None, option("TASK", "A task's name, such as hu-100bb-v1, or its YAML file.")] = None,
    budget: Annotated[
        str, option("|".join(BUDGETS), "About 2 minutes, 30 minutes or 4 hours of two cores. Default: quick.")
    ] = "quick",
    folder: Annotated[Path | None, option("FOLDER", "Where the card is written. Default: one in runs/scores.")] = None,
    isolation: Annotated[
        Isolation, option("process|none", "process: the agent plays in a process of its own, as strangers do.")
    ] = "none",
    compare: Annotated[bool, flag("Print cards of one task side by side.", "--compare")] = False,
    jobs: Annotated[int, option("N", "Measures made at the same time, in processes. -1: one for each processor.")] = 1,
    ray: Annotated[
        str | None, option("ADDRESS", "Measure on the Ray cluster at this address; local for this machine.")
    ] = None,
    save_dialogues: SaveDialogues = None,
) -> None:
    """Measure an agent by a task, and write a card: figures with intervals, what they took, how to repeat them.

    Ctrl-C keeps what is finished; the same command goes on.
    """
    with user_errors():
        given = agent or []
        if compare:
            only_options(context, "--compare", {"agent", "compare"})
            _compare(given)
            return
        if task is None or len(given) != 1:
            raise ValueError(f"score: give one agent and --task, one of {', '.join(TASKS.names())}")
        size = next((known for known in BUDGETS if budget == known), None)
        if size is None:
            raise ValueError(f"--budget: there is no {budget!r}: {suggestion(budget, list(BUDGETS))}")
        with saving_dialogues(save_dialogues):
            _score(given[0], task, size, folder, isolation, jobs, ray)


def _score(
    agent: str, name: str, budget: Budget, folder: Path | None, isolation: Isolation, jobs: int, ray: str | None
) -> None:
    task = load_task(name)
    folder = folder or default_folder(agent, task, budget)
    with VisibleProgress(transient=True, console=console) as bar:
        line = bar.add_task("measuring", total=None, unit="parts")

        def show(found: Found | None, done: int, total: int) -> None:
            bar.update(line, completed=done, total=total)
            if found is not None:
                say(_line(found))

        try:
            card = score(agent, task, budget, folder, jobs, ray, isolation, show)
        except KeyboardInterrupt:
            bar.stop()
            say(f"Interrupted; what is finished is in {folder}. The same command goes on.")
            raise typer.Exit(INTERRUPTED) from None
    for sentence in headlines(card):
        say(sentence)
    say(f"The card is {folder / PAGE}, and beside it as JSON and Markdown.")


def _line(found: Found) -> str:
    if found.why_not is not None:
        return f"{found.part}: not measured: {reason_of(found)}"
    return f"{found.part}: {'; '.join(map(str, found.figures))}"


def _compare(paths: list[str]) -> None:
    if len(paths) < 2:
        raise ValueError(f"--compare: give two cards or more, got {len(paths)}")
    cards = [load_card(path) for path in paths]
    heading, *rows = compared(cards)
    table = Table(title=f"{cards[0].task}, 95 % intervals")
    table.add_column(heading[0])
    for name in heading[1:]:
        table.add_column(escape(shown_name(name, None)), justify="right")
    for row in rows:
        table.add_row(*map(escape, row))
    print_table(console, table)

"""`holdem solve values`: what hands are worth before the next card, for search."""

from __future__ import annotations

from pathlib import Path

from .console import console

VALUES = "values"


def solve_values_of(
    street: str | None, examples: int | None, seed: int | None, jobs: int, name: str | None, runs: Path
) -> None:
    """Make examples and fit a network, or go on with that."""
    # Imported late, as solvers and the arena are.
    from ..training.values.run import FINAL, ValuesConfig, solve_values

    if street not in ("turn", "river"):
        raise ValueError(f"solve: --street of values must be turn or river, got {street}")
    given = {"examples": examples, "seed": seed}
    chosen = {key: value for key, value in given.items() if value is not None}
    config = ValuesConfig.model_validate({"street": street, **chosen})
    folder = solve_values(config, runs / (name or f"{street}-values"), jobs)
    console.print(f"Written to {folder / FINAL}", soft_wrap=True, markup=False)


def is_values(folder: Path) -> bool:
    """Whether a folder holds a run of values."""
    from ..training.values.run import is_values_run

    return is_values_run(folder)


def resume_values_in(folder: Path, jobs: int) -> None:
    """Go on with a run of values."""
    from ..training.values.run import FINAL, resume_values

    resume_values(folder, jobs)
    console.print(f"Written to {folder / FINAL}", soft_wrap=True, markup=False)

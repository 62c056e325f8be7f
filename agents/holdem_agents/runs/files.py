"""The run folder: the names of its files, its configuration and versions, reading and truncating its CSV files."""

from __future__ import annotations

import csv
import io
import json
import platform
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from holdem_env.agents.registry import CODE, MODEL_SUFFIX
from holdem_env.agents.registry import FINAL as FINAL
from holdem_env.game.units import CHIPS, unit_in
from holdem_env.utils import yaml_files
from holdem_env.utils.atomic import write_atomically
from holdem_env.utils.links import bytes_of
from holdem_env.utils.plain_data import json_of, untrusted

CONFIG, VERSIONS, FACTS = "config.yaml", "versions.json", "training.json"
PROGRESS, CURVE, CROSSTABLE, EXPLOITERS = "progress.csv", "curve.csv", "crosstable.csv", "exploiters.csv"
TRAINING_EXPLOITERS, CANDIDATES = "training_exploiters.csv", "candidates"
EXACT_CURVE = "exploitability.csv"
CARD, CURVE_PLOT = "model_card.md", "curve.svg"
STRATEGY = "final.strategy"  # what a blueprint delivers
LAST_FINAL = "last.safetensors"  # of a run with averaged weights: the last ones
HANDS = "final_matches.phhs.gz"
MISTAKES, MISTAKES_HANDS = "mistakes.md", "mistakes.phhs.gz"
WANDB_ID = "wandb-id.txt"  # of the run at Weights & Biases
SWEEP = "sweep.yaml"  # of a folder with the settings of a sweep, each of them a folder of seeds
LATEST, PREVIOUS = "checkpoint.pt", "checkpoint-previous.pt"
FRESH = "checkpoint-new.pt"
EXAMPLES = "examples"  # of a network of values: a folder of solved boards
SNAPSHOTS, RATINGS = "snapshots", "ratings.csv"
SAMPLING, GREEDY = "sampling", "greedy"
WEIGHTS, LAST, AVERAGED = "weights", "last", "averaged"  # a column of exploitability.csv, and its values
EXPLOITABILITY = "exploitability"  # in training.json: chips per hand, of games in which it is exact
MEASURED = "measured"  # in training.json: whether the final matches are played
DECISIONS = "time/total_timesteps"  # the column of progress.csv that counts decisions
HALF_WIDTH = "half_width_95"
MAX_LOG = 2**28
"""Bytes of a CSV file or a text that somebody's run folder may have."""
STRANGE = "\N{REPLACEMENT CHARACTER}"
PACKAGES = ("holdem-env", "numpy", "numba", "torch", "safetensors", "stable-baselines3", "sb3-contrib", "gymnasium")


def new_folder(parent: Path | str, name: str) -> Path:
    """The path parent/name, or parent/name-2 and so on if that exists. Creates nothing."""
    folder, count = Path(parent) / name, 1
    while folder.exists():
        count += 1
        folder = Path(parent) / f"{name}-{count}"
    return folder


def prepare(folder: Path, overwrite: bool) -> None:
    """Make a folder for a new run. overwrite: remove an earlier run's files from it.

    Raises FileExistsError, and changes nothing, if the folder holds a run's results that may not be overwritten.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if overwrite:
        for path in _files_of_run(folder):
            path.unlink()
    elif results := results_in(folder):
        raise FileExistsError(
            f"{folder} holds a run already ({', '.join(results)}): choose another folder, continue the run with "
            "--resume (resume(folder)), or replace it with --overwrite (overwrite=True)"
        )


def check_restart(folder: Path, overwrite: bool) -> None:
    """Raise FileExistsError if a run without a checkpoint has results, which beginning again would overwrite."""
    if not overwrite and (results := results_in(folder)):
        raise FileExistsError(
            f"{folder} has no checkpoint to go on from; beginning again would overwrite {', '.join(results)}. "
            "--overwrite (overwrite=True) does that"
        )


def results_in(folder: Path) -> list[str]:
    """The names of the files with results that a run folder holds: its agent, matches and checkpoints."""
    return [name for name in (FINAL, STRATEGY, CROSSTABLE, RATINGS, LATEST, PREVIOUS) if (folder / name).exists()]


def _files_of_run(folder: Path) -> list[Path]:
    """The files that a run has written to its folder; none of anybody else's."""
    results = (
        CURVE,
        EXACT_CURVE,
        STRATEGY,
        LAST_FINAL,
        CROSSTABLE,
        EXPLOITERS,
        TRAINING_EXPLOITERS,
        RATINGS,
        HANDS,
        MISTAKES,
        MISTAKES_HANDS,
    )
    names = (CONFIG, VERSIONS, FACTS, PROGRESS, FINAL, CARD, CURVE_PLOT, WANDB_ID, *results)
    agents = (f"{folder}/*{suffix}" for folder in (SNAPSHOTS, CANDIDATES) for suffix in (MODEL_SUFFIX, ".strategy"))
    states = LATEST, PREVIOUS, FRESH, *agents, f"{EXAMPLES}/*.npz"
    patterns = (*names, *states, f"*/{PROGRESS}", f"*/{WANDB_ID}", "**/events.out.tfevents.*")
    return [path for pattern in (*patterns, f"{CODE}/*.py") for path in folder.glob(pattern)]


def write_setup(config: Any, folder: Path) -> None:
    """Write the configuration, and the versions of the packages that are installed, to a run folder."""
    content = {"kind": config.kind, **config.model_dump(mode="json", exclude_unset=True)}
    write_atomically(folder / CONFIG, yaml_files.dumps(content))
    versions = {"python": platform.python_version()}
    for name in PACKAGES:
        with suppress(PackageNotFoundError):
            versions[name] = version(name)
    write_atomically(folder / VERSIONS, json.dumps(versions, indent=2) + "\n")


def write_facts(folder: Path, decisions: int, seconds: float, seed: int, **more: float) -> None:
    """Write training.json: how long a run has trained, and with which seed. more: further numbers under their names,
    such as `cpu_seconds`, the processor time, and `budget_spent`, a fraction."""
    facts = {"decisions": decisions, "seconds": round(seconds, 1), "seed": seed}
    facts |= {name: round(number, 4) for name, number in more.items()}
    write_atomically(folder / FACTS, json.dumps(facts, indent=2) + "\n")


def facts_of(folder: Path) -> dict[str, Any]:
    """What training.json of a run says. Raises OSError, or ValueError."""
    path = folder / FACTS
    with untrusted(lambda why: ValueError(f"{path} is damaged: {why}"), OSError):
        facts = json_of(path.read_bytes())
        if not isinstance(facts, dict):
            raise ValueError(f"it must be a mapping, got {type(facts).__name__}")
        return facts


def set_measured(folder: Path, is_measured: bool = True) -> None:
    """Note in training.json, if it is there, whether what a run delivered has played its final matches."""
    if (folder / FACTS).exists():
        write_atomically(folder / FACTS, json.dumps(facts_of(folder) | {MEASURED: is_measured}, indent=2) + "\n")


def is_trained(folder: Path) -> bool:
    """Whether the run in this folder has spent its budget and played its final matches."""
    try:
        facts = facts_of(folder)
        return bool(facts[MEASURED]) and facts["budget_spent"] >= 1
    except (OSError, ValueError, KeyError, TypeError):
        return False


def rows_of(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file; none if there is no such file."""
    if not path.exists():
        return []
    with untrusted(lambda why: ValueError(f"{path} is damaged: {why}"), OSError):
        return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"), newline="")))


def complete_rows_of(path: Path) -> tuple[list[dict[str, str]], str | None]:
    """The rows of a CSV file that may be half-written or damaged: those that are whole, and a sentence about the rest.

    A last line without its end is still being written, so it is left out without a word.
    """
    try:
        raw = bytes_of(path, MAX_LOG)
    except FileNotFoundError:
        return [], None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is no regular file, or too large"
        return [], f"{path.name} cannot be read: {why}."
    whole = raw[: raw.rfind(b"\n") + 1].decode("utf-8", errors="replace").replace("\0", STRANGE)
    try:
        rows = list(csv.DictReader(io.StringIO(whole, newline="")))
    except csv.Error as error:
        return [], f"{path.name} cannot be read as CSV: {error}."
    good = [row for row in rows if None not in row and None not in row.values()]
    if lost := len(rows) - len(good):
        return good, f"{path.name} is damaged: {lost:,} of its {len(rows):,} rows are left out."
    return good, f"{path.name} has characters that cannot be read." if STRANGE in whole else None


def numbers_in(rows: Iterable[Mapping[str, str]], *columns: str) -> list[tuple[float, ...]]:
    """These columns of the rows that have a number in each of them."""
    found = []
    for row in rows:
        with suppress(KeyError, ValueError, TypeError):
            found.append(tuple(float(row[column]) for column in columns))
    return found


def rates_in(rows: Iterable[Mapping[str, str]], *columns: str) -> list[tuple[float, ...]]:
    """These columns of the rows, and their win rates with half the widths of the intervals, where all are numbers."""
    found = []
    for row in rows:
        with suppress(ValueError):
            found += numbers_in([row], *columns, unit_in(row).key, HALF_WIDTH)
    return found


def evaluations_in(rows: Iterable[Mapping[str, str]]) -> dict[str, list[tuple[float, ...]]]:
    """What the rows of a curve.csv say of each opponent: decisions, the win rate, half the width of its interval."""
    by_opponent: dict[str, list[Mapping[str, str]]] = {}
    for row in rows:
        by_opponent.setdefault(row.get("opponent") or "", []).append(row)
    found = {name: rates_in(some, "decisions") for name, some in by_opponent.items() if name}
    return {name: points for name, points in found.items() if points}


def interval_text(row: Mapping[str, str]) -> str:
    """The win rate of a row and half the width of its 95 % interval, as text."""
    unit = unit_in(row)
    return unit.text(float(row[unit.key]), float(row[HALF_WIDTH]))


def exploitability_text(folder: Path) -> str | None:
    """The exact exploitability of a run's agent in words; None where it was not measured."""
    chips = facts_of(folder).get(EXPLOITABILITY) if (folder / FACTS).exists() else None
    return None if chips is None else f"exact exploitability: {chips:.3f} {CHIPS.name}"


def write_rows(path: Path, names: Sequence[str], rows: Iterable[Mapping[str, object]]) -> None:
    """Write a CSV file with these columns; what rows have under other names is left out."""
    text = io.StringIO()
    writer = csv.DictWriter(text, names, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    write_atomically(path, text.getvalue())


def append_rows(path: Path, names: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Append rows to a CSV file; a new one gets a header."""
    is_new = not path.exists()
    with path.open("a", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([*([names] if is_new else []), *rows])


def truncate_csv(path: Path, column: str, last: int) -> None:
    """Remove the rows with a number above `last` in this column: a resumed run writes them again."""
    if not path.exists():
        return
    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        kept = [row for row in reader if (row.get(column) or "").isdigit() and int(row[column]) <= last]
        names = reader.fieldnames or []
    write_rows(path, names, kept)

"""The run folder: names of its files, the configuration and versions in it, its tables."""

from __future__ import annotations

import csv
import io
import json
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

from holdem_env.utils import yaml_files
from holdem_env.utils.atomic import write_whole

from .config import ConfigError, League, Training

CONFIG, VERSIONS, FACTS = "config.yaml", "versions.json", "training.json"
PROGRESS, CURVE, CROSSTABLE, EXPLOITERS = "progress.csv", "curve.csv", "crosstable.csv", "exploiters.csv"
FINAL, CARD = "final.zip", "model_card.md"
SAMPLING, GREEDY = "sampling", "greedy"
DECISIONS = "time/total_timesteps"
PACKAGES = ("holdem-env", "numpy", "numba", "torch", "stable-baselines3", "sb3-contrib", "gymnasium")
# What of a configuration may be another when a run goes on.
FREE_TO_CHANGE = {"budget", "rounds", "evaluation", "tensorboard", "checkpoint_minutes"}


def write_setup(config: Training | League, folder: Path) -> None:
    """Write down what was asked for, and with which versions."""
    content = config.model_dump(mode="json", exclude_unset=True)
    write_whole(folder / CONFIG, yaml_files.dumps(content))
    versions = {"python": platform.python_version(), **{name: version(name) for name in PACKAGES}}
    write_whole(folder / VERSIONS, json.dumps(versions, indent=2) + "\n")


def new_folder(parent: Path | str, name: str) -> Path:
    """parent/name, or parent/name-2 and so on if that is there already."""
    folder, count = Path(parent) / name, 1
    while folder.exists():
        count += 1
        folder = Path(parent) / f"{name}-{count}"
    return folder


def check_same(config: Training | League, before: dict[str, Any], folder: Path) -> None:
    """Raise ConfigError, naming what differs, if a run cannot go on under this configuration."""
    now, fields = config.model_dump(mode="json"), type(config).model_fields
    # What a checkpoint is too old to know of was as it is by default.
    before = {name: before.get(name, fields[name].default) for name in now}
    differ = [name for name in now if name not in FREE_TO_CHANGE and now[name] != before[name]]
    if differ:
        told = "; ".join(f"{name} is {now[name]!r}, was {before[name]!r}" for name in differ)
        raise ConfigError(f"{folder / CONFIG} is not what this run was begun with: {told}. Begin a new run with it")


def rows_of(path: Path) -> list[dict[str, str]]:
    """The lines of a CSV file; none if it is not there."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def interval_text(row: dict[str, str]) -> str:
    """A line's win rate and the half of its 95 % interval."""
    return f"{float(row['bb_per_100']):+.0f} ± {float(row['half_width_95']):.0f}"


def cut_back(path: Path, column: str, most: int) -> None:
    """Remove the lines of a CSV file that tell of later decisions than `most`: a resumed run writes them again."""
    if not path.exists():
        return
    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        kept = [row for row in reader if (row.get(column) or "").isdigit() and int(row[column]) <= most]
        names = reader.fieldnames or []
    text = io.StringIO()
    writer = csv.DictWriter(text, names, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(kept)
    write_whole(path, text.getvalue())

"""Checkpoints of a blueprint in the making: its regrets, its cumulative strategy and its configuration, in one file
that cannot run code."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from ...utils.atomic import whole_file
from .config import BlueprintConfig
from .training import Trainer

FORMAT = 2
FREE_TO_CHANGE = ("budget", "matches", "checkpoint_minutes", "snapshots", "threads")
"""The fields of a configuration that may change before a run is resumed."""


def save_checkpoint(path: Path | str, trainer: Trainer) -> None:
    """Write a trainer's state, atomically. Raises OSError; the checkpoint before is then still there."""
    state = trainer.state()
    cumulative = state.pop("cumulative")
    about = {"format": FORMAT, "config": trainer.config.model_dump(mode="json"), **state}
    with whole_file(path) as file:
        np.savez(file, about=np.array(json.dumps(about)), cumulative=cumulative)


def load_checkpoint(path: Path | str, config: BlueprintConfig) -> Trainer:
    """A trainer that goes on from a checkpoint. config: as it was when the run began, but for FREE_TO_CHANGE.

    Raises FileNotFoundError; ValueError for a damaged file, one of another format or of another configuration.
    """
    path = Path(path)
    try:
        with np.load(path, allow_pickle=False) as content:
            about = json.loads(str(content["about"][()]))
            _check(path, about, config)
            trainer = Trainer(config)
            trainer.restore({**about, "cumulative": content["cumulative"]})
    except (zipfile.BadZipFile, KeyError, EOFError, json.JSONDecodeError) as error:
        raise ValueError(f"{path}: the checkpoint is damaged ({error})") from None
    return trainer


def _check(path: Path, about: dict[str, Any], config: BlueprintConfig) -> None:
    if about["format"] != FORMAT:
        raise ValueError(f"{path}: a checkpoint of format {about['format']}; this version reads {FORMAT}")
    now = config.model_dump(mode="json")
    before = about["config"]
    changed = [name for name in now if name not in FREE_TO_CHANGE and now[name] != before.get(name, now[name])]
    if changed:
        changes = "; ".join(f"{name} is {now[name]!r}, was {before[name]!r}" for name in changed)
        raise ValueError(f"{path}: the configuration has changed since this run began: {changes}")

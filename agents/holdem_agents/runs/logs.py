"""Logs of a run: progress.csv, which a resumed run continues, files for TensorBoard, and Weights & Biases."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from holdem_env.utils import yaml_files
from holdem_env.utils.extras import explain_missing_extra

from .files import CONFIG, DECISIONS, PROGRESS, WANDB_ID
from .interrupts import report

QUIET = "time/time_elapsed", DECISIONS, "train/n_updates"
"""Columns of progress.csv that say what TensorBoard and W&B have as their axes."""


class Writer(Protocol):
    """Where rows of a log go."""

    def write(self, stats: Mapping[str, Any], step: int) -> None:
        """Write one row. stats: numbers by name. step: the decisions so far."""

    def close(self) -> None:
        """No more rows come."""


class Log:
    """The log of a run: each row goes to every writer."""

    def __init__(self, *writers: Writer) -> None:
        self.writers = writers

    def write(self, stats: Mapping[str, Any], step: int) -> None:
        for writer in self.writers:
            writer.write(stats, step)

    def close(self) -> None:
        for writer in self.writers:
            writer.close()


class AppendingCSV:
    """Appends rows to a CSV file, and adds columns to it; training goes on when it cannot be written.

    If a line cannot be written, for example because the disk is full, a warning says so once; later lines are tried
    again.
    """

    def __init__(self, path: Path) -> None:
        path.touch()
        self.file = path.open("r+", encoding="utf-8", newline="")
        self.keys = next(csv.reader([self.file.readline()]), [])
        self.file.seek(0, 2)
        self._path, self._has_warned = path, False

    def write(self, stats: Mapping[str, Any], step: int) -> None:
        keys = list(self.keys)
        try:
            self._add_columns(stats)
            self._writer().writerow(stats)
            self.file.flush()
        except OSError as error:
            self.keys = keys  # the header of the new keys may not have been written
            self._warn_once(error)

    def _writer(self) -> csv.DictWriter[str]:
        return csv.DictWriter(self.file, self.keys, lineterminator="\n")

    def _add_columns(self, names: Iterable[str]) -> None:
        """Write the earlier rows again if there are new columns, all in alphabetical order."""
        wanted = sorted({*self.keys, *names})
        if set(wanted) == set(self.keys):
            return
        self.file.seek(0)
        rows = list(csv.DictReader(self.file))
        self.file.seek(0)
        self.keys = wanted
        writer = self._writer()
        writer.writeheader()
        writer.writerows(rows)
        self.file.truncate()

    def close(self) -> None:
        try:
            self.file.close()
        except OSError as error:
            self._warn_once(error)

    def _warn_once(self, error: OSError) -> None:
        if not self._has_warned:
            warn_not_written(self._path, error)
        self._has_warned = True


def warn_not_written(path: Path, error: OSError) -> None:
    """Report on stderr that lines of a log could not be written, and that training goes on."""
    report(f"{path} could not be written, {error.strerror}; training goes on")


def _shown(stats: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in stats.items() if name not in QUIET and not isinstance(value, str)}


class TensorBoardWriter:
    """Writes event files for TensorBoard into the run's folder."""

    def __init__(self, folder: Path) -> None:
        with explain_missing_extra("tensorboard: true"):
            from torch.utils.tensorboard import SummaryWriter
        self._writer: Any = SummaryWriter(str(folder))

    def write(self, stats: Mapping[str, Any], step: int) -> None:
        for name, value in _shown(stats).items():
            self._writer.add_scalar(name, np.asarray(value), step)
        self._writer.flush()

    def close(self) -> None:
        self._writer.close()


class WandbWriter:
    """Writes a run of Weights & Biases, which a resumed run continues. W&B's own environment variables (WANDB_MODE,
    WANDB_ENTITY, ...) count.

    folder: of the run; its name is that of W&B's run, and its configuration W&B's. project: of W&B.
    Raises ModuleNotFoundError without the package wandb, ValueError for what W&B refuses, such as a missing key.
    """

    def __init__(self, folder: Path, project: str) -> None:
        with explain_missing_extra(f"wandb: {project}"):
            import wandb
        is_new, config = not (folder / WANDB_ID).exists(), folder / CONFIG
        try:
            self.run = wandb.init(
                project=project,
                name=folder.name,
                group=folder.parent.name,
                dir=str(folder),
                config=yaml_files.loads(config.read_text(encoding="utf-8")) if config.exists() else None,
                id=None if is_new else (folder / WANDB_ID).read_text(encoding="utf-8"),
                resume=None if is_new else "allow",
            )
        except wandb.Error as error:
            raise ValueError(
                f"wandb: {error}; `wandb login` stores a key, and with WANDB_MODE=offline none is needed"
            ) from None
        (folder / WANDB_ID).write_text(self.run.id, encoding="utf-8")

    def write(self, stats: Mapping[str, Any], step: int) -> None:
        self.run.log(_shown(stats), step=step)

    def close(self) -> None:
        self.run.finish()


def make_log(folder: Path, tensorboard: bool = False, wandb: str | None = None) -> Log:
    """A log that writes every step to progress.csv; on request for TensorBoard, and to this project of W&B."""
    writers: list[Writer] = [AppendingCSV(folder / PROGRESS)]
    if tensorboard:
        writers.append(TensorBoardWriter(folder))
    if wandb is not None:
        writers.append(WandbWriter(folder, wandb))
    return Log(*writers)

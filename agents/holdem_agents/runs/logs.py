"""Logs of a run: progress.csv, which a resumed run continues, files for TensorBoard, and Weights & Biases."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rich.console import Console
from stable_baselines3.common.logger import (
    CSVOutputFormat,
    KVWriter,
    Logger,
    TensorBoardOutputFormat,
    filter_excluded_keys,
)

from holdem_env.utils import yaml_files
from holdem_env.utils.extras import explain_missing_extra

from .files import CONFIG, PROGRESS, WANDB_ID


class AppendingCSV(CSVOutputFormat):
    """SB3's CSV log, but it appends to an existing file, and training goes on when it cannot be written.

    If a line cannot be written, for example because the disk is full, a warning says so once; later lines are tried
    again.
    """

    def __init__(self, path: Path) -> None:
        path.touch()
        self.file = path.open("r+", encoding="utf-8")
        header = self.file.readline().rstrip("\n")
        self.keys = header.split(",") if header else []
        self.file.seek(0, 2)
        self.separator, self.quotechar = ",", '"'
        self._path, self._has_warned = path, False

    def write(self, key_values: dict[str, Any], key_excluded: dict[str, tuple[str, ...]], step: int = 0) -> None:
        keys = list(self.keys)
        try:
            self._add_columns(filter_excluded_keys(key_values, key_excluded, "csv"))
            super().write(key_values, key_excluded, step)
        except OSError as error:
            self.keys = keys  # the header of the new keys may not have been written
            self._warn_once(error)

    def _add_columns(self, names: Iterable[str]) -> None:
        """Write the earlier rows again if there are new columns. All columns stand in alphabetical order: SB3 appends
        new ones in the order of a set, which changes from run to run."""
        wanted = sorted({*self.keys, *names})
        if set(wanted) == set(self.keys):
            return
        self.file.seek(0)
        rows = list(csv.DictReader(self.file))
        self.file.seek(0)
        writer = csv.DictWriter(self.file, wanted, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        self.file.truncate()
        self.keys = wanted

    def close(self) -> None:
        try:
            super().close()
        except OSError as error:
            self._warn_once(error)

    def _warn_once(self, error: OSError) -> None:
        if not self._has_warned:
            warn_not_written(self._path, error)
        self._has_warned = True


def warn_not_written(path: Path, error: OSError) -> None:
    """Report on stderr that lines of a log could not be written, and that training goes on."""
    message = f"{path} could not be written, {error.strerror}; training goes on"
    Console(stderr=True).print(message, soft_wrap=True, markup=False)


class WandbOutputFormat(KVWriter):
    """SB3's statistics as a run of Weights & Biases, which a resumed run continues. W&B's own environment variables
    (WANDB_MODE, WANDB_ENTITY, ...) count.

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

    def write(self, key_values: dict[str, Any], key_excluded: dict[str, tuple[str, ...]], step: int = 0) -> None:
        numbers = filter_excluded_keys(key_values, key_excluded, "tensorboard")
        self.run.log({name: value for name, value in numbers.items() if not isinstance(value, str)}, step=step)

    def close(self) -> None:
        self.run.finish()


def make_logger(folder: Path, tensorboard: bool = False, wandb: str | None = None) -> Logger:
    """A logger that writes every rollout to progress.csv; on request for TensorBoard, and to this project of W&B."""
    formats: list[KVWriter] = [AppendingCSV(folder / PROGRESS)]
    if tensorboard:
        formats.append(TensorBoardOutputFormat(str(folder)))
    if wandb is not None:
        formats.append(WandbOutputFormat(folder, wandb))
    return Logger(str(folder), formats)

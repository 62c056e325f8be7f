"""Logs of a run: progress.csv, which a resumed run continues, and TensorBoard's files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console
from stable_baselines3.common.logger import CSVOutputFormat, KVWriter, Logger, TensorBoardOutputFormat

from .run_folder import PROGRESS


class AppendingCSV(CSVOutputFormat):
    """SB3's CSV log, which goes on where an earlier one ended, and without which training goes on.

    What cannot be written, as the disk is full, is told once and tried again with the next line.
    """

    def __init__(self, path: Path) -> None:
        path.touch()
        self.file = path.open("r+", encoding="utf-8")
        header = self.file.readline().rstrip("\n")
        self.keys = header.split(",") if header else []
        self.file.seek(0, 2)
        self.separator, self.quotechar = ",", '"'
        self._path, self._told = path, False

    def write(self, key_values: dict[str, Any], key_excluded: dict[str, tuple[str, ...]], step: int = 0) -> None:
        keys = list(self.keys)
        try:
            super().write(key_values, key_excluded, step)
        except OSError as error:
            self.keys = keys  # the heading may not be there
            self._tell(error)

    def close(self) -> None:
        try:
            super().close()
        except OSError as error:
            self._tell(error)

    def _tell(self, error: OSError) -> None:
        if not self._told:
            tell_not_written(self._path, error)
        self._told = True


def tell_not_written(path: Path, error: OSError) -> None:
    """Lines of a log could not be written: say so, and that training goes on."""
    message = f"{path} could not be written, {error.strerror}; training goes on"
    Console(stderr=True).print(message, soft_wrap=True, markup=False)


def make_logger(folder: Path, tensorboard: bool) -> Logger:
    """A log of every rollout as progress.csv, and for TensorBoard if asked for."""
    formats: list[KVWriter] = [AppendingCSV(folder / PROGRESS)]
    if tensorboard:
        formats.append(TensorBoardOutputFormat(str(folder)))
    return Logger(str(folder), formats)

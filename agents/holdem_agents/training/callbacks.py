"""What is watched during training: who wins what from whom, what the learner does on which street; and logs."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import CSVOutputFormat, KVWriter, Logger, TensorBoardOutputFormat

from holdem_env.engine.record import CHECK_CALL, FOLD, MAX_STREETS, NOBODY
from holdem_env.envs.learner_tables import Opponent
from holdem_env.envs.sb3 import HoldemVecEnv, StepReturn
from holdem_env.utils.atomic import write_whole

STREETS = ("preflop", "flop", "turn", "river")
KINDS = ("fold", "check_call", "raise")
DECISIONS = "time/total_timesteps"


class TrainingEnv(HoldemVecEnv):
    """HoldemVecEnv that counts, until `forget`: what the learner won at tables with each agent, and its moves.

    won: big blinds by the agents' places; hands: in how many, an agent in two seats counted twice. moves_made:
    (streets, kinds) int64.
    """

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.forget()

    def set_opponents(self, opponents: list[Opponent]) -> None:  # type: ignore[override]
        super().set_opponents(opponents)
        self.forget()

    def forget(self) -> None:
        """Count from nothing."""
        self.won: NDArray[np.float64] = np.zeros(len(self.tables.agents))
        self.hands: NDArray[np.float64] = np.zeros(len(self.tables.agents))
        self.moves_made: NDArray[np.int64] = np.zeros((MAX_STREETS, len(KINDS)), np.int64)

    def step_async(self, actions: NDArray[Any]) -> None:
        super().step_async(actions)
        moves: Any = self._moves
        kinds = np.select([moves == FOLD, moves == CHECK_CALL], [0, 1], 2)
        np.add.at(self.moves_made, (self.tables.records["street"], kinds), 1)

    def step_wait(self) -> StepReturn:
        result = super().step_wait()
        over = np.flatnonzero(self.tables.done)
        opponents = self.tables.played_by[over]
        there = opponents != NOBODY
        won = np.broadcast_to(self.tables.worth[over, None] / self.rules.unit, opponents.shape)
        self.won += np.bincount(opponents[there], won[there], len(self.won))
        self.hands += np.bincount(opponents[there], minlength=len(self.hands))
        return result


class Watch(BaseCallback):
    """Logs returns, entropy, win rates in training against each opponent and frequencies of moves, by rollout.

    It must come after the callbacks that read what the environment has counted: it makes it forget.
    """

    def __init__(self, env: TrainingEnv, big_blind: float) -> None:
        super().__init__()
        self._env, self._big_blind = env, big_blind

    def _on_rollout_end(self) -> None:
        buffer = self.model.rollout_buffer  # type: ignore[attr-defined]
        hands = max(float(buffer.episode_starts.sum()), 1.0)
        rate = 100 * float(buffer.rewards.sum()) / self._big_blind / hands
        self.logger.record("holdem/bb_per_100_in_training", rate)
        self.logger.record("holdem/return", float(buffer.returns.mean()))
        self.logger.record("holdem/entropy", -float(buffer.log_probs.mean()))  # its mean, as the actions were drawn
        for agent, won, count in zip(self._env.tables.agents, self._env.won, self._env.hands, strict=True):
            if count:
                self.logger.record(f"training_bb_per_100/{agent.name.replace(' ', '_')}", 100 * won / count)
        for street, made in zip(STREETS, self._env.moves_made, strict=True):
            for kind, count in zip(KINDS, made, strict=True):
                self.logger.record(f"moves/{street}_{kind}", count / max(made.sum(), 1))
        self._env.forget()

    def _on_step(self) -> bool:
        return True


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
    formats: list[KVWriter] = [AppendingCSV(folder / "progress.csv")]
    if tensorboard:
        formats.append(TensorBoardOutputFormat(str(folder)))
    return Logger(str(folder), formats)


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

"""Decisions that enter an update, per processor second: the learner of kind "ppo" beside SB3's MaskablePPO.

A decision enters an update if the learner computes a gradient from it, once or in several epochs: every decision of the
rollout with SB3, those of finished hands with our own PPO, where the others wait for the next update. Both learners
train as `holdem train` has them train, with the same game, opponents, rewards, network, batches and callbacks, and once
more with the products of matrices that PyTorch makes by default (`learner.matmul_precision`). The processor's time is
that of the whole process, which has one PyTorch thread; evaluations are no part of it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import partial
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest.mock import patch

from . import network_sizes, processes
from .measure import Contestant, Maker, Options, Spread, figure, on_one_core, print_columns, ratios, spread

if TYPE_CHECKING:
    from holdem_agents.training.config import MatmulPrecision

GAMES = {"heads-up": "headsup_nolimit_100bb", "six-max": "sixmax_nolimit"}
CHANGES: tuple[str, ...] = ()
"""Changes to the configurations, as `holdem train --set` takes them; tests train less."""
SB3 = ("learner.kind=sb3", "learner.epochs=3")
CONTESTANTS: dict[str, tuple[tuple[str, ...], MatmulPrecision | None]] = {
    "SB3, 3 epochs, PyTorch's default products": (SB3, None),
    "SB3, 3 epochs, as shipped": (SB3, "medium"),
    "ours, 3 epochs, PyTorch's default products": (("learner.kind=ppo", "learner.epochs=3"), None),
    "ours, 3 epochs": (("learner.kind=ppo", "learner.epochs=3"), "medium"),
    "ours, 1 epoch, as shipped": (("learner.kind=ppo", "learner.epochs=1"), "medium"),
}
"""The changes to the configuration, and how matrices are multiplied, as for `torch_settings`."""
DECISIONS = {"headsup_nolimit_100bb": 65_000, "sixmax_nolimit": 32_000}
"""Of a training that is compared with another checkout's: two rollouts and one."""
NO_TENSORBOARD = ("tensorboard=false", "learner.threads=1", "evaluation.times=0")


WHOLE_ROLLOUTS = "budget={decisions: 1000000000}"
"""Under a budget in seconds the first rollouts are short."""


class Turn(NamedTuple):
    """What a learner did in one rollout with its update: decisions that entered it, and processor seconds."""

    decisions: int
    rollout: float
    update: float

    @property
    def rates(self) -> tuple[float, float, float]:
        """Decisions per processor second: of both parts together, of the rollout alone, and of the update alone."""
        parts = self.rollout + self.update, self.rollout, self.update
        return tuple(self.decisions / max(part, 1e-9) for part in parts)  # type: ignore[return-value]


class Trainee:
    """A learner that trains turn by turn. precision: as for `torch_settings`."""

    def __init__(self, config: str, changes: tuple[str, ...], precision: MatmulPrecision | None = "medium") -> None:
        from holdem_agents.runs.config import load_config
        from holdem_agents.training.learners.trainee import Trainee

        self.config = load_config(config, [*CHANGES, *NO_TENSORBOARD, WHOLE_ROLLOUTS, *changes])
        self.learner = Trainee(self.config)
        self.learner.set_up()
        self._precision = precision
        model: Any = self.learner.model
        self._spent = 0.0
        model.train = partial(self._timed, model.train)

    def _timed(self, train: Callable[[], Any]) -> Any:
        begun = process_time()
        found = train()
        self._spent += process_time() - begun
        return found

    def turn(self) -> Turn:
        """One rollout, and the update that follows it."""
        from holdem_agents.training.learners.loop import train
        from holdem_agents.training.learners.torch_settings import torch_settings

        model: Any = self.learner.model
        rollout = self.config.learner.n_steps * self.config.tables
        with torch_settings(1, self._precision):
            self._spent, begun = 0.0, process_time()
            train(model, self.learner.hooks(), decisions=rollout)
            seconds = process_time() - begun
        entered = len(model.rollout_buffer.complete) if self.config.learner.kind == "ppo" else rollout
        return Turn(entered, seconds - self._spent, self._spent)


def compete(title: str, config: str, options: Options) -> dict[str, list[Turn]]:
    """Train all contestants in turns and print their rates, with ratios to the first. The first turn of each, which
    compiles and fills the buffers, is not counted."""
    if not options.wants(title):
        return {}
    print(f"\n{title} ({config}): decisions that enter an update per processor second, {options.repeats} turns")
    trainees = {name: Trainee(config, *given) for name, given in CONTESTANTS.items()}
    for trainee in trainees.values():
        trainee.turn()
    turns: dict[str, list[Turn]] = {name: [] for name in trainees}
    for _ in range(options.repeats):
        for name, trainee in trainees.items():
            turns[name].append(trainee.turn())
    base = [turn.rates[0] for turn in next(iter(turns.values()))]
    print_columns(
        [("", "both", "ratio", "rollout", "update"), *(_row(name, done, base) for name, done in turns.items())]
    )
    return turns


def _row(name: str, turns: list[Turn], base: list[float]) -> tuple[str, ...]:
    both, rollout, update = zip(*(turn.rates for turn in turns), strict=True)
    ratio: Spread = ratios(both, base)
    return name, str(spread(both)), f"{ratio} x", figure(spread(rollout).median), figure(spread(update).median)


def training_command(config: str) -> Contestant:
    """`holdem train CONFIG` in short, with one short match at its end; work is decisions."""
    from holdem_agents.cli import main as holdem

    changes = *CHANGES, *NO_TENSORBOARD, "exploiters=null", "evaluation.opponents=[random]", "evaluation.hands=2"
    command = [
        "holdem",
        "train",
        config,
        "--decisions",
        str(DECISIONS[config]),
        *(f"--set={change}" for change in changes),
    ]

    def work() -> int:
        with TemporaryDirectory() as folder, redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            with patch.object(sys, "argv", [*command, "--runs", folder]), suppress(SystemExit):
                holdem()
            if not list(Path(folder).rglob("final.safetensors")):
                raise RuntimeError(f"this has trained nothing: {' '.join(command)}")
        return DECISIONS[config]

    return work


def own_rows() -> dict[str, Maker]:
    """What another checkout of this project is compared with, one core: whole trainings, with their start."""
    return {f"holdem train {config}": partial(training_command, config) for config in GAMES.values()}


def main(options: Options) -> None:
    """Heads-up and six-max: equal settings, and as shipped; then what a second process brings, and what large networks
    cost."""
    compare(options)
    processes.main(options)
    network_sizes.main(options)


@on_one_core()
def compare(options: Options) -> None:
    """Heads-up and six-max: equal settings, and as shipped."""
    for title, config in GAMES.items():
        compete(f"Learners, {title}", config, options)

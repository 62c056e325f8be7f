"""Training: MaskablePPO in one seat of many tables, against itself, its past selves and scripted agents.

From Python:

    folder = train(load_config("configs/demo.yaml"), new_folder("runs", "demo"))
    agent = make_agent(folder / "final.zip")
    resume(folder)  # after a crash: goes on from the last checkpoint
"""

from __future__ import annotations

import json
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

import yaml

from holdem_env.utils.atomic import write_whole

from ..sb3_agent import save
from .callbacks import DECISIONS, cut_back, make_logger
from .checkpoint import Checkpoints, load_checkpoint
from .clock import ShowProgress
from .config import ConfigError, League, Training, load_config
from .evaluation import EvaluateOnTheWay
from .run_report import CURVE, PROGRESS, write_report
from .threads import quick_torch
from .trainee import Trainee, load_whole_state, whole_state

PACKAGES = ("holdem-env", "numpy", "numba", "torch", "stable-baselines3", "sb3-contrib", "gymnasium")
CONFIG, FINAL = "config.yaml", "final.zip"
NO_END = 10**15
# What of a configuration may be another when a run goes on.
FREE_TO_CHANGE = {"budget", "rounds", "evaluation", "tensorboard", "checkpoint_minutes"}


def train(config: Training, folder: Path, show: bool = True) -> Path:
    """Train as the configuration says and fill a run folder; returns it.

    An interrupt (Ctrl-C) ends training early, and what was learnt is kept.
    The folder gets config.yaml (as used), versions.json, progress.csv (every rollout), curve.csv and curve.png
    (evaluations), checkpoints, final.zip (the agent), crosstable.csv, model_card.md, and TensorBoard's files if asked
    for. show: a progress bar.
    """
    folder.mkdir(parents=True, exist_ok=True)
    write_setup(config, folder)
    return _run(config, folder, None, show)


def resume(folder: Path, show: bool = True) -> Path:
    """Go on with a run that was killed, from its latest checkpoint, with the same optimiser, pool and counters.

    A run that was killed before its first checkpoint begins anew. config.yaml in the folder may have been changed in
    budget, evaluation and what else does not change the learner. Raises FileNotFoundError if the folder holds no run,
    ConfigError if its configuration is not the checkpoint's, ValueError if no checkpoint is whole.
    """
    if not (folder / CONFIG).is_file():
        raise FileNotFoundError(f"{folder}: no run to go on with; there is no {CONFIG} in it")
    config = load_config(folder / CONFIG)
    state = load_checkpoint(folder)
    if state:
        check_same(config, state["config"], folder)
    cut_back(folder / PROGRESS, DECISIONS, state["trainee"]["decisions"] if state else -1)
    cut_back(folder / CURVE, "decisions", state["trainee"]["decisions"] - 1 if state else -1)
    return _run(config, folder, state, show)


def check_same(config: Training | League, before: dict[str, Any], folder: Path) -> None:
    """Raise ConfigError, naming what differs, if a run cannot go on under this configuration."""
    now, fields = config.model_dump(mode="json"), type(config).model_fields
    # What a checkpoint is too old to know of was as it is by default.
    before = {name: before.get(name, fields[name].default) for name in now}
    differ = [name for name in now if name not in FREE_TO_CHANGE and now[name] != before[name]]
    if differ:
        told = "; ".join(f"{name} is {now[name]!r}, was {before[name]!r}" for name in differ)
        raise ConfigError(f"{folder / CONFIG} is not what this run was begun with: {told}. Begin a new run with it")


def _run(config: Training, folder: Path, state: dict[str, Any] | None, show: bool) -> Path:
    threads = config.learner.threads
    with quick_torch(1 if threads == "auto" else threads):
        trainee = Trainee(config)
        trainee.model.set_logger(make_logger(folder, config.tensorboard))
        if state:
            load_whole_state(trainee, state)
        learn(trainee, folder, go_on=state is not None, show=show)
        model, env = trainee.model, trainee.env
        save(model, env, folder / FINAL, trainee.delivered.policy)
        write_report(trainee, folder)
    return folder


def learn(trainee: Trainee, folder: Path, go_on: bool, show: bool) -> None:
    """Learn until the budget is spent, or the user interrupts."""
    config, clock, model = trainee.config, trainee.clock, trainee.model
    checkpoints = Checkpoints(
        lambda: whole_state(trainee),
        folder,
        config.checkpoint_minutes,
        lambda: clock.spent(model.num_timesteps) >= 1,
    )
    evaluation = EvaluateOnTheWay(trainee.delivered, config.rules, clock, config.evaluation, folder / CURVE)
    bar = ShowProgress(clock)
    callbacks = [checkpoints, *trainee.callbacks(), evaluation, *([bar] if show else [])]
    try:
        model.learn(NO_END, callbacks, reset_num_timesteps=not go_on)
    except KeyboardInterrupt:
        print("interrupted: what was learnt so far is kept")
    finally:
        bar.close()
        model.logger.close()


def write_setup(config: Training | League, folder: Path) -> None:
    """Write down what was asked for, and with which versions."""
    content = config.model_dump(mode="json", exclude_unset=True)
    write_whole(folder / CONFIG, yaml.safe_dump(content, sort_keys=False))
    versions = {"python": platform.python_version(), **{name: version(name) for name in PACKAGES}}
    write_whole(folder / "versions.json", json.dumps(versions, indent=2) + "\n")


def new_folder(parent: Path | str, name: str) -> Path:
    """parent/name, or parent/name-2 and so on if that is there already."""
    folder, count = Path(parent) / name, 1
    while folder.exists():
        count += 1
        folder = Path(parent) / f"{name}-{count}"
    return folder

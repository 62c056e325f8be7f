"""Training: MaskablePPO in one seat of many tables, against itself, its past selves and scripted agents.

From Python:

    folder = train(load_config("configs/demo.yaml"), new_folder("runs", "demo"))
    agent = make_agent(folder / "final.zip")
    resume(folder)  # after a crash: goes on from the last checkpoint
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..sb3_agent import save
from .callbacks import ShowProgress
from .checkpoint import Checkpoints, load_checkpoint
from .config import Training, load_config
from .evaluation_matches import EvaluateOnTheWay
from .ppo_learner import Trainee, load_whole_state, whole_state
from .run_folder import CONFIG, CURVE, DECISIONS, FINAL, PROGRESS, check_same, cut_back, write_setup
from .run_logs import make_logger
from .run_report import write_report
from .threads import quick_torch

NO_END = 10**15


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

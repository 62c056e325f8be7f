"""Training runs: PPO at many tables, against itself, its past selves and scripted agents.

From Python:

    folder = train(load_config("configs/demo.yaml"), new_folder("runs", "demo"))
    agent = make_agent(folder / "final.safetensors")
    resume(folder)  # after a crash: continues from the last checkpoint
"""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import Any

from holdem_env.utils.atomic import write_atomically

from ..model_files import sharpen
from ..own_parts import all_parts_in, own_errors
from .config import ConfigError, League, Training, load_own_parts, with_copied_parts
from .evaluation.duration import plan, plan_of_exploiters, spent_budget, total
from .evaluation.exact import ExploitabilityCallback
from .evaluation.matches import EvaluationCallback, count_evaluations
from .evaluation.report import write_report
from .exploiters.training_exploiters import Candidates, ExploitersCallback
from .interrupts import Interrupts, outcome, report, resume_command
from .learners.callbacks import BudgetClock, ProgressBarCallback
from .learners.learner import PPOLearner, load_code_if_timed, load_run_state, run_state
from .learners.starting_weights import check_start
from .learners.torch_settings import torch_settings
from .run_folder.checkpoint import CheckpointCallback, load_checkpoint
from .run_folder.config import check_resumable, load_run_config
from .run_folder.exploiter_results import discard_exploiters
from .run_folder.files import (
    CONFIG,
    CURVE,
    DECISIONS,
    EXACT_CURVE,
    FINAL,
    LAST_FINAL,
    PROGRESS,
    check_restart,
    is_trained,
    prepare,
    truncate_csv,
    write_setup,
)
from .run_folder.logs import make_logger

NO_LIMIT = 10**15  # timesteps for SB3: the callbacks end training


def train(config: Training, folder: Path, show: bool = True, overwrite: bool = False) -> Path:
    """Train with this configuration, write a run folder, and return it.

    Ctrl-C ends training after the rollout under way; the run folder then has the agent as it is, and a checkpoint from
    which `resume` goes on. A second ctrl-C ends training at once.

    The folder gets config.yaml (the configuration as used), versions.json, progress.csv (a row per rollout), curve.csv
    and curve.svg (evaluations), checkpoints, final.safetensors (the agent), crosstable.csv, final_matches.phhs.gz
    (hands to look at), model_card.md and, on request, files for TensorBoard. With training exploiters, it also gets
    training_exploiters.csv and candidates/, and final.safetensors is the chosen candidate.

    show: draw a progress bar. overwrite: replace a run that the folder holds; without it, a folder with results is a
    FileExistsError.
    """
    train_until(config, folder, show, overwrite)
    return folder


def train_until(
    config: Training,
    folder: Path,
    show: bool = True,
    overwrite: bool = False,
    report_interrupted: bool = True,
) -> bool:
    """As `train`; returns whether training came to its end, that is, whether the user did not interrupt it.

    report_interrupted: whether an interrupted run plays its final matches.
    """
    load_own_parts(config)
    check_start(config)
    prepare(folder, overwrite)
    config = with_copied_parts(config, folder)
    write_setup(config, folder)
    return not _run(config, folder, None, show, report_interrupted).asked


def finish(config: Training, folder: Path, show: bool = True, report_interrupted: bool = True) -> bool:
    """Do what is left of a run: all of it, what comes after its latest checkpoint, or nothing. Returns whether it is
    trained and has played its final matches. Raises as `resume`; show, report_interrupted: as in `train_until`."""
    if is_trained(folder):
        return True
    if (folder / CONFIG).is_file() and load_checkpoint(folder):
        resume(folder, show, report_interrupted=report_interrupted)
    else:
        train_until(config, folder, show, overwrite=True, report_interrupted=report_interrupted)
    return is_trained(folder)


def resume(
    folder: Path,
    show: bool = True,
    overwrite: bool = False,
    report_interrupted: bool = True,
) -> Path:
    """Continue a killed, interrupted or finished run from its latest checkpoint, with the same optimizer, pool and
    counters.

    A run without a checkpoint begins again; if it has results, only with `overwrite`. In the folder's config.yaml you
    may change the budget, the evaluation, and whatever else does not change the learner. Raises FileNotFoundError if
    the folder holds no run, FileExistsError if beginning again would overwrite results, ConfigError if the
    configuration differs from the checkpoint's, ValueError if every checkpoint is damaged. report_interrupted: as in
    `train_until`.
    """
    if not (folder / CONFIG).is_file():
        raise FileNotFoundError(f"{folder}: no run to resume; there is no {CONFIG} in it")
    state = load_checkpoint(folder)
    config = load_run_config(folder / CONFIG, state and state["config"])
    if isinstance(config, League):
        raise ConfigError(f"{folder / CONFIG}: this is a league; resume_league goes on with it")
    load_own_parts(config, folder)
    if state:
        check_resumable(config, state["config"], folder / CONFIG)
    else:
        check_restart(folder, overwrite)
    if state and _is_complete(config, folder, state):
        report(spent_budget(config.budget, folder, is_evaluated=True))
        return folder
    before = {path: path.read_bytes() for path in _logs(folder) if path.exists()}
    is_whole = False
    try:
        truncate_csv(folder / PROGRESS, DECISIONS, _decisions(state))
        for path in _logs(folder)[1:]:
            truncate_csv(path, "decisions", _decisions(state) - 1 if state else -1)
        is_whole = not _run(config, folder, state, show, report_interrupted).stopped_at_once
    finally:
        # With the checkpoint as before, the rows that the run was going to write again are still true.
        if state and not is_whole and not _has_moved(folder, state):
            for path, content in before.items():
                write_atomically(path, content)
    return folder


def _is_complete(config: Training, folder: Path, state: dict[str, Any]) -> bool:
    """Whether the run has spent this budget, and played its final matches as the configuration says."""
    clock, now = BudgetClock(config.budget), config.model_dump(mode="json")
    clock.set_elapsed(state["trainee"]["seconds"], state["trainee"]["cpu_seconds"])
    is_same = all(now[name] == state["config"][name] for name in ("evaluation", "sampling_temperature"))
    is_spent = clock.spent(_decisions(state)) >= 1
    return is_same and is_spent and is_trained(folder) and (folder / FINAL).exists()


def _logs(folder: Path) -> tuple[Path, ...]:
    """The CSV files that grow while a run trains."""
    return folder / PROGRESS, folder / CURVE, folder / EXACT_CURVE


def _has_moved(folder: Path, state: dict[str, Any]) -> bool:
    """Whether the run has a later checkpoint than this one."""
    return _decisions(load_checkpoint(folder)) != _decisions(state)


def _decisions(state: dict[str, Any] | None) -> int:
    return int(state["trainee"]["decisions"]) if state else -1


def _run(
    config: Training,
    folder: Path,
    state: dict[str, Any] | None,
    show: bool,
    report_interrupted: bool,
) -> Interrupts:
    """Train and report; returns whether and how the user interrupted."""
    begun = monotonic()
    threads = config.learner.threads
    parts = all_parts_in(config.model_dump(mode="json", exclude_unset=True))
    with own_errors(*parts), torch_settings(1 if threads == "auto" else threads, config.learner.matmul_precision):
        load_code_if_timed(config)
        learner = PPOLearner(config, is_resumed=state is not None)
        learner.model.set_logger(make_logger(folder, config.tensorboard, config.wandb))
        candidates = Candidates(learner, folder, config.exploiters) if config.exploiters else None
        if state:
            load_run_state(learner, state)
            if candidates:
                candidates.load_state(state["candidates"])
        if show:
            report(_plan(learner, folder))
            if config.exploiters:
                report(plan_of_exploiters(config.exploiters))
        before, earlier = learner.clock.elapsed(), _content(folder / FINAL)
        interrupts = learn(learner, folder, state is not None, show, candidates)
        is_new = False
        if not (interrupts.stopped_at_once and state and (folder / FINAL).exists() and not _has_moved(folder, state)):
            learner.save(folder / FINAL)
            if learner.average:
                learner.kind.save(folder / LAST_FINAL, learner.model.policy)
            is_new = True
        trained = learner.clock.elapsed() - before
        if candidates and not interrupts.asked and (sentence := candidates.deliver(interrupts)):
            report(sentence)
            is_new = True
        if is_new and config.sampling_temperature != 1:
            sharpen(folder / FINAL, config.sampling_temperature)
        if _content(folder / FINAL) != earlier and (sentence := discard_exploiters(folder)):
            report(sentence)
        if not interrupts.stopped_at_once and (report_interrupted or not interrupts.asked):
            interrupts.stopped_at_once = not _report(learner, folder, show)
        if show:
            exploiters = candidates.seconds if candidates else 0.0
            evaluation = learner.clock.paused_seconds - exploiters
            report(total(trained, evaluation, monotonic() - begun, exploiters))
    return interrupts


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


def _plan(learner: PPOLearner, folder: Path) -> str:
    """What the run is going to do."""
    config, spent = learner.config, learner.clock.spent(learner.model.num_timesteps)
    if spent >= 1:
        return spent_budget(config.budget, folder, is_evaluated=False)
    return plan(config.budget, config.evaluation, spent, count_evaluations(folder / CURVE))


def _report(learner: PPOLearner, folder: Path, show: bool) -> bool:
    """Play the final matches and write the report, unless ctrl-C skips them. Returns whether it is written."""
    try:
        with learner.clock.paused():
            write_report(learner, folder, show)
    except KeyboardInterrupt:
        report(f"final matches skipped; {FINAL} is there. {resume_command(folder)} plays them when training is over")
        return False
    return True


def learn(
    learner: PPOLearner,
    folder: Path,
    is_resumed: bool,
    show: bool,
    candidates: Candidates | None = None,
) -> Interrupts:
    """Train until the budget is spent or the user interrupts; returns whether and how the user did.

    candidates: of a run with training exploiters.
    """
    config, clock, model = learner.config, learner.clock, learner.model
    interrupts = Interrupts()

    def state() -> dict[str, Any]:
        return run_state(learner) | ({"candidates": candidates.state()} if candidates else {})

    checkpoints = CheckpointCallback(
        state,
        folder,
        config.checkpoint_minutes,
        is_over=lambda: clock.spent(model.num_timesteps) >= 1,
        interrupts=interrupts,
        saved=model.num_timesteps if is_resumed else None,
    )
    exact = [ExploitabilityCallback(learner, folder / EXACT_CURVE)] if config.evaluation.exploitability else []
    bar = ProgressBarCallback(clock, learner.pace, config.tables)
    evaluation = EvaluationCallback(
        learner.final_agent,
        config.rules,
        clock,
        config.evaluation,
        folder / CURVE,
        config.sitting,
        interrupts,
        bar.bar if show else None,
    )
    exploiters = [ExploitersCallback(candidates, learner, checkpoints)] if candidates else []
    callbacks = [checkpoints, *exploiters, *learner.callbacks(), evaluation, *exact, *([bar] if show else [])]
    try:
        with interrupts:
            model.learn(NO_LIMIT, callbacks, reset_num_timesteps=not is_resumed)
    finally:
        bar.close()
        model.logger.close()
    if interrupts.asked:
        report(outcome(folder, checkpoints.saved))
    return interrupts

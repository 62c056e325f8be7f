"""The run of one learner: PPO at many tables, against itself, its past selves and scripted agents."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from holdem_env.utils.counting import duration

from ..agent_files.model_files import sharpen
from ..custom_code import all_parts_in, own_errors
from ..runs.checkpoint import State
from ..runs.exploiter_results import discard_exploiters
from ..runs.files import CURVE, DECISIONS, EXACT_CURVE, FINAL, LAST_FINAL, PROGRESS
from ..runs.interrupts import report
from ..runs.logs import make_log
from ..runs.run import Logs, Run, Trainable
from ..world import ALONE, World
from .config import Budget, Evaluation, Exploiters, Training, load_own_parts, with_copied_parts
from .evaluation.exact import ExploitabilityHook
from .evaluation.matches import AT_THE_END, MISTAKES_AT_THE_END, ON_THE_WAY, EvaluationHook, count_evaluations
from .evaluation.report import write_report
from .exploiters.training_exploiters import Candidates, ExploitersHook
from .learners.best_response import check_exact
from .learners.devices import check_device
from .learners.hooks import Hook
from .learners.learner import check_capabilities, check_own
from .learners.loop import train
from .learners.run_hooks import BetweenSteps, BudgetClock, ProgressBar
from .learners.starting_weights import check_start
from .learners.torch_settings import torch_settings
from .learners.trainee import Trainee, load_code, load_run_state, run_state

MODES = 2  # the final agent samples its actions, and plays greedily


class LearnerRun(Trainable):
    """One learner in its run folder.

    The folder gets progress.csv (a row per rollout), curve.csv and curve.svg (evaluations), final.safetensors (the
    agent), crosstable.csv, final_matches.phhs.gz (hands to look at) and, on request, files for TensorBoard. With
    training exploiters, it also gets training_exploiters.csv and candidates/, and final.safetensors is the chosen
    candidate.
    """

    IN_RANKS = True

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        config: Training = self.config
        if config.budget.decisions is None:
            load_code(config, run.world)
        self.learner = Trainee(config, run.resumed, run.world)
        self._log = make_log(self.folder, config.tensorboard, None if run.world.rank else config.wandb)
        self.candidates = Candidates(self.learner, self.folder, config.exploiters) if config.exploiters else None
        self._before = self._trained = 0.0

    @classmethod
    def check(cls, config: Training, folder: Path | None = None, world: World = ALONE) -> None:
        load_own_parts(config, *([folder] if folder else []))
        check_device(config.learner.device)
        check_own(config)
        check_capabilities(config, world)
        if folder is None:
            check_start(config)
            check_exact(config)

    @classmethod
    def kept_config(cls, config: Training, folder: Path) -> Training:
        return with_copied_parts(config, folder)

    @classmethod
    @contextmanager
    def opened(cls, run: Run) -> Iterator[Self]:
        settings = run.config.learner
        parts = all_parts_in(run.config.model_dump(mode="json", exclude_unset=True))
        threads = 1 if settings.threads == "auto" else settings.threads
        with own_errors(*parts), torch_settings(threads, settings.matmul_precision):
            yield cls(run)

    @classmethod
    def spent_in(cls, config: Training, state: State) -> float:
        clock, trainee = BudgetClock(config.budget), state["trainee"]
        clock.set_elapsed(trainee["seconds"], trainee["cpu_seconds"])
        return clock.spent(trainee["decisions"])

    @classmethod
    def logs(cls, config: Training, folder: Path, state: State | None) -> Logs:
        done = int(state["trainee"]["decisions"]) if state else -1
        evaluated = ("decisions", done - 1 if state else -1)  # those at the checkpoint are played behind it
        return {folder / PROGRESS: (DECISIONS, done), folder / CURVE: evaluated, folder / EXACT_CURVE: evaluated}

    def done(self) -> int:
        return int(self.learner.model.decisions)

    def is_over(self) -> bool:
        return self.learner.clock.spent(self.done()) >= 1 and self.learner.model.updates > 0

    def plan(self) -> list[str]:
        config, spent = self.learner.config, self.learner.clock.spent(self.done())
        if spent >= 1:
            lines = [self.run.budget_text(is_measured=False)]
        else:
            lines = [plan(config.budget, config.evaluation, spent, count_evaluations(self.folder / CURVE))]
        return [*lines, *([plan_of_exploiters(config.exploiters)] if config.exploiters else [])]

    def state(self) -> State:
        return run_state(self.learner) | ({"candidates": self.candidates.state()} if self.candidates else {})

    def load(self, state: State) -> None:
        load_run_state(self.learner, state)
        if self.candidates:
            self.candidates.load_state(state["candidates"])
        self._before = self.learner.clock.elapsed()

    def advance(self, between: Callable[[], bool]) -> None:
        learner, config, run = self.learner, self.learner.config, self.run
        bar = ProgressBar(learner.clock, learner.pace, config.tables)
        evaluation = EvaluationHook(learner, self.folder / CURVE, run.interrupts, bar.bar if run.show else None)
        exact = [ExploitabilityHook(learner, self.folder / EXACT_CURVE)] if config.evaluation.exploitability else []
        exploiters = [ExploitersHook(self.candidates, learner, run)] if self.candidates else []
        hooks: list[Hook] = [BetweenSteps(between), *exploiters, *learner.hooks()]
        if not run.world.rank:
            hooks += [evaluation, *exact, *([bar] if run.show else [])]
        try:
            train(learner.model, hooks, self._log)
        finally:
            bar.close()
            self._log.close()

    def deliver(self, folder: Path) -> bool:
        learner, final, interrupts = self.learner, folder / FINAL, self.run.interrupts
        earlier = final.read_bytes() if final.exists() else None
        learner.save(final)
        if learner.average:
            learner.kind.save(folder / LAST_FINAL, learner.model.policy)
        self._trained = learner.clock.elapsed() - self._before
        if self.candidates and not interrupts.asked and (sentence := self.candidates.deliver(interrupts)):
            report(sentence)
        if self.config.sampling_temperature != 1:
            sharpen(final, self.config.sampling_temperature)
        if final.read_bytes() != earlier and (sentence := discard_exploiters(folder)):
            report(sentence)
        return True

    def measure(self, folder: Path) -> None:
        with self.learner.clock.paused():
            write_report(self.learner, folder, self.run.show)

    def duration_text(self, seconds: float) -> str:
        exploiters = self.candidates.seconds if self.candidates else 0.0
        return total(self._trained, self.learner.clock.paused_seconds - exploiters, seconds, exploiters)


def plan(budget: Budget, settings: Evaluation, spent: float = 0.0, done: int = 0) -> str:
    """What a run is going to do, as a line for the user: how long it evaluates, or how many matches it plays if the
    configuration says of how many hands.

    spent: the fraction of the budget that is spent already. done: how many of the evaluations during training a resumed
    run has behind it.
    """
    training = budget.text if budget.seconds is None else duration(budget.seconds * (1 - spent))
    if settings.hands is None:
        parts = AT_THE_END + (ON_THE_WAY if settings.times else 0) + (MISTAKES_AT_THE_END if settings.mistakes else 0)
        known = budget.seconds or budget.cpu_seconds
        about = f"about {duration(parts * known)}" if known else f"about {100 * parts:.0f} % of the time of training"
        return f"training: {training}; evaluation: {about}"
    anchors, times = len(settings.opponents), max(settings.times - done, 0)
    on_the_way, at_the_end = times * anchors, MODES * (anchors + settings.past_selves)
    matches = f"{on_the_way + at_the_end} matches of {settings.hands:,} hands"
    if on_the_way and settings.hands_on_the_way != settings.hands:
        matches = f"{on_the_way} matches of {settings.hands_on_the_way:,} hands, {at_the_end} of {settings.hands:,}"
    if settings.mistakes:
        about = f"{100 * MISTAKES_AT_THE_END:.0f} % of the time of training"
        matches += f", and judging the decisions of up to {settings.mistakes:,} hands, at most {about}"
    return f"training: {training}; evaluation: {matches}"


def plan_of_exploiters(settings: Exploiters) -> str:
    """What training exploiters are going to take, as a line for the user.

    >>> plan_of_exploiters(Exploiters(every=0.1))
    'training exploiters: 400,000 decisions each, after every 10 % of the budget, on top of the budget'
    """
    every = f"{settings.every:,.0f} decisions" if settings.every > 1 else f"{100 * settings.every:g} % of the budget"
    return f"training exploiters: {settings.decisions:,} decisions each, after every {every}, on top of the budget"


def total(training: float, evaluation: float, everything: float, exploiters: float = 0.0) -> str:
    """What a run has taken, in seconds, as a line for the user; the rest is compiling, loading and writing.

    exploiters: what training exploiters took.
    """
    on_the_way = f"{duration(exploiters)} of training exploiters, " if exploiters else ""
    return (
        f"took {duration(everything)}: {duration(training)} of training, {duration(evaluation)} of evaluation, "
        f"{on_the_way}{duration(max(everything - training - evaluation - exploiters, 0.0))} of everything else"
    )

"""`Run`: a training in its folder, whatever it trains: begun, interrupted, gone on with, delivered and measured.

The folder gets config.yaml (the configuration as used), versions.json, checkpoints, what was trained, model_card.md and
training.json; the kind, the class that `config.KINDS` names (a `Trainable`), names further logs and results.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from pkgutil import resolve_name
from shutil import copytree
from time import monotonic
from typing import Any, ClassVar, Self

from holdem_env.agents.registry import CODE
from holdem_env.utils.atomic import write_atomically
from holdem_env.utils.plain_data import untrusted
from holdem_env.utils.runner import Runner, number_of_workers

from ..world import ALONE, World
from .checkpoint import State, load_checkpoint, save_checkpoint
from .config import (
    FREE_TO_CHANGE,
    HARDWARE_FIELDS,
    KINDS,
    change_run_config,
    check_resumable,
    differences,
    load_run_config,
)
from .files import CONFIG, FACTS, FINAL, check_restart, is_trained, prepare, set_measured, truncate_csv, write_setup
from .interrupts import Interrupts, options_of, outcome, report, resume_command

Logs = dict[Path, tuple[str, int]]
"""CSV files, each with a column that counts, and the last number that it has in rows that are true."""
MINUTE = 60.0
WITHOUT_EFFECT = {
    "budget",
    "rounds",
    "examples",
    "tensorboard",
    "wandb",
    "checkpoint_minutes",
    "threads",
} | HARDWARE_FIELDS
"""Fields on which the results of a finished run do not depend, once its budget is spent."""
assert WITHOUT_EFFECT <= FREE_TO_CHANGE


def trainable_of(kind: str) -> type[Trainable]:
    """The class that trains this kind of configuration."""
    found: type[Trainable] = resolve_name(KINDS[kind].trains)
    return found


class Run:
    """A run in its folder.

    config, folder: what is trained, and where. show: tell the plan and draw a progress bar. jobs, ray: where parts of a
    league or the examples of a network are made at the same time, as in `Runner`. report_interrupted: whether an
    interrupted run plays its final matches. world: the processes that train it together, of which rank 0 shows.
    interrupts: whether the user pressed ctrl-C, once or twice. runner: of jobs and ray. saved: how much the last
    checkpoint has; None if there is none. has_moved: whether this run has written one. resumed: whether it goes on.
    """

    def __init__(
        self,
        config: Any,
        folder: Path,
        show: bool = True,
        jobs: int = 1,
        ray: str | None = None,
        report_interrupted: bool = True,
        world: World = ALONE,
    ) -> None:
        self.config, self.folder, self.world = config, folder, world
        self.show = show and not world.rank
        self.kind = trainable_of(config.kind)
        self.interrupts = Interrupts()
        self.saved: int | None = None
        self.has_moved = self.resumed = False
        self._jobs, self._ray, self._report_interrupted = jobs, ray, report_interrupted
        self._trained: Trainable | None = None
        self._last_saved = monotonic()

    def begin(self, overwrite: bool = False) -> Self:
        """Train from the beginning. overwrite: replace a run that the folder holds.

        Raises FileExistsError for a folder with results, and what the kind says cannot be trained here, before anything
        is written; KeyboardInterrupt if ctrl-C came before there is anything to deliver.
        """
        self._check_workers(None)
        self.kind.check(self.config, world=self.world)
        with Runner(self._jobs, self._ray, interrupts=Interrupts) as self.runner:
            prepare(self.folder, overwrite)
            with _alone_in(self.folder, self.world):
                self.config = self.kind.kept_config(self.config, self.folder)
                write_setup(self.config, self.folder)
                self._train(None)
        return self

    def go_on(self, state: State | None) -> Self:
        """Train on from a checkpoint; without one, from the beginning, in the folder as it is."""
        self._check_workers(state)
        self.kind.check(self.config, self.folder, self.world)
        if state and self.world.agreed(self._is_complete(state)):
            report(self.budget_text(is_measured=True))
            return self
        with (
            _alone_in(self.folder, self.world),
            Runner(self._jobs, self._ray, interrupts=Interrupts) as self.runner,
            self._true_logs(state),
        ):
            self._train(state)
        return self

    def _check_workers(self, state: State | None) -> None:
        if not self.kind.IN_PARALLEL and (number_of_workers(self._jobs) != 1 or self._ray is not None):
            raise ValueError(
                f"--jobs, --ray: a {self.config.kind} trains in one process; they are for leagues, --seeds, sweeps"
            )
        if self.world.size > 1 and not self.kind.IN_RANKS:
            raise ValueError(f"torchrun trains one learner in several processes; this is a {self.config.kind}")
        with untrusted(lambda why: ValueError(f"{self.folder}: its checkpoint is not of such a run: {why}")):
            goes_on_from = None if state is None else self.kind.spent_in(self.config, state)
        self.world.check_same({**self.config.model_dump(mode="json"), "checkpoint": goes_on_from}, differences)

    def _is_complete(self, state: State) -> bool:
        """Whether the run has spent this budget, and played its final matches as the configuration says."""
        is_same = not differences(self.config.model_dump(mode="json"), state["config"], WITHOUT_EFFECT)
        is_there = is_trained(self.folder) and (self.folder / self.kind.DELIVERS).exists()
        return is_same and is_there and self.kind.spent_in(self.config, state) >= 1

    @contextmanager
    def _true_logs(self, state: State | None) -> Iterator[None]:
        """Logs without the rows after a state, which are going to be written again. With the checkpoint as before, they
        are true in the end, and what training.json says, too."""
        logs = self.kind.logs(self.config, self.folder, state)
        before = {path: path.read_bytes() for path in (*logs, self.folder / FACTS) if path.exists()}
        is_whole = False
        try:
            for path, (column, last) in logs.items():
                truncate_csv(path, column, last)
            set_measured(self.folder, is_measured=False)
            yield
            is_whole = not self.interrupts.stopped_at_once
        finally:
            if state and not is_whole and not self.has_moved:
                for path, content in before.items():
                    write_atomically(path, content)

    def _train(self, state: State | None) -> None:
        begun, self.resumed = monotonic(), state is not None
        with self.kind.opened(self) as self._trained:
            trained = self._trained
            if state:
                trained.load(state)
                self.saved = trained.done()
            if self.show:
                for line in trained.plan():
                    report(line)
            with self.interrupts:
                trained.advance(self.between)
            if self.interrupts.asked and not self.world.rank:
                report(outcome(self.folder, self.saved, trained.UNIT, self.options))
            if not (self._is_as_before() or trained.deliver(self.folder)):
                raise KeyboardInterrupt
            if (
                not self.world.rank
                and not self.interrupts.stopped_at_once
                and (self._report_interrupted or not self.interrupts.asked)
            ):
                self._measure(trained)
            if self.show and (sentence := trained.duration_text(monotonic() - begun)):
                report(sentence)

    def between(self) -> bool:
        """Write a checkpoint if it is time, wherever the state is whole. Returns whether training goes on."""
        assert self._trained is not None
        ends = bool(self.world.agreed(self.interrupts.asked or self._trained.is_over()))
        is_time = monotonic() - self._last_saved >= MINUTE * getattr(self.config, "checkpoint_minutes", 0.0)
        if ends or self.world.agreed(is_time):
            self.save()
        return not ends

    def save(self) -> bool:
        """Write a checkpoint now. Returns False, after a warning, if it could not be written."""
        assert self._trained is not None
        self._last_saved = monotonic()
        state = {"config": self.config.model_dump(mode="json"), **self._trained.state()}
        try:
            if not self.world.rank:
                save_checkpoint(self.folder, state)
        except OSError as error:
            report(f"no checkpoint this time: {error.args[1]}")
            return False
        self.saved, self.has_moved = self._trained.done(), True
        return True

    def _is_as_before(self) -> bool:
        """Whether a second ctrl-C has ended the run before a new checkpoint: then what it delivered before is true."""
        is_there = (self.folder / self.kind.DELIVERS).exists()
        return self.interrupts.stopped_at_once and self.resumed and not self.has_moved and is_there

    def _measure(self, trained: Trainable) -> None:
        try:
            trained.measure(self.folder)
        except KeyboardInterrupt:
            self.interrupts.stopped_at_once = True
            command = self.resume_command()
            report(f"final matches skipped; {self.kind.DELIVERS} is there. {command} plays them when training is over")
        else:
            set_measured(self.folder)

    @property
    def options(self) -> str:
        """The options of `holdem train` that mean this run's workers."""
        return options_of(self._jobs, self._ray)

    def resume_command(self, more: str = "") -> str:
        """What to type to go on. more: further options."""
        return resume_command(self.folder, " ".join(part for part in (more, self.options) if part))

    def budget_text(self, is_measured: bool) -> str:
        """What the user of a finished run reads, and how it trains on. is_measured: whether nothing is left to do."""
        what = "the final matches are played" if is_measured else "only the final matches are played, again"
        budget = getattr(self.config, "budget", None)
        unit = next(iter(budget.model_dump(exclude_none=True)), None) if budget else None
        more = f"--{unit} N" if unit in ("decisions", "seconds") else "--set FIELD=N"
        return (
            f"the budget of {self.config.budget_text} is spent, and {what}; to train on, raise it: "
            f"{self.resume_command(more)}"
        )


class Trainable(ABC):
    """What a run trains, between `Run`, which owns the folder, the checkpoints and ctrl-C, and an algorithm.

    UNIT: what it counts. DELIVERS: the name of the file that it delivers. OPPONENT: whom that file's agent plays
    first; None if the file holds no agent. IN_PARALLEL: whether parts of it train in processes or on a cluster.
    IN_RANKS: whether several processes can train it together.
    """

    UNIT: ClassVar[str] = "decisions"
    DELIVERS: ClassVar[str] = FINAL
    OPPONENT: ClassVar[str | None] = "calling_station"
    IN_PARALLEL: ClassVar[bool] = False
    IN_RANKS: ClassVar[bool] = False

    def __init__(self, run: Run) -> None:
        self.run, self.config, self.folder = run, run.config, run.folder

    @classmethod
    def check(cls, config: Any, folder: Path | None = None, world: World = ALONE) -> None:
        """Raise ValueError or OSError, before anything is written, for what cannot be trained here. folder: of a run
        that goes on. world: the processes that train it."""
        return None

    @classmethod
    def kept_config(cls, config: Any, folder: Path) -> Any:
        """The configuration as its folder keeps it."""
        return config

    @classmethod
    @contextmanager
    def opened(cls, run: Run) -> Iterator[Self]:
        """What this run trains, from the beginning, in whatever surroundings it needs."""
        yield cls(run)

    @classmethod
    @abstractmethod
    def spent_in(cls, config: Any, state: State) -> float:
        """The part of a configuration's budget that a state has spent, 0 to 1."""

    @classmethod
    def logs(cls, config: Any, folder: Path, state: State | None) -> Logs:
        """The CSV files that grow, with what they have at a state, or at the beginning."""
        return {}

    @abstractmethod
    def done(self) -> int:
        """How much is trained, in UNIT."""

    @abstractmethod
    def is_over(self) -> bool:
        """Whether the budget is spent."""

    @abstractmethod
    def plan(self) -> list[str]:
        """What is going to be done, in lines for the user."""

    @abstractmethod
    def advance(self, between: Callable[[], bool]) -> None:
        """Train until the budget is spent. Calls `between` wherever the state is whole, and ends when that is False."""

    @abstractmethod
    def state(self) -> State:
        """The whole state: tensors, numbers and text, in lists and dictionaries."""

    @abstractmethod
    def load(self, state: State) -> None:
        """Go on from what `state` returned under the same configuration. Raises ValueError if it does not fit."""

    @abstractmethod
    def deliver(self, folder: Path) -> bool:
        """Write what training has made so far, if it has made anything; returns whether it has."""

    @abstractmethod
    def measure(self, folder: Path) -> None:
        """Play matches of what was delivered, and write the report. Ctrl-C skips it."""

    def duration_text(self, seconds: float) -> str | None:
        """What the run has taken, for the user. seconds: in all."""
        return None


def train(
    config: Any, folder: Path, show: bool = True, overwrite: bool = False, world: World = ALONE, **where: Any
) -> Path:
    """Train by a configuration, write a run folder, and return it.

    Ctrl-C ends training where its state is whole; the folder then has what was trained so far, and a checkpoint from
    which `resume` goes on. A second ctrl-C ends training at once.

    show: tell the plan and draw a progress bar. overwrite: replace a run that the folder holds; without it, a folder
    with results is a FileExistsError. world: the processes that train it, all of which call this. where: jobs and ray,
    as in `Run`.
    """
    return Run(config, world.written_to(folder), show, world=world, **where).begin(overwrite).folder


def resume(
    folder: Path,
    show: bool = True,
    overwrite: bool = False,
    changes: Sequence[str] = (),
    world: World = ALONE,
    **where: Any,
) -> Path:
    """Continue a killed, interrupted or finished run from its latest checkpoint, as if nothing had happened.

    A run without a checkpoint begins again; if it has results, only with `overwrite`. In the folder's config.yaml you
    may change the budget, the evaluation, and whatever else does not change what is trained (`FREE_TO_CHANGE`);
    changes: such changes first, for example "budget={seconds: 60}". world, where: as in `train`. Raises
    FileNotFoundError if the folder holds no run, FileExistsError if beginning again would overwrite results,
    ConfigError if the configuration differs from the checkpoint's, ValueError if every checkpoint is damaged.
    """
    if not (folder / CONFIG).is_file():
        raise FileNotFoundError(f"{folder}: no run to resume; there is no {CONFIG} in it")
    if changes and not world.rank:
        change_run_config(folder, changes)
    world.agreed(0)  # the others wait for the changes
    state = load_checkpoint(folder)
    config = load_run_config(folder / CONFIG, state and state["config"])
    if state:
        check_resumable(config, state["config"], folder / CONFIG)
    else:
        check_restart(folder, overwrite)
    written = world.written_to(folder)
    if written != folder:
        written.mkdir()
        if (folder / CODE).is_dir():
            copytree(folder / CODE, written / CODE)
    return Run(config, written, show, world=world, **where).go_on(state).folder


def finish(config: Any, folder: Path, show: bool = True, report_interrupted: bool = True) -> bool:
    """Do what is left of a run: all of it, what comes after its latest checkpoint, or nothing. Returns whether it is
    trained and has played its final matches. Raises as `resume`; show, report_interrupted: as in `Run`."""
    if is_trained(folder):
        return True
    if (folder / CONFIG).is_file() and load_checkpoint(folder):
        resume(folder, show, report_interrupted=report_interrupted)
    else:
        Run(config, folder, show, report_interrupted=report_interrupted).begin(overwrite=True)
    return is_trained(folder)


@contextmanager
def _alone_in(folder: Path, world: World) -> Iterator[None]:
    """Holds a run folder against other processes until the block, or this process, ends. Raises ValueError if another
    one has it. Windows has no such lock; of several ranks, the first holds it for all.
    """
    try:
        import fcntl
    except ImportError:
        yield
        return
    if world.rank:
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(f"{folder}: another process trains in this folder; wait for its end") from None
        yield
    finally:
        os.close(handle)

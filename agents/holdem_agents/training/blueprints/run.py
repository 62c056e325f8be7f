"""Runs of `holdem solve CONFIG`: a blueprint is trained in a run folder, with checkpoints, matches on the way and a
strategy file at the end.

    folder = solve_blueprint(load_blueprint("blueprint_20bb"), Path("runs/mine"))
    resume_blueprint(folder)  # after a crash, or with a larger budget
"""

from __future__ import annotations

import csv
import io
import platform
import shlex
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from time import monotonic

from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn

from holdem_env.arena import play_match
from holdem_env.solvers.blueprints.agent import BlueprintAgent
from holdem_env.solvers.blueprints.config import BlueprintBudget, BlueprintConfig
from holdem_env.solvers.blueprints.strategy_file import save_strategy
from holdem_env.solvers.blueprints.training import Trainer, load_checkpoint, save_checkpoint
from holdem_env.utils import yaml_files
from holdem_env.utils.atomic import write_atomically
from holdem_env.utils.version import __version__

from ...command_name import holdem_command
from ...progress import VisibleProgress
from ..config import ConfigError, change_field, config_errors, read_yaml
from ..interrupts import Interrupts, report
from ..run_folder.files import CARD, CONFIG, rows_of, truncate_csv
from .card import write_blueprint_card

FINAL = "final.strategy"
CHECKPOINT = "checkpoint.npz"
CURVE = "curve.csv"
COLUMNS = ("minutes", "deals", "opponent", "bb_per_100", "half_width_95", "hands")
SNAPSHOTS = "snapshots"
ROUND_SECONDS = 2.0
"""How long threads train before anything else is done."""
MINUTE = 60.0


def load_blueprint(name: str | Path, changes: Sequence[str] = ()) -> BlueprintConfig:
    """Read and check the configuration of a blueprint. changes: other values, such as "threads=1".

    Raises ConfigError, or FileNotFoundError.
    """
    path, content = read_yaml(name)
    for other, command in (("agents", "tournament"), ("opponents", "train"), ("learners", "train")):
        if other in content:
            raise ConfigError(f"{path}: this is no blueprint; use holdem {command} {path.stem}")
    for change in changes:
        change_field(content, change)
    with config_errors(path, changes):
        return BlueprintConfig(**content)


def solve_blueprint(config: BlueprintConfig, folder: Path, show: bool = True, overwrite: bool = False) -> Path:
    """Train a blueprint, write a run folder, and return it.

    The folder gets config.yaml, checkpoint.npz, curve.csv (the matches on the way), final.strategy with its
    model_card.md and, if the configuration asks for them, snapshots. Ctrl-C ends training after a checkpoint; a second
    one ends it at once. show: tell the plan and draw a progress bar. overwrite: replace a run that the folder holds.

    Raises FileExistsError for a folder with a run in it; ValueError, before it takes the memory, for a blueprint that
    does not fit into this machine's.
    """
    files = [folder / name for name in (FINAL, CHECKPOINT, CURVE, CARD) if (folder / name).exists()]
    if files and not overwrite:
        raise FileExistsError(
            f"{folder} holds a run already ({', '.join(path.name for path in files)}): choose another folder, continue "
            "the run with --resume, or replace it with --overwrite"
        )
    trainer = Trainer(config)
    for path in files:
        path.unlink()
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / CONFIG, yaml_files.dumps(config.model_dump(mode="json", exclude_unset=True)))
    BlueprintRun(trainer, folder, show).run()
    return folder


def resume_blueprint(folder: Path, show: bool = True) -> Path:
    """Continue a run from its checkpoint, or from the beginning if it was killed before the first one; its config.yaml
    may have another budget, number of threads and matches.

    Raises FileNotFoundError if there is no run, or a strategy without its checkpoint; ConfigError or ValueError if that
    is damaged or another configuration's.
    """
    needed = (CONFIG, CHECKPOINT) if (folder / FINAL).exists() else (CONFIG,)
    for name in needed:
        if not (folder / name).is_file():
            raise FileNotFoundError(f"{folder}: no run to resume; there is no {name} in it")
    config, checkpoint = load_blueprint(folder / CONFIG), folder / CHECKPOINT
    trainer = load_checkpoint(checkpoint, config) if checkpoint.is_file() else Trainer(config)
    truncate_csv(folder / CURVE, "deals", trainer.deals)
    BlueprintRun(trainer, folder, show).run()
    return folder


def resume_command(folder: Path) -> str:
    """What to type to go on with the run in this folder."""
    return f"{holdem_command()} solve --resume {shlex.quote(str(folder))}"


class BlueprintRun:
    """One run: rounds of training, and what is done between them."""

    def __init__(self, trainer: Trainer, folder: Path, show: bool) -> None:
        self.trainer, self.config, self.folder, self._show = trainer, trainer.config, folder, show
        self._interrupts = Interrupts()
        self._results: dict[str, str] = {}
        self._last_check, self._last_match = monotonic(), trainer.seconds
        columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn()
        self._bar = VisibleProgress(*columns, TextColumn("{task.fields[note]}"), disable=not show)
        self._start = trainer.deals, trainer.nodes, trainer.seconds

    def run(self) -> None:
        """Train until the budget is spent or the user interrupts, and write what came of it."""
        if self._show:
            report(f"{self.folder.name}: {self.trainer.size}; {budget_text(self.config.budget)}")
        interrupts = self._interrupts
        with interrupts, self._bar:
            self._fill_tables()
            self._rounds(interrupts)
        if self.trainer.deals:
            if not interrupts.stopped_at_once:
                save_checkpoint(self.folder / CHECKPOINT, self.trainer)
            self._save(self.folder / FINAL)
        if interrupts.asked:
            report(f"interrupted after {self.trainer.deals:,} deals; this goes on: {resume_command(self.folder)}")
        else:
            self._match_unharmed()
        if self.trainer.deals:
            self._write_card()

    def _fill_tables(self) -> None:
        task = self._bar.add_task("card tables", total=None, unit="boards", note="")
        self.trainer.fill_tables(lambda done, total: self._bar.update(task, completed=done, total=total))
        self._bar.remove_task(task)

    def _rounds(self, interrupts: Interrupts) -> None:
        task = self._bar.add_task("training", total=1.0, note="")
        snapshots = self._snapshots_due()
        while (spent := self.spent()) < 1 and not interrupts.asked:
            self.trainer.train(self._seconds(), self.config.budget.deals)
            self._bar.update(task, completed=self.spent(), note=self._note())
            if any(spent < at <= self.spent() for at in snapshots):
                self._take_snapshot()
            self._now_and_then()

    def _take_snapshot(self) -> None:
        try:
            (self.folder / SNAPSHOTS).mkdir(exist_ok=True)
            self._save(self.folder / SNAPSHOTS / f"{self.trainer.deals:012}.strategy")
        except OSError as error:
            report(f"no snapshot this time: {error.args[1]}")

    def spent(self) -> float:
        """The part of the budget that is spent, 0 to 1."""
        budget = self.config.budget
        if budget.deals:
            return min(self.trainer.deals / budget.deals, 1.0)
        return min(self.trainer.seconds / (MINUTE * (budget.minutes or 1)), 1.0)

    def _seconds(self) -> float:
        """How long the next round is."""
        minutes = self.config.budget.minutes
        left = MINUTE * minutes - self.trainer.seconds if minutes else ROUND_SECONDS
        return min(ROUND_SECONDS, max(left, 0.01))

    def _snapshots_due(self) -> list[float]:
        """The parts of the budget after which a snapshot is taken."""
        return [0.5**k for k in range(1, self.config.snapshots + 1)]

    def _now_and_then(self) -> None:
        """A checkpoint and matches, where it is time for them."""
        if monotonic() - self._last_check > MINUTE * self.config.checkpoint_minutes:
            try:
                save_checkpoint(self.folder / CHECKPOINT, self.trainer)
            except OSError as error:
                report(f"no checkpoint this time: {error.args[1]}")
            self._last_check = monotonic()
        if self.trainer.seconds - self._last_match > MINUTE * self.config.matches.minutes and self.spent() < 1:
            self._match_unharmed()
            self._last_match = self.trainer.seconds

    def _note(self) -> str:
        """Deals, speed and results, for the progress bar."""
        deals, nodes, seconds = self._start
        trained = max(self.trainer.seconds - seconds, 1e-9)
        speed = f"{(self.trainer.deals - deals) / trained:,.0f} deals/s"
        visits = f"{(self.trainer.nodes - nodes) / trained / 1e6:.1f} M nodes/s"
        results = [f"{name} {won}" for name, won in self._results.items()]
        return ", ".join([f"{self.trainer.deals:,} deals", speed, visits, *results])

    def _match_unharmed(self) -> None:
        """`_match`; what goes wrong in it, such as an opponent that fails, is reported and does training no harm."""
        try:
            self._match()
        except Exception as error:  # whatever an opponent does
            report(f"no matches this time: {error}")

    def _match(self) -> None:
        """Play the matches, and write them to the curve."""
        agent = BlueprintAgent(self.trainer.strategy(), search=None)
        rows = [row for row in rows_of(self.folder / CURVE) if row["deals"] != str(self.trainer.deals)]
        for opponent in self.config.matches.opponents:
            result = play_match(agent, opponent, self.config.rules, self.config.matches.hands)
            self._results[opponent] = f"{result.mean:+.0f} ± {result.half_width:.0f}"
            numbers = self.trainer.seconds / MINUTE, self.trainer.deals, opponent, result.mean, result.half_width
            row = (f"{numbers[0]:.2f}", *numbers[1:3], f"{numbers[3]:.2f}", f"{numbers[4]:.2f}", result.hands)
            rows.append(dict(zip(COLUMNS, map(str, row), strict=True)))
        text = io.StringIO()
        writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        write_atomically(self.folder / CURVE, text.getvalue())

    def _write_card(self) -> None:
        """The model card, with the matches that the strategy has played as it is."""
        deals = str(self.trainer.deals)
        played = {row["opponent"]: row for row in rows_of(self.folder / CURVE) if row["deals"] == deals}
        write_blueprint_card(self.folder / FINAL, self.folder / CARD, list(played.values()))

    def _save(self, path: Path) -> None:
        """Write the strategy as it is, with the facts of its making."""
        command = shlex.join(["holdem", *sys.argv[1:]]) if sys.argv[1:2] == ["solve"] else ""
        facts = {"command": command, "date": str(date.today()), "machine": machine(), "version": __version__}
        save_strategy(path, self.trainer.strategy(name=self.folder.name, **facts))


def budget_text(budget: BlueprintBudget) -> str:
    """How long a run is, in words."""
    return f"{budget.deals:,} deals" if budget.deals else f"{budget.minutes:g} minutes of training"


def machine() -> str:
    """What trains: the processor's kind and Python's version."""
    return f"{platform.machine()} {platform.system()}, Python {platform.python_version()}"

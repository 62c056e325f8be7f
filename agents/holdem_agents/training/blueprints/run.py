"""The run of a blueprint: rounds of training of some seconds, matches on the way, a strategy file at the end."""

from __future__ import annotations

import platform
import shlex
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path

import torch
from rich.progress import TextColumn

from holdem_env.game.units import unit_of
from holdem_env.solvers.blueprints.agent import BlueprintAgent
from holdem_env.solvers.blueprints.config import BlueprintConfig
from holdem_env.solvers.blueprints.strategy_file import save_strategy
from holdem_env.solvers.blueprints.training import Trainer, check_config
from holdem_env.utils.version import __version__

from ...progress import VisibleProgress
from ...runs.checkpoint import State
from ...runs.files import CARD, CURVE, DECISIONS, PROGRESS, SNAPSHOTS, STRATEGY, rows_of, truncate_csv, write_facts
from ...runs.interrupts import report
from ...runs.logs import Log, make_log
from ...runs.reading import ELAPSED, SPENT
from ...runs.run import Logs, Run, Trainable
from ...world import ALONE, World
from ..evaluation.matches import EVALUATION_SEED, play, write_results
from .card import write_blueprint_card

ROUND_SECONDS = 2.0
"""How long threads train before anything else is done."""
ROWS = 200
"""About how many rows the log of a whole run has."""
MINUTE = 60.0


class BlueprintRun(Trainable):
    """One blueprint in its run folder.

    The folder gets progress.csv, curve.csv (the matches on the way), final.strategy and, if the configuration asks for
    them, snapshots. Training that does not fit into this machine's memory is a ValueError, before it takes it.
    """

    UNIT, DELIVERS, OPPONENT = "deals", STRATEGY, "pot_odds"

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.trainer = Trainer(self.config)
        self._results: dict[str, str] = {}
        self._last_match = self._logged = 0.0
        columns = *VisibleProgress.get_default_columns(), TextColumn("{task.fields[note]}")
        self._bar = VisibleProgress(*columns, disable=not run.show)
        self._start = 0, 0.0, 0.0

    @classmethod
    def check(cls, config: BlueprintConfig, folder: Path | None = None, world: World = ALONE) -> None:
        check_config(config)

    @classmethod
    def spent_in(cls, config: BlueprintConfig, state: State) -> float:
        deals, seconds = config.budget.deals, config.budget.seconds or 1
        return float(min(state["deals"] / deals if deals else state["seconds"] / seconds, 1.0))

    @classmethod
    def logs(cls, config: BlueprintConfig, folder: Path, state: State | None) -> Logs:
        done = state["deals"] if state else -1
        return {folder / PROGRESS: (DECISIONS, done), folder / CURVE: ("decisions", done)}

    def done(self) -> int:
        return self.trainer.deals

    def is_over(self) -> bool:
        return self._spent() >= 1

    def _spent(self) -> float:
        return self.spent_in(self.config, {"deals": self.trainer.deals, "seconds": self.trainer.seconds})

    def plan(self) -> list[str]:
        return [f"{self.folder.name}: {self.trainer.size}; {self.config.budget_text}"]

    def state(self) -> State:
        state = self.trainer.state()
        return {**state, "cumulative": torch.from_numpy(state["cumulative"])}

    def load(self, state: State) -> None:
        self.trainer.restore({**state, "cumulative": state["cumulative"].numpy()})
        self._last_match, self._logged = self.trainer.seconds, self._spent()

    def advance(self, between: Callable[[], bool]) -> None:
        trainer = self.trainer
        self._start = trainer.deals, trainer.nodes, trainer.seconds
        log = make_log(self.folder)
        try:
            with self._bar:
                self._fill_tables()
                task = self._bar.add_task("training", total=1.0, note="")
                while between():
                    before = self._spent()
                    trainer.train(self._seconds(), self.config.budget.deals)
                    self._bar.update(task, completed=self._spent(), note=self._note())
                    if any(before < 0.5**k <= self._spent() for k in range(1, self.config.snapshots + 1)):
                        self._take_snapshot()
                    if self.is_over() or self._spent() > self._logged + 1 / ROWS:
                        self._log(log)
                    if trainer.seconds - self._last_match > MINUTE * self.config.matches.minutes:
                        self._match_unharmed()
        finally:
            log.close()

    def _fill_tables(self) -> None:
        task = self._bar.add_task("card tables", total=None, unit="boards", note="")
        self.trainer.fill_tables(lambda done, total: self._bar.update(task, completed=done, total=total))
        self._bar.remove_task(task)

    def _seconds(self) -> float:
        budget = self.config.budget.seconds
        left = budget - self.trainer.seconds if budget else ROUND_SECONDS
        return min(ROUND_SECONDS, max(left, 0.01))

    def _log(self, log: Log) -> None:
        self._logged = self._spent()
        stats = {SPENT: self._logged, ELAPSED: self.trainer.seconds, DECISIONS: self.trainer.deals}
        log.write(stats, self.trainer.deals)

    def _take_snapshot(self) -> None:
        try:
            (self.folder / SNAPSHOTS).mkdir(exist_ok=True)
            self._save(self.folder / SNAPSHOTS / f"{self.trainer.deals:012}.strategy")
        except OSError as error:
            report(f"no snapshot this time: {error.args[1]}")

    def _note(self) -> str:
        deals, nodes, seconds = self._start
        trained = max(self.trainer.seconds - seconds, 1e-9)
        speed = f"{(self.trainer.deals - deals) / trained:,.0f} deals/s"
        visits = f"{(self.trainer.nodes - nodes) / trained / 1e6:.1f} M nodes/s"
        results = [f"{name} {won}" for name, won in self._results.items()]
        return ", ".join([f"{self.trainer.deals:,} deals", speed, visits, *results])

    def _match_unharmed(self) -> None:
        """Play the matches and write them to the curve; what goes wrong in them, such as an opponent that fails, is
        reported and does training no harm."""
        self._last_match = self.trainer.seconds
        matches, agent = self.config.matches, BlueprintAgent(self.trainer.strategy(), search=None)
        try:
            results = [
                play(agent, name, self.config.rules, matches.hands, EVALUATION_SEED) for name in matches.opponents
            ]
        except Exception as error:  # whatever an opponent does
            report(f"no matches this time: {error}")
            return
        unit = unit_of(self.config.rules)
        self._results |= {each.opponent: unit.text(each.mean, each.half_width) for each in results}
        truncate_csv(self.folder / CURVE, "decisions", self.trainer.deals - 1)
        write_results(self.folder / CURVE, self.trainer.deals, self.trainer.seconds, EVALUATION_SEED, results)

    def deliver(self, folder: Path) -> bool:
        if not self.trainer.deals:
            return False
        self._save(folder / STRATEGY)
        facts = {"budget_spent": self._spent()}
        write_facts(folder, self.trainer.deals, self.trainer.seconds, self.config.seed, **facts)
        self._write_card()
        return True

    def measure(self, folder: Path) -> None:
        self._match_unharmed()
        self._write_card()

    def _write_card(self) -> None:
        deals = str(self.trainer.deals)
        played = {row["opponent"]: row for row in rows_of(self.folder / CURVE) if row["decisions"] == deals}
        write_blueprint_card(self.folder / STRATEGY, self.folder / CARD, list(played.values()))

    def _save(self, path: Path) -> None:
        command = shlex.join(["holdem", *sys.argv[1:]]) if sys.argv[1:2] == ["train"] else ""
        machine = f"{platform.machine()} {platform.system()}, Python {platform.python_version()}"
        facts = {"command": command, "date": str(date.today()), "machine": machine, "version": __version__}
        save_strategy(path, self.trainer.strategy(name=self.folder.name, **facts))

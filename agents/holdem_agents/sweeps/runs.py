"""One run of a sweep, in whatever process it is run: training, its final matches, an exploiter.

Each part is done once. A run that was interrupted or killed goes on where it was.
"""

from __future__ import annotations

import json
import shutil
import traceback
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from holdem_env.agents.registry import make_agent
from holdem_env.utils.atomic import write_whole

from ..training.checkpoint import load_checkpoint
from ..training.code_loading import load_code
from ..training.config import Budget, ConfigError, Training, load_config
from ..training.exploiter_results import FRESH
from ..training.exploiter_settings import exploiter, kind_of, warm_or_why
from ..training.exploiter_training import exploit
from ..training.run import resume, train_until
from ..training.run_folder import CONFIG, CROSSTABLE, FACTS, FINAL
from .sweep_file import EXPLOITER, ExploiterMeasure

ERROR = "error.txt"
Outcome = Literal["finished", "interrupted"]
FREE_TO_CHANGE = {"checkpoint_minutes"}
"""The fields that may change while a sweep is under way."""


@dataclass(frozen=True)
class RunTask:
    """A run to be done. folder: where it writes. exploiter: what trains against its agent afterwards."""

    setting: str
    folder: Path
    config: Training
    exploiter: ExploiterMeasure | None = None

    @property
    def name(self) -> str:
        """What messages call it."""
        return f"{self.setting}, seed {self.config.seed}"

    @property
    def exploiter_folder(self) -> Path:
        """Where the exploiter's run lies."""
        return self.folder / EXPLOITER

    def exploiter_config(self) -> Training:
        """The configuration of the exploiter. Raises ValueError for an agent that no warm exploiter can begin with."""
        assert self.exploiter is not None
        budget, hands = Budget(decisions=self.exploiter.decisions), self.exploiter.hands
        config = exploiter(str(self.agent), self.config.rules, budget, self.config.seed, hands)
        evaluation = config.evaluation.model_copy(update={"times": 0})
        config = config.model_copy(update={"evaluation": evaluation})
        if self.exploiter.kind == FRESH:
            return config
        warmed = warm_or_why(config, make_agent(self.agent))
        if isinstance(warmed, str):
            raise ValueError(f"{warmed}; give measures.exploiter.kind: fresh")
        return warmed

    @property
    def agent(self) -> Path:
        """The file of the agent that the run delivers."""
        return self.folder / FINAL

    @property
    def is_finished(self) -> bool:
        """Whether everything is done."""
        return is_trained(self.folder) and (self.exploiter is None or is_trained(self.exploiter_folder))


def is_trained(folder: Path) -> bool:
    """Whether the run in this folder has spent its budget and played its final matches."""
    facts, matches = folder / FACTS, folder / CROSSTABLE
    try:
        return matches.stat().st_mtime >= facts.stat().st_mtime and facts_of(folder)["budget_spent"] >= 1
    except (OSError, ValueError, KeyError):
        return False


def facts_of(folder: Path) -> dict[str, Any]:
    """What training.json of a run says. Raises OSError, or ValueError."""
    facts: dict[str, Any] = json.loads((folder / FACTS).read_text(encoding="utf-8"))
    return facts


def do_run(task: RunTask) -> Outcome:
    """Do what is left of a run; `interrupted` if ctrl-C ended it, with a checkpoint.

    What goes wrong is written to error.txt in the run's folder, and raised.
    """
    (task.folder / ERROR).unlink(missing_ok=True)
    try:
        return "finished" if _train(task) and _exploit(task) else "interrupted"
    except Exception:
        task.folder.mkdir(parents=True, exist_ok=True)
        write_whole(task.folder / ERROR, traceback.format_exc())
        raise


def _train(task: RunTask) -> bool:
    """Train, and play the final matches; False if interrupted."""
    if is_trained(task.folder):
        return True
    if task.config.budget.decisions:  # a run with a budget in time does so itself
        load_code(task.config)
    if (task.folder / CONFIG).is_file() and load_checkpoint(task.folder):
        resume(task.folder, show=False, report_interrupted=False)
    else:
        train_until(task.config, task.folder, show=False, overwrite=True, report_interrupted=False)
    return is_trained(task.folder)


def _exploit(task: RunTask) -> bool:
    """Train the exploiter, if there is one to be; False if interrupted. One that was not finished begins again."""
    if task.exploiter is None or is_trained(task.exploiter_folder):
        return True
    shutil.rmtree(task.exploiter_folder, ignore_errors=True)
    exploit(str(task.agent), task.exploiter_config(), task.exploiter_folder, show=False, report_interrupted=False)
    return is_trained(task.exploiter_folder)


def check_unchanged(tasks: Iterable[RunTask]) -> None:
    """Raise ConfigError if a folder holds a run of another configuration, naming the differences."""
    for task in tasks:
        _check_unchanged(task)


def _check_unchanged(task: RunTask) -> None:
    if (task.folder / CONFIG).is_file():
        before = load_config(task.folder / CONFIG).model_dump(mode="json")
        _check_same(task.folder, task.config.model_dump(mode="json"), before)
    if task.exploiter is not None and (task.exploiter_folder / CONFIG).is_file():
        known = load_config(task.exploiter_folder / CONFIG)
        before = {"kind": kind_of(known), "decisions": known.budget.decisions, "hands": known.evaluation.hands}
        _check_same(task.exploiter_folder, task.exploiter.model_dump(), before)


def _check_same(folder: Path, now: Mapping[str, Any], before: Mapping[str, Any]) -> None:
    changed = [name for name in _differences(now, before) if name not in FREE_TO_CHANGE]
    if changed:
        changes = "; ".join(f"{name} is {_at(now, name)!r}, was {_at(before, name)!r}" for name in changed)
        raise ConfigError(
            f"{folder} holds a run of another configuration: {changes}. Change the file of the sweep back, give "
            "the sweep another --name, or remove that folder"
        )


def _differences(one: Mapping[str, Any], two: Mapping[str, Any], above: str = "") -> list[str]:
    """The dotted paths of the fields that differ."""
    found = []
    for name in dict.fromkeys([*one, *two]):
        a, b = one.get(name), two.get(name)
        if isinstance(a, dict) and isinstance(b, dict):
            found += _differences(a, b, f"{above}{name}.")
        elif a != b:
            found.append(f"{above}{name}")
    return found


def _at(content: Mapping[str, Any], path: str) -> Any:
    at: Any = content
    for key in path.split("."):
        at = at.get(key) if isinstance(at, Mapping) else None
    return at

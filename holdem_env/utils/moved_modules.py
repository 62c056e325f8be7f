"""Old module names, from before version 0.2: old imports, pickles and checkpoints still find their modules.

Importing an old name gives the module of the new name, with a DeprecationWarning. The next version drops the old names.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

MOVED = {
    "holdem_env.dealer_errors": "holdem_env.game.dealer_errors",
    "holdem_env.evaluation": "holdem_env.cards.evaluation",
    "holdem_env.games": "holdem_env.game.presets",
    "holdem_env.legality": "holdem_env.engine.legality",
    "holdem_env.position_names": "holdem_env.game.position_names",
    "holdem_env.prizes": "holdem_env.table.prizes",
    "holdem_env.ranges": "holdem_env.cards.ranges",
    "holdem_env.rules": "holdem_env.game.rules",
    "holdem_env.saving": "holdem_env.table.saving",
    "holdem_env.schedule": "holdem_env.game.session_rules",
    "holdem_env.session": "holdem_env.table.session",
    "holdem_env.starting": "holdem_env.table.starting",
    "holdem_env.tables": "holdem_env.table.tables",
    "holdem_env.validation": "holdem_env.utils.validation",
    "holdem_env.arena.reports.report": "holdem_env.arena.reports.html_report",
    "holdem_env.encoders.equity": "holdem_env.encoders.equity_features",
    "holdem_env.engine.compiling": "holdem_env.compiled.compiler",
    "holdem_env.engine.evaluator": "holdem_env.cards.evaluator",
    "holdem_env.envs.given": "holdem_env.envs.arguments",
    "holdem_env.envs.seat": "holdem_env.envs.single_seat",
    "holdem_env.envs.seats": "holdem_env.envs.learner_tables",
    "holdem_env.history.record": "holdem_env.history.hand_record",
    "holdem_agents.network": "holdem_agents.training.network",
    "holdem_agents.steady": "holdem_agents.training.regularization",
    "holdem_agents.trainee": "holdem_agents.training.trainee",
    "holdem_agents.config": "holdem_agents.training.config",
}


class _Moved(MetaPathFinder, Loader):
    """Finds a module by its old name, after all other finders have failed."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return ModuleSpec(fullname, self) if fullname in MOVED else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        warnings.warn(f"{spec.name} is now {MOVED[spec.name]}", DeprecationWarning, stacklevel=2)
        return import_module(MOVED[spec.name])

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: the module has already run under its new name."""


def find_moved_modules() -> None:
    """Let imports find modules by their old names."""
    if not any(isinstance(finder, _Moved) for finder in sys.meta_path):
        sys.meta_path.append(_Moved())

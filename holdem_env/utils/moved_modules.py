"""Old module names, from before they moved: old imports, pickles and checkpoints still find their modules.

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
    "holdem_env.arena.best_responses.exact": "holdem_env.arena.best_responses.exploitability",
    "holdem_env.arena.dealer": "holdem_env.arena.matches.dealer",
    "holdem_env.arena.deals": "holdem_env.arena.statistics.deals",
    "holdem_env.arena.match": "holdem_env.arena.matches.match",
    "holdem_env.arena.seating": "holdem_env.arena.matches.seating",
    "holdem_env.arena.sessions": "holdem_env.arena.matches.sessions",
    "holdem_env.arena.tournaments.fingerprints": "holdem_env.agents.fingerprints",
    "holdem_env.arena.estimators.estimates": "holdem_env.arena.statistics.estimates",
    "holdem_env.arena.estimators.intervals": "holdem_env.arena.statistics.intervals",
    "holdem_env.arena.reports.big_pots": "holdem_env.arena.observed.big_pots",
    "holdem_env.arena.reports.habits": "holdem_env.arena.observed.habits",
    "holdem_env.arena.reports.report": "holdem_env.arena.reports.html_report",
    "holdem_env.encoders.equity": "holdem_env.encoders.equity_features",
    "holdem_env.engine.compiling": "holdem_env.compiled.compiler",
    "holdem_env.engine.evaluator": "holdem_env.cards.evaluator",
    "holdem_env.envs.given": "holdem_env.envs.arguments",
    "holdem_env.envs.seat": "holdem_env.envs.single_seat",
    "holdem_env.envs.seats": "holdem_env.envs.learner_tables",
    "holdem_env.history.record": "holdem_env.history.hand_record",
    "holdem_env.solvers.blueprints.river_exploitability": "holdem_env.arena.best_responses.on_rivers",
    "holdem_env.render.text": "holdem_env.render.table_text",
    "holdem_agents.checkpoint": "holdem_agents.training.checkpoint",
    "holdem_agents.commands": "holdem_agents.cli.commands",
    "holdem_agents.config": "holdem_agents.training.config",
    "holdem_agents.exploiting": "holdem_agents.training.exploiter_training",
    "holdem_agents.league": "holdem_agents.training.league",
    "holdem_agents.network": "holdem_agents.training.network",
    "holdem_agents.report": "holdem_agents.training.run_report",
    "holdem_agents.steady": "holdem_agents.training.regularization",
}


class _Moved(MetaPathFinder, Loader):
    """Finds a module by its old name, after all other finders have failed."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return ModuleSpec(fullname, self) if fullname in MOVED else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        warnings.warn(f"{spec.name} is now {MOVED[spec.name]}", DeprecationWarning, stacklevel=2)
        module = import_module(MOVED[spec.name])
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing but give the module its own spec back: it has run under its new name, and the import has replaced
        its spec."""
        if module.__spec__ is not None:
            module.__spec__ = module.__spec__.loader_state


def find_moved_modules() -> None:
    """Let imports find modules by their old names."""
    if not any(isinstance(finder, _Moved) for finder in sys.meta_path):
        sys.meta_path.append(_Moved())

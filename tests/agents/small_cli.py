"""`holdem` with card tables that take no time and with small exploiters, as a program that tests can kill."""

from __future__ import annotations

from typing import Any

from holdem_agents.cli.start import main
from holdem_agents.sweeps import objective
from holdem_agents.training import exploit
from holdem_agents.training.config import Learner, Training
from holdem_env.solvers.card_tables import abstraction
from solvers.blueprints.one_bucket import no_tables

LEARNER = Learner(n_steps=8, batch_size=128, hidden=(16,), threads=1)


def small(*given: Any) -> Training:
    """An exploiter with a checkpoint after each rollout."""
    changes = {"tables": 32, "learner": LEARNER, "checkpoint_minutes": 0.0}
    return exploit.exploiters_own(*given).model_copy(update=changes)  # type: ignore[attr-defined]


if __name__ == "__main__":
    abstraction.CardAbstraction.deal_tables = no_tables  # type: ignore[method-assign]
    exploit.exploiters_own = exploit.exploiter  # type: ignore[attr-defined]
    exploit.exploiter = objective.exploiter = small  # type: ignore[assignment]
    main()

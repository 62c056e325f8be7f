"""What a process compiles and loads for its first rollout and update: done before a budget in time begins.

In a fresh installation it takes some twenty seconds, which would be a third of the demo's minute; later a second.
"""

from __future__ import annotations

from ..config import Training
from .learner import PPOLearner
from .torch_settings import torch_settings

SMALL = {"tables": 8}
SMALL_LEARNER = {"n_steps": 2, "batch_size": 16}


def load_code(config: Training) -> None:
    """Train another learner of this configuration for a moment, at a few tables."""
    learner = config.learner.model_copy(update=SMALL_LEARNER)
    small = PPOLearner(config.model_copy(update={**SMALL, "learner": learner}))
    with torch_settings(precision=learner.matmul_precision):
        small.model.learn(SMALL["tables"] * SMALL_LEARNER["n_steps"], small.callbacks())


def load_code_if_timed(config: Training) -> None:
    """`load_code`, unless the budget is in decisions. The global random generators are afterwards elsewhere."""
    if config.budget.decisions is None:
        load_code(config)

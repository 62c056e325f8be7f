"""What the ranks of a test run: a learner for some updates, whose draws belong to tables, so that ranks draw as one."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any
from zlib import crc32

import torch

from holdem_agents.training.config import Training
from holdem_agents.training.learners import loop
from holdem_agents.training.learners.trainee import Trainee
from holdem_agents.world import ALONE, World, together

TABLES, STEPS = 24, 4


def learnt(updates: int, world: World = ALONE) -> dict[str, torch.Tensor]:
    """The weights after this many rollouts, each of them one minibatch of all tables."""
    rollout = TABLES * STEPS
    config = Training(
        rules="leduc",
        budget={"decisions": updates * rollout},
        tables=TABLES,
        learner={"n_steps": STEPS, "batch_size": rollout, "hidden": [16], "threads": 1, "kl_coef": 0.1, "average": 0.9},
        seed=5,
    )
    trainee = Trainee(config, world=world)
    tables = trainee.env

    def draws(count: int, dtype: Any) -> torch.Tensor:
        return torch.tensor([crc32(tables.records[row].tobytes()) / 2**32 for row in tables.turn], dtype=dtype)

    torch.set_num_threads(1)
    torch.rand = draws  # type: ignore[assignment]
    loop.train(trainee.model, trainee.hooks(), decisions=updates * rollout)
    assert trainee.model.updates == updates
    weights: dict[str, torch.Tensor] = trainee.model.policy.state_dict()
    return weights


if __name__ == "__main__":
    with together() as joined:
        torch.save(learnt(int(sys.argv[1]), joined), Path(sys.argv[2]) / f"{joined.size}-{joined.rank}.pt")

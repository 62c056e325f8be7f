"""A tiny league, what its files hold, and a learner that is killed in the middle of its turn."""

from __future__ import annotations

import csv
import os
import signal
from pathlib import Path
from typing import Any

import torch

from holdem_agents.training.config import League

SMALL = {"n_steps": 8, "batch_size": 128, "hidden": [16], "threads": 1}
TINY = League(
    rules={"preset": "heads-up-no-limit", "stacks": 40},
    learners={
        "one": {"observation": "flat", "actions": "fcpa", "learner": SMALL | {"suits": "canonical", "average": 0.5}},
        "two": {"observation": "planes", "learner": SMALL},
    },
    rounds=2,
    turn=512,
    match_hands=400,
    keep=2,
    pool=3,
    tables=32,
    reward="all_in_value",
    opponents={"latest_self": 0.4, "latest_others": 0.2, "past_selves": 0.3, "maniac": 0.1},
    evaluation={"opponents": ["random"], "hands": 400},
)
KILLED = "HOLDEM_TEST_KILLED"
"""The environment variable with the path of a file that says that the kill is over."""


def lines(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def same_tensors(one: Any, two: Any) -> bool:
    return all(torch.equal(one[name], two[name]) for name in one)


def kill_once(where: Path) -> None:
    """End this process as `kill -9` does, but only one time."""
    if not where.exists():
        where.touch()
        os.kill(os.getpid(), signal.SIGKILL)

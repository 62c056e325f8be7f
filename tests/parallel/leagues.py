"""A tiny league, a tiny run of one learner, and what their files hold."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import torch

from holdem_agents.training.config import League, Training

SMALL = {"n_steps": 8, "batch_size": 128, "hidden": [16], "threads": 1}
TINY = League(
    rules={"preset": "heads-up-no-limit", "stacks": 40},
    learners={
        "one": {"observation": "flat", "actions": "fcpa", "learner": SMALL | {"suits": "canonical", "average": 0.5}},
        "two": {"observation": "planes", "learner": SMALL | {"kind": "sb3"}},
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

SETTINGS: dict[str, Any] = {
    "rules": {"preset": "heads-up-no-limit", "stacks": 40},
    "budget": {"decisions": 1500},
    "tables": 32,
    "opponents": {"latest_self": 0.6, "past_selves": 0.3, "maniac": 0.1},
    "learner": SMALL | {"average": 0.5},
    "evaluation": {"opponents": ["random"], "hands": 400, "past_selves": 0},
    "checkpoint_minutes": 0,
}
ONE_LEARNER = Training(**SETTINGS)


def lines(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def same_tensors(one: Any, two: Any) -> bool:
    return all(torch.equal(one[name], two[name]) for name in one)
